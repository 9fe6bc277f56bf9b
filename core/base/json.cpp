#include "core/base/json.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <unistd.h>

namespace plumbline {
namespace {

/// Limits that no file of ours comes near. Beyond them reading takes long, for nothing.
constexpr size_t deepest = 20000;
constexpr size_t longestNumber = 1000;
constexpr size_t longestText = 32U << 20U; ///< bytes between two quotes

bool isSpace(char c) {
  return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

/// Finds at once what makes a large file useless: nothing in it, a beginning that no value has, too many
/// levels, an endless number or text. Everything else is the parser's to say.
class Scan {
public:
  explicit Scan(std::string_view text) : m_text(text) {}

  /// What is wrong, as the end of a sentence about the file; empty when nothing is.
  std::string problem() {
    const auto* first = std::find_if_not(m_text.begin(), m_text.end(), isSpace);
    if (first == m_text.end())
      return "is empty";
    m_at = static_cast<size_t>(first - m_text.begin());
    if (std::string_view("{[\"-0123456789tfnIN").find(*first) == std::string_view::npos)
      return "is not valid JSON near byte " + std::to_string(m_at + 1);
    while (m_at < m_text.size() && m_problem.empty())
      step();
    return m_problem;
  }

private:
  void step() {
    const char c = m_text[m_at];
    if (c == '"')
      return passText();
    if (c >= '0' && c <= '9')
      return passNumber();
    if ((c == '[' || c == '{') && ++m_depth > deepest)
      m_problem = "is nested more than " + std::to_string(deepest) + " levels deep";
    if ((c == ']' || c == '}') && m_depth > 0)
      --m_depth;
    ++m_at;
  }

  void passText() {
    const size_t begin = m_at++;
    while (m_at < m_text.size() && m_text[m_at] != '"') {
      m_at += m_text[m_at] == '\\' ? 2 : 1;
      if (m_at - begin > longestText) {
        m_problem = "holds a text of more than " + std::to_string(longestText) + " bytes, from byte " +
                    std::to_string(begin + 1);
        return;
      }
    }
    ++m_at;
  }

  void passNumber() {
    const size_t begin = m_at;
    const size_t end = std::min(m_text.size(), begin + longestNumber + 1);
    while (m_at < end && m_text[m_at] >= '0' && m_text[m_at] <= '9')
      ++m_at;
    if (m_at - begin > longestNumber)
      m_problem = "holds a number of more than " + std::to_string(longestNumber) + " digits, from byte " +
                  std::to_string(begin + 1);
  }

  std::string_view m_text;
  size_t m_at = 0;
  size_t m_depth = 0;
  std::string m_problem;
};

/// Quotes the bare tokens Infinity, -Infinity and NaN outside strings; anything else is copied.
std::string quoteBareNonFinite(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  bool inString = false;
  for (size_t i = 0; i < text.size();) {
    if (inString) {
      if (text[i] == '\\' && i + 1 < text.size()) {
        out.append(text.substr(i, 2));
        i += 2;
        continue;
      }
      inString = text[i] != '"';
      out.push_back(text[i++]);
      continue;
    }
    bool quoted = false;
    for (std::string_view token : {"-Infinity", "Infinity", "NaN"}) {
      if (text.substr(i, token.size()) == token) {
        out.append("\"").append(token).append("\"");
        i += token.size();
        quoted = true;
        break;
      }
    }
    if (quoted)
      continue;
    inString = text[i] == '"';
    out.push_back(text[i++]);
  }
  return out;
}

} // namespace

Expected<Json> parseJson(std::string_view text, const std::string& name) {
  if (const std::string problem = Scan(text).problem(); !problem.empty())
    return fail(ErrorKind::File, "json-syntax", name + " " + problem, "check that it is the right file");
  const bool mayBeNonFinite =
      text.find("Infinity") != std::string_view::npos || text.find("NaN") != std::string_view::npos;
  try {
    return mayBeNonFinite ? Json::parse(quoteBareNonFinite(text)) : Json::parse(text);
  } catch (const Json::parse_error& error) {
    return fail(ErrorKind::File, "json-syntax",
                name + " is not valid JSON near byte " + std::to_string(error.byte),
                "check that the file is complete");
  } catch (const Json::exception&) { // well-formed text that no value can hold, such as 1e999
    return fail(ErrorKind::File, "json-syntax", name + " holds a number that is out of range",
                "write an infinity as \"Infinity\"");
  }
}

std::string prettyJson(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Expected<std::string> readFile(const std::filesystem::path& path) {
  std::error_code code;
  if (!std::filesystem::exists(path, code))
    return fail(ErrorKind::File, "file-not-found", "no such file: " + path.string(), "check the path");
  if (std::filesystem::is_directory(path, code))
    return fail(ErrorKind::File, "file-unreadable", path.string() + " is a directory", "name a file in it");
  std::ifstream in(path, std::ios::binary);
  std::string content;
  if (const auto size = std::filesystem::file_size(path, code); !code)
    content.reserve(size); // 0 for what is no regular file
  std::array<char, 1 << 16> part{};
  while (in.read(part.data(), part.size()) || in.gcount() > 0)
    content.append(part.data(), static_cast<size_t>(in.gcount()));
  if (!in.eof())
    return fail(ErrorKind::File, "file-unreadable", "cannot read " + path.string(), "check its permissions");
  return content;
}

Expected<void> writeFile(const std::filesystem::path& path, std::string_view content) {
  std::filesystem::path temporary = path;
  temporary += ".tmp" + std::to_string(::getpid());
  std::error_code code;
  {
    std::ofstream out(temporary, std::ios::binary | std::ios::trunc);
    out.write(content.data(), static_cast<std::streamsize>(content.size()));
    out.flush();
    if (out) {
      std::filesystem::rename(temporary, path, code);
      if (!code)
        return {};
    }
  }
  std::filesystem::remove(temporary, code);
  return fail(ErrorKind::File, "file-unwritable", "cannot write " + path.string(),
              "check that the folder exists and may be written");
}

Json toJson(const SourceRange& range) {
  return Json{{"file", range.file},
              {"line", range.line},
              {"column", range.column},
              {"end_line", range.endLine},
              {"end_column", range.endColumn}};
}

Json toJson(const Rejection& rejection) {
  Json json{{"id", rejection.id}, {"construct", rejection.construct}};
  json.update(toJson(rejection.where));
  return json;
}

SourceRange sourceRangeFromJson(const Json& json) {
  return {json.value("file", ""), json.value("line", 0), json.value("column", 0), json.value("end_line", 0),
          json.value("end_column", 0)};
}

Rejection rejectionFromJson(const Json& json) {
  return {json.value("id", ""), json.value("construct", ""), sourceRangeFromJson(json)};
}

} // namespace plumbline
