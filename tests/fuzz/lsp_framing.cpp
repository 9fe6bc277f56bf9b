// Frames of the language protocol: how a stream is cut into pieces makes no difference, errors are named, and
// reading goes on after each. The first byte chooses the size of the pieces and whether the reader recovers.
#include "lean-bridge/protocol/framing.h"
#include "tests/fuzz/check.h"

#include <algorithm>
#include <vector>

using namespace plumbline;

namespace {

constexpr size_t largestHeader = 100;
constexpr size_t largestBody = 10000;

std::vector<std::string> readAll(std::string_view stream, size_t piece, bool recover) {
  lsp::FrameReader reader({.header = largestHeader, .body = largestBody, .recover = recover});
  std::vector<std::string> seen;
  for (size_t at = 0; at < stream.size(); at += piece) {
    reader.feed(stream.substr(at, piece));
    while (auto item = reader.next()) {
      if (auto* frame = std::get_if<lsp::Frame>(&*item)) {
        fuzz::check(frame->body.size() <= largestBody, "bodies are bounded");
        seen.push_back(std::move(frame->body));
      } else {
        fuzz::check(!std::get<Error>(*item).id.empty(), "a named error");
        seen.push_back("!" + std::get<Error>(*item).id);
        fuzz::check(recover == !reader.broken(), "an error breaks a reader that does not recover");
      }
    }
  }
  const auto end = reader.end();
  fuzz::check(!end || end->id == "message-cut", "a named end");
  return seen;
}

} // namespace

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0)
    return 0;
  const bool recover = (data[0] & 1U) != 0;
  const size_t piece = 1 + data[0] / 2;
  const std::string_view stream = fuzz::text(data + 1, size - 1);
  const std::vector<std::string> pieces = readAll(stream, piece, recover);
  const std::vector<std::string> whole = readAll(stream, std::max<size_t>(1, stream.size()), recover);
  const bool headerTooLong = std::find(whole.begin(), whole.end(), "!header-too-long") != whole.end() ||
                             std::find(pieces.begin(), pieces.end(), "!header-too-long") != pieces.end();
  fuzz::check(headerTooLong || pieces == whole, "pieces make no difference");
  const std::string framed = lsp::frame(stream.substr(0, largestBody));
  fuzz::check(readAll(framed, piece, recover) ==
                  std::vector<std::string>{std::string(stream.substr(0, largestBody))},
              "a written frame is read");
  return 0;
}
