#include "tests/method/reader.h"

#include <algorithm>
#include <optional>

namespace plumbline::method_test {

using velvet::BinaryOp;
using velvet::Expr;
using velvet::ExprPtr;
using velvet::Form;

namespace {

bool isIdentifierStart(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool isDigit(char c) {
  return c >= '0' && c <= '9';
}

/// Longest first.
constexpr std::string_view symbols[] = {"∀",  "∃",  "→",  "↔",  "∧",  "∨",  "¬",  "≠",  "≤",  "≥",  "×",
                                        "!=", "++", ":=", "=>", "==", "&&", "||", "]!", "@[", "#[", "+",
                                        "-",  "*",  "/",  "%",  "^",  ">",  "(",  ")",  "[",  "]",  "{",
                                        "}",  ":",  ",",  "=",  "<",  "!",  ".",  "|"};

} // namespace

std::optional<std::vector<Token>> tokenise(const std::string& text) {
  std::vector<Token> tokens;
  int line = 1;
  bool space = false;
  size_t i = 0;
  auto add = [&](size_t length) {
    tokens.push_back({text.substr(i, length), line, space});
    space = false;
    i += length;
  };
  while (i < text.size()) {
    const std::string_view rest = std::string_view(text).substr(i);
    if (text[i] == '\n' || text[i] == ' ') {
      line += text[i] == '\n';
      space = true;
      ++i;
    } else if (rest.starts_with("--")) {
      while (i < text.size() && text[i] != '\n')
        ++i;
    } else if (isIdentifierStart(text[i]) || rest.starts_with("«")) {
      // A name with its dots is one token; a set! belongs to it.
      size_t end = i;
      while (end < text.size()) {
        if (std::string_view(text).substr(end).starts_with("«"))
          end = text.find("»", end) + std::string_view("»").size();
        while (end < text.size() && (isIdentifierStart(text[end]) || isDigit(text[end])))
          ++end;
        const bool goesOn = end + 1 < text.size() && text[end] == '.' &&
                            (isIdentifierStart(text[end + 1]) || isDigit(text[end + 1]) ||
                             std::string_view(text).substr(end + 1).starts_with("«"));
        if (!goesOn)
          break;
        ++end;
      }
      if (std::string_view(text).substr(i, end - i).ends_with(".set") && end < text.size() &&
          text[end] == '!')
        ++end;
      add(end - i);
    } else if (isDigit(text[i])) {
      size_t end = i;
      while (end < text.size() && std::isalnum(static_cast<unsigned char>(text[end])))
        ++end;
      add(end - i);
    } else {
      const auto symbol =
          std::ranges::find_if(symbols, [&](std::string_view s) { return rest.starts_with(s); });
      if (symbol == std::end(symbols))
        return std::nullopt;
      add(symbol->size());
    }
  }
  return tokens;
}

namespace {

struct Level {
  BinaryOp op;
  int level;
  int right; ///< least level of the right operand
  int left;  ///< greatest level that may stand before it is `level` or above this
};

/// Lean's own table: infix 50 does not associate, → ∧ ∨ to the right, || && + - * / to the left.
std::optional<Level> levelOf(const std::string& token) {
  static const std::map<std::string, Level> table{
      {"↔", {BinaryOp::Iff, 20, 21, 21}},          {"→", {BinaryOp::Implies, 25, 25, 26}},
      {"∨", {BinaryOp::Or, 30, 30, 31}},           {"||", {BinaryOp::BoolOr, 30, 31, 30}},
      {"∧", {BinaryOp::And, 35, 35, 36}},          {"&&", {BinaryOp::BoolAnd, 35, 36, 35}},
      {"=", {BinaryOp::Equal, 50, 51, 51}},        {"≠", {BinaryOp::NotEqual, 50, 51, 51}},
      {"≤", {BinaryOp::LessEqual, 50, 51, 51}},    {"<", {BinaryOp::Less, 50, 51, 51}},
      {"==", {BinaryOp::BoolEqual, 50, 51, 51}},   {"+", {BinaryOp::Add, 65, 66, 65}},
      {"-", {BinaryOp::Subtract, 65, 66, 65}},     {"*", {BinaryOp::Multiply, 70, 71, 70}},
      {"/", {BinaryOp::Divide, 70, 71, 70}},       {"%", {BinaryOp::Modulo, 70, 71, 70}},
      {"^", {BinaryOp::Power, 75, 75, 76}},        {"++", {BinaryOp::Append, 65, 66, 65}},
      {"≥", {BinaryOp::GreaterEqual, 50, 51, 51}}, {">", {BinaryOp::Greater, 50, 51, 51}},
      {"!=", {BinaryOp::BoolNotEqual, 50, 51, 51}}};
  const auto found = table.find(token);
  return found != table.end() ? std::optional(found->second) : std::nullopt;
}

struct Failed {};

class Reader {
public:
  explicit Reader(std::vector<Token> tokens) : m_tokens(std::move(tokens)) {}

  bool atEnd() const { return m_next >= m_tokens.size(); }
  const Token& peek() const {
    static const Token end{"", 0, true};
    return atEnd() ? end : m_tokens[m_next];
  }
  std::string take() {
    if (atEnd())
      throw Failed{};
    return m_tokens[m_next++].text;
  }
  void expect(const std::string& text) {
    if (take() != text)
      throw Failed{};
  }
  bool accept(const std::string& text) {
    if (peek().text != text)
      return false;
    ++m_next;
    return true;
  }

  ExprPtr expression(int least = 0) {
    auto [left, level] = prefix(least);
    while (true) {
      const auto infix = levelOf(peek().text);
      if (!infix || infix->level < least || level < infix->left)
        return left;
      take();
      ExprPtr right = expression(infix->right);
      left = velvet::binary(infix->op, left, right);
      level = infix->level;
    }
  }

private:
  static constexpr int maxLevel = 1024;

  std::pair<ExprPtr, int> prefix(int least) {
    const std::string& token = peek().text;
    if (token == "∀" || token == "∃" || token == "if") {
      if (least > 0)
        throw Failed{}; // takes everything to its right: parentheses are needed here
      return {token == "if" ? conditional() : quantifier(), 0};
    }
    if (token == "¬") {
      take();
      return {velvet::unary(velvet::UnaryOp::Not, expression(40)), maxLevel};
    }
    if (token == "!") {
      take();
      return {velvet::unary(velvet::UnaryOp::BoolNot, expression(40)), maxLevel};
    }
    if (token == "-") {
      take();
      return {velvet::unary(velvet::UnaryOp::Negate, expression(75)), 75};
    }
    return application();
  }

  ExprPtr quantifier() {
    const bool isForall = take() == "∀";
    const std::string variable = unquoted(take());
    expect(":");
    std::string type = take();
    expect(",");
    ExprPtr body = expression();
    return isForall ? velvet::forall(variable, type, body) : velvet::exists(variable, type, body);
  }

  ExprPtr conditional() {
    expect("if");
    ExprPtr condition = expression(1);
    expect("then");
    ExprPtr a = expression(1);
    expect("else");
    ExprPtr b = expression(1);
    return velvet::ifThenElse(condition, a, b);
  }

  bool startsAtom() const {
    const std::string& token = peek().text;
    if (token.empty() || token == "then" || token == "else" || token == "fun")
      return false;
    return token == "(" || token == "#[" || isIdentifierStart(token[0]) || isDigit(token[0]) ||
           token.starts_with("«");
  }

  std::pair<ExprPtr, int> application() {
    ExprPtr head = postfix();
    std::vector<ExprPtr> args;
    while (startsAtom() && peek().spaceBefore)
      args.push_back(postfix());
    if (args.empty())
      return {head, maxLevel};
    return {velvet::applyTo(head, std::move(args)), 1023};
  }

  ExprPtr postfix() {
    ExprPtr result = atom();
    while (!peek().spaceBefore && (peek().text == "[" || peek().text == ".")) {
      if (accept(".")) {
        result = velvet::field(result, take());
        continue;
      }
      expect("[");
      ExprPtr index = expression();
      expect("]!");
      result = velvet::element(result, index);
    }
    return result;
  }

  ExprPtr atom() {
    if (accept("(")) {
      ExprPtr inner = expression();
      if (accept(":")) {
        std::string type = take();
        if (type == "Array")
          type += " " + take();
        inner = velvet::ascribe(inner, type);
      } else if (accept(",")) {
        inner = velvet::pair(inner, expression());
      }
      expect(")");
      return inner;
    }
    if (accept("#["))
      return arrayLiteral();
    if (!startsAtom())
      throw Failed{};
    const std::string token = take();
    if (isDigit(token[0]))
      return std::make_shared<const Expr>(Expr{.form = Form::Number, .text = token});
    return dotted(token);
  }

  ExprPtr arrayLiteral() {
    std::vector<ExprPtr> elements;
    while (!accept("]")) {
      if (!elements.empty())
        expect(",");
      elements.push_back(expression());
    }
    return velvet::arrayOf(std::move(elements));
  }

  /// "x.size" is a field of a variable, "Plumbline.cDiv" a name.
  static ExprPtr dotted(const std::string& token) {
    static constexpr std::string_view fields[] = {"size", "toNat", "set!", "1", "2"};
    const size_t dot = token.rfind('.');
    if (dot == std::string::npos || std::isupper(static_cast<unsigned char>(token[0])) ||
        std::ranges::find(fields, std::string_view(token).substr(dot + 1)) == std::end(fields))
      return velvet::name(unquoted(token));
    return velvet::field(dotted(token.substr(0, dot)), token.substr(dot + 1));
  }

  static std::string unquoted(std::string token) {
    for (const std::string_view mark : {"«", "»"})
      for (size_t at = token.find(mark); at != std::string::npos; at = token.find(mark))
        token.erase(at, mark.size());
    return token;
  }

  std::vector<Token> m_tokens;
  size_t m_next = 0;
};

} // namespace

std::optional<ExprPtr> readExpression(const std::string& text) {
  auto tokens = tokenise(text);
  if (!tokens)
    return std::nullopt;
  Reader reader(*std::move(tokens));
  try {
    ExprPtr result = reader.expression();
    return reader.atEnd() ? std::optional(result) : std::nullopt;
  } catch (const Failed&) {
    return std::nullopt;
  }
}

namespace {

/// Declarations of a lean/ file, line by line: each is one of the forms that these files use.
class LeanReader {
public:
  explicit LeanReader(const std::string& text) {
    size_t start = 0;
    while (start < text.size()) {
      const size_t end = std::min(text.find('\n', start), text.size());
      m_lines.push_back(text.substr(start, end - start));
      start = end + 1;
    }
  }

  LeanFile run() {
    for (; m_next < m_lines.size(); ++m_next)
      line(m_lines[m_next]);
    return std::move(m_file);
  }

private:
  static bool takePrefix(std::string& text, std::string_view prefix) {
    if (!text.starts_with(prefix))
      return false;
    text.erase(0, prefix.size());
    return true;
  }

  void fail(const std::string& text) {
    if (m_file.error.empty())
      m_file.error = text;
  }

  void declare(const std::string& name) { m_file.names.push_back("Plumbline." + name); }

  void line(std::string text) {
    if (text.empty() || text.starts_with("--") || text.starts_with("import ") ||
        text.starts_with("namespace ") || text.starts_with("end ") || text.starts_with("@["))
      return;
    if (text.starts_with("  "))
      return member(text.substr(2));
    m_inClass = takePrefix(text, "class ");
    m_inInstance = !m_inClass && takePrefix(text, "instance ");
    if (m_inClass)
      declare(text.substr(0, text.find(' ')));
    else if (takePrefix(text, "opaque "))
      opaque(text);
    else if (takePrefix(text, "def "))
      definition(text);
    else if (takePrefix(text, "theorem "))
      theorem(text);
    else if (!m_inInstance)
      fail("a line of an unknown form: " + text);
  }

  void member(const std::string& text) {
    if (text.starts_with("--"))
      return;
    if (m_inClass) {
      const std::string name = text.substr(0, text.find(" :"));
      m_file.classMembers.push_back(name);
      declare("Scalar." + name);
    } else if (m_inInstance) {
      instanceMember(text);
    } else {
      fail("a line outside a declaration: " + text);
    }
  }

  void instanceMember(const std::string& text) {
    const size_t assign = text.find(" := ");
    if (assign == std::string::npos)
      return fail("an instance member without value: " + text);
    velvet::Definition made;
    made.name = text.substr(0, assign);
    std::string value = text.substr(assign + 4);
    if (takePrefix(value, "fun ")) {
      const size_t arrow = value.find(" => ");
      size_t start = 0;
      while (start < arrow) {
        const size_t end = std::min(value.find(' ', start), arrow);
        const std::string name = value.substr(start, end - start);
        made.binders.push_back(
            {name == "_" ? "_" + std::to_string(start) : name, "", velvet::Bracket::Round, {}});
        start = end + 1;
      }
      value.erase(0, arrow + 4);
    }
    setValue(made, value);
    m_file.instance[made.name] = made;
  }

  void setValue(velvet::Definition& made, const std::string& text) {
    if (const auto value = readExpression(text))
      made.value = *value;
    else
      fail("an expression of an unknown form: " + text);
  }

  void opaque(const std::string& text) {
    const std::string name = text.substr(0, text.find(" : "));
    int arrows = 0;
    for (size_t at = text.find("→"); at != std::string::npos; at = text.find("→", at + 1))
      ++arrows;
    m_file.opaque["Plumbline." + name] = arrows;
    declare(name);
  }

  /// A definition by cases: `| pattern => value` lines.
  void equations(const std::string& name) {
    for (; m_next + 1 < m_lines.size() && m_lines[m_next + 1].starts_with("  | "); ++m_next)
      m_file.equations["Plumbline." + name].push_back(m_lines[m_next + 1].substr(4));
  }

  void definition(const std::string& text) {
    if (m_next + 1 < m_lines.size() && m_lines[m_next + 1].starts_with("  | ")) {
      declare(text.substr(0, text.find(' ')));
      return equations(text.substr(0, text.find(' ')));
    }
    velvet::Definition made;
    made.name = "Plumbline." + text.substr(0, text.find(' '));
    declare(text.substr(0, text.find(' ')));
    size_t at = text.find(" (");
    for (; at != std::string::npos; at = text.find(" (", at + 1)) {
      const size_t colon = text.find(" : ", at);
      const size_t close = text.find(')', at);
      made.binders.push_back({text.substr(at + 2, colon - at - 2),
                              text.substr(colon + 3, close - colon - 3),
                              velvet::Bracket::Round,
                              {}});
    }
    if (!text.ends_with(" :=") || m_next + 1 >= m_lines.size() || !m_lines[m_next + 1].starts_with("  "))
      return fail("a definition of an unknown form: " + text);
    made.type = text.substr(text.rfind(" : ") + 3, text.size() - text.rfind(" : ") - 6);
    while (m_next + 1 < m_lines.size() && m_lines[m_next + 1].starts_with("  let "))
      let(made, m_lines[++m_next].substr(6));
    setValue(made, m_lines[++m_next].substr(2));
    m_file.definitions.push_back(std::move(made));
  }

  void let(velvet::Definition& made, const std::string& text) {
    const size_t colon = text.find(" : ");
    const size_t assign = text.find(" := ");
    const auto value = readExpression(text.substr(assign + 4));
    if (!value)
      return fail("an expression of an unknown form: " + text);
    made.lets.push_back({text.substr(0, colon), text.substr(colon + 3, assign - colon - 3), *value, {}});
  }

  void theorem(const std::string& text) {
    if (!text.ends_with(" := rfl"))
      fail("a theorem whose proof is not rfl: " + text);
    declare(text.substr(0, text.find(' ')));
  }

  std::vector<std::string> m_lines;
  size_t m_next = 0;
  bool m_inClass = false;
  bool m_inInstance = false;
  LeanFile m_file;
};

} // namespace

LeanFile readLeanFile(const std::string& text) {
  return LeanReader(text).run();
}

} // namespace plumbline::method_test
