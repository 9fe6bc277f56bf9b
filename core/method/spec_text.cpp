#include "core/method/spec_text.h"

#include "core/method/scalar_text.h"
#include "core/method/size_text.h"
#include "core/method/spec_nodes.h"
#include "core/velvet/graph_line.h"

#include <algorithm>

namespace plumbline::method {

using logic::Op;
using logic::Sort;
using logic::TermId;
using velvet::Bracket;
using velvet::ExprPtr;

namespace {

/// Up to this many zero signs the allowed values are written out; above, they are quantified.
constexpr size_t maxListedChoices = 3;

/// Writes the element of one output.
class SpecWriter : private ScalarText {
public:
  SpecWriter(logic::TermStore& store, const torch::Graph& graph, const gate::Problem& problem, size_t output,
             Environment& environment)
      : ScalarText(store), m_store(store), m_environment(environment), m_nodes(store, graph, problem, output),
        m_root(problem.spec.outputs[output].element) {}

  OutputText run(const std::string& suffix) {
    countUses();
    m_name = m_environment.fresh("spec" + suffix);
    m_local.fresh(m_name);
    reserveNames();
    velvet::Definition spec = definition();
    OutputText result;
    result.origin = headOrigin();
    result.definitions.push_back(std::move(spec));
    if (!m_choices.empty())
      addAllowed(result, suffix);
    return closed(std::move(result));
  }

private:
  velvet::LineOrigin headOrigin() const { return {{}, m_nodes.needed(), true}; }

  /// The comment line that names the graph's inputs and nodes behind the output; readers of documents show
  /// it.
  std::string graphLine() const {
    constexpr size_t most = 8;
    const std::vector<std::string>& nodes = m_nodes.needed();
    std::string line;
    for (size_t i = 0; i < std::min(most, nodes.size()); ++i)
      line += (i == 0 ? "" : ", ") + oneLine(nodes[i]);
    if (nodes.size() > most)
      line += " and " + std::to_string(nodes.size() - most) + " more";
    return line.empty() ? "" : "\n" + std::string(velvet::graphMark) + line;
  }

  // --- What occurs ---

  void countUses() {
    for (TermId id : m_store.postOrder(m_root)) {
      const logic::Term& term = m_store[id];
      for (TermId arg : term.args)
        ++m_uses[arg];
      if (term.op == Op::Load)
        m_buffers.insert(m_store.symbolText(id));
      if (term.op == Op::Var && term.sort == Sort::Int && m_store.symbolText(id) != gate::elementName)
        m_sizes.insert(m_store.symbolText(id));
      if (term.op == Op::Var && term.sort == Sort::Bool)
        m_choices.push_back(m_store.symbolText(id));
    }
  }

  void reserveNames() {
    for (const auto& [tensor, buffer] : m_environment.buffers)
      if (m_buffers.contains(tensor))
        m_arrayNames[tensor] = m_local.fresh(buffer.parameter.empty() ? buffer.name : buffer.parameter);
    for (const std::string& size : m_sizes)
      m_sizeNames[size] = m_local.fresh(m_environment.sizes.at(size));
    for (const std::string& choice : m_choices)
      m_choiceNames[choice] = m_local.fresh(choice);
    m_index = m_local.fresh("i");
  }

  // --- The definition ---

  velvet::Definition definition() {
    velvet::Definition result;
    result.name = m_name;
    result.attribute = "grind";
    result.doc = "What the module computes at the flat index " + m_index +
                 " (below the number of elements)." + graphLine();
    result.binders = {{"S", "Type", Bracket::Curly, {}},
                      {"", "Inhabited S", Bracket::Square, {}},
                      {"", "Plumbline.Scalar S", Bracket::Square, {}}};
    for (const std::string& choice : m_choices)
      result.binders.push_back({m_choiceNames.at(choice), "Bool", Bracket::Round, {}});
    for (const std::string& size : m_sizes)
      result.binders.push_back({m_sizeNames.at(size), "Int", Bracket::Round, {}});
    for (const auto& [tensor, name] : m_arrayNames)
      result.binders.push_back({name, "Array S", Bracket::Round, {}});
    result.binders.push_back({m_index, "Nat", Bracket::Round, {}});
    result.type = "S";
    result.origin = headOrigin();
    for (TermId id : m_store.postOrder(m_root))
      if (id != m_root && wantsLet(id))
        addLet(result, id);
    result.value = value(m_root);
    result.valueOrigin = lineOrigin(m_root);
    return result;
  }

  /// Elements of nodes get a line of their own, and what is used twice.
  bool wantsLet(TermId id) const {
    const logic::Term& term = m_store[id];
    if (term.sort == Sort::Int || term.op == Op::Var || m_store.isConst(id))
      return false;
    return !m_nodes.exactly(id).empty() || m_uses.at(id) > 1;
  }

  void addLet(velvet::Definition& result, TermId id) {
    velvet::Let let;
    let.value = value(id);
    let.type = m_store[id].sort == Sort::Bool ? "Bool" : "S";
    let.origin = lineOrigin(id);
    const auto& nodes = m_nodes.exactly(id);
    if (!nodes.empty())
      let.name = m_local.fresh(nodes.front());
    else if (m_store[id].op == Op::Load)
      let.name = m_local.fresh(m_arrayNames.at(m_store.symbolText(id)) + "_at");
    else
      let.name = m_local.fresh("t");
    setName(id, let.name);
    result.lets.push_back(std::move(let));
  }

  /// The nodes behind a line: those whose element it is, and those of what it contains.
  velvet::LineOrigin lineOrigin(TermId root) const {
    std::set<std::string> names(m_nodes.exactly(root).begin(), m_nodes.exactly(root).end());
    collectNodes(root, true, names);
    velvet::LineOrigin origin;
    for (const std::string& node : m_nodes.needed())
      if (names.contains(node))
        origin.nodes.push_back(node);
    if (origin.nodes.empty())
      origin.nodes = m_nodes.needed();
    return origin;
  }

  void collectNodes(TermId id, bool isRoot, std::set<std::string>& names) const {
    if (!isRoot && hasName(id))
      return;
    const logic::Term& term = m_store[id];
    if (term.op == Op::Load)
      names.insert(m_store.symbolText(id));
    const auto& exact = m_nodes.exactly(id);
    names.insert(exact.begin(), exact.end());
    if (exact.empty() && !term.args.empty())
      names.insert(m_nodes.owner(id));
    for (TermId arg : term.args)
      collectNodes(arg, false, names);
  }

  // --- Terms ---

  ExprPtr variable(TermId id) const override {
    return m_store[id].sort == Sort::Int ? integer(id)
                                         : velvet::name(m_choiceNames.at(m_store.symbolText(id)));
  }

  ExprPtr integer(TermId id) const override {
    return intText(m_store, id, [this](const std::string& name) {
      return name == gate::elementName ? velvet::ascribe(velvet::name(m_index), "Int")
                                       : velvet::name(m_sizeNames.at(name));
    });
  }

  ExprPtr load(TermId id) const override {
    const TermId index = m_store[id].args[0];
    const bool plain = m_store[index].op == Op::Var && m_store.symbolText(index) == gate::elementName;
    return velvet::element(velvet::name(m_arrayNames.at(m_store.symbolText(id))),
                           plain ? velvet::name(m_index) : asIndex(integer(index)));
  }

  // --- Allowed values ---

  /// The call in a definition of this document, over its own parameter names.
  ExprPtr call(const std::string& function, const std::vector<ExprPtr>& choices, const ExprPtr& index) const {
    std::vector<ExprPtr> args = choices;
    for (const std::string& size : m_sizes)
      args.push_back(velvet::name(m_sizeNames.at(size)));
    for (const auto& [tensor, name] : m_arrayNames)
      args.push_back(velvet::name(name));
    args.push_back(index);
    return velvet::apply(function, std::move(args));
  }

  void addAllowed(OutputText& result, const std::string& suffix) {
    velvet::Definition allows;
    allows.name = m_environment.fresh("allows" + suffix);
    allows.attribute = "grind";
    allows.doc = "That v is a value of the module at " + m_index +
                 ": ATen leaves the sign of a zero tie open." + graphLine();
    const std::string value = m_local.fresh("v");
    allows.binders.push_back({value, "Float32", Bracket::Round, {}});
    for (const std::string& size : m_sizes)
      allows.binders.push_back({m_sizeNames.at(size), "Int", Bracket::Round, {}});
    for (const auto& [tensor, name] : m_arrayNames)
      allows.binders.push_back({name, "Array Float32", Bracket::Round, {}});
    allows.binders.push_back({m_index, "Nat", Bracket::Round, {}});
    allows.type = "Prop";
    allows.origin = headOrigin();
    allows.valueOrigin = headOrigin();
    allows.value = m_choices.size() <= maxListedChoices ? listed(result.definitions[0].name, value)
                                                        : quantified(result.definitions[0].name, value);
    result.definitions.push_back(std::move(allows));
  }

  /// One equation for every assignment of the signs.
  ExprPtr listed(const std::string& spec, const std::string& value) const {
    std::vector<ExprPtr> equations;
    for (size_t bits = size_t{1} << m_choices.size(); bits-- > 0;) {
      std::vector<ExprPtr> choices;
      choices.reserve(m_choices.size());
      for (size_t i = 0; i < m_choices.size(); ++i)
        choices.push_back(velvet::name(((bits >> (m_choices.size() - 1 - i)) & 1) != 0 ? "true" : "false"));
      equations.push_back(velvet::binary(velvet::BinaryOp::Equal, velvet::name(value),
                                         call(spec, choices, velvet::name(m_index))));
    }
    ExprPtr result = equations.back();
    for (size_t i = equations.size() - 1; i-- > 0;)
      result = velvet::binary(velvet::BinaryOp::Or, equations[i], result);
    return result;
  }

  ExprPtr quantified(const std::string& spec, const std::string& value) const {
    std::vector<ExprPtr> choices;
    choices.reserve(m_choices.size());
    for (const std::string& choice : m_choices)
      choices.push_back(velvet::name(m_choiceNames.at(choice)));
    ExprPtr result = velvet::binary(velvet::BinaryOp::Equal, velvet::name(value),
                                    call(spec, choices, velvet::name(m_index)));
    for (size_t i = m_choices.size(); i-- > 0;)
      result = velvet::exists(m_choiceNames.at(m_choices[i]), "Bool", result);
    return result;
  }

  /// References from the method: its own names of sizes and arrays.
  OutputText closed(OutputText result) const {
    std::vector<ExprPtr> middle;
    middle.reserve(m_sizes.size() + m_arrayNames.size());
    for (const std::string& size : m_sizes)
      middle.push_back(velvet::name(m_environment.sizes.at(size)));
    for (const auto& [tensor, name] : m_arrayNames)
      middle.push_back(velvet::name(m_environment.buffers.at(tensor).entry));
    const std::string function = result.definitions.back().name;
    const bool isEquation = m_choices.empty();
    result.holds = [middle, function, isEquation](const ExprPtr& value, const ExprPtr& index) {
      std::vector<ExprPtr> args = middle;
      args.push_back(index);
      if (isEquation)
        return velvet::binary(velvet::BinaryOp::Equal, value, velvet::apply(function, std::move(args)));
      args.insert(args.begin(), value);
      return velvet::apply(function, std::move(args));
    };
    return result;
  }

  logic::TermStore& m_store;
  Environment& m_environment;
  SpecNodes m_nodes;
  TermId m_root;
  std::string m_name;
  velvet::NameScope m_local;
  std::unordered_map<TermId, int> m_uses;
  std::set<std::string> m_buffers;
  std::set<std::string> m_sizes;
  std::vector<std::string> m_choices; ///< variables, in order of occurrence
  std::map<std::string, std::string> m_arrayNames;
  std::map<std::string, std::string> m_sizeNames;
  std::map<std::string, std::string> m_choiceNames;
  std::string m_index;
};

} // namespace

OutputText specText(logic::TermStore& store, const torch::Graph& graph, const gate::Problem& problem,
                    size_t output, Environment& environment) {
  const std::string suffix = problem.spec.outputs.size() > 1 ? "_" + std::to_string(output) : "";
  return SpecWriter(store, graph, problem, output, environment).run(suffix);
}

} // namespace plumbline::method
