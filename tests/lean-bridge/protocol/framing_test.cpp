#include "lean-bridge/protocol/framing.h"

#include <gtest/gtest.h>

namespace plumbline::lsp {
namespace {

/// Bodies as they are, errors as "!id", after feeding `pieces` one by one.
std::vector<std::string> read(FrameReader& reader, const std::vector<std::string>& pieces) {
  std::vector<std::string> seen;
  for (const std::string& piece : pieces) {
    reader.feed(piece);
    while (std::optional<FrameReader::Item> item = reader.next())
      seen.push_back(std::holds_alternative<Frame>(*item) ? std::get<Frame>(*item).body
                                                          : "!" + std::get<Error>(*item).id);
  }
  return seen;
}

std::vector<std::string> read(const std::string& bytes, bool recover = false) {
  FrameReader reader({.header = 200, .body = 1000, .recover = recover});
  return read(reader, {bytes});
}

using Seen = std::vector<std::string>;

TEST(Framing, WrittenStrictly) {
  EXPECT_EQ(frame("{}"), "Content-Length: 2\r\n\r\n{}");
  EXPECT_EQ(frame("\"\u00e9\""), "Content-Length: 4\r\n\r\n\"\u00e9\"") << "bytes, not characters";
}

TEST(Framing, OtherSpellingsAreRead) {
  EXPECT_EQ(read("Content-Length: 2\r\n\r\n{}"), Seen{"{}"});
  EXPECT_EQ(read("content-length:2\r\n\r\n{}"), Seen{"{}"});
  EXPECT_EQ(read("CONTENT-LENGTH :  2 \n\n{}"), Seen{"{}"});
  EXPECT_EQ(read("Content-Type: application/vscode-jsonrpc; charset=utf-8\r\nContent-Length: 2\r\n\r\n{}"),
            Seen{"{}"});
  EXPECT_EQ(read("Content-Length: 2\r\nX-Other: a:b\r\n\r\n{}"), Seen{"{}"});
  EXPECT_EQ(read("Content-Length: 0\r\n\r\nContent-Length: 1\r\n\r\n1"), (Seen{"", "1"}));
}

TEST(Framing, PiecesMakeNoDifference) {
  const std::string stream = frame("{\"a\":\"\u2200\U0001d49c\"}") + frame("[]") + frame("");
  const Seen whole = read(stream);
  ASSERT_EQ(whole, (Seen{"{\"a\":\"\u2200\U0001d49c\"}", "[]", ""}));
  for (size_t cut = 0; cut <= stream.size(); ++cut) {
    FrameReader reader;
    EXPECT_EQ(read(reader, {stream.substr(0, cut), stream.substr(cut)}), whole) << cut;
  }
  FrameReader reader;
  Seen bytes;
  for (char c : stream)
    bytes.emplace_back(1, c);
  EXPECT_EQ(read(reader, bytes), whole);
  EXPECT_EQ(reader.pending(), 0U);
}

TEST(Framing, MalformedHeadersAreNamed) {
  EXPECT_EQ(read("Content-Length: abc\r\n\r\n{}"), Seen{"!content-length-invalid"});
  EXPECT_EQ(read("Content-Length: -1\r\n\r\n{}"), Seen{"!content-length-invalid"});
  EXPECT_EQ(read("Content-Length: 2x\r\n\r\n{}"), Seen{"!content-length-invalid"});
  EXPECT_EQ(read("X: 1\r\n\r\n{}"), Seen{"!content-length-missing"});
  EXPECT_EQ(read("Content-Length: 99999999999\r\n\r\n{}"), Seen{"!content-length-too-large"});
  EXPECT_EQ(read("Content-Length: 99999999999999999999999999\r\n\r\n{}"), Seen{"!content-length-too-large"});
  EXPECT_EQ(read("Content-Length: 1001\r\n\r\n"), Seen{"!content-length-too-large"});
  EXPECT_EQ(read("uncaught exception\nContent-Length: 2\r\n\r\n{}"), Seen{"!header-garbage"});
  EXPECT_EQ(read("warning: x: y\nContent-Length: 2\r\n\r\n{}"), Seen{"{}"}) << "looks like another header";
  EXPECT_EQ(read(std::string(201, 'x')), Seen{"!header-too-long"});
  EXPECT_EQ(read(std::string("a: b\n") + std::string(200, 'c') + ": d\n"), (Seen{"!header-too-long"}));
}

TEST(Framing, BrokenForGoodWithoutRecovery) {
  FrameReader reader;
  EXPECT_EQ(read(reader, {"garbage\n", frame("{}")}), Seen{"!header-garbage"});
  EXPECT_TRUE(reader.broken());
  EXPECT_EQ(reader.pending(), 0U);
  EXPECT_FALSE(reader.end());
}

TEST(Framing, RecoversAtTheNextHeader) {
  EXPECT_EQ(read("garbage\nmore garbage\r\n\r\n" + frame("1") + frame("2"), true),
            (Seen{"!header-garbage", "1", "2"}));
  EXPECT_EQ(read("Content-Length: abc\r\n\r\n{}" + frame("1"), true), (Seen{"!content-length-invalid", "1"}));
  EXPECT_EQ(read("Content-Length: " + std::string(300, '1') + "\n" + frame("1"), true),
            (Seen{"!header-too-long", "1"}));
  FrameReader reader({.header = 200, .body = 1000, .recover = true});
  EXPECT_EQ(read(reader, {"Content-Length: " + std::string(300, '1')}), Seen{"!header-too-long"});
  EXPECT_EQ(read(reader, {std::string(100000, 'x'), "\n" + frame("1")}), Seen{"1"});
}

TEST(Framing, GarbageIsNotKept) {
  FrameReader reader({.header = 200, .body = 1000, .recover = true});
  read(reader, {"x y\n"});
  for (int i = 0; i < 100; ++i) {
    read(reader, {std::string(1000, 'z')});
    EXPECT_LT(reader.pending(), 2000U);
  }
}

TEST(Framing, AnEndInsideAMessageIsNamed) {
  FrameReader reader;
  EXPECT_FALSE(reader.end());
  reader.feed("Content-Length: 5000\r\n\r\n" + std::string(100, 'x'));
  EXPECT_FALSE(reader.next());
  ASSERT_TRUE(reader.end());
  EXPECT_EQ(reader.end()->id, "message-cut");
  EXPECT_NE(reader.end()->message.find("100 of 5000"), std::string::npos) << reader.end()->message;
  FrameReader header;
  header.feed("Content-Len");
  EXPECT_FALSE(header.next());
  EXPECT_EQ(header.end()->id, "message-cut");
}

} // namespace
} // namespace plumbline::lsp
