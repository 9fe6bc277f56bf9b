// Texts that the tests of the document read: the golden documents, and random changes of a text.
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <random>
#include <string>

namespace plumbline::velvet_test {

inline std::string contentOf(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

/// Every golden document, by file name.
inline const std::map<std::string, std::string>& goldenDocuments() {
  static const std::map<std::string, std::string> documents = [] {
    std::map<std::string, std::string> result;
    const std::filesystem::path folder = std::filesystem::path(PLUMBLINE_SOURCE_DIR) / "tests/method/golden";
    for (const auto& entry : std::filesystem::directory_iterator(folder))
      // The others say why a pair has no document.
      if (contentOf(entry.path()).starts_with("-- Method document"))
        result[entry.path().filename().string()] = contentOf(entry.path());
    return result;
  }();
  return documents;
}

/// A random edit: bytes removed, copied from elsewhere, or a piece of syntax put in.
inline void mutate(std::string& text, std::mt19937& random) {
  static constexpr const char* pieces[] = {"(",
                                           ")",
                                           "[",
                                           "]!",
                                           ":=",
                                           ":",
                                           "\n",
                                           "\n  ",
                                           "do",
                                           "while",
                                           "if ",
                                           " then",
                                           "else",
                                           "«",
                                           "»",
                                           "∀ k : Nat, ",
                                           "--",
                                           "/-",
                                           "-/",
                                           "\"",
                                           "invariant ",
                                           "·",
                                           "method ",
                                           "prove_correct ",
                                           "\ndef f := 1\n",
                                           " <;> ",
                                           "first | ",
                                           "case x =>",
                                           "\t",
                                           "\xE2",
                                           "\xFF",
                                           "let x := ",
                                           "¬",
                                           "!",
                                           ",",
                                           ".",
                                           "0x",
                                           "1.5e",
                                           "\r\n"};
  const auto below = [&](size_t limit) { return static_cast<size_t>(random()) % std::max<size_t>(limit, 1); };
  const size_t at = below(text.size() + 1);
  const size_t length = std::min(below(40), text.size() - at);
  switch (random() % 3) {
  case 0: text.erase(at, length); break;
  case 1: {
    const std::string part = text.substr(at, length);
    text.insert(below(text.size() + 1), part);
    break;
  }
  default: text.insert(at, pieces[below(std::size(pieces))]);
  }
}

} // namespace plumbline::velvet_test
