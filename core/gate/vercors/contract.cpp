#include "core/gate/vercors/contract.h"

#include "core/gate/vercors/names.h"
#include "core/gate/vercors/refusal.h"
#include "core/gate/vercors/size_text.h"
#include "core/vc/symbolic_thread.h"

#include <algorithm>
#include <optional>
#include <set>

namespace plumbline::gate::vercors {

using logic::Op;
using logic::Sort;
using logic::TermId;

namespace {

constexpr std::array<const char*, 3> axes{"x", "y", "z"};

/// Bool and Int terms over parameters and coordinates as C. Nothing for what reads memory or floats.
class TermText {
public:
  TermText(const logic::TermStore& store, const std::map<std::string, std::string>& names)
      : m_store(store), m_names(names) {}

  std::optional<std::string> text(TermId id) const {
    const logic::Term& term = m_store[id];
    if (term.op == Op::IntConst)
      return std::to_string(static_cast<int64_t>(term.payload));
    if (term.op == Op::BoolConst)
      return term.payload != 0 ? "true" : "false";
    if (term.op == Op::Var)
      return variable(m_store.symbolText(term.symbol));
    std::vector<std::string> args;
    for (const TermId arg : term.args) {
      std::optional<std::string> made = text(arg);
      if (!made)
        return std::nullopt;
      args.push_back(*std::move(made));
    }
    return applied(term.op, args);
  }

  /// The conjuncts that have a text; the others are left out, which leaves a weaker condition.
  std::vector<std::string> conjuncts(TermId id) const {
    const logic::Term& term = m_store[id];
    if (term.op != Op::And) {
      std::optional<std::string> made = text(id);
      return made && *made != "true" ? std::vector{*std::move(made)} : std::vector<std::string>{};
    }
    std::vector<std::string> all = conjuncts(term.args[0]);
    for (std::string& each : conjuncts(term.args[1]))
      all.push_back(std::move(each));
    return all;
  }

private:
  std::optional<std::string> variable(const std::string& name) const {
    const auto found = m_names.find(name);
    return found != m_names.end() ? std::optional(found->second) : std::nullopt;
  }

  static std::optional<std::string> applied(Op op, const std::vector<std::string>& args) {
    auto infix = [&](const char* symbol) { return "(" + args[0] + " " + symbol + " " + args[1] + ")"; };
    switch (op) {
    case Op::IAdd: return infix("+");
    case Op::ISub: return infix("-");
    case Op::IMul: return infix("*");
    case Op::IDiv: return infix("/");
    case Op::IRem: return infix("%");
    case Op::ILt: return infix("<");
    case Op::ILe: return infix("<=");
    case Op::IEq: return infix("==");
    case Op::And: return infix("&&");
    case Op::Or: return infix("||");
    case Op::Not: return "!" + args[0];
    case Op::Ite: return "(" + args[0] + " ? " + args[1] + " : " + args[2] + ")";
    default: return std::nullopt;
    }
  }

  const logic::TermStore& m_store;
  const std::map<std::string, std::string>& m_names;
};

class Generator {
public:
  Generator(const ir::Module& module, const ir::Kernel& kernel, const ir::LaunchContract& contract)
      : m_module(module), m_kernel(kernel), m_contract(contract), m_sizes(contract, function()) {}

  std::vector<std::string> run() {
    if (!m_contract.aliases.empty())
      refuse("vercors-alias", "parameters that may point at one array", m_contract.where);
    const std::vector<std::string> names = localNames(function());
    for (int i = 0; i < function().parameterCount; ++i)
      m_names[function().locals[static_cast<size_t>(i)].name] = names[static_cast<size_t>(i)];
    launchShape();
    sizes();
    arrays();
    permissions();
    return std::move(m_lines);
  }

private:
  const ir::Function& function() const { return m_module.functions[static_cast<size_t>(m_kernel.function)]; }

  void context(const std::string& text) {
    std::string line = "context " + text + ";";
    if (std::ranges::find(m_lines, line) == m_lines.end())
      m_lines.push_back(std::move(line));
  }

  // --- The launch ---

  void launchShape() {
    for (size_t axis = 0; axis < 3; ++axis) {
      context(std::string("blockDim.") + axes[axis] + " == " + m_sizes.text(*m_contract.block[axis]));
      context(std::string("gridDim.") + axes[axis] + " == " + m_sizes.text(*m_contract.grid[axis]));
    }
  }

  void sizes() {
    for (const std::string& clause : m_sizes.facts())
      context(clause);
  }

  void arrays() {
    std::set<std::string> memories;
    for (int i = 0; i < function().parameterCount; ++i) {
      const ir::Local& local = function().locals[static_cast<size_t>(i)];
      if (!local.type.pointer)
        continue;
      const ir::BufferContract* buffer = ir::findBuffer(m_contract, local.name);
      if (buffer == nullptr)
        refuse("vercors-free-size", "the array '" + local.name + "', whose length the launch does not say",
               local.where);
      if (const std::string memory = ir::sharedMemory(m_contract, *buffer);
          !memory.empty() && !memories.insert(memory).second)
        refuse("vercors-alias", "two parameters for the array " + memory, local.where);
      const std::string& name = m_names.at(local.name);
      std::string clause = name;
      clause.append(" != NULL && \\pointer_length(").append(name).append(") == ");
      context(clause + m_sizes.text(*buffer->length));
    }
  }

  // --- Permissions ---

  void permissions() {
    const vc::SymbolicThread thread = execute();
    std::map<std::string, std::vector<const vc::ThreadStore*>> written;
    for (const vc::ThreadStore& store : thread.stores)
      written[store.buffer].push_back(&store);
    const std::map<std::string, std::string> names = termNames();
    const TermText text(m_store, names);
    for (int i = 0; i < function().parameterCount; ++i) {
      const ir::Local& local = function().locals[static_cast<size_t>(i)];
      if (!local.type.pointer)
        continue;
      if (const auto stores = written.find(local.name); stores != written.end())
        writePermission(local.name, stores->second, thread, text);
      else if (std::ranges::find(thread.loads, local.name, &vc::ThreadLoad::buffer) != thread.loads.end())
        readPermission(local.name);
    }
  }

  /// One cell a thread, under the conditions on its place under which it writes. Another thread with the same
  /// cell makes the contract of the grid unprovable, which is the race.
  void writePermission(const std::string& buffer, const std::vector<const vc::ThreadStore*>& stores,
                       const vc::SymbolicThread& thread, const TermText& text) {
    const TermId index = stores[0]->index;
    std::vector<std::string> guards;
    for (const vc::ThreadStore* store : stores) {
      if (store->index != index)
        refuse("vercors-two-cells", "a second cell of '" + buffer + "' that a thread writes", store->where);
      guards.push_back(joined(text.conjuncts(store->guard)));
    }
    for (const vc::ThreadLoad& load : thread.loads)
      if (load.buffer == buffer) {
        if (load.index != index)
          refuse("vercors-read-of-written", "another cell of '" + buffer + "' that a thread reads",
                 load.where);
        guards.push_back(joined(text.conjuncts(load.guard)));
      }
    const std::optional<std::string> cell = text.text(index);
    if (!cell)
      refuse("vercors-index", "an index that memory or a float decides", stores[0]->where);
    std::ranges::sort(guards);
    guards.erase(std::ranges::unique(guards).begin(), guards.end());
    std::string guard;
    for (const std::string& each : guards)
      guard.append(guard.empty() ? "" : " || ").append(each);
    const bool always = std::ranges::find(guards, "true") != guards.end();
    const std::string permission = "Perm(&" + m_names.at(buffer) + "[" + *cell + "], write)";
    context(always ? permission : "(" + guard + ") ==> " + permission);
  }

  static std::string joined(const std::vector<std::string>& conjuncts) {
    std::string all;
    for (const std::string& each : conjuncts)
      all.append(all.empty() ? "" : " && ").append(each);
    return conjuncts.empty() ? "true" : conjuncts.size() == 1 ? all : "(" + all + ")";
  }

  /// An equal share of the whole array for every thread of the grid.
  void readPermission(const std::string& buffer) {
    const std::string& name = m_names.at(buffer);
    const std::string length = m_sizes.text(*ir::findBuffer(m_contract, buffer)->length);
    context("(\\forall* int k_; 0 <= k_ && k_ < " + length + "; Perm(&" + name +
            "[k_], write \\ (blockDim.x * blockDim.y * blockDim.z * gridDim.x * gridDim.y * gridDim.z)))");
  }

  std::map<std::string, std::string> termNames() const {
    std::map<std::string, std::string> names = m_names;
    for (const char* axis : axes)
      for (const char* what : {"blockIdx.", "threadIdx.", "blockDim.", "gridDim."})
        names[std::string(what) + axis] = std::string(what) + axis;
    return names;
  }

  vc::SymbolicThread execute() {
    std::map<std::string, vc::ParameterBinding> parameters;
    for (int i = 0; i < function().parameterCount; ++i) {
      const ir::Local& local = function().locals[static_cast<size_t>(i)];
      vc::ParameterBinding binding;
      if (local.type.pointer) {
        binding.buffer = local.name;
        binding.length = m_store.var(Sort::Int, "length of " + local.name);
      } else {
        binding.scalar = m_store.var(sortOf(local.type.scalar), local.name);
      }
      parameters[local.name] = binding;
    }
    vc::ThreadGeometry geometry{};
    for (size_t axis = 0; axis < 3; ++axis) {
      geometry.blockDim[axis] = m_store.var(Sort::Int, std::string("blockDim.") + axes[axis]);
      geometry.gridDim[axis] = m_store.var(Sort::Int, std::string("gridDim.") + axes[axis]);
    }
    Expected<vc::SymbolicThread> thread =
        vc::executeThread(m_store, m_module, m_kernel, parameters, geometry);
    if (!thread) {
      const Error& error = thread.error();
      refuse("vercors-index", error.rejections.empty() ? error.message : error.rejections[0].construct,
             error.rejections.empty() ? SourceRange{} : error.rejections[0].where);
    }
    return *std::move(thread);
  }

  static Sort sortOf(ir::ScalarType type) {
    switch (type) {
    case ir::ScalarType::Bool: return Sort::Bool;
    case ir::ScalarType::F32: return Sort::F32;
    case ir::ScalarType::F64: return Sort::F64;
    default: return Sort::Int;
    }
  }

  const ir::Module& m_module;
  const ir::Kernel& m_kernel;
  const ir::LaunchContract& m_contract;
  SizeText m_sizes;
  logic::TermStore m_store;
  std::map<std::string, std::string> m_names; ///< parameters
  std::vector<std::string> m_lines;
};

} // namespace

std::vector<std::string> contractLines(const ir::Module& module, const ir::Kernel& kernel,
                                       const ir::LaunchContract& contract) {
  return Generator(module, kernel, contract).run();
}

} // namespace plumbline::gate::vercors
