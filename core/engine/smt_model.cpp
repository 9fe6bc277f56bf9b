#include "core/engine/smt_model.h"

#include "core/f32/rational.h"

namespace plumbline::engine {
namespace {

using logic::Sort;

/// An S-expression: an atom, or a list.
struct Node {
  std::string atom;
  std::vector<Node> list;

  bool isList() const { return atom.empty(); }
  /// A list of `count` items that starts with the atom `head`.
  bool is(std::string_view head, size_t count) const {
    return list.size() == count && !list.front().isList() && list.front().atom == head;
  }
};

constexpr int maxDepth = 64; // deeper than any value

class Reader {
public:
  explicit Reader(std::string_view text) : m_text(text) {}

  std::optional<Node> read(int depth = 0) {
    skipSpace();
    if (m_at >= m_text.size() || depth > maxDepth || m_text[m_at] == ')')
      return std::nullopt;
    if (m_text[m_at] == '(')
      return readList(depth);
    return readAtom();
  }

private:
  void skipSpace() {
    while (m_at < m_text.size() &&
           (m_text[m_at] == ' ' || m_text[m_at] == '\n' || m_text[m_at] == '\t' || m_text[m_at] == '\r'))
      ++m_at;
  }

  std::optional<Node> readList(int depth) {
    Node node;
    ++m_at;
    while (true) {
      skipSpace();
      if (m_at < m_text.size() && m_text[m_at] == ')') {
        ++m_at;
        return node;
      }
      std::optional<Node> item = read(depth + 1);
      if (!item)
        return std::nullopt;
      node.list.push_back(std::move(*item));
    }
  }

  std::optional<Node> readAtom() {
    size_t end = m_at;
    if (m_text[m_at] == '|') {
      end = m_text.find('|', m_at + 1);
      if (end == std::string_view::npos)
        return std::nullopt;
      ++end;
    } else {
      end = std::min(m_text.find_first_of(" \t\r\n()", m_at), m_text.size());
    }
    Node node;
    node.atom = m_text.substr(m_at, end - m_at);
    m_at = end;
    return node;
  }

  std::string_view m_text;
  size_t m_at = 0;
};

/// A bit vector literal of exactly `width` bits.
std::optional<uint64_t> bitVector(const Node& node, int width) {
  std::string digits = node.atom;
  int base = 0;
  if (digits.starts_with("#b"))
    base = 2;
  if (digits.starts_with("#x"))
    base = 16;
  const size_t expected = base == 2 ? static_cast<size_t>(width) : static_cast<size_t>(width / 4);
  if (base == 0 || digits.size() != expected + 2 || (base == 16 && width % 4 != 0))
    return std::nullopt;
  uint64_t value = 0;
  for (const char c : digits.substr(2)) {
    const char* alphabet = "0123456789abcdef";
    const auto digit =
        std::string_view(alphabet, static_cast<size_t>(base)).find(static_cast<char>(c | 0x20));
    if (digit == std::string_view::npos)
      return std::nullopt;
    value = value * static_cast<uint64_t>(base) + digit;
  }
  return value;
}

template <class F> std::optional<uint64_t> specialFloat(const std::string& name) {
  const uint64_t sign = uint64_t{1} << (F::exponentBits + F::mantissaBits);
  const uint64_t infinity = static_cast<uint64_t>(F::specialExponent) << F::mantissaBits;
  if (name == "NaN")
    return infinity | uint64_t{1} << (F::mantissaBits - 1);
  if (name == "+oo")
    return infinity;
  if (name == "-oo")
    return sign | infinity;
  if (name == "+zero")
    return uint64_t{0};
  if (name == "-zero")
    return sign;
  return std::nullopt;
}

template <class F> std::optional<uint64_t> floatBits(const Node& node) {
  if (node.is("_", 4) && node.list[2].atom == std::to_string(F::exponentBits) &&
      node.list[3].atom == std::to_string(F::mantissaBits + 1))
    return specialFloat<F>(node.list[1].atom);
  if (!node.is("fp", 4))
    return std::nullopt;
  const auto sign = bitVector(node.list[1], 1);
  const auto exponent = bitVector(node.list[2], F::exponentBits);
  const auto mantissa = bitVector(node.list[3], F::mantissaBits);
  if (!sign || !exponent || !mantissa)
    return std::nullopt;
  if (*exponent == F::specialExponent && *mantissa != 0)
    return specialFloat<F>("NaN");
  return (*sign << (F::exponentBits + F::mantissaBits)) | (*exponent << F::mantissaBits) | *mantissa;
}

std::optional<f32::Rational> rational(const Node& node, int depth = 0) {
  if (depth > maxDepth)
    return std::nullopt;
  if (!node.isList()) {
    if (node.atom.find_first_not_of("0123456789.") != std::string::npos)
      return std::nullopt;
    const Expected<f32::Rational> value = f32::parseExact(node.atom);
    return value ? std::optional(*value) : std::nullopt;
  }
  if (node.is("-", 2)) {
    const auto value = rational(node.list[1], depth + 1);
    return value ? std::optional<f32::Rational>(-*value) : std::nullopt;
  }
  if (!node.is("/", 3))
    return std::nullopt;
  const auto numerator = rational(node.list[1], depth + 1);
  const auto denominator = rational(node.list[2], depth + 1);
  if (!numerator || !denominator || *denominator == 0)
    return std::nullopt;
  return f32::Rational(*numerator / *denominator);
}

tl::unexpected<Error> unreadable(const std::string& variable) {
  return fail(ErrorKind::Tool, "model-unreadable", "the solver's value of " + variable + " cannot be read",
              "the other engines are tried instead");
}

Expected<SmtValue> integerValue(const Node& node, const std::string& variable) {
  const auto value = rational(node);
  if (!value || value->get_den() != 1)
    return unreadable(variable);
  if (!value->get_num().fits_slong_p())
    return fail(ErrorKind::Tool, "model-int-range",
                "the solver's value of " + variable + " needs more than 64 bits",
                "bound the sizes by a hypothesis");
  return SmtValue{Sort::Int, static_cast<uint64_t>(int64_t{value->get_num().get_si()}), {}};
}

Expected<SmtValue> readValue(const Node& node, const SmtVariable& variable, SmtReading reading) {
  if (variable.sort == Sort::Bool) {
    if (node.atom != "true" && node.atom != "false")
      return unreadable(variable.expression);
    return SmtValue{Sort::Bool, node.atom == "true" ? 1U : 0U, {}};
  }
  if (variable.sort == Sort::Int)
    return integerValue(node, variable.expression);
  if (reading == SmtReading::Real) {
    const auto value = rational(node);
    if (!value)
      return unreadable(variable.expression);
    return SmtValue{variable.sort, 0, f32::toString(*value)};
  }
  const auto bits =
      variable.sort == Sort::F64 ? floatBits<f32::Binary64>(node) : floatBits<f32::Binary32>(node);
  if (!bits)
    return unreadable(variable.expression);
  return SmtValue{variable.sort, *bits, {}};
}

} // namespace

Expected<SmtModel> parseModel(std::string_view answer, const SmtQuery& query) {
  const std::optional<Node> pairs = Reader(answer).read();
  if (!pairs || pairs->list.size() != query.variables.size())
    return unreadable("the free values");
  SmtModel model;
  for (size_t i = 0; i < query.variables.size(); ++i) {
    const Node& pair = pairs->list[i];
    if (pair.list.size() != 2)
      return unreadable(query.variables[i].expression);
    Expected<SmtValue> value = readValue(pair.list[1], query.variables[i], query.reading);
    if (!value)
      return fail(value.error());
    model.push_back(std::move(*value));
  }
  return model;
}

} // namespace plumbline::engine
