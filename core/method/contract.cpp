#include "core/method/contract.h"

#include "core/logic/opaque_names.h"
#include "core/method/expressions.h"
#include "core/method/lean_names.h"
#include "core/method/refusal.h"
#include "core/method/size_text.h"
#include "core/velvet/printer.h"

namespace plumbline::method {

using logic::Op;
using logic::Sort;
using logic::TermId;
using velvet::BinaryOp;
using velvet::Clause;
using velvet::ExprPtr;
using velvet::LineOrigin;

ExprPtr sizeVariable(const Environment& environment, const std::string& name) {
  const auto found = environment.sizes.find(name);
  if (found == environment.sizes.end())
    refuse("method-spec", "the size '" + name + "', which nothing defines");
  return velvet::name(found->second);
}

std::vector<velvet::Binder> parameters(const gate::Problem& problem, const Environment& environment) {
  std::vector<velvet::Binder> result;
  const LineOrigin launch{{problem.contract.where}, {}, true};
  for (const Axis& axis : environment.axes)
    for (const std::string& name : {axis.gridDim, axis.blockDim})
      if (!name.empty())
        result.push_back({name, "Nat", velvet::Bracket::Round, launch});
  for (const auto& [variable, name] : environment.sizes)
    result.push_back({name, "Int", velvet::Bracket::Round, {}});
  const ir::Function& function = problem.module->functions[static_cast<size_t>(problem.kernel->function)];
  std::map<std::string, SourceRange> places;
  for (int i = 0; i < function.parameterCount; ++i) {
    const ir::Local& local = function.locals[static_cast<size_t>(i)];
    places[local.name] = local.where;
    if (const auto found = environment.scalars.find(local.name); found != environment.scalars.end())
      result.push_back(
          {found->second, leanType(local.type.scalar), velvet::Bracket::Round, {{local.where}, {}, true}});
  }
  for (const std::string& tensor : environment.bufferOrder) {
    const Buffer& buffer = environment.buffers.at(tensor);
    LineOrigin origin;
    if (!buffer.parameter.empty())
      origin.cuda.push_back(places.at(buffer.parameter));
    if (buffer.isInput)
      origin.nodes.push_back(tensor);
    result.push_back({buffer.entry, "Array Float32", velvet::Bracket::Round, origin});
  }
  return result;
}

namespace {

class Requirements {
public:
  Requirements(const logic::TermStore& store, const gate::Problem& problem, Environment& environment)
      : m_store(store), m_problem(problem), m_environment(environment) {}

  std::vector<Clause> run(const std::set<std::string>& opaque) {
    for (const Axis& axis : m_environment.axes)
      addAxis(axis);
    const ir::Function& function =
        m_problem.module->functions[static_cast<size_t>(m_problem.kernel->function)];
    for (int i = 0; i < function.parameterCount; ++i)
      addScalar(function.locals[static_cast<size_t>(i)]);
    for (const std::string& tensor : m_environment.bufferOrder)
      addBuffer(m_environment.buffers.at(tensor));
    for (TermId definition : m_problem.definitions)
      add("numel", prop(definition), "number of elements", {});
    for (const gate::Hypothesis& known : m_problem.hypotheses)
      addHypothesis(known);
    addJoined(opaque);
    return std::move(m_result);
  }

private:
  ExprPtr integer(TermId term) const {
    return intText(m_store, term,
                   [this](const std::string& name) { return sizeVariable(m_environment, name); });
  }
  ExprPtr prop(TermId term) const {
    return propText(m_store, term,
                    [this](const std::string& name) { return sizeVariable(m_environment, name); });
  }

  /// A fact that two sources give is required once.
  void add(const std::string& label, ExprPtr prop, const std::string& comment, LineOrigin origin) {
    if (!m_known.insert(velvet::print(*prop)).second)
      return;
    m_result.push_back({m_environment.fresh(label), std::move(prop), std::move(origin), comment});
  }

  LineOrigin launch() const { return {{m_problem.contract.where}, {}, true}; }

  std::string launchText() const {
    const ir::LaunchContract& contract = m_problem.contract;
    if (contract.wrapper.empty())
      return "launch contract";
    return "launch in '" + contract.wrapper + "', " + placeText(contract.where);
  }

  static ExprPtr asInt(const std::string& name) { return velvet::ascribe(velvet::name(name), "Int"); }

  void addAxis(const Axis& axis) {
    const auto& geometry = m_problem.geometry;
    if (!axis.gridDim.empty())
      add(axis.gridDim,
          velvet::binary(BinaryOp::Equal, asInt(axis.gridDim), integer(geometry.gridDim[axis.number])),
          launchText(), launch());
    if (!axis.blockDim.empty())
      add(axis.blockDim,
          velvet::binary(BinaryOp::Equal, asInt(axis.blockDim), integer(geometry.blockDim[axis.number])),
          launchText(), launch());
  }

  void addScalar(const ir::Local& local) {
    const auto found = m_environment.scalars.find(local.name);
    if (found == m_environment.scalars.end())
      return;
    LineOrigin origin = launch();
    origin.cuda.push_back(local.where);
    add(found->second,
        velvet::binary(BinaryOp::Equal, velvet::name(found->second),
                       scalarValue(m_problem.parameters.at(local.name).scalar, local.where)),
        "argument " + local.name + ", " + launchText(), origin);
  }

  ExprPtr scalarValue(TermId id, const SourceRange& where) const {
    const logic::Term& term = m_store[id];
    if (term.op == Op::FloatConst)
      return floatConstant(term.sort == Sort::F32 ? ir::ScalarType::F32 : ir::ScalarType::F64, term.payload);
    if (term.op == Op::IntToFloat)
      return velvet::apply(term.sort == Sort::F32 ? "Float32.ofInt" : "Float.ofInt", {integer(term.args[0])});
    if (term.sort == Sort::Int)
      return integer(id);
    if (term.op == Op::BoolConst)
      return velvet::name(term.payload != 0 ? "true" : "false");
    if (term.sort == Sort::Bool)
      return velvet::apply("decide", {prop(id)});
    refuse("method-spec", "an argument of the launch", where);
  }

  void addBuffer(const Buffer& buffer) {
    const bool isParameter = !buffer.parameter.empty();
    LineOrigin origin = isParameter ? launch() : LineOrigin{};
    if (buffer.isInput)
      origin.nodes.push_back(buffer.tensor);
    const std::string what = buffer.isInput ? "input " + buffer.tensor : buffer.tensor;
    const ExprPtr size = velvet::ascribe(velvet::field(velvet::name(buffer.entry), "size"), "Int");
    add(buffer.entry + "_size", velvet::binary(BinaryOp::Equal, size, integer(product(buffer.length))),
        "elements of " + what + (isParameter ? ", " + launchText() : ""), origin);
    if (!buffer.zeroInitialised)
      return;
    const ExprPtr k = velvet::name(m_environment.index);
    const ExprPtr inside =
        velvet::binary(BinaryOp::Less, k, velvet::field(velvet::name(buffer.entry), "size"));
    const ExprPtr zero = velvet::binary(BinaryOp::Equal, velvet::element(velvet::name(buffer.entry), k),
                                        floatConstant(ir::ScalarType::F32, 0));
    add(buffer.entry + "_zero",
        velvet::forall(m_environment.index, "Nat", velvet::binary(BinaryOp::Implies, inside, zero)),
        what + " is made of zeros, " + launchText(), origin);
  }

  /// Lengths of tensors that the kernel does not take are still written as products.
  TermId product(TermId length) const {
    for (TermId definition : m_problem.definitions)
      if (m_store[definition].args[1] == length)
        return m_store[definition].args[0];
    return length;
  }

  void addHypothesis(const gate::Hypothesis& known) {
    if (!known.condition || m_store.boolValue(*known.condition) == true)
      return;
    const bool ofWrapper = known.origin == "wrapper" || known.origin == "launch contract";
    for (TermId part : conjuncts(m_store, *known.condition))
      if (m_store.boolValue(part) != true)
        add("known", prop(part), known.origin + ": " + oneLine(known.text),
            ofWrapper ? launch() : LineOrigin{});
  }

  /// same(f): a function of the spec and one of the kernel are taken to be one.
  void addJoined(const std::set<std::string>& opaque) {
    for (const std::string& ours : m_problem.spec.opaque)
      for (const std::string& theirs : opaque) {
        const std::string function = logic::canonicalOpaque(ours, Sort::F32);
        if (theirs == ours || function != logic::canonicalOpaque(theirs, Sort::F32))
          continue;
        const bool binaryFunction = function == "pow";
        std::vector<ExprPtr> args{velvet::name("a")};
        if (binaryFunction)
          args.push_back(velvet::name("b"));
        ExprPtr equation = velvet::binary(BinaryOp::Equal, velvet::apply(opaqueName(theirs, Sort::F32), args),
                                          velvet::apply(opaqueName(ours, Sort::F32), args));
        if (binaryFunction)
          equation = velvet::forall("b", "Float32", equation);
        add("same_" + function, velvet::forall("a", "Float32", equation), "assumption same(" + function + ")",
            {});
      }
  }

  const logic::TermStore& m_store;
  const gate::Problem& m_problem;
  Environment& m_environment;
  std::vector<Clause> m_result;
  std::set<std::string> m_known;
};

} // namespace

std::vector<Clause> requirements(const logic::TermStore& store, const gate::Problem& problem,
                                 Environment& environment, const std::set<std::string>& opaque) {
  return Requirements(store, problem, environment).run(opaque);
}

} // namespace plumbline::method
