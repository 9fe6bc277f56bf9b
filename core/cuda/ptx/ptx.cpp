#include "core/cuda/ptx/ptx.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cstdlib>
#include <cxxabi.h>
#include <memory>

namespace plumbline::cuda {
namespace {

constexpr size_t largestText = size_t{64} << 20;
constexpr size_t mostInstructions = 4'000'000;
constexpr int deepestBraces = 200;

/// Leaves the reader; caught in readPtx.
struct Bad {
  std::string id;
  std::string message;
};

bool isSpace(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}
bool isNamePart(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$' || c == '%' || c == '.' ||
         c == '!' || c == ':' || c == '@';
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && isSpace(text.front()))
    text.remove_prefix(1);
  while (!text.empty() && isSpace(text.back()))
    text.remove_suffix(1);
  return text;
}

/// Splits at commas outside of brackets.
std::vector<std::string> operandsOf(std::string_view text) {
  std::vector<std::string> result;
  int depth = 0;
  size_t begin = 0;
  for (size_t i = 0; i <= text.size(); ++i) {
    const char c = i < text.size() ? text[i] : ',';
    depth += c == '(' || c == '[' || c == '{' ? 1 : c == ')' || c == ']' || c == '}' ? -1 : 0;
    if (c != ',' || (depth > 0 && i < text.size()))
      continue;
    const std::string_view operand = trimmed(text.substr(begin, i - begin));
    if (!operand.empty())
      result.emplace_back(operand);
    begin = i + 1;
  }
  return result;
}

class Reader {
public:
  explicit Reader(std::string_view text) : m_text(text) {}

  PtxModule run() {
    if (m_text.size() > largestText)
      throw Bad{"ptx-size", "the PTX is larger than 64 MiB"};
    for (skipSpace(); !atEnd(); skipSpace())
      moduleItem();
    if (m_module.version.empty())
      throw bad("there is no .version");
    return std::move(m_module);
  }

  int line() const {
    return m_line + static_cast<int>(std::count(
                        m_text.begin() + static_cast<std::ptrdiff_t>(m_counted),
                        m_text.begin() + static_cast<std::ptrdiff_t>(std::min(m_at, m_text.size())), '\n'));
  }

private:
  static Bad bad(std::string message) { return {"ptx-syntax", std::move(message)}; }

  bool atEnd() const { return m_at >= m_text.size(); }
  char here() const { return atEnd() ? '\0' : m_text[m_at]; }

  /// The line of the reading position. Counts on from the last call, so that the whole text is counted once.
  int lineHere() {
    m_line = line();
    m_counted = m_at;
    return m_line;
  }

  void skipSpace() {
    while (!atEnd()) {
      if (isSpace(here())) {
        ++m_at;
      } else if (m_text.substr(m_at, 2) == "//") {
        skipLine();
      } else if (m_text.substr(m_at, 2) == "/*") {
        const size_t end = m_text.find("*/", m_at + 2);
        if (end == std::string_view::npos)
          throw bad("a comment does not end");
        m_at = end + 2;
      } else {
        return;
      }
    }
  }

  void skipLine() { m_at = std::min(m_text.find('\n', m_at), m_text.size()); }

  std::string_view word() {
    const size_t begin = m_at;
    while (!atEnd() && isNamePart(here()))
      ++m_at;
    return m_text.substr(begin, m_at - begin);
  }

  std::string_view quoted() {
    if (here() != '"')
      throw bad("a quoted text is expected");
    const size_t begin = ++m_at;
    while (!atEnd() && here() != '"')
      m_at += here() == '\\' ? 2 : 1;
    if (atEnd())
      throw bad("a quoted text does not end");
    return m_text.substr(begin, m_at++ - begin);
  }

  /// Up to a character outside of quotes and comments, which is passed over.
  std::string upTo(char end) {
    std::string result;
    while (!atEnd() && here() != end) {
      const size_t before = m_at;
      skipSpace();
      if (m_at > before) {
        result += ' ';
        continue;
      }
      if (here() == '"') {
        const size_t begin = m_at;
        quoted();
        result += m_text.substr(begin, m_at - begin);
      } else if (here() == '{' || here() == '}' || here() == ';') {
        if (here() != '{' || end != ';')
          throw bad(std::string("'") + end + "' is expected");
        vectorOperand(result);
      } else {
        result += m_text[m_at++];
      }
    }
    if (atEnd())
      throw bad(std::string("'") + end + "' is expected before the end");
    ++m_at;
    return result;
  }

  /// "{%f1, %f2}" inside an instruction, or the values of an array.
  void vectorOperand(std::string& result) {
    int depth = 0;
    do {
      skipSpace();
      if (atEnd() || here() == ';')
        throw bad("'}' is expected");
      depth += here() == '{' ? 1 : here() == '}' ? -1 : 0;
      if (depth > deepestBraces)
        throw Bad{"ptx-size", "braces are nested too deeply"};
      result += m_text[m_at++];
    } while (depth > 0);
  }

  int number() {
    skipBlanks();
    int value = 0;
    const auto [end, code] = std::from_chars(m_text.data() + m_at, m_text.data() + m_text.size(), value);
    if (code != std::errc() || value < 0)
      throw bad("a number is expected");
    m_at = static_cast<size_t>(end - m_text.data());
    return value;
  }

  void skipBlanks() {
    while (here() == ' ' || here() == '\t')
      ++m_at;
  }

  // --- The module ---

  void moduleItem() {
    if (here() != '.')
      throw bad("a directive is expected");
    const std::string_view directive = word();
    skipBlanks();
    if (directive == ".version") {
      m_module.version = std::string(trimmed(restOfLine()));
    } else if (directive == ".target") {
      const std::string list(restOfLine());
      m_module.target = std::string(trimmed(list.substr(0, list.find(','))));
    } else if (directive == ".address_size") {
      restOfLine();
    } else if (directive == ".file") {
      file();
    } else if (directive == ".section") {
      section();
    } else {
      declaration(directive);
    }
  }

  std::string_view restOfLine() {
    const size_t begin = m_at;
    skipLine();
    const std::string_view line = m_text.substr(begin, m_at - begin);
    return line.substr(0, line.find("//"));
  }

  void file() {
    const int index = number();
    skipBlanks();
    m_module.files[index] = std::string(quoted());
    skipLine();
  }

  void section() {
    word();
    skipSpace();
    if (here() != '{')
      throw bad("'{' is expected after .section");
    int depth = 0;
    do {
      if (atEnd())
        throw bad("a section does not end");
      if (here() == '"') {
        quoted();
        continue;
      }
      depth += here() == '{' ? 1 : here() == '}' ? -1 : 0;
      ++m_at;
      skipSpace();
    } while (depth > 0);
  }

  /// Variables, prototypes, kernels, functions. `first` is its first directive.
  void declaration(std::string_view first) {
    if (first == ".loc" || first == ".pragma") {
      skipLine();
      return;
    }
    bool isEntry = first == ".entry";
    bool isFunction = isEntry || first == ".func";
    while (!isFunction) {
      skipSpace();
      if (here() != '.')
        break;
      const std::string_view next = word();
      isEntry = next == ".entry";
      isFunction = isEntry || next == ".func";
    }
    if (isFunction)
      function(isEntry);
    else
      upTo(';');
  }

  void function(bool isEntry) {
    PtxFunction function;
    function.isEntry = isEntry;
    skipSpace();
    if (here() == '(') { // where the result goes
      ++m_at;
      upTo(')');
      skipSpace();
    }
    function.symbol = std::string(word());
    if (function.symbol.empty())
      throw bad("the name of a function is expected");
    skipSpace();
    if (here() == '(') {
      ++m_at;
      for (const std::string& text : operandsOf(upTo(')')))
        function.parameters.push_back(parameter(text));
    }
    // .maxntid and the like stand between the parameters and the body.
    for (skipSpace(); !atEnd() && here() != '{' && here() != ';'; skipSpace())
      ++m_at;
    if (atEnd())
      throw bad("the body of a function is expected");
    if (here() == ';') {
      ++m_at; // a prototype
      return;
    }
    ++m_at;
    m_function = &function;
    m_where = m_inlinedAt = {};
    block(1);
    m_module.functions.push_back(std::move(function));
  }

  /// ".param .u64 .ptr .align 1 name", ".param .align 8 .b8 name[24]".
  static PtxParameter parameter(std::string_view text) {
    PtxParameter result;
    static constexpr std::array<std::string_view, 16> types = {"b8",  "b16", "b32", "b64", "u8",  "u16",
                                                               "u32", "u64", "s8",  "s16", "s32", "s64",
                                                               "f16", "f32", "f64", "b128"};
    std::string_view last;
    while (!(text = trimmed(text)).empty()) {
      size_t end = 0;
      while (end < text.size() && !isSpace(text[end]))
        ++end;
      last = text.substr(0, end);
      if (last.starts_with(".") && std::find(types.begin(), types.end(), last.substr(1)) != types.end())
        result.type = std::string(last.substr(1));
      text.remove_prefix(end);
    }
    const size_t bracket = last.find('[');
    if (last.empty() || result.type.empty())
      throw bad("a parameter without name or type");
    result.name = std::string(last.substr(0, bracket));
    if (bracket != std::string_view::npos) {
      const char* begin = last.data() + bracket + 1;
      std::from_chars(begin, last.data() + last.size(), result.count);
    }
    return result;
  }

  // --- Bodies ---

  /// Statements up to the closing brace.
  void block(int depth) {
    if (depth > deepestBraces)
      throw Bad{"ptx-size", "braces are nested too deeply"};
    while (true) {
      skipSpace();
      if (atEnd())
        throw bad("a body does not end");
      if (here() == '}') {
        ++m_at;
        return;
      }
      if (here() == '{') {
        ++m_at;
        block(depth + 1);
      } else if (here() == ';') {
        ++m_at;
      } else if (here() == '.') {
        bodyDirective();
      } else {
        statement();
      }
    }
  }

  void bodyDirective() {
    const std::string_view directive = word();
    if (directive == ".loc") {
      location();
      return;
    }
    if (directive == ".file") {
      file();
      return;
    }
    upTo(';'); // .reg, .local, .shared, .pragma, .param, .branchtargets
  }

  /// ".loc 1 4 31, function_name $L__info_string0, inlined_at 1 9 3".
  void location() {
    m_where.file = number();
    m_where.line = number();
    m_where.column = number();
    m_inlinedAt = {};
    const std::string rest(restOfLine());
    const size_t inlined = rest.find("inlined_at");
    if (inlined == std::string::npos)
      return;
    std::array<int*, 3> fields = {&m_inlinedAt.file, &m_inlinedAt.line, &m_inlinedAt.column};
    const char* at = rest.data() + inlined + 10;
    const char* end = rest.data() + rest.size();
    for (int* field : fields) {
      while (at < end && isSpace(*at))
        ++at;
      at = std::from_chars(at, end, *field).ptr;
    }
  }

  void statement() {
    const int line = lineHere();
    PtxInstruction instruction;
    std::string_view first = word();
    if (first.empty())
      throw bad(std::string("an instruction is expected, not '") + here() + "'");
    if (first.size() > 1 && first.back() == ':') {
      m_function->labels[std::string(first.substr(0, first.size() - 1))] = m_function->body.size();
      return;
    }
    if (first.front() == '@') {
      instruction.guard = std::string(first.substr(1));
      skipSpace();
      first = word();
      if (instruction.guard.empty() || first.empty())
        throw bad("a guarded instruction is expected");
    }
    instruction.opcode = std::string(first);
    instruction.operands = operandsOf(upTo(';'));
    instruction.where = m_where;
    instruction.inlinedAt = m_inlinedAt;
    instruction.ptxLine = line;
    if (++m_instructions > mostInstructions)
      throw Bad{"ptx-size", "the PTX has more than four million instructions"};
    m_function->body.push_back(std::move(instruction));
  }

  std::string_view m_text;
  size_t m_at = 0;
  size_t m_counted = 0;
  int m_line = 1;
  size_t m_instructions = 0;
  PtxModule m_module;
  PtxFunction* m_function = nullptr;
  PtxLocation m_where;
  PtxLocation m_inlinedAt;
};

} // namespace

Expected<PtxModule> readPtx(std::string_view text) {
  Reader reader(text);
  try {
    return reader.run();
  } catch (Bad& bad) {
    const int line = reader.line();
    return fail({ErrorKind::File, bad.id, "PTX line " + std::to_string(line) + ": " + bad.message,
                 "the reader expects what nvcc -ptx prints", SourceRange{"ptx", line, 0, line, 0}});
  }
}

std::string kernelName(const std::string& symbol) {
  constexpr size_t longest = 4096;
  const auto isPlain = [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '_' || c == '$' || c == '.';
  };
  if (!symbol.starts_with("_Z") || symbol.size() > longest ||
      !std::all_of(symbol.begin(), symbol.end(), isPlain))
    return symbol;
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), &std::free);
  if (status != 0 || text == nullptr)
    return symbol;
  // The name ends where the parameters begin and starts behind the result type: both outside of <> and ().
  const std::string_view full(text.get());
  int depth = 0;
  size_t begin = 0;
  for (size_t i = 0; i < full.size(); ++i) {
    const bool isAnonymous = full.substr(i).starts_with("(anonymous namespace)");
    if (isAnonymous) {
      i += std::string_view("(anonymous namespace)").size() - 1;
      continue;
    }
    if (full[i] == '(' && depth == 0)
      return std::string(full.substr(begin, i - begin));
    depth += full[i] == '<' || full[i] == '(' ? 1 : full[i] == '>' || full[i] == ')' ? -1 : 0;
    if (full[i] == ' ' && depth == 0)
      begin = i + 1;
  }
  return std::string(full.substr(begin));
}

} // namespace plumbline::cuda
