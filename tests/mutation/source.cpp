#include "tests/mutation/source.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace plumbline::mutation {
namespace {

bool isNameCharacter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

size_t endOfNumber(const std::string& text, size_t at) {
  auto isExponentSign = [&](size_t i) {
    return (text[i] == '+' || text[i] == '-') && (text[i - 1] == 'e' || text[i - 1] == 'E');
  };
  while (at < text.size() && (isNameCharacter(text[at]) || text[at] == '.' || isExponentSign(at)))
    ++at;
  return at;
}

size_t endOfName(const std::string& text, size_t at) {
  while (at < text.size() && isNameCharacter(text[at]))
    ++at;
  return at;
}

size_t endOfMark(const std::string& text, size_t at) {
  for (const std::string_view mark : {"<<<", ">>>", "<=", ">=", "==", "!=", "&&", "||", "::", "+=", "*="})
    if (text.compare(at, mark.size(), mark) == 0)
      return at + mark.size();
  return at + 1;
}

/// Past what carries no tokens; `at` itself when a token starts there.
size_t skipBlank(const std::string& text, size_t at) {
  if (std::isspace(static_cast<unsigned char>(text[at])))
    return at + 1;
  if (text[at] == '#' || text.compare(at, 2, "//") == 0)
    return std::min(text.size(), text.find('\n', at));
  if (text[at] == '"')
    return std::min(text.size(), text.find('"', at + 1) + 1);
  return at;
}

class Parser {
public:
  explicit Parser(std::string text) { m_source.text = std::move(text); }

  std::optional<Source> parse() {
    m_tokens = tokenise(m_source.text);
    while (!m_failed && here().kind != TokenKind::End)
      function();
    if (m_failed || m_source.roots.empty())
      return std::nullopt;
    return std::move(m_source);
  }

private:
  // --- Tokens

  const Token& here(size_t ahead = 0) const {
    return m_tokens[std::min(m_next + ahead, m_tokens.size() - 1)];
  }
  std::string_view word(size_t ahead = 0) const {
    const Token& token = here(ahead);
    return std::string_view(m_source.text).substr(token.begin, token.end - token.begin);
  }
  bool take(std::string_view expected) {
    if (word() != expected)
      return false;
    ++m_next;
    return true;
  }
  void need(std::string_view expected) {
    if (!take(expected))
      m_failed = true;
  }
  void skipPast(std::string_view mark) {
    while (here().kind != TokenKind::End && word() != mark)
      ++m_next;
    need(mark);
  }

  // --- Declarations

  static Type typeNamed(std::string_view name) {
    if (name == "float")
      return Type::Float;
    if (name == "double")
      return Type::Double;
    if (name == "bool")
      return Type::Bool;
    if (name == "int" || name == "int64_t" || name == "unsigned")
      return Type::Int;
    return Type::Unknown;
  }

  void function() {
    m_names.clear();
    const size_t begin = here().begin;
    bool device = false;
    Type result = Type::Unknown;
    while (!m_failed && here().kind == TokenKind::Name && word(1) != "(") {
      device |= word() == "__global__" || word() == "__device__";
      result = typeNamed(word());
      ++m_next;
      take("::");
    }
    if (!device)
      m_source.hostBegin = begin;
    m_place = device ? Place::Device : Place::Host;
    m_functions[std::string(word())] = result;
    ++m_next;
    parameters();
    body();
  }

  void parameters() {
    need("(");
    while (!m_failed && !take(")")) {
      Type type = Type::Unknown;
      while (here().kind != TokenKind::End && word() != "," && word() != ")") {
        if (word(1) == "," || word(1) == ")")
          m_names[std::string(word())] = type;
        else if (word() == "*")
          type = Type::Buffer;
        else if (typeNamed(word()) != Type::Unknown)
          type = typeNamed(word());
        ++m_next;
      }
      take(",");
    }
  }

  // --- Statements

  void body() {
    need("{");
    for (size_t depth = 1; !m_failed && depth > 0;) {
      if (take("{"))
        ++depth;
      else if (take("}"))
        --depth;
      else if (!take(";") && !take("else"))
        statement();
    }
  }

  void statement() {
    m_statementBegin = here().begin;
    m_firstRoot = m_source.roots.size();
    if (here().kind != TokenKind::Name)
      m_failed = true;
    else if (word() == "TORCH_CHECK")
      skipPast(";");
    else if (take("if"))
      guard();
    else if (take("return"))
      returned();
    else if (word(1) == "<<<")
      launch();
    else if (word(1) == "[" || word(1) == "=")
      root(m_place, 0), endStatement();
    else
      declaration();
  }

  void guard() {
    need("(");
    root(Place::Guard, 0);
    need(")");
    m_source.roots.back().statementEnd = here().begin;
  }

  void returned() {
    if (m_place == Place::Host)
      return skipPast(";");
    if (word() != ";")
      root(m_place, 0);
    endStatement();
  }

  void launch() {
    m_next += 2;
    root(Place::LaunchSize, 1);
    need(",");
    root(Place::LaunchSize, 1);
    need(">>>");
    need("(");
    do
      root(Place::LaunchArgument, 1);
    while (take(","));
    need(")");
    endStatement();
  }

  void declaration() {
    take("const");
    const bool sizes = word() == "dim3";
    const Type type = typeNamed(word());
    ++m_next;
    if (!sizes && type == Type::Unknown)
      return skipPast(";");
    const std::string name(word());
    ++m_next;
    if (sizes) {
      need("(");
      do
        root(Place::LaunchSize, 1);
      while (take(","));
      need(")");
    } else {
      need("=");
      root(m_place, 1);
    }
    m_names[name] = type;
    endStatement();
  }

  void endStatement() {
    need(";");
    for (size_t i = m_firstRoot; i < m_source.roots.size(); ++i)
      m_source.roots[i].statementEnd = m_tokens[m_next - 1].end;
  }

  void root(Place place, int lowest) {
    const size_t node = expression(lowest);
    m_source.roots.push_back({place, node, m_statementBegin, 0, m_names});
  }

  // --- Expressions

  static int precedence(std::string_view op) {
    static const std::map<std::string_view, int> table = {
        {"=", 0}, {"?", 1},  {"||", 2}, {"&&", 3}, {"==", 4}, {"!=", 4}, {"<", 5}, {"<=", 5},
        {">", 5}, {">=", 5}, {"+", 6},  {"-", 6},  {"*", 7},  {"/", 7},  {"%", 7},
    };
    const auto found = table.find(op);
    return found == table.end() ? -1 : found->second;
  }

  size_t add(Node node) {
    m_source.nodes.push_back(std::move(node));
    return m_source.nodes.size() - 1;
  }
  Node& node(size_t index) { return m_source.nodes[index]; }

  static Type joined(Type a, Type b) {
    for (const Type type : {Type::Double, Type::Float, Type::Int})
      if (a == type || b == type)
        return type;
    return a;
  }

  /// Operators of at least the given precedence: 0 with assignment, 1 without.
  size_t expression(int lowest) {
    size_t left = unary();
    while (!m_failed) {
      const int strength = here().kind == TokenKind::Mark ? precedence(word()) : -1;
      if (strength < lowest || strength < 0)
        return left;
      left = strength == 1 ? ternary(left) : binary(left, strength);
    }
    return left;
  }

  size_t ternary(size_t condition) {
    Node made{
        NodeKind::Ternary, Type::Unknown, node(condition).begin, 0, here().begin, here().end, {}, false};
    ++m_next;
    const size_t yes = expression(1);
    need(":");
    const size_t no = expression(1);
    made.end = node(no).end;
    made.type = joined(node(yes).type, node(no).type);
    made.children = {condition, yes, no};
    return add(std::move(made));
  }

  size_t binary(size_t left, int strength) {
    Node made{NodeKind::Binary, Type::Unknown, node(left).begin, 0, here().begin, here().end, {}, false};
    ++m_next;
    const size_t right = expression(strength == 0 ? 0 : strength + 1);
    made.end = node(right).end;
    made.type = strength >= 2 && strength <= 5 ? Type::Bool : joined(node(left).type, node(right).type);
    made.children = {left, right};
    if (strength == 0)
      node(left).written = true;
    return add(std::move(made));
  }

  size_t unary() {
    const size_t begin = here().begin;
    const bool cast = word() == "(" && typeNamed(word(1)) != Type::Unknown && word(2) == ")";
    if (!cast && word() != "-" && word() != "!")
      return postfix(primary());
    Node made{cast ? NodeKind::Cast : NodeKind::Unary, Type::Bool, begin, 0, begin, here().end, {}, false};
    if (cast)
      made.type = typeNamed(word(1));
    m_next += cast ? 3 : 1;
    const size_t operand = unary();
    if (!cast && m_source.text[begin] == '-')
      made.type = node(operand).type;
    made.end = node(operand).end;
    made.children = {operand};
    return add(std::move(made));
  }

  size_t primary() {
    const Token token = here();
    const std::string text(word());
    ++m_next;
    Node made{NodeKind::Name, Type::Unknown, token.begin, token.end, token.begin, token.end, {}, false};
    if (text == "(") {
      made.kind = NodeKind::Paren;
      made.children = {expression(0)};
      made.type = node(made.children[0]).type;
      made.end = here().end;
      need(")");
    } else if (token.kind == TokenKind::Number) {
      made.kind = NodeKind::Number;
      const bool whole = text.find_first_of(".e") == std::string::npos;
      made.type = whole ? Type::Int : text.back() == 'f' ? Type::Float : Type::Double;
    } else if (token.kind == TokenKind::Name) {
      if (const auto found = m_names.find(text); found != m_names.end())
        made.type = found->second;
    } else {
      m_failed = true;
    }
    return add(std::move(made));
  }

  size_t postfix(size_t base) {
    while (!m_failed) {
      if (word() == ".")
        base = member(base);
      else if (word() == "[")
        base = index(base);
      else if (word() == "(")
        base = call(base);
      else
        return base;
    }
    return base;
  }

  size_t member(size_t base) {
    Node made{NodeKind::Member, Type::Unknown, node(base).begin, here(1).end,
              here(1).begin,    here(1).end,   {base},           false};
    const std::string_view owner = m_source.at(node(base));
    if (owner == "threadIdx" || owner == "blockIdx" || owner == "blockDim" || owner == "gridDim" ||
        word(1) == "numel" || word(1) == "size")
      made.type = Type::Int;
    m_next += 2;
    if (word() == "<") { // data_ptr<float>
      skipPast(">");
      made.type = Type::Buffer;
    }
    return add(std::move(made));
  }

  size_t index(size_t base) {
    Node made{NodeKind::Index, Type::Float, node(base).begin, 0, here().begin, 0, {base}, false};
    ++m_next;
    made.children.push_back(expression(1));
    made.end = made.opEnd = here().end;
    need("]");
    return add(std::move(made));
  }

  size_t call(size_t base) {
    Node made{NodeKind::Call, node(base).type, node(base).begin, 0, node(base).begin, node(base).end, {},
              false};
    const std::string name(m_source.at(node(base)));
    if (const auto found = m_functions.find(name); found != m_functions.end())
      made.type = found->second;
    else if (node(base).kind == NodeKind::Name)
      made.type = Type::Float;
    ++m_next;
    while (!m_failed && word() != ")") {
      made.children.push_back(expression(1));
      take(",");
    }
    made.end = here().end;
    need(")");
    return add(std::move(made));
  }

  Source m_source;
  std::vector<Token> m_tokens;
  size_t m_next = 0;
  bool m_failed = false;
  Place m_place = Place::Device;
  size_t m_statementBegin = 0;
  size_t m_firstRoot = 0;
  std::map<std::string, Type> m_names;
  std::map<std::string, Type> m_functions;
};

} // namespace

std::vector<Token> tokenise(const std::string& text) {
  std::vector<Token> tokens;
  for (size_t at = 0; at < text.size();) {
    if (const size_t next = skipBlank(text, at); next != at) {
      at = next;
      continue;
    }
    Token token{TokenKind::Mark, at, 0};
    const bool digit = std::isdigit(static_cast<unsigned char>(text[at]));
    if (digit || isNameCharacter(text[at])) {
      token.kind = digit ? TokenKind::Number : TokenKind::Name;
      token.end = endOfNumber(text, at);
      if (!digit)
        token.end = endOfName(text, at);
    } else {
      token.end = endOfMark(text, at);
    }
    at = token.end;
    tokens.push_back(token);
  }
  tokens.push_back({TokenKind::End, text.size(), text.size()});
  return tokens;
}

std::optional<Source> parseSource(std::string text) {
  return Parser(std::move(text)).parse();
}

} // namespace plumbline::mutation
