#include "core/session/device_profile.h"

#include "core/cuda/ptx/facts.h"
#include "core/engine/normalise.h"
#include "core/vc/contraction.h"
#include "core/vc/ptx_thread.h"

#include <algorithm>
#include <set>

namespace plumbline::session {

using cuda::PtxFunction;
using cuda::PtxInstruction;
using cuda::PtxTrait;
using logic::Op;
using logic::TermId;
using logic::TermStore;

namespace {

constexpr size_t mostTrials = 729;
constexpr size_t mostAssemblies = 9;

tl::unexpected<Error> refused(const std::string& id, const std::string& message, const std::string& next) {
  return fail(ErrorKind::Rejected, id, message, next);
}

std::string lineOf(const PtxInstruction& instruction) {
  return instruction.opcode + " for line " + std::to_string(instruction.where.line);
}

// --- The kernel in the PTX ---

/// "ns::(anonymous namespace)::scale<float>" without its namespaces.
std::string withoutNamespaces(const std::string& name) {
  size_t begin = 0;
  for (size_t i = 0; i + 1 < name.size() && name[i] != '<'; ++i)
    if (name[i] == ':' && name[i + 1] == ':')
      begin = i + 2;
  return name.substr(begin);
}

Expected<const PtxFunction*> entryOf(const cuda::PtxModule& ptx, const std::string& kernel) {
  std::vector<const PtxFunction*> found;
  for (const PtxFunction& function : ptx.functions)
    if (function.isEntry && withoutNamespaces(cuda::kernelName(function.symbol)) == kernel)
      found.push_back(&function);
  if (found.size() == 1)
    return found[0];
  return refused("ptx-kernel",
                 "the PTX has " + std::to_string(found.size()) + " kernels called '" + kernel + "'",
                 "give the kernel a name of its own");
}

// --- What the instructions say without their data ---

/// Everything that ieee with fused products does not describe. rsqrtf is defined as its approximation.
Expected<void> checkInstructions(const PtxFunction& kernel) {
  for (const PtxInstruction& instruction : kernel.body) {
    const std::vector<PtxTrait> traits = cuda::traitsOf(instruction.opcode);
    const auto has = [&](PtxTrait trait) {
      return std::find(traits.begin(), traits.end(), trait) != traits.end();
    };
    if (has(PtxTrait::Approximate) && instruction.opcode != "rsqrt.approx.f32")
      return refused("approximate-function", "the compiled kernel uses " + lineOf(instruction),
                     "ask for --reading ieee, which keeps such functions opaque");
    if (instruction.opcode.starts_with("call") || has(PtxTrait::Matrix) || has(PtxTrait::Directed) ||
        has(PtxTrait::Saturate))
      return refused("ptx-not-understood", "the compiled kernel uses " + lineOf(instruction),
                     "ask for --reading ieee");
  }
  for (const PtxInstruction& instruction : kernel.body) {
    const std::vector<PtxTrait> traits = cuda::traitsOf(instruction.opcode);
    if (std::find(traits.begin(), traits.end(), PtxTrait::Flush) != traits.end())
      return refused("flush-to-zero", "the compiled kernel flushes subnormals: " + lineOf(instruction),
                     "build without -use_fast_math and -ftz=true, or ask for --reading real");
  }
  return {};
}

bool isBare(const std::string& opcode, std::initializer_list<std::string_view> roots) {
  return std::any_of(roots.begin(), roots.end(), [&](std::string_view root) {
    return opcode == std::string(root) + ".f32" || opcode == std::string(root) + ".f64";
  });
}

// --- What the assembler may still do ---

/// A sum without a rounding mode, with operands that are products without one: the assembler may fuse one of
/// them.
struct FreeSum {
  struct Product {
    size_t operand = 0; ///< of the sum, 0 or 1
    std::string a;
    std::string b;
    bool negated = false;
  };
  size_t instruction = 0;
  std::vector<Product> products;
};

class FreeSums {
public:
  explicit FreeSums(const PtxFunction& kernel) : m_kernel(kernel) {
    for (size_t i = 0; i < kernel.body.size(); ++i)
      if (!kernel.body[i].operands.empty())
        m_definitions[kernel.body[i].operands[0]].push_back(i);
  }

  /// Error: "assembler-contraction" where registers with several definitions hide what is summed.
  Expected<std::vector<FreeSum>> run() {
    collectProducts();
    std::vector<FreeSum> sums;
    for (size_t i = 0; i < m_kernel.body.size(); ++i) {
      const PtxInstruction& instruction = m_kernel.body[i];
      if (!isBare(instruction.opcode, {"add", "sub"}) || instruction.operands.size() != 3)
        continue;
      FreeSum sum{i, {}};
      for (const size_t operand : {0, 1}) {
        if (!m_products.contains(instruction.operands[operand + 1]))
          continue;
        std::optional<FreeSum::Product> product = productOf(instruction.operands[operand + 1]);
        if (!product)
          return assemblerMayFuse(instruction);
        product->operand = operand;
        sum.products.push_back(*std::move(product));
      }
      if (!sum.products.empty())
        sums.push_back(std::move(sum));
    }
    return sums;
  }

  static tl::unexpected<Error> assemblerMayFuse(const PtxInstruction& instruction) {
    return refused("assembler-contraction",
                   "the assembler may still fuse a product with " + lineOf(instruction),
                   "build with -fmad=false, which fixes both roundings");
  }

private:
  static bool passesOn(const PtxInstruction& instruction) {
    return isBare(instruction.opcode, {"mov", "neg"}) && instruction.operands.size() == 2;
  }

  /// Every register that may hold a product, through signs and copies, in whatever order the instructions
  /// run.
  void collectProducts() {
    for (size_t before = m_products.size() + 1; before != m_products.size();) {
      before = m_products.size();
      for (const PtxInstruction& instruction : m_kernel.body)
        if (!instruction.operands.empty() &&
            (isBare(instruction.opcode, {"mul"}) ||
             (passesOn(instruction) && m_products.contains(instruction.operands[1]))))
          m_products.insert(instruction.operands[0]);
    }
  }

  const PtxInstruction* onlyDefinition(const std::string& name) const {
    const auto found = m_definitions.find(name);
    return found != m_definitions.end() && found->second.size() == 1 ? &m_kernel.body[found->second[0]]
                                                                     : nullptr;
  }

  /// The factors, if their registers and those on the way have one value each.
  std::optional<FreeSum::Product> productOf(std::string name) const {
    FreeSum::Product product;
    for (size_t steps = 0; steps <= m_kernel.body.size(); ++steps) {
      const PtxInstruction* definition = onlyDefinition(name);
      if (definition == nullptr || !definition->guard.empty())
        return std::nullopt;
      if (passesOn(*definition)) {
        product.negated ^= definition->opcode.starts_with("neg");
        name = definition->operands[1];
        continue;
      }
      if (!isBare(definition->opcode, {"mul"}) || definition->operands.size() != 3)
        return std::nullopt;
      product.a = definition->operands[1];
      product.b = definition->operands[2];
      for (const std::string& factor : {product.a, product.b})
        if (factor.starts_with("%") && onlyDefinition(factor) == nullptr)
          return std::nullopt;
      return product;
    }
    return std::nullopt;
  }

  const PtxFunction& m_kernel;
  std::map<std::string, std::vector<size_t>> m_definitions;
  std::set<std::string> m_products;
};

/// The kernel with some of its free sums fused: choice k is one more than the product of sum k, 0 for none.
PtxFunction assembled(const PtxFunction& kernel, const std::vector<FreeSum>& sums,
                      const std::vector<size_t>& choice) {
  PtxFunction result = kernel;
  result.body.clear();
  std::vector<size_t> moved; // where each instruction stands now
  size_t fresh = 0;
  const auto negated = [&](const std::string& operand, const PtxInstruction& like) {
    PtxInstruction instruction = like;
    instruction.opcode = "neg" + like.opcode.substr(like.opcode.find('.'));
    instruction.operands = {"%negated" + std::to_string(fresh++), operand};
    result.body.push_back(instruction);
    return instruction.operands[0];
  };
  for (size_t i = 0; i < kernel.body.size(); ++i) {
    moved.push_back(result.body.size());
    PtxInstruction instruction = kernel.body[i];
    const auto sum = std::ranges::find(sums, i, &FreeSum::instruction);
    const size_t chosen = sum == sums.end() ? 0 : choice[static_cast<size_t>(sum - sums.begin())];
    if (chosen > 0) {
      const FreeSum::Product& product = sum->products[chosen - 1];
      const bool difference = instruction.opcode.starts_with("sub");
      std::string a = product.a;
      std::string c = instruction.operands[2 - product.operand];
      if (product.negated != (difference && product.operand == 1))
        a = negated(a, kernel.body[i]);
      if (difference && product.operand == 0)
        c = negated(c, kernel.body[i]);
      instruction.opcode = "fma.rn" + instruction.opcode.substr(instruction.opcode.find('.'));
      instruction.operands = {instruction.operands[0], a, product.b, c};
    }
    result.body.push_back(std::move(instruction));
  }
  moved.push_back(result.body.size());
  for (auto& [label, at] : result.labels)
    at = moved[at];
  return result;
}

/// Every kernel that the assembler may make, the one without further fusion first.
Expected<std::vector<PtxFunction>> assemblies(const PtxFunction& kernel) {
  const Expected<std::vector<FreeSum>> sums = FreeSums(kernel).run();
  if (!sums)
    return fail(sums.error());
  std::vector<PtxFunction> result;
  std::vector<size_t> choice(sums->size(), 0);
  while (true) {
    if (result.size() >= mostAssemblies)
      return FreeSums::assemblerMayFuse(kernel.body[sums->front().instruction]);
    result.push_back(assembled(kernel, *sums, choice));
    size_t k = 0;
    while (k < choice.size() && choice[k] == (*sums)[k].products.size())
      choice[k++] = 0;
    if (k == choice.size())
      return result;
    ++choice[k];
  }
}

bool isFused(const PtxFunction& kernel) {
  return std::any_of(kernel.body.begin(), kernel.body.end(), [](const PtxInstruction& instruction) {
    const std::vector<PtxTrait> traits = cuda::traitsOf(instruction.opcode);
    return std::find(traits.begin(), traits.end(), PtxTrait::Fused) != traits.end();
  });
}

// --- Comparing what is stored ---

/// A choice by a condition that is not negated and not asked again inside.
TermId canonicalChoice(TermStore& store, logic::Term choice) {
  if (store[choice.args[0]].op == Op::Not) {
    choice.args[0] = store[choice.args[0]].args[0];
    std::swap(choice.args[1], choice.args[2]);
  }
  for (const size_t side : {1, 2})
    if (const logic::Term& inner = store[choice.args[side]];
        inner.op == Op::Ite && inner.args[0] == choice.args[0])
      choice.args[side] = inner.args[side];
  return store.ite(choice.args[0], choice.args[1], choice.args[2]);
}

/// Forms between which compilers change freely: PTX's max and min have the same value with their operands
/// exchanged, and a choice by a negated condition is the opposite choice.
TermId canonicalChoices(TermStore& store, TermId root) {
  std::unordered_map<TermId, TermId> done;
  for (const TermId id : store.postOrder(root)) {
    logic::Term term = store[id];
    for (TermId& arg : term.args)
      arg = done.at(arg);
    TermId result = term.args.empty() ? id : store.make(term);
    if (store[result].op == Op::Ite)
      result = canonicalChoice(store, store[result]);
    // ite(isnan a, b, ite(isnan b, a, ...)) is the form that ptxMax and ptxMin make.
    const logic::Term whole = store[result];
    if (whole.op == Op::Ite && store[whole.args[0]].op == Op::FIsNan) {
      const TermId a = store[whole.args[0]].args[0];
      const TermId b = whole.args[1];
      if (store[a].sort == store[b].sort && b < a) {
        if (store.ptxMax(a, b) == result)
          result = store.ptxMax(b, a);
        else if (store.ptxMin(a, b) == result)
          result = store.ptxMin(b, a);
      }
    }
    done.emplace(id, result);
  }
  return done.at(root);
}

using Stored = std::set<std::tuple<std::string, TermId, TermId>>;

class Matcher {
public:
  Matcher(TermStore& store, const gate::Problem& problem, const StopToken& stop)
      : m_store(store), m_problem(problem), m_stop(stop), m_normalise(store) {}

  /// The choices at the places under which the kernel stores what the PTX does.
  Expected<std::vector<int>> run(const PtxFunction& compiled,
                                 const std::vector<vc::ContractionPlace>& places) {
    const ir::Function& function =
        m_problem.module->functions[static_cast<size_t>(m_problem.kernel->function)];
    std::vector<vc::ParameterBinding> parameters;
    for (int i = 0; i < function.parameterCount; ++i) {
      const auto bound = m_problem.parameters.find(function.locals[static_cast<size_t>(i)].name);
      if (bound == m_problem.parameters.end())
        return refused("ptx-kernel", "a parameter of the kernel has no value in the launch contract", "");
      parameters.push_back(bound->second);
    }
    Expected<std::vector<vc::CellValue>> cells =
        vc::executePtx(m_store, compiled, parameters, m_problem.geometry);
    if (!cells)
      return fail(cells.error());
    const Stored wanted = normal(*cells);
    if (trials(places) > mostTrials)
      return ambiguous("it has more than " + std::to_string(mostTrials) + " ways to fuse its products");
    for (std::vector<int> choice = firstOf(places);;) {
      Expected<Stored> stored = storedUnder(places, choice);
      if (!stored)
        return fail(stored.error());
      if (*stored == wanted)
        return choice;
      if (m_stop.stopRequested())
        return fail(ErrorKind::Tool, "timeout", "the time ran out while the PTX was compared",
                    "raise --timeout");
      if (!advance(places, choice))
        return ambiguous("no way to fuse its products gives what the PTX stores");
    }
  }

private:
  static tl::unexpected<Error> ambiguous(const std::string& why) {
    return refused("ambiguous-contraction", "the kernel cannot be matched with its PTX: " + why,
                   "write the fused products as fmaf, or build with -fmad=false");
  }

  static size_t trials(const std::vector<vc::ContractionPlace>& places) {
    size_t count = 1;
    for (const vc::ContractionPlace& place : places)
      count = std::min(count * (place.operands.size() + 1), mostTrials + 1);
    return count;
  }

  /// Everything fused: what compilers do where they can.
  static std::vector<int> firstOf(const std::vector<vc::ContractionPlace>& places) {
    std::vector<int> choice(places.size());
    std::ranges::transform(places, choice.begin(),
                           [](const vc::ContractionPlace& place) { return place.operands.front(); });
    return choice;
  }

  static bool advance(const std::vector<vc::ContractionPlace>& places, std::vector<int>& choice) {
    for (size_t i = 0; i < places.size(); ++i) {
      const std::vector<int>& options = places[i].operands;
      const auto at = std::find(options.begin(), options.end(), choice[i]);
      if (at != options.end()) {
        choice[i] = at + 1 == options.end() ? -1 : *(at + 1);
        return true;
      }
      choice[i] = options.front(); // and carry
    }
    return false;
  }

  Expected<Stored> storedUnder(const std::vector<vc::ContractionPlace>& places,
                               const std::vector<int>& choice) {
    const ir::Module module = vc::contracted(*m_problem.module, places, choice);
    Expected<vc::SymbolicThread> thread =
        vc::executeThread(m_store, module, *m_problem.kernel, m_problem.parameters, m_problem.geometry);
    if (!thread)
      return fail(thread.error());
    return normal(vc::cellValues(m_store, *thread));
  }

  TermId normal(TermId term) {
    return m_normalise(vc::normaliseIntegers(m_store, canonicalChoices(m_store, term)));
  }

  Stored normal(const std::vector<vc::CellValue>& cells) {
    Stored result;
    for (const vc::CellValue& cell : cells)
      result.emplace(cell.buffer, normal(cell.index), normal(cell.value));
    return result;
  }

  TermStore& m_store;
  const gate::Problem& m_problem;
  const StopToken& m_stop;
  engine::Normaliser m_normalise;
};

CompiledKernel compiledKernel(const gate::Problem& problem, const std::vector<vc::ContractionPlace>& places,
                              const std::vector<int>& choices, const std::string& profile) {
  CompiledKernel result;
  result.module = std::make_unique<ir::Module>(vc::contracted(*problem.module, places, choices));
  for (const ir::Kernel& kernel : result.module->kernels)
    if (kernel.name == problem.kernel->name)
      result.kernel = &kernel;
  for (size_t i = 0; i < places.size(); ++i)
    if (choices[i] >= 0)
      result.assumptions.push_back(profile + ": a * b + c is one rounding at " + toString(places[i].where));
  result.assumptions.push_back(profile + ": everything else is compiled as the source says");
  return result;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words)
    text += " " + word;
  return text.empty() ? " none" : text;
}

} // namespace

Expected<std::vector<CompiledKernel>> matchPtx(TermStore& store, const gate::Problem& problem,
                                               const cuda::PtxModule& ptx, const std::string& profile,
                                               const StopToken& stop) {
  Expected<const PtxFunction*> compiled = entryOf(ptx, problem.kernel->name);
  if (!compiled)
    return fail(compiled.error());
  if (Expected<void> done = checkInstructions(**compiled); !done)
    return fail(done.error());
  const Expected<std::vector<PtxFunction>> ways = assemblies(**compiled);
  if (!ways)
    return fail(ways.error());
  const std::vector<vc::ContractionPlace> places = vc::contractionPlaces(*problem.module, *problem.kernel);
  std::set<std::vector<int>> seen;
  std::vector<CompiledKernel> result;
  for (const PtxFunction& way : *ways) {
    std::vector<int> choices(places.size(), -1);
    // Without fused instructions there is nothing to find: every product and sum is rounded as the source
    // says.
    if (isFused(way)) {
      Expected<std::vector<int>> found = Matcher(store, problem, stop).run(way, places);
      if (!found)
        return fail(found.error());
      choices = *std::move(found);
    }
    if (seen.insert(choices).second)
      result.push_back(compiledKernel(problem, places, choices, profile));
  }
  return result;
}

Expected<std::vector<CompiledKernel>> compileKernel(TermStore& store, const gate::Problem& problem,
                                                    const ImportChildren::Candidate& candidate,
                                                    const std::string& file, const std::string& arch,
                                                    const StopToken& stop) {
  const Expected<std::string> nvcc = cuda::findNvcc({});
  if (!nvcc)
    return fail(nvcc.error());
  cuda::PtxRequest request = cuda::ptxRequest(candidate.imported, candidate.text, file);
  request.nvcc = *nvcc;
  request.arch = arch;
  const Expected<cuda::PtxText> text = cuda::compileToPtx(request, stop);
  if (!text)
    return fail(text.error());
  const Expected<cuda::PtxModule> ptx = cuda::readPtx(text->ptx);
  if (!ptx)
    return fail(ptx.error());
  Expected<std::vector<CompiledKernel>> result = matchPtx(store, problem, *ptx, "nvcc-" + arch, stop);
  if (result)
    for (CompiledKernel& way : *result)
      way.assumptions.push_back("nvcc-" + arch + ": nvcc " + text->version +
                                ", flags:" + joined(text->flags));
  return result;
}

} // namespace plumbline::session
