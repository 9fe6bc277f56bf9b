#include "core/workbench/step_program.h"

#include "core/f32/soft_float.h"
#include "core/logic/term_text.h"
#include "core/session/sides.h"
#include "core/workbench/value_text.h"

#include <algorithm>
#include <set>
#include <sstream>
#include <tuple>

namespace plumbline::workbench {

using logic::Op;
using logic::Sort;
using logic::TermId;
using logic::TermStore;
using S32 = f32::Soft<f32::Binary32>;

namespace {

constexpr size_t maxSteps = 400;
constexpr size_t maxChoices = 8;

bool isBranch(Op op) {
  return op == Op::Ite || op == Op::And || op == Op::Or;
}

/// Which terms are computed when only the taken branches are followed. Positions are those of the list.
struct Shape {
  Op op = Op::BoolConst;
  std::vector<int> args;
};

/// A term of the program and what is shown of it.
struct Entry {
  TermId term{};
  StepInfo info;
};

} // namespace

std::string textAt(const SourceText& source, const SourceRange& range) {
  if (!range.known() || range.file != source.file)
    return {};
  std::istringstream lines(source.text);
  std::string line;
  std::string text;
  for (int number = 1; std::getline(lines, line) && number <= std::max(range.endLine, range.line); ++number) {
    if (number < range.line)
      continue;
    const size_t begin = number == range.line ? static_cast<size_t>(std::max(range.column - 1, 0)) : 0;
    const bool last = number == std::max(range.endLine, range.line);
    const size_t end = last && range.endColumn > 0 ? static_cast<size_t>(range.endColumn - 1) : line.size();
    if (begin < std::min(end, line.size()))
      text += line.substr(begin, std::min(end, line.size()) - begin) + " ";
  }
  std::string joined;
  for (char c : text)
    if (const bool blank = c == ' ' || c == '\t' || c == '\r'; !blank)
      joined += c;
    else if (!joined.empty() && joined.back() != ' ')
      joined += ' ';
  while (!joined.empty() && joined.back() == ' ')
    joined.pop_back();
  return joined;
}

namespace {

class Program : public StepProgram {
public:
  Program(logic::CompiledTerm compiled, std::optional<logic::IntervalTerm> enclosures)
      : m_compiled(std::move(compiled)), m_enclosures(std::move(enclosures)) {}

  StepTrace evaluate(const std::vector<uint32_t>& values) const override;

private:
  friend class Builder;

  struct Run {
    std::vector<Expected<logic::Value>> values; ///< of every term of the program
  };

  std::vector<uint64_t> argumentsFor(const std::vector<uint32_t>& values) const;
  Run run(std::vector<uint64_t> arguments, uint32_t choices) const;
  void markReached(const Run& run, int position, std::vector<bool>& reached) const;
  std::vector<StepValue> valuesOf(const Run& run, const std::vector<int>& positions, int root) const;
  int taken(const Run& run, int position, std::vector<int>& passed) const;
  bool sameValueAt(const Run& run, int a, int b) const;
  std::optional<std::pair<int, int>> onlyDifference(const Run& run, const Shape& a, const Shape& b) const;
  void markDivergence(const Run& run, StepTrace& trace) const;
  bool certainlyDiffer(const std::vector<uint64_t>& arguments) const;

  logic::CompiledTerm m_compiled;                  ///< all terms as roots, in post-order
  std::optional<logic::IntervalTerm> m_enclosures; ///< kernel and spec variants, when functions are opaque
  std::vector<Shape> m_shapes;
  std::vector<int> m_inputOf; ///< compiled position of each free value, -1: it does not occur
  std::vector<int> m_enclosureInputOf;
  std::vector<int> m_choiceOf;        ///< compiled position of each zero choice
  std::vector<int> m_kernelPositions; ///< term of each kernel step
  std::vector<int> m_specPositions;
  int m_kernelRoot = 0;
  int m_specRoot = 0;
  std::string m_note;
  std::string m_incomplete; ///< why results cannot be compared; empty when they can
};

std::vector<uint64_t> Program::argumentsFor(const std::vector<uint32_t>& values) const {
  std::vector<uint64_t> arguments(m_compiled.inputs().size(), 0);
  for (size_t i = 0; i < m_inputOf.size() && i < values.size(); ++i)
    if (m_inputOf[i] >= 0)
      arguments[static_cast<size_t>(m_inputOf[i])] = values[i];
  return arguments;
}

Program::Run Program::run(std::vector<uint64_t> arguments, uint32_t choices) const {
  for (size_t k = 0; k < m_choiceOf.size(); ++k)
    if (m_choiceOf[k] >= 0)
      arguments[static_cast<size_t>(m_choiceOf[k])] = choices >> k & 1U;
  logic::CompiledTerm compiled = m_compiled; // its working memory belongs to one thread
  compiled.evaluate(arguments);
  Run result;
  for (size_t k = 0; k < m_shapes.size(); ++k)
    result.values.push_back(compiled.result(k));
  return result;
}

void Program::markReached(const Run& run, int position, std::vector<bool>& reached) const {
  const auto at = static_cast<size_t>(position);
  if (reached[at])
    return;
  reached[at] = true;
  const Shape& shape = m_shapes[at];
  if (!isBranch(shape.op)) {
    for (int arg : shape.args)
      markReached(run, arg, reached);
    return;
  }
  markReached(run, shape.args[0], reached);
  const Expected<logic::Value>& first = run.values[static_cast<size_t>(shape.args[0])];
  if (!first)
    return;
  const bool truth = first->bits != 0;
  if (shape.op == Op::Ite)
    markReached(run, shape.args[truth ? 1 : 2], reached);
  else if (truth == (shape.op == Op::And))
    markReached(run, shape.args[1], reached);
}

std::vector<StepValue> Program::valuesOf(const Run& run, const std::vector<int>& positions, int root) const {
  std::vector<bool> reached(m_shapes.size(), false);
  markReached(run, root, reached);
  std::vector<StepValue> values;
  for (int position : positions) {
    const auto at = static_cast<size_t>(position);
    StepValue value;
    value.reached = reached[at];
    if (run.values[at]) {
      value.value = valueText(*run.values[at]);
      if (run.values[at]->sort == Sort::F32)
        value.bits = S32::canonical(static_cast<uint32_t>(run.values[at]->bits));
    }
    values.push_back(std::move(value));
  }
  return values;
}

/// Follows taken branches down to what is not one; `passed` gets every position on the way.
int Program::taken(const Run& run, int position, std::vector<int>& passed) const {
  while (true) {
    passed.push_back(position);
    const Shape& shape = m_shapes[static_cast<size_t>(position)];
    if (shape.op != Op::Ite)
      return position;
    const Expected<logic::Value>& condition = run.values[static_cast<size_t>(shape.args[0])];
    if (!condition)
      return position;
    position = shape.args[condition->bits != 0 ? 1 : 2];
  }
}

bool Program::sameValueAt(const Run& run, int a, int b) const {
  const Expected<logic::Value>& left = run.values[static_cast<size_t>(a)];
  const Expected<logic::Value>& right = run.values[static_cast<size_t>(b)];
  return left && right && left->sort == right->sort && logic::sameValue(*left, *right);
}

/// The one pair of arguments that differs, when everything else agrees; the order of the operands of + and *
/// does not matter.
std::optional<std::pair<int, int>> Program::onlyDifference(const Run& run, const Shape& a,
                                                           const Shape& b) const {
  auto inOrder = [&](const std::vector<int>& left, const std::vector<int>& right) {
    std::optional<std::pair<int, int>> found;
    for (size_t k = 0; k < left.size(); ++k) {
      if (sameValueAt(run, left[k], right[k]))
        continue;
      if (found)
        return std::optional<std::pair<int, int>>();
      found = {left[k], right[k]};
    }
    return found;
  };
  if (a.op != b.op || a.args.size() != b.args.size())
    return std::nullopt;
  std::optional<std::pair<int, int>> found = inOrder(a.args, b.args);
  if (!found && a.args.size() == 2 && (a.op == Op::FAdd || a.op == Op::FMul))
    found = inOrder(a.args, {b.args[1], b.args[0]});
  return found;
}

/// Walks down both sides as long as one pair of operands explains the difference, and marks the last steps
/// that differ.
void Program::markDivergence(const Run& run, StepTrace& trace) const {
  int kernel = m_kernelRoot;
  int spec = m_specRoot;
  // A leaf computes nothing: what chose it is the step that differs.
  auto mark = [&](std::vector<StepValue>& values, const std::vector<int>& positions, int position) {
    for (size_t k = 0; k < positions.size(); ++k)
      if (positions[k] == position && !m_shapes[static_cast<size_t>(position)].args.empty()) {
        for (StepValue& value : values)
          value.diverges = false;
        values[k].diverges = true;
      }
  };
  while (true) {
    std::vector<int> kernelPassed;
    std::vector<int> specPassed;
    const int kernelTaken = taken(run, kernel, kernelPassed);
    const int specTaken = taken(run, spec, specPassed);
    for (int position : kernelPassed)
      mark(trace.kernel, m_kernelPositions, position);
    for (int position : specPassed)
      mark(trace.spec, m_specPositions, position);
    const auto next = onlyDifference(run, m_shapes[static_cast<size_t>(kernelTaken)],
                                     m_shapes[static_cast<size_t>(specTaken)]);
    if (!next)
      return;
    std::tie(kernel, spec) = *next;
  }
}

bool Program::certainlyDiffer(const std::vector<uint64_t>& arguments) const {
  logic::IntervalTerm enclosures = *m_enclosures;
  std::vector<uint64_t> own(enclosures.inputs().size(), 0);
  for (size_t i = 0; i < m_enclosureInputOf.size(); ++i)
    if (m_enclosureInputOf[i] >= 0 && m_inputOf[i] >= 0)
      own[static_cast<size_t>(m_enclosureInputOf[i])] = arguments[static_cast<size_t>(m_inputOf[i])];
  enclosures.evaluate(own);
  for (size_t k = 0; k < size_t{1} << m_choiceOf.size(); ++k)
    if (!logic::certainlyDifferent(enclosures.result(0), enclosures.result(1 + k)))
      return false;
  return true;
}

StepTrace Program::evaluate(const std::vector<uint32_t>& values) const {
  StepTrace trace;
  trace.note = m_note;
  const std::vector<uint64_t> arguments = argumentsFor(values);
  std::optional<Run> shown;
  bool agrees = false;
  bool complete = true;
  for (uint32_t choices = 0; choices < 1U << m_choiceOf.size(); ++choices) {
    Run tried = run(arguments, choices);
    const Expected<logic::Value>& kernel = tried.values[static_cast<size_t>(m_kernelRoot)];
    const Expected<logic::Value>& spec = tried.values[static_cast<size_t>(m_specRoot)];
    complete &= kernel.has_value() && spec.has_value();
    const bool same = kernel && spec && logic::sameValue(*kernel, *spec);
    if (spec && spec->sort == Sort::F32) {
      const uint32_t bits = S32::canonical(static_cast<uint32_t>(spec->bits));
      if (std::find(trace.allowed.begin(), trace.allowed.end(), bits) == trace.allowed.end())
        trace.allowed.push_back(bits);
    }
    if (!shown || (same && !agrees))
      shown = std::move(tried);
    agrees |= same;
  }
  trace.kernel = valuesOf(*shown, m_kernelPositions, m_kernelRoot);
  trace.spec = valuesOf(*shown, m_specPositions, m_specRoot);
  auto bitsOf = [&](int position) -> std::optional<uint32_t> {
    const Expected<logic::Value>& value = shown->values[static_cast<size_t>(position)];
    if (!value || value->sort != Sort::F32)
      return std::nullopt;
    return S32::canonical(static_cast<uint32_t>(value->bits));
  };
  trace.kernelResult = bitsOf(m_kernelRoot);
  trace.specResult = bitsOf(m_specRoot);
  if (!m_incomplete.empty())
    trace.note = m_incomplete;
  else if (!complete)
    trace.note = "a value is missing: an operation has no result here";
  trace.differs =
      complete && m_incomplete.empty() && !agrees && (!m_enclosures || certainlyDiffer(arguments));
  if (trace.differs)
    markDivergence(*shown, trace);
  return trace;
}

/// Collects steps and builds the program.
class Builder {
public:
  Builder(session::Comparison& comparison, const session::ElementGoal& goal, const StepSources& sources)
      : m_store(comparison.store), m_comparison(comparison), m_goal(goal), m_sources(sources),
        m_normalise(comparison.store) {}

  std::shared_ptr<const StepProgram> run() {
    collectKernelSteps();
    collectSpecSteps();
    pairSteps();
    return build();
  }

private:
  bool shown(TermId id) const {
    const logic::Term& term = m_store[id];
    return term.sort != Sort::Int && !m_store.isConst(id) && !isChoice(id) && dependsOnInput(id);
  }

  /// What is the same for all inputs is no step.
  bool dependsOnInput(TermId id) const {
    const std::vector<TermId> terms = m_store.postOrder(id);
    return std::any_of(terms.begin(), terms.end(), [&](TermId inner) {
      return std::any_of(m_goal.inputs.begin(), m_goal.inputs.end(),
                         [&](const session::ElementInput& input) { return input.variable == inner; });
    });
  }

  bool isChoice(TermId id) const {
    return std::find(m_goal.choices.begin(), m_goal.choices.end(), id) != m_goal.choices.end();
  }

  /// Operations and reads of buffers as the kernel wrote them. A mention of a local adds its place only.
  void collectKernelSteps() {
    std::map<TermId, size_t> known;
    for (const bool reads : {false, true})
      for (const vc::TermOrigin& origin : m_goal.kernelOrigins) {
        if (origin.isRead != reads || !shown(origin.term))
          continue;
        const auto [entry, fresh] = known.try_emplace(origin.term, m_kernel.size());
        if (fresh)
          m_kernel.push_back({origin.term, {}});
        StepInfo& info = m_kernel[entry->second].info;
        if (info.text.empty())
          info.text = textAt(m_sources.cuda, origin.where);
        info.cuda.push_back(origin.where);
      }
    addRoot(m_kernel, m_goal.kernel);
    sortSteps(m_kernel, m_goal.kernel);
    for (Entry& entry : m_kernel)
      if (entry.info.text.empty())
        entry.info.text = logic::displayText(m_store, entry.term);
  }

  /// Every operation below the spec, named by the graph nodes whose elements stand in it.
  void collectSpecSteps() {
    std::map<TermId, std::vector<std::string>> tensors;
    for (const auto& [term, tensor] : m_goal.specOrigins)
      tensors[term].push_back(tensor);
    for (TermId id : m_store.postOrder(m_goal.spec)) {
      if (!shown(id) || m_spec.size() >= maxSteps)
        continue;
      Entry entry{id, {}};
      const std::vector<std::string>& named = tensors[id];
      entry.info.text = specText(id, named);
      for (const std::string& tensor : named)
        if (const auto node = m_sources.nodeOf.find(tensor); node != m_sources.nodeOf.end())
          entry.info.nodes.push_back(node->second);
      m_spec.push_back(std::move(entry));
    }
    addRoot(m_spec, m_goal.spec);
  }

  /// "t2 = x[i] < 0", "relu = t1 ? 0 : t4": operations below by their names, leaves and the root's name as
  /// they are.
  std::string specText(TermId id, const std::vector<std::string>& tensors) {
    const std::string text = logic::displayText(m_store, id, [&](TermId inner) {
      const auto known = m_specNames.find(inner);
      return known == m_specNames.end() ? std::string() : known->second;
    });
    if (m_store[id].args.empty())
      return text;
    const std::string name = tensors.empty() ? "t" + std::to_string(++m_temporaries) : tensors.front();
    m_specNames.emplace(id, name);
    return name + " = " + text;
  }

  static void addRoot(std::vector<Entry>& steps, TermId root) {
    if (std::none_of(steps.begin(), steps.end(), [&](const Entry& entry) { return entry.term == root; }))
      steps.push_back({root, {}});
  }

  /// Arguments before what uses them.
  void sortSteps(std::vector<Entry>& steps, TermId root) {
    std::map<TermId, size_t> order;
    for (TermId id : m_store.postOrder(root))
      order.emplace(id, order.size());
    std::stable_sort(steps.begin(), steps.end(),
                     [&](const Entry& a, const Entry& b) { return order.at(a.term) < order.at(b.term); });
    if (steps.size() > maxSteps)
      steps.erase(steps.begin(), steps.end() - static_cast<std::ptrdiff_t>(maxSteps));
  }

  void pairSteps() {
    std::map<TermId, int> specOf;
    for (size_t k = 0; k < m_spec.size(); ++k)
      specOf.emplace(m_normalise(m_spec[k].term), static_cast<int>(k));
    for (size_t k = 0; k < m_kernel.size(); ++k)
      if (const auto found = specOf.find(m_normalise(m_kernel[k].term)); found != specOf.end()) {
        m_kernel[k].info.counterpart = found->second;
        int& back = m_spec[static_cast<size_t>(found->second)].info.counterpart;
        if (back < 0)
          back = static_cast<int>(k);
      }
  }

  TermId placed(TermId term) {
    const auto found = m_placed.find(term);
    return found == m_placed.end() ? term : found->second;
  }

  /// Sizes and the index become numbers where the goal depends on them.
  void fixSizes(const std::vector<TermId>& terms) {
    if (!m_goal.sizeDependent || !m_sources.place)
      return;
    gate::Sizes all = m_sources.place->sizes;
    all[gate::elementName] = m_sources.place->index;
    const auto replacement = gate::sizeReplacement(m_store, *m_comparison.problem, all);
    for (TermId term : terms)
      m_placed.emplace(term, m_store.substitute(term, replacement));
  }

  std::shared_ptr<const StepProgram> build() {
    const TermId sides[] = {m_goal.kernel, m_goal.spec};
    const std::vector<TermId> terms = m_store.postOrder(sides);
    fixSizes(terms);
    std::vector<TermId> roots;
    std::map<TermId, int> positionOf;
    for (TermId id : terms) {
      positionOf.emplace(id, static_cast<int>(roots.size()));
      roots.push_back(placed(id));
    }
    auto program = std::make_shared<Program>(logic::CompiledTerm(m_store, roots), enclosures());
    for (TermId id : terms) {
      Shape shape{m_store[id].op, {}};
      for (TermId arg : m_store[id].args)
        shape.args.push_back(positionOf.at(arg));
      program->m_shapes.push_back(std::move(shape));
    }
    program->m_kernelRoot = positionOf.at(m_goal.kernel);
    program->m_specRoot = positionOf.at(m_goal.spec);
    bindInputs(*program);
    for (Entry& entry : m_kernel)
      program->m_kernelPositions.push_back(positionOf.at(entry.term));
    for (Entry& entry : m_spec)
      program->m_specPositions.push_back(positionOf.at(entry.term));
    for (Entry& entry : m_kernel)
      program->m_kernel.push_back(std::move(entry.info));
    for (Entry& entry : m_spec)
      program->m_spec.push_back(std::move(entry.info));
    program->m_note = note(*program);
    if (m_goal.sizeDependent && !m_sources.place)
      program->m_incomplete = "the sides depend on the sizes, and no small sizes satisfy the hypotheses";
    if (choiceCount() > maxChoices)
      program->m_incomplete = "the spec leaves more than eight signs of zero open";
    return program;
  }

  std::vector<TermId> choicesUsed() const {
    std::vector<TermId> used;
    for (TermId id : m_store.postOrder(m_goal.spec))
      if (isChoice(id) && used.size() < maxChoices)
        used.push_back(id);
    return used;
  }

  size_t choiceCount() const {
    const std::vector<TermId> terms = m_store.postOrder(m_goal.spec);
    return static_cast<size_t>(
        std::count_if(terms.begin(), terms.end(), [&](TermId id) { return isChoice(id); }));
  }

  std::optional<logic::IntervalTerm> enclosures() {
    if (engine::opaqueSpellings(m_store, m_goal.kernel).empty() &&
        engine::opaqueSpellings(m_store, m_goal.spec).empty())
      return std::nullopt;
    std::vector<TermId> roots{placed(m_goal.kernel)};
    const std::vector<TermId> used = choicesUsed();
    for (uint32_t choices = 0; choices < 1U << used.size(); ++choices) {
      std::unordered_map<TermId, TermId> chosen;
      for (size_t k = 0; k < used.size(); ++k)
        chosen.emplace(used[k], m_store.boolean((choices >> k & 1U) != 0));
      roots.push_back(m_store.substitute(placed(m_goal.spec), chosen));
    }
    return logic::IntervalTerm(m_store, roots);
  }

  void bindInputs(Program& program) {
    for (const session::ElementInput& input : m_goal.inputs) {
      const std::string& name = m_store.symbolText(input.variable);
      program.m_inputs.push_back(name);
      program.m_inputOf.push_back(program.m_compiled.inputIndex(name));
      program.m_enclosureInputOf.push_back(program.m_enclosures ? program.m_enclosures->inputIndex(name)
                                                                : -1);
    }
    for (TermId choice : choicesUsed())
      program.m_choiceOf.push_back(program.m_compiled.inputIndex(m_store.symbolText(choice)));
  }

  std::string note(const Program& program) const {
    std::string text;
    if (program.m_enclosures)
      text = "functions without a bit-exact meaning are shown correctly rounded; a device may differ";
    if (m_goal.sizeDependent && m_sources.place)
      text += std::string(text.empty() ? "" : "; ") + "at element " + std::to_string(m_sources.place->index);
    return text;
  }

  TermStore& m_store;
  session::Comparison& m_comparison;
  const session::ElementGoal& m_goal;
  const StepSources& m_sources;
  engine::Normaliser m_normalise;
  std::vector<Entry> m_kernel;
  std::vector<Entry> m_spec;
  std::unordered_map<TermId, TermId> m_placed;
  std::map<TermId, std::string> m_specNames;
  int m_temporaries = 0;
};

} // namespace

std::shared_ptr<const StepProgram> makeStepProgram(session::Comparison& comparison,
                                                   const session::ElementGoal& goal,
                                                   const StepSources& sources) {
  return Builder(comparison, goal, sources).run();
}

std::vector<Link> linksOf(session::Comparison& comparison, const session::ElementGoal& goal,
                          const std::map<std::string, int>& nodeOf) {
  engine::Normaliser normalise(comparison.store);
  std::map<TermId, Link> byTerm;
  for (const auto& [term, tensor] : goal.specOrigins)
    if (const auto node = nodeOf.find(tensor); node != nodeOf.end())
      byTerm[normalise(term)].nodes.push_back(node->second);
  for (const vc::TermOrigin& origin : goal.kernelOrigins)
    if (!comparison.store.isConst(origin.term))
      byTerm[normalise(origin.term)].cuda.push_back(origin.where);
  std::vector<Link> links;
  for (auto& [term, link] : byTerm)
    links.push_back(std::move(link));
  // The value of the whole element, equal or not: what the module returns and what the kernel stores.
  Link result;
  for (const auto& [term, tensor] : goal.specOrigins)
    if (const auto node = nodeOf.find(tensor); term == goal.spec && node != nodeOf.end())
      result.nodes.push_back(node->second);
  if (const auto node = nodeOf.find("output:" + std::to_string(goal.output)); node != nodeOf.end())
    result.nodes.push_back(node->second);
  for (const vc::TermOrigin& origin : goal.kernelOrigins)
    if (origin.term == goal.kernel)
      result.cuda.push_back(origin.where);
  for (const SourceRange& span : goal.spans)
    result.cuda.push_back(span);
  links.push_back(std::move(result));
  return links;
}

} // namespace plumbline::workbench
