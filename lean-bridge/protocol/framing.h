// The frames of the Language Server Protocol: a header with the length of the body, an empty line, the body.
#pragma once

#include "core/base/error.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace plumbline::lsp {

/// The frame of a body as the strictest reader takes it: one Content-Length header in bytes, CRLF, nothing
/// else.
std::string frame(std::string_view body);

/// One complete body.
struct Frame {
  std::string body;
};

/// Cuts a stream of bytes into frames. It accepts what other programs write: the header's name in any case,
/// further headers, LF without CR, messages that arrive in pieces or several at once.
///
/// What cannot be a frame is an error with one of these ids, given once for each place:
///   "header-garbage"          a line that is no header
///   "header-too-long"         more bytes of header than `Limits::header`
///   "content-length-missing"  a header without a length
///   "content-length-invalid"  a length that is no number
///   "content-length-too-large" a length above `Limits::body`; nothing is allocated for it
/// With `Limits::recover` reading goes on at the next "Content-Length:"; otherwise the
/// reader is broken for good, because a length that was read wrongly makes everything after it meaningless.
class FrameReader {
public:
  struct Limits {
    size_t header = 16U << 10U;
    size_t body = 256U << 20U;
    bool recover = false;
  };
  using Item = std::variant<Frame, Error>;

  FrameReader() = default;
  explicit FrameReader(Limits limits) : m_limits(limits) {}

  /// Adds what was read. Ignored when the reader is broken.
  void feed(std::string_view bytes);
  /// The next frame or error; nothing when more bytes are needed.
  std::optional<Item> next();
  /// What is wrong when the stream ends here: "message-cut" inside a frame, nothing between frames.
  std::optional<Error> end() const;
  bool broken() const { return m_broken; }
  /// Bytes that are kept and belong to no complete frame yet.
  size_t pending() const { return m_buffer.size() - m_begin; }

private:
  std::optional<Item> header();
  Item broke(std::string id, std::string message);
  bool skipToHeader();
  void drop(size_t bytes);
  std::string_view rest() const { return std::string_view(m_buffer).substr(m_begin); }

  Limits m_limits;
  std::string m_buffer;
  size_t m_begin = 0;    ///< bytes before this are used up
  size_t m_searched = 0; ///< bytes after m_begin that hold no end of the present line
  size_t m_length = 0;   ///< of the frame whose header is being read or has been read
  bool m_hasLength = false;
  bool m_inBody = false;
  bool m_skipping = false;
  bool m_broken = false;
  size_t m_headerBytes = 0;
  bool m_sawHeader = false;
};

} // namespace plumbline::lsp
