#include "core/cuda/ptx/kernel_unit.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>

namespace plumbline::cuda {
namespace {

constexpr std::string_view prelude = R"(#pragma once
#include <algorithm>
#include <array>
#include <cfloat>
#include <climits>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>
#include <cuda.h>
#include <cuda_runtime.h>
namespace at {}
namespace c10 {}
namespace torch {}
#define C10_DEVICE __device__
#define C10_HOST __host__
#define C10_HOST_DEVICE __host__ __device__
#define CUDA_KERNEL_LOOP(i, n) \
  for (int64_t i = blockIdx.x * blockDim.x + threadIdx.x; i < (n); i += blockDim.x * gridDim.x)
#define CUDA_1D_KERNEL_LOOP(i, n) CUDA_KERNEL_LOOP(i, n)
)";

bool isWordStart(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_';
}
bool isWordPart(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}
bool isBlank(char c) {
  return std::isspace(static_cast<unsigned char>(c)) != 0;
}

template <size_t N> bool isOneOf(std::string_view word, const std::array<std::string_view, N>& list) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

/// Headers of libraries for the host, PyTorch's above all.
bool isHostHeader(std::string_view name) {
  static constexpr std::array<std::string_view, 10> starts = {
      "torch/", "ATen/", "c10/", "pybind11/", "THC/", "Python.h", "cudnn", "cublas", "cusparse", "cusolver"};
  return std::any_of(starts.begin(), starts.end(), [&](std::string_view s) { return name.starts_with(s); });
}

/// Speaks of PyTorch or of Python, which device code does not.
bool namesHostLibrary(std::string_view text) {
  static constexpr std::array<std::string_view, 5> names = {"torch::", "at::", "c10::", "pybind11", "py::"};
  return std::any_of(names.begin(), names.end(), [&](std::string_view name) {
    for (size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1))
      if (at == 0 || !isWordPart(text[at - 1]))
        return true;
    return false;
  });
}

/// A declaration at the level of a namespace, while it is read.
struct Declaration {
  size_t begin = 0;
  std::vector<std::string_view> words; ///< outside of brackets and template heads, up to the body
  bool isTemplate = false;
  bool isDevice = false;
  bool hasParameters = false; ///< a parenthesis
  bool hasValue = false;      ///< an equals sign
};

class Unit {
public:
  Unit(std::string_view source, const std::vector<std::string>& instantiations)
      : m_source(source), m_out(source), m_instantiations(instantiations) {}

  std::string run() {
    collectDeviceMacros();
    while (m_at < m_source.size()) {
      scope();
      m_at += m_at < m_source.size() ? 1 : 0; // a brace that closes nothing
    }
    for (auto insertion = m_insertions.rbegin(); insertion != m_insertions.rend(); ++insertion)
      m_out.insert(insertion->first, insertion->second);
    return std::move(m_out);
  }

private:
  // --- Characters ---

  char here(size_t ahead = 0) const { return m_at + ahead < m_source.size() ? m_source[m_at + ahead] : '\0'; }
  bool atEnd() const { return m_at >= m_source.size(); }

  void blank(size_t begin, size_t end) {
    for (size_t i = begin; i < std::min(end, m_out.size()); ++i)
      if (m_out[i] != '\n' && m_out[i] != '\r')
        m_out[i] = ' ';
  }

  void skipQuoted(char quote) {
    for (++m_at; !atEnd() && here() != quote && here() != '\n'; ++m_at)
      if (here() == '\\')
        ++m_at;
    ++m_at;
  }

  /// R"tag( ... )tag"
  void skipRawString() {
    const size_t open = m_source.find('(', m_at);
    if (open == std::string_view::npos || open - m_at > 18) {
      ++m_at;
      return;
    }
    const std::string close = ")" + std::string(m_source.substr(m_at + 2, open - m_at - 2)) + "\"";
    const size_t end = m_source.find(close, open);
    m_at = end == std::string_view::npos ? m_source.size() : end + close.size();
  }

  /// To behind the line, following backslashes.
  void skipLine() {
    while (!atEnd() && here() != '\n')
      m_at += here() == '\\' && here(1) == '\n' ? 2 : 1;
  }

  /// Comments, strings, characters: true when one was skipped.
  bool skipOpaqueText() {
    if (here() == '/' && here(1) == '/') {
      skipLine();
    } else if (here() == '/' && here(1) == '*') {
      const size_t end = m_source.find("*/", m_at + 2);
      m_at = end == std::string_view::npos ? m_source.size() : end + 2;
    } else if (here() == 'R' && here(1) == '"') {
      skipRawString();
    } else if (here() == '"') {
      skipQuoted('"');
    } else if (here() == '\'' && (m_at == 0 || !isWordPart(m_source[m_at - 1]))) { // 1'000 is a number
      skipQuoted('\'');
    } else {
      return false;
    }
    m_at = std::min(m_at, m_source.size());
    return true;
  }

  void skipSpace() {
    while (!atEnd() && (isBlank(here()) || (here() == '/' && (here(1) == '/' || here(1) == '*'))))
      if (isBlank(here()))
        ++m_at;
      else
        skipOpaqueText();
  }

  std::string_view word() {
    const size_t begin = m_at;
    while (isWordPart(here()))
      ++m_at;
    return m_source.substr(begin, m_at - begin);
  }

  /// From an opening bracket to behind its partner; brackets of other kinds are looked into only for text.
  void skipBrackets(char open, char close) {
    int depth = 0;
    while (!atEnd()) {
      if (skipOpaqueText())
        continue;
      depth += here() == open ? 1 : here() == close ? -1 : 0;
      ++m_at;
      if (depth == 0)
        return;
    }
  }

  /// The head of a template: "<typename T, int N = (2 > 1)>".
  void skipTemplateHead() {
    int depth = 0;
    while (!atEnd() && here() != ';' && here() != '{') {
      if (skipOpaqueText())
        continue;
      if (here() == '(') {
        skipBrackets('(', ')');
        continue;
      }
      depth += here() == '<' ? 1 : here() == '>' ? -1 : 0;
      ++m_at;
      if (depth == 0)
        return;
    }
  }

  // --- The preprocessor ---

  /// Macros that stand for device code: their text has __device__, __global__ or another such macro.
  void collectDeviceMacros() {
    std::vector<std::pair<std::string_view, std::string_view>> macros;
    for (size_t at = m_source.find("#define"); at != std::string_view::npos;
         at = m_source.find("#define", m_at)) {
      m_at = at + 7;
      while (here() == ' ' || here() == '\t')
        ++m_at;
      const std::string_view name = word();
      const size_t body = m_at;
      skipLine();
      macros.emplace_back(name, m_source.substr(body, m_at - body));
    }
    for (bool grown = true; grown;) {
      grown = false;
      for (const auto& [name, body] : macros)
        grown |= hasDeviceWord(body) && m_deviceMacros.insert(name).second;
    }
    m_at = 0;
  }

  bool isDeviceWord(std::string_view word) const {
    static constexpr std::array<std::string_view, 7> words = {"__global__",     "__device__",  "__constant__",
                                                              "__shared__",     "__managed__", "C10_DEVICE",
                                                              "C10_HOST_DEVICE"};
    return isOneOf(word, words) || m_deviceMacros.contains(word);
  }

  bool hasDeviceWord(std::string_view text) const {
    for (size_t at = 0; at < text.size();) {
      size_t end = at;
      while (end < text.size() && isWordPart(text[end]))
        ++end;
      if (end > at && isDeviceWord(text.substr(at, end - at)))
        return true;
      at = std::max(end, at + 1);
    }
    return false;
  }

  void directive() {
    const size_t begin = m_at;
    skipLine();
    std::string_view line = m_source.substr(begin + 1, m_at - begin - 1);
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    if (!line.starts_with("include"))
      return;
    const size_t name = line.find_first_of("<\"");
    if (name != std::string_view::npos && isHostHeader(line.substr(name + 1)))
      blank(begin, m_at);
  }

  // --- Declarations ---

  /// Everything up to the brace that closes this scope, or the end.
  void scope() {
    while (true) {
      skipSpace();
      if (atEnd() || here() == '}')
        return;
      if (here() == '#')
        directive();
      else if (here() == ';')
        ++m_at;
      else
        declaration();
    }
  }

  void declaration() {
    Declaration d;
    d.begin = m_at;
    while (!atEnd()) {
      const char c = here();
      if (isWordStart(c) && !(c == 'R' && here(1) == '"')) {
        if (headWord(d))
          return finish(d, m_at);
      } else if (skipOpaqueText() || isBlank(c)) {
        m_at += isBlank(c) ? 1 : 0;
      } else if (c == '#') {
        directive();
      } else if (c == '(') {
        d.hasParameters |= !d.hasValue;
        skipBrackets('(', ')');
      } else if (c == '[') {
        skipBrackets('[', ']');
      } else if (c == '{') {
        if (braces(d))
          return;
      } else if (c == ';') {
        return finish(d, ++m_at);
      } else if (c == '}') {
        return finish(d, m_at);
      } else {
        d.hasValue |= c == '=';
        ++m_at;
      }
    }
    finish(d, m_at);
  }

  /// Reads a word of the head. True when the declaration ends with it: a macro call that stands for itself,
  /// which a semicolon or a new line follows.
  bool headWord(Declaration& d) {
    const std::string_view name = word();
    if (name == "template") {
      d.isTemplate = true;
      skipSpace();
      if (here() == '<')
        skipTemplateHead();
      return false;
    }
    d.words.push_back(name);
    d.isDevice |= isDeviceWord(name);
    if (name == "__launch_bounds__" || name == "__attribute__" || name == "__align__") {
      skipSpace();
      if (here() == '(')
        skipBrackets('(', ')');
      return false;
    }
    if (d.words.size() > 1 || !m_deviceMacros.contains(name) || here() != '(')
      return false;
    skipBrackets('(', ')');
    const size_t close = m_at;
    skipSpace();
    if (here() == ';') {
      ++m_at;
      return true;
    }
    return here() != '{' && m_source.substr(close, m_at - close).find('\n') != std::string_view::npos;
  }

  bool begins(const Declaration& d, std::string_view word) const {
    const auto end = d.words.begin() + std::min<std::ptrdiff_t>(2, std::ssize(d.words));
    return std::find(d.words.begin(), end, word) != end;
  }

  bool isClass(const Declaration& d) const {
    return std::any_of(d.words.begin(), d.words.end(), [](std::string_view word) {
      return word == "struct" || word == "class" || word == "union" || word == "enum";
    });
  }

  /// At an opening brace. True when the declaration is done.
  bool braces(Declaration& d) {
    const bool isLinkage = d.words.size() == 1 && d.words[0] == "extern";
    if (begins(d, "namespace") || isLinkage) {
      if (m_depth >= maxDepth) {
        m_at = m_source.size();
        return true;
      }
      ++m_at;
      ++m_depth;
      scope();
      --m_depth;
      m_at += atEnd() ? 0 : 1;
      return true;
    }
    skipBrackets('{', '}');
    if (d.hasValue || !d.hasParameters || (isClass(d) && !d.isDevice && !isFunctionHead(d)))
      return false; // a semicolon follows
    finish(d, m_at);
    return true;
  }

  /// "struct S f() {" returns a structure; "struct alignas(8) S {" is one.
  static bool isFunctionHead(const Declaration& d) {
    return d.words.size() > 2 && d.words[1] != "alignas" && d.words[1] != "__align__";
  }

  void finish(const Declaration& d, size_t end) {
    const std::string_view text = m_source.substr(d.begin, end - d.begin);
    if (!keeps(d, text))
      blank(d.begin, end);
    else if (d.isTemplate)
      instantiate(d, end);
  }

  bool keeps(const Declaration& d, std::string_view text) const {
    if (d.isDevice)
      return true;
    if (d.words.empty() || namesHostLibrary(text))
      return d.words.empty();
    static constexpr std::array<std::string_view, 4> hostNamespaces = {"torch", "at", "c10", "pybind11"};
    if (d.words.size() > 2 && d.words[1] == "namespace" && isOneOf(d.words[2], hostNamespaces))
      return false;
    static constexpr std::array<std::string_view, 5> always = {"using", "typedef", "static_assert",
                                                               "constexpr", "namespace"};
    for (const std::string_view word : d.words)
      if (isOneOf(word, always))
        return true;
    if (isClass(d))
      return true;
    return !d.hasParameters && std::find(d.words.begin(), d.words.end(), "const") != d.words.end();
  }

  /// Uses of the kernel template that `d` defines.
  void instantiate(const Declaration& d, size_t end) {
    if (std::find(d.words.begin(), d.words.end(), "__global__") == d.words.end())
      return;
    std::string uses;
    for (const std::string& name : m_instantiations) {
      const std::string plain = name.substr(0, name.find('<'));
      if (plain != name && std::find(d.words.begin(), d.words.end(), plain) != d.words.end())
        uses += " static const auto plumbline_use_" + std::to_string(m_uses++) + " = " + name + ";";
    }
    if (!uses.empty())
      m_insertions.emplace_back(end, uses);
  }

  static constexpr int maxDepth = 200;

  std::string_view m_source;
  std::string m_out;
  const std::vector<std::string>& m_instantiations;
  std::set<std::string_view> m_deviceMacros;
  std::vector<std::pair<size_t, std::string>> m_insertions;
  size_t m_at = 0;
  int m_depth = 0;
  int m_uses = 0;
};

} // namespace

std::string kernelUnit(std::string_view source, const std::vector<std::string>& instantiations) {
  return Unit(source, instantiations).run();
}

std::string_view kernelPrelude() {
  return prelude;
}

} // namespace plumbline::cuda
