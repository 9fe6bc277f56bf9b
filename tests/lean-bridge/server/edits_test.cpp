// Random edits: the server's text stays the client's, and its goals are those of the same text opened afresh.
#include "tests/lean-bridge/server/goal_session.h"

#include <fstream>
#include <gtest/gtest.h>
#include <random>
#include <sstream>

namespace plumbline::server_test {
namespace {

/// The client's own idea of the text: UTF-16, edited by line and column, as editors do it.
class ClientText {
public:
  explicit ClientText(const std::string& utf8) : m_text(fromUtf8(utf8)) {}

  struct Place {
    int line = 0;
    int column = 0;
  };
  size_t size() const { return m_text.size(); }
  Place place(size_t at) const {
    Place result;
    for (size_t i = 0; i < at; ++i)
      if (m_text[i] == u'\n')
        result = {result.line + 1, 0};
      else
        ++result.column;
    return result;
  }
  /// Not inside a surrogate pair.
  size_t onBoundary(size_t at) const {
    return at > 0 && at < m_text.size() && m_text[at] >= 0xDC00 && m_text[at] <= 0xDFFF ? at - 1 : at;
  }
  void replace(size_t begin, size_t end, const std::string& with) {
    m_text.replace(begin, end - begin, fromUtf8(with));
  }
  std::string utf8() const {
    std::string result;
    for (size_t i = 0; i < m_text.size(); ++i) {
      uint32_t c = m_text[i];
      if (c >= 0xD800 && c <= 0xDBFF && i + 1 < m_text.size())
        c = 0x10000 + ((c - 0xD800) << 10) + (m_text[++i] - 0xDC00U);
      append(result, c);
    }
    return result;
  }

private:
  static void append(std::string& to, uint32_t c) {
    if (c < 0x80)
      to += static_cast<char>(c);
    else if (c < 0x800)
      to += {static_cast<char>(0xC0 | (c >> 6)), static_cast<char>(0x80 | (c & 63))};
    else if (c < 0x10000)
      to += {static_cast<char>(0xE0 | (c >> 12)), static_cast<char>(0x80 | ((c >> 6) & 63)),
             static_cast<char>(0x80 | (c & 63))};
    else
      to += {static_cast<char>(0xF0 | (c >> 18)), static_cast<char>(0x80 | ((c >> 12) & 63)),
             static_cast<char>(0x80 | ((c >> 6) & 63)), static_cast<char>(0x80 | (c & 63))};
  }
  static std::u16string fromUtf8(const std::string& text) {
    std::u16string result;
    for (size_t i = 0; i < text.size();) {
      const auto lead = static_cast<unsigned char>(text[i]);
      const int more = lead < 0x80 ? 0 : lead < 0xE0 ? 1 : lead < 0xF0 ? 2 : 3;
      uint32_t c = more == 0 ? lead : lead & (0x3FU >> more);
      for (int k = 1; k <= more; ++k)
        c = (c << 6) | (static_cast<unsigned char>(text[i + static_cast<size_t>(k)]) & 63U);
      i += static_cast<size_t>(more) + 1;
      if (c >= 0x10000) {
        result += static_cast<char16_t>(0xD800 + ((c - 0x10000) >> 10));
        result += static_cast<char16_t>(0xDC00 + ((c - 0x10000) & 0x3FF));
      } else {
        result += static_cast<char16_t>(c);
      }
    }
    return result;
  }

  std::u16string m_text;
};

std::string sample(const std::string& name) {
  std::ifstream file(std::string(PLUMBLINE_SOURCE_DIR) + "/tests/method/golden/" + name + ".lean");
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string insertion(std::mt19937_64& random) {
  static const std::vector<std::string> pieces{"a",
                                               " ",
                                               "\n",
                                               "(",
                                               ")",
                                               "∀ k : Nat, ",
                                               "𝔸",
                                               "≤",
                                               " + 1",
                                               "0",
                                               "invariant extra: (True)\n",
                                               "  ",
                                               "-- ",
                                               "/-",
                                               "-/",
                                               "while x: (i < n)\n",
                                               "do\n",
                                               "y := y.set! 0 x[0]!\n",
                                               "assert here: (0 ≤ 1)\n",
                                               "break\n",
                                               "\"",
                                               "«",
                                               "»",
                                               "i"};
  return pieces[random() % pieces.size()];
}

Json withoutStates(const Json& goals) {
  Json result = Json::array();
  for (Json each : goals["goals"]) {
    each.erase("state");
    each.erase("engines");
    each.erase("remark");
    if (each.contains("vouching"))
      each["vouching"] = each["vouching"]["goal"];
    result.push_back(std::move(each));
  }
  return result;
}

/// PLUMBLINE_EDITS sets how many.
TEST(RandomEdits, TextAndGoalsAreThoseOfAFreshStart) {
  const char* wanted = std::getenv("PLUMBLINE_EDITS");
  const int count = wanted != nullptr ? std::atoi(wanted) : 300;
  const server::GoalOptions options{.settleGoals = false};
  const std::string uri = "file:///edited.lean";
  GoalSession session(options);
  session.start();
  std::mt19937_64 random(20261130);
  const std::vector<std::string> documents{sample("leaky-relu-commuted"), sample("grid_stride"),
                                           sample("tree_sum")};
  ClientText client(documents[0]);
  session.open(uri, client.utf8());
  int version = 1;
  int compared = 0;
  for (int i = 0; i < count; ++i) {
    if (i % 60 == 59) { // start again from a whole document, in one edit
      const std::string& text = documents[static_cast<size_t>(i / 60) % documents.size()];
      client.replace(0, client.size(), text);
      session.change(uri, ++version, Json::array({{{"text", text}}}));
    } else {
      Json changes = Json::array();
      for (uint64_t k = random() % 3 + 1; k-- > 0;) {
        const size_t begin = client.onBoundary(random() % (client.size() + 1));
        const size_t length = random() % 4 == 0 ? random() % 40 : random() % 2;
        const size_t end = client.onBoundary(std::min(begin + length, client.size()));
        const std::string text = random() % 3 == 0 ? "" : insertion(random);
        const auto from = client.place(begin);
        const auto to = client.place(std::max(begin, end));
        changes.push_back({{"range",
                            {{"start", {{"line", from.line}, {"character", from.column}}},
                             {"end", {{"line", to.line}, {"character", to.column}}}}},
                           {"text", text}});
        client.replace(begin, std::max(begin, end), text);
      }
      session.change(uri, ++version, changes);
    }
    ASSERT_EQ(session.text(uri), client.utf8()) << "after edit " << i;
    if (i % 15 != 0)
      continue;
    GoalSession fresh(options);
    fresh.start();
    fresh.open(uri, client.utf8());
    ASSERT_EQ(withoutStates(session.goals(uri, version)), withoutStates(fresh.goals(uri, 1)))
        << "after edit " << i;
    ++compared;
  }
  EXPECT_GE(compared, count / 15);
}

} // namespace
} // namespace plumbline::server_test
