#include "tests/differential/kernel/device_text.h"

#include <regex>
#include <set>

namespace plumbline::differential {
namespace {

bool isDevice(const std::string& header) {
  static const std::regex device(R"(\b__(global|device|constant)__\b)");
  return std::regex_search(header, device);
}

bool isHost(const std::string& text) {
  static const std::regex host(
      R"(<<<|\b(torch|at|c10|py|thrust|cub)::|\b(TORCH|PYBIND11|AT|C10|CHECK)_|\bcu(da|blas|dnn)[A-Z]|\bTensor\b|std::(vector|string|cout|cerr|tuple|optional)\b|\bmain\s*\(|using namespace (torch|at)\b)");
  return std::regex_search(text, host);
}

/// Splits at the ends of declarations; namespaces and linkage blocks are transparent.
class Splitter {
public:
  Splitter(const std::string& source, const std::vector<std::string>& kernels) : m_source(source) {
    for (const std::string& kernel : kernels)
      m_kernels.insert(kernel.substr(0, kernel.find('<')));
  }

  std::string run() {
    while (m_at < m_source.size())
      step();
    finish();
    for (const std::string& name : m_namespaces)
      m_out += "using namespace " + name + ";\n";
    return m_out;
  }

private:
  void step() {
    const char c = m_source[m_at];
    if (m_source.compare(m_at, 2, "//") == 0)
      return skipTo("\n", false);
    if (m_source.compare(m_at, 2, "/*") == 0)
      return skipTo("*/", true);
    if (c == '#' && lineStart())
      return directive();
    if (c == '"' ||
        (c == '\'' && !(m_at > 0 && std::isalnum(static_cast<unsigned char>(m_source[m_at - 1])))))
      return quoted(c);
    m_chunk += c;
    ++m_at;
    if (c == '(' || c == '[')
      ++m_parens;
    else if (c == ')' || c == ']')
      --m_parens;
    else if (c == '{')
      open();
    else if (c == '}')
      close();
    else if (c == ';' && m_depth == 0 && m_parens == 0)
      finish();
  }

  bool lineStart() const {
    size_t at = m_at;
    while (at > 0 && (m_source[at - 1] == ' ' || m_source[at - 1] == '\t'))
      --at;
    return at == 0 || m_source[at - 1] == '\n';
  }

  void skipTo(const char* end, bool inclusive) {
    const size_t found = m_source.find(end, m_at + (inclusive ? 2 : 0));
    m_at = found == std::string::npos ? m_source.size() : found + (inclusive ? 2 : 0);
    m_chunk += ' ';
  }

  void directive() {
    std::string line;
    while (m_at < m_source.size()) {
      const char c = m_source[m_at++];
      line += c;
      if (c == '\n' && (line.size() < 2 || line[line.size() - 2] != '\\'))
        break;
    }
    static const std::regex include(R"(#\s*include\b)");
    if (std::regex_search(line, include))
      return;
    // Between declarations it stands by itself; inside one it belongs to it.
    (m_chunk.find_first_not_of(" \t\r\n") == std::string::npos ? m_out : m_chunk) += line;
  }

  void quoted(char quote) {
    m_chunk += m_source[m_at++];
    while (m_at < m_source.size()) {
      const char c = m_source[m_at++];
      m_chunk += c;
      if (c == '\\' && m_at < m_source.size())
        m_chunk += m_source[m_at++];
      else if (c == quote)
        return;
    }
  }

  void open() {
    static const std::regex transparent(
        R"(^\s*(?:extern\s+"C(?:\+\+)?"|(?:inline\s+)?namespace(?:\s+([\w:]+))?)\s*\{$)");
    std::smatch match;
    if (m_depth == 0 && std::regex_search(m_chunk, match, transparent)) {
      if (match[1].matched)
        m_namespaces.insert(match[1]);
      m_out += m_chunk;
      m_chunk.clear();
      ++m_transparent;
      return;
    }
    if (m_depth++ == 0)
      m_header = m_chunk;
  }

  void close() {
    if (m_depth == 0) {
      if (m_transparent > 0)
        --m_transparent;
      m_out += m_chunk;
      m_chunk.clear();
      return;
    }
    static const std::regex classHead(R"(^\s*(template\s*<[^{]*>\s*)?(struct|class|union|enum|typedef)\b)");
    const bool function = m_header.find('(') != std::string::npos &&
                          !std::regex_search(m_header, classHead) && m_header.find('=') == std::string::npos;
    if (--m_depth == 0 && (function || isDeviceFunction()))
      finish();
  }

  /// Default arguments have an equals sign too.
  bool isDeviceFunction() const { return isDevice(m_header) && m_header.find('(') != std::string::npos; }

  void finish() {
    const std::string header = m_header.empty() ? m_chunk : m_header;
    if (isKernel(header) ? isWanted(header) : isDevice(header) || !isHost(m_chunk))
      m_out += m_chunk;
    m_out += '\n';
    m_chunk.clear();
    m_header.clear();
    m_parens = 0;
  }

  static bool isKernel(const std::string& header) { return header.find("__global__") != std::string::npos; }

  bool isWanted(const std::string& header) const {
    static const std::regex name(R"((\w+)\s*(<[^()]*>)?\s*\()");
    for (std::sregex_iterator it(header.begin(), header.end(), name), end; it != end; ++it)
      if (m_kernels.contains((*it)[1]))
        return true;
    return false;
  }

  const std::string& m_source;
  std::set<std::string> m_kernels;
  std::string m_out;
  std::string m_chunk;
  std::string m_header; ///< of the declaration, before its first brace
  std::set<std::string> m_namespaces;
  size_t m_at = 0;
  int m_depth = 0;
  int m_parens = 0;
  int m_transparent = 0;
};

} // namespace

std::string deviceText(const std::string& source, const std::vector<std::string>& kernels) {
  return Splitter(source, kernels).run();
}

} // namespace plumbline::differential
