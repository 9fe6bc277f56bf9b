#include "tests/mutation/mutator.h"

#include "tests/mutation/source.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <random>
#include <set>

namespace plumbline::mutation {
namespace {

constexpr uint64_t selectionSeed = 20240817;

std::string inParentheses(std::string_view text) {
  return "(" + std::string(text) + ")";
}

/// A float literal with a sign in parentheses, so that it fits everywhere.
std::string literal(float value) {
  char buffer[64];
  const auto end =
      std::to_chars(buffer, buffer + sizeof buffer, std::fabs(value), std::chars_format::scientific);
  const std::string digits(buffer, end.ptr);
  return std::signbit(value) ? "(-" + digits + "f)" : digits + "f";
}

class Mutator {
public:
  explicit Mutator(Source source) : m_source(std::move(source)) { m_seen.insert(m_source.text); }

  std::vector<Mutant> run() {
    for (const Root& root : m_source.roots) {
      m_root = &root;
      statement();
      visit(root.node);
    }
    return std::move(m_mutants);
  }

private:
  const Node& node(size_t index) const { return m_source.nodes[index]; }
  std::string text(size_t index) const { return std::string(m_source.at(node(index))); }
  bool onHost() const { return m_root->place != Place::Device && m_root->place != Place::Guard; }

  /// Host mutants are launch mutants; guards are named as such whatever the change is.
  std::string kindHere(const std::string& kind) const {
    return onHost() ? "launch" : m_root->place == Place::Guard && kind != "rewrite" ? "guard" : kind;
  }

  void replace(const std::string& kind, size_t begin, size_t end, const std::string& by) {
    std::string changed = m_source.text;
    const std::string old = changed.substr(begin, end - begin);
    changed.replace(begin, end - begin, by);
    if (!m_seen.insert(changed).second)
      return;
    const std::string_view before = std::string_view(m_source.text).substr(0, begin);
    const auto line = 1 + std::count(before.begin(), before.end(), '\n');
    m_mutants.push_back(
        {kindHere(kind), "line " + std::to_string(line) + ": " + old + " -> " + by, std::move(changed)});
  }
  void replace(const std::string& kind, const Node& old, const std::string& by) {
    replace(kind, old.begin, old.end, by);
  }
  void replaceOperator(const std::string& kind, const Node& old, const std::string& by) {
    replace(kind, old.opBegin, old.opEnd, by);
  }

  void visit(size_t index) {
    const Node& each = node(index);
    if (!each.written) {
      switch (each.kind) {
      case NodeKind::Binary: binary(each); break;
      case NodeKind::Ternary: ternary(each); break;
      case NodeKind::Number: number(each); break;
      case NodeKind::Call: call(each); break;
      case NodeKind::Unary: replace("operator", each, inParentheses(text(each.children[0]))); break;
      default: break;
      }
      value(each);
    }
    if (each.kind == NodeKind::Call || each.kind == NodeKind::Member)
      return visitArguments(each);
    for (const size_t child : each.children)
      if (each.kind != NodeKind::Index || child != each.children[0])
        visit(child);
  }

  void visitArguments(const Node& each) {
    if (each.kind == NodeKind::Call)
      for (const size_t child : each.children)
        visit(child);
  }

  // --- Statements

  void statement() {
    const Node& whole = node(m_root->node);
    if (m_root->place == Place::Guard)
      guard(whole);
    const bool assigned = m_source.op(whole) == "=" && whole.kind == NodeKind::Binary;
    const Node& result = assigned ? node(whole.children[1]) : whole;
    const std::string_view start = std::string_view(m_source.text).substr(m_root->statementBegin, 6);
    if (result.kind != NodeKind::Ternary || (!assigned && start != "return"))
      return;
    const std::string target = assigned ? text(whole.children[0]) + " = " : "return ";
    replace("rewrite", m_root->statementBegin, m_root->statementEnd,
            "if (" + text(result.children[0]) + ") { " + target + text(result.children[1]) + "; } else { " +
                target + text(result.children[2]) + "; }");
  }

  void guard(const Node& condition) {
    const std::string old = text(m_root->node);
    replace("guard", condition, "true");
    replace("guard", condition, "!" + inParentheses(old));
    replace("rewrite", condition, "!!" + inParentheses(old));
    replace("rewrite", condition, old + " && true");
    replace("rewrite", m_root->statementBegin, condition.begin, "if (true) if (");
    if (m_source.text.compare(m_root->statementEnd, 1, "{") == 0)
      replace("rewrite", m_root->statementBegin, m_root->statementEnd,
              "if (!" + inParentheses(old) + ") return; ");
  }

  // --- Expressions

  void binary(const Node& each) {
    const std::string op(m_source.op(each));
    const std::string left = text(each.children[0]);
    const std::string right = text(each.children[1]);
    if (op == "=")
      return;
    if (op == "&&" || op == "||") {
      replaceOperator("operator", each, op == "&&" ? "||" : "&&");
      replace("rewrite", each, inParentheses(right) + " " + op + " " + inParentheses(left));
      replace("operator", each, left);
      replace("operator", each, right);
    } else if (each.type == Type::Bool) {
      comparison(each, op, left, right);
    } else {
      arithmetic(each, op, left, right);
    }
  }

  void comparison(const Node& each, const std::string& op, const std::string& left,
                  const std::string& right) {
    for (const char* other : {"<", "<=", ">", ">=", "==", "!="})
      if (op != other)
        replaceOperator("comparison", each, other);
    static const std::map<std::string, std::pair<std::string, std::string>> mirrorAndOpposite = {
        {"<", {">", ">="}},  {"<=", {">=", ">"}},  {">", {"<", "<="}},
        {">=", {"<=", "<"}}, {"==", {"==", "!="}}, {"!=", {"!=", "=="}}};
    const auto& [mirror, opposite] = mirrorAndOpposite.at(op);
    replace("operand", each, right + " " + op + " " + left);
    replace("rewrite", each, right + " " + mirror + " " + left);
    replace("rewrite", each, "!(" + left + " " + opposite + " " + right + ")");
    replace("rewrite", each, "(" + left + " " + op + " " + right + ") == true");
  }

  void arithmetic(const Node& each, const std::string& op, const std::string& left,
                  const std::string& right) {
    const bool whole = each.type == Type::Int;
    for (const char* other : {"+", "-", "*", "/", "%"})
      if (op != other && (whole || *other != '%'))
        replaceOperator("operator", each, other);
    replace("operand", each, "(" + right + " " + op + " " + left + ")");
    replace("operand", each, inParentheses(left));
    replace("operand", each, inParentheses(right));
    if (op == "+" || op == "-")
      replace("rewrite", each, inParentheses(left) + (op == "+" ? " - (-" : " + (-") + right + ")");
    if (op == "*" && !whole) {
      replace("rewrite", each, "((-" + left + ") * (-" + right + "))");
      replace("rewrite", each, "-((-" + left + ") * " + right + ")");
      for (const auto& [literalSide, other] : {std::pair(left, right), std::pair(right, left)}) {
        if (literalSide == "2.0f")
          replace("rewrite", each, filled("(@ + @)", other));
        if (literalSide == "0.5f")
          replace("rewrite", each, filled("(@ / 2.0f)", other));
        if (literalSide == "0.5f")
          replace("rewrite", each, filled("(@ * 0.25f + @ * 0.25f)", other));
      }
    }
  }

  void ternary(const Node& each) {
    const std::string condition = text(each.children[0]);
    const std::string yes = text(each.children[1]);
    const std::string no = text(each.children[2]);
    replace("operand", each, "(" + condition + " ? " + no + " : " + yes + ")");
    replace("operand", each, inParentheses(yes));
    replace("operand", each, inParentheses(no));
    replace("rewrite", each, "(!(" + condition + ") ? " + no + " : " + yes + ")");
    replace("rewrite", each, "((" + condition + ") ? (" + yes + ") : (" + no + "))");
    replace("rewrite", each,
            "(" + condition + " ? " + yes + " : " + condition + " ? " + yes + " : " + no + ")");
  }

  void number(const Node& each) {
    const std::string digits(m_source.at(each));
    if (each.type == Type::Int) {
      const long old = std::stol(digits);
      for (const long other : {old + 1, old - 1, old * 2, old / 2, 0L})
        replace("constant", each, std::to_string(other));
    } else if (each.type == Type::Float) {
      floatLiteral(each, digits);
    }
  }

  void floatLiteral(const Node& each, const std::string& digits) {
    const float old = std::stof(digits);
    const float infinity = HUGE_VALF;
    for (const float other : {-old, 2 * old, old / 2, old + 1, 1.0f, 0.0f, -0.0f,
                              std::nextafter(old, infinity), std::nextafter(old, -infinity)})
      if (std::signbit(other) != std::signbit(old) || other != old)
        replace("constant", each, literal(other));
    replace("constant", each, digits.substr(0, digits.size() - 1));
    replace("rewrite", each, "(float)" + digits.substr(0, digits.size() - 1));
    replace("rewrite", each, "(-(-" + digits + "))");
  }

  void call(const Node& each) {
    const std::string name(m_source.op(each));
    auto argument = [&](size_t i) { return text(each.children[i]); };
    if (name == "fmaxf" || name == "fminf")
      replaceOperator("call", each, name == "fmaxf" ? "fminf" : "fmaxf");
    if (each.children.size() == 2 && node(each.children[0]).type == node(each.children[1]).type) {
      const std::string swapped = argument(1) + ", " + argument(0);
      replace("operand", each, name + inParentheses(swapped));
      if (name == "fmaxf" || name == "fminf") {
        const std::string op = name == "fmaxf" ? " > " : " < ";
        const std::string pair = argument(0) + " : " + argument(1);
        replace("call", each, "(" + argument(0) + op + argument(1) + " ? " + pair + ")");
      }
    }
    if (each.type == Type::Float)
      for (size_t i = 0; i < each.children.size(); ++i)
        if (node(each.children[i]).type == Type::Float)
          replace("call", each, inParentheses(argument(i)));
  }

  // --- Values: what stands where a float, an integer or a buffer is read

  void value(const Node& each) {
    const bool read = each.kind == NodeKind::Name || each.kind == NodeKind::Member ||
                      each.kind == NodeKind::Index || each.kind == NodeKind::Call;
    const bool method =
        each.kind == NodeKind::Member && each.end < m_source.text.size() && m_source.text[each.end] == '(';
    const bool computed =
        each.kind == NodeKind::Binary && each.type == Type::Float && m_source.op(each) != "=";
    if (method || (!read && !computed))
      return;
    if (each.type == Type::Float)
      floatValue(each);
    else if (each.type == Type::Int)
      intValue(each);
    if (each.type == Type::Int || each.type == Type::Float || each.type == Type::Buffer)
      otherNames(each);
  }

  void floatValue(const Node& each) {
    const std::string old(m_source.at(each));
    for (const char* changed :
         {"(-@)", "(@ * @)", "fabsf(@)", "(0.0f - @)", "(1.0f / @)", "(@ + 1.0f)", "0.0f", "(@ + 0.0f)",
          "(@ * 0.0f)", "(@ == @ ? @ : 0.0f)", "fmaxf(@, -3.4028235e38f)"})
      replace("value", each, filled(changed, old));
    for (const char* same : {"(@ - 0.0f)", "(1.0f * @)", "(@)", "(float)(@)", "(float)((double)(@))",
                             "(-(-@))", "(@ / 1.0f)", "fmaxf(@, @)", "(@ == @ ? @ : @)", "(@ + (-0.0f))"})
      replace("rewrite", each, filled(same, old));
  }

  void intValue(const Node& each) {
    const std::string old(m_source.at(each));
    const bool member = each.kind == NodeKind::Member;
    for (const char* changed : {"(@ + 1)", "(@ - 1)", "(@ * 2)", "(@ / 2)", "(-@)"})
      replace("index", each, filled(changed, old));
    for (const char* same : {"(@ * 1)", "(@ + 0)", "(@)", "(int)(@)", "(@ / 1)"})
      replace("rewrite", each, filled(same, old));
    if (!member)
      return;
    for (const char* other : {"blockIdx", "blockDim", "gridDim", "threadIdx"})
      if (m_source.at(node(each.children[0])) != other)
        replace("index", node(each.children[0]), other);
    for (const char* axis : {"x", "y", "z"})
      replaceOperator("index", each, axis);
    if (old == "blockDim.x")
      for (const char* size : {"256", "128", "32", "16"})
        replace("index", each, size);
  }

  void otherNames(const Node& each) {
    if (each.kind != NodeKind::Name && each.kind != NodeKind::Call)
      return;
    for (const auto& [name, type] : m_root->names)
      if (type == each.type && each.type != Type::Buffer)
        replace("value", each, name);
    if (m_root->place != Place::LaunchArgument || each.type != Type::Buffer)
      return;
    for (const Root& other : m_source.roots)
      if (other.place == Place::LaunchArgument && node(other.node).type == Type::Buffer)
        replace("value", each, text(other.node));
  }

  static std::string filled(std::string_view pattern, const std::string& value) {
    std::string result;
    for (const char c : pattern)
      c == '@' ? result += value : result += c;
    return result;
  }

  Source m_source;
  const Root* m_root = nullptr;
  std::set<std::string> m_seen;
  std::vector<Mutant> m_mutants;
};

} // namespace

std::vector<Mutant> allMutants(const std::string& text) {
  std::optional<Source> source = parseSource(text);
  if (!source)
    return {};
  return Mutator(std::move(*source)).run();
}

std::vector<Mutant> select(std::vector<Mutant> mutants, size_t quota) {
  std::mt19937_64 random(selectionSeed);
  std::vector<std::pair<uint64_t, size_t>> order;
  order.reserve(mutants.size());
  for (size_t i = 0; i < mutants.size(); ++i)
    order.emplace_back(random(), i);
  std::sort(order.begin(), order.end());
  std::map<std::string, size_t> taken;
  std::set<size_t> chosen;
  for (const auto& [key, i] : order)
    if (taken[mutants[i].kind]++ < quota)
      chosen.insert(i);
  std::vector<Mutant> result;
  result.reserve(chosen.size());
  for (const size_t i : chosen)
    result.push_back(std::move(mutants[i]));
  return result;
}

} // namespace plumbline::mutation
