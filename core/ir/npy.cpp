// The .npy format: magic, version, header length, a Python dictionary as text, raw data.
#include "core/ir/tensor_io.h"

#include <charconv>
#include <cstring>

namespace plumbline::ir {
namespace {

constexpr std::string_view kMagic("\x93NUMPY", 6);

struct Descr {
  ScalarType type;
  std::string_view text;
};
constexpr std::array<Descr, 12> kDescrs = {{{ScalarType::Bool, "|b1"},
                                            {ScalarType::I8, "|i1"},
                                            {ScalarType::U8, "|u1"},
                                            {ScalarType::I16, "<i2"},
                                            {ScalarType::U16, "<u2"},
                                            {ScalarType::I32, "<i4"},
                                            {ScalarType::U32, "<u4"},
                                            {ScalarType::I64, "<i8"},
                                            {ScalarType::U64, "<u8"},
                                            {ScalarType::F32, "<f4"},
                                            {ScalarType::F64, "<f8"},
                                            {ScalarType::F16, "<f2"}}};

size_t byteWidth(ScalarType type) {
  return type == ScalarType::Bool ? 1 : static_cast<size_t>(bitWidth(type)) / 8;
}

uint64_t littleEndian(std::string_view bytes) {
  uint64_t value = 0;
  for (size_t i = bytes.size(); i-- > 0;)
    value = value << 8 | static_cast<unsigned char>(bytes[i]);
  return value;
}

void appendLittleEndian(std::string& out, uint64_t value, size_t bytes) {
  for (size_t i = 0; i < bytes; ++i)
    out.push_back(static_cast<char>(value >> (8 * i) & 0xFF));
}

/// What the dictionary says.
struct Header {
  std::string descr;
  bool fortranOrder = false;
  std::vector<int64_t> shape;
};

/// Reads the one form of dictionary that the format allows: three keys with a string, a bool and a tuple of
/// integers.
class HeaderParser {
public:
  explicit HeaderParser(std::string_view text) : m_text(text) {}

  std::optional<Header> run() {
    if (!take("{"))
      return std::nullopt;
    while (!take("}")) {
      std::optional<std::string> key = quoted();
      if (!key || !take(":") || !value(*key))
        return std::nullopt;
      if (!take(",") && peek() != '}')
        return std::nullopt;
    }
    skipSpace();
    if (m_at != m_text.size() || m_seen != 7)
      return std::nullopt;
    return std::move(m_header);
  }

private:
  void skipSpace() {
    while (m_at < m_text.size() && (m_text[m_at] == ' ' || m_text[m_at] == '\n'))
      ++m_at;
  }
  char peek() {
    skipSpace();
    return m_at < m_text.size() ? m_text[m_at] : '\0';
  }
  bool take(std::string_view token) {
    skipSpace();
    if (m_text.substr(m_at, token.size()) != token)
      return false;
    m_at += token.size();
    return true;
  }

  std::optional<std::string> quoted() {
    const char quote = peek();
    if (quote != '\'' && quote != '"')
      return std::nullopt;
    const size_t end = m_text.find(quote, m_at + 1);
    if (end == std::string_view::npos)
      return std::nullopt;
    std::string text(m_text.substr(m_at + 1, end - m_at - 1));
    m_at = end + 1;
    return text;
  }

  bool value(const std::string& key) {
    if (key == "descr") {
      m_seen |= 1;
      std::optional<std::string> text = quoted();
      m_header.descr = text.value_or("");
      return text.has_value();
    }
    if (key == "fortran_order") {
      m_seen |= 2;
      m_header.fortranOrder = take("True");
      return m_header.fortranOrder || take("False");
    }
    if (key != "shape")
      return false;
    m_seen |= 4;
    return tuple();
  }

  bool tuple() {
    if (!take("("))
      return false;
    while (!take(")")) {
      skipSpace();
      int64_t size = 0;
      const char* begin = m_text.data() + m_at;
      auto [stopped, code] = std::from_chars(begin, m_text.data() + m_text.size(), size);
      if (code != std::errc())
        return false;
      m_at += static_cast<size_t>(stopped - begin);
      take("L"); // Python 2 wrote long integers so
      m_header.shape.push_back(size);
      if (!take(",") && peek() != ')')
        return false;
    }
    return true;
  }

  std::string_view m_text;
  size_t m_at = 0;
  int m_seen = 0;
  Header m_header;
};

tl::unexpected<Error> torn(const std::string& name, const std::string& what) {
  return fail(ErrorKind::File, "npy-torn", name + " is no whole .npy file: " + what, "write it again");
}

tl::unexpected<Error> unsupported(const std::string& name, const std::string& what) {
  return fail(ErrorKind::File, "npy-unsupported", name + " holds " + what,
              "save a C-ordered little-endian array of floats or integers");
}

Expected<Tensor> readData(const Header& header, std::string_view data, const std::string& name) {
  Tensor tensor;
  tensor.type = ScalarType::Void;
  for (const Descr& row : kDescrs)
    if (row.text == header.descr)
      tensor.type = row.type;
  if (tensor.type == ScalarType::Void)
    return unsupported(name, "elements of type '" + header.descr + "'");
  if (header.fortranOrder && header.shape.size() > 1)
    return unsupported(name, "an array in Fortran order");
  tensor.shape = header.shape;
  std::optional<int64_t> count = elementCount(header.shape);
  const size_t width = byteWidth(tensor.type);
  if (!count || data.size() != static_cast<size_t>(*count) * width)
    return torn(name, "its data has " + std::to_string(data.size()) + " bytes, not what its shape needs");
  tensor.bits.reserve(static_cast<size_t>(*count));
  for (size_t at = 0; at < data.size(); at += width)
    tensor.bits.push_back(littleEndian(data.substr(at, width)));
  return tensor;
}

} // namespace

Expected<Tensor> tensorFromNpy(std::string_view content, const std::string& name) {
  if (!content.starts_with(kMagic) || content.size() < 8)
    return torn(name, "it does not begin as one");
  const int version = static_cast<unsigned char>(content[6]);
  if (version < 1 || version > 3)
    return unsupported(name, "format version " + std::to_string(version));
  const size_t lengthBytes = version == 1 ? 2 : 4;
  const size_t begin = 8 + lengthBytes;
  if (content.size() < begin)
    return torn(name, "it ends in its header");
  const size_t length = littleEndian(content.substr(8, lengthBytes));
  if (content.size() - begin < length)
    return torn(name, "it ends in its header");
  std::optional<Header> header = HeaderParser(content.substr(begin, length)).run();
  if (!header)
    return torn(name, "its header cannot be read");
  return readData(*header, content.substr(begin + length), name);
}

std::string toNpy(const Tensor& tensor) {
  std::string shape;
  for (size_t i = 0; i < tensor.shape.size(); ++i)
    shape += std::to_string(tensor.shape[i]) +
             (tensor.shape.size() == 1 ? "," : (i + 1 < tensor.shape.size() ? ", " : ""));
  std::string_view descr;
  for (const Descr& row : kDescrs)
    if (row.type == tensor.type)
      descr = row.text;
  std::string header =
      "{'descr': '" + std::string(descr) + "', 'fortran_order': False, 'shape': (" + shape + "), }";
  while ((10 + header.size() + 1) % 64 != 0)
    header.push_back(' ');
  header.push_back('\n');
  std::string out(kMagic);
  out.append("\x01\x00", 2);
  appendLittleEndian(out, header.size(), 2);
  out += header;
  for (uint64_t bits : tensor.bits)
    appendLittleEndian(out, bits, byteWidth(tensor.type));
  return out;
}

} // namespace plumbline::ir
