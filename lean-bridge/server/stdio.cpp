#include "lean-bridge/server/stdio.h"

#include "lean-bridge/protocol/framing.h"

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <thread>
#include <unistd.h>

namespace plumbline::server {
namespace {

/// Writes everything; false when nobody reads any more.
bool writeAll(int output, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(output, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0)
      return false;
    bytes.remove_prefix(static_cast<size_t>(written));
  }
  return true;
}

class StdioServer {
public:
  StdioServer(int input, int output, const std::vector<Install>& parts)
      : m_input(input), m_output(output), m_server(m_loop, [this](const std::string& body) { send(body); }) {
    for (const Install& install : parts)
      install(m_server);
  }

  int run() {
    std::thread reader([this] { read(); });
    m_loop.run();
    // The reader may be waiting for input that never comes; the process ends without it.
    if (m_readerDone)
      reader.join();
    else
      reader.detach();
    return m_status;
  }

private:
  void send(const std::string& body) {
    if (!writeAll(m_output, lsp::frame(body)))
      finish(1);
  }

  void finish(int status) {
    m_status = status;
    m_loop.stop();
  }

  /// On its own thread, so that input is taken whatever the server is doing.
  void read() {
    lsp::FrameReader frames;
    std::array<char, 65536> buffer{};
    while (!frames.broken()) {
      const ssize_t count = ::read(m_input, buffer.data(), buffer.size());
      if (count < 0 && errno == EINTR)
        continue;
      if (count <= 0)
        break;
      frames.feed({buffer.data(), static_cast<size_t>(count)});
      while (const auto item = frames.next())
        if (const auto* frame = std::get_if<lsp::Frame>(&*item))
          m_loop.post([this, body = frame->body] { take(body); });
    }
    m_loop.post([this] {
      m_readerDone = true;
      finish(1);
    });
  }

  void take(const std::string& body) {
    m_server.receive(body);
    if (const std::optional<int> status = m_server.exitStatus())
      finish(*status);
  }

  int m_input;
  int m_output;
  int m_status = 1;
  bool m_readerDone = false;
  EventLoop m_loop;
  Server m_server;
};

} // namespace

int serve(int input, int output, const std::vector<Install>& parts) {
  std::signal(SIGPIPE, SIG_IGN);
  // Kept to the end of the process: a reader that still waits for input uses it.
  static auto* servers = new std::vector<std::unique_ptr<StdioServer>>;
  servers->push_back(std::make_unique<StdioServer>(input, output, parts));
  return servers->back()->run();
}

} // namespace plumbline::server
