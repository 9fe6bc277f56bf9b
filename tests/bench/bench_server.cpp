// From a keystroke to fresh goals and diagnostics in a method of 500 lines, engines at work in the
// background.
#include "lean-bridge/server/goal_service.h"
#include "lean-bridge/server/parts.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <thread>

namespace {

using namespace plumbline;
using Clock = std::chrono::steady_clock;

constexpr int loops = 38;

/// A method of one loop after another; about 13 lines each.
std::string document() {
  std::string text =
      "import Velvet\nimport Plumbline\n\nmethod long\n    (n : Nat)\n    (xIn : Array Int)\n"
      "  returns (x : Array Int)\n  requires size: (xIn.size = n)\n  ensures kept: (x.size = n)\ndo\n"
      "  let mut x : Array Int := xIn\n";
  for (int i = 0; i < loops; ++i) {
    const std::string k = std::to_string(i);
    text += "  let mut i" + k + " : Nat := 0\n  while more" + k + ": (i" + k + " < n)\n    invariant le" + k +
            ": (i" + k + " ≤ n)\n    invariant size" + k + ": (x.size = n)\n    invariant done" + k +
            ": (∀ k : Nat, k < i" + k + " → x[k]! = " + k + ")\n    decreasing rest" + k + ": (n - i" + k +
            ")\n    done_with end" + k + ": (i" + k + " = n)\n  do\n    assert inside" + k + ": (i" + k +
            " < x.size)\n    -- a comment\n    if x[i" + k + "]! ≠ " + k + " then\n      x := x.set! i" + k +
            " " + k + "\n    i" + k + " := i" + k + " + 1\n";
  }
  return text + "  return x\n\nprove_correct long by\n  velvet_vcgen [long] with try finish\n";
}

/// Processor time of the calling thread, which no other program's load changes.
double processorMs() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
}

struct Times {
  std::vector<double> values;
  double at(double part) {
    std::ranges::sort(values);
    return values[static_cast<size_t>(part * static_cast<double>(values.size() - 1))];
  }
};

/// Milliseconds to the first notification of each kind for the newest version.
struct Watch {
  Clock::time_point start;
  std::optional<double> goals;
  std::optional<double> diagnostics;
  double now() const { return std::chrono::duration<double, std::milli>(Clock::now() - start).count(); }
  void seen(std::string_view body) {
    if (!goals && body.find("\"$/plumbline/goals\"") != std::string_view::npos)
      goals = now();
    if (body.find("textDocument/publishDiagnostics") != std::string_view::npos)
      diagnostics = now(); // the last one: of the parser, the types and the goals
  }
};

} // namespace

int main(int argc, char** argv) {
  // A second argument leaves the engines out.
  const int keystrokes = argc > 1 ? std::atoi(argv[1]) : 200;
  server::EventLoop loop;
  Watch watch;
  server::Server server(loop, [&](const std::string& body) { watch.seen(body); });
  server::installLanguageFeatures(server);
  server::installGoals(server, {.settleGoals = argc <= 2});
  std::thread thread([&] { loop.run(); });
  Times processor;
  const auto post = [&](const std::string& body) {
    loop.post([&server, &watch, &processor, body, sent = Clock::now()] {
      watch = {sent, {}, {}};
      const double before = processorMs();
      server.receive(body);
      processor.values.push_back(processorMs() - before);
    });
  };
  const std::string text = document();
  const auto lines = std::ranges::count(text, '\n');
  post(lsp::requestText(int64_t{1}, "initialize", {{"capabilities", Json::object()}}));
  post(lsp::notificationText("initialized", Json::object()));
  const Json item{{"uri", "file:///long.lean"}, {"languageId", "lean4"}, {"version", 1}, {"text", text}};
  post(lsp::notificationText("textDocument/didOpen", {{"textDocument", item}}));
  Times goals;
  Times diagnostics;
  const lsp::TextDocument start(text);
  for (int i = 0; i < keystrokes; ++i) {
    // Typing a digit into an invariant in the middle of the method, and taking it away again.
    const std::string where = "→ x[k]! = " + std::to_string(loops / 2 + i / 2 % 3);
    const lsp::Position at = start.position(text.find(where) + where.size());
    const bool adds = i % 2 == 0;
    const lsp::Range range{at, {at.line, at.character + (adds ? 0 : 1)}};
    const std::string typed = adds ? "1" : "";
    post(lsp::notificationText(
        "textDocument/didChange",
        {{"textDocument", {{"uri", "file:///long.lean"}, {"version", i + 2}}},
         {"contentChanges", Json::array({{{"range", lsp::toJson(range)}, {"text", typed}}})}}));
    loop.post([&] {
      if (watch.goals)
        goals.values.push_back(*watch.goals);
      if (watch.diagnostics)
        diagnostics.values.push_back(*watch.diagnostics);
    });
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  loop.post([&] { loop.stop(); });
  thread.join();
  std::printf("%td lines, %d keystrokes: goals p50 %.1f ms, p95 %.1f ms (bar 50); diagnostics p50 %.1f ms, "
              "p95 %.1f ms "
              "(bar 100); processor time p50 %.1f ms, p95 %.1f ms\n",
              lines, keystrokes, goals.at(0.5), goals.at(0.95), diagnostics.at(0.5), diagnostics.at(0.95),
              processor.at(0.5), processor.at(0.95));
  const bool holds =
      goals.at(0.95) < 50 && diagnostics.at(0.95) < 100 && goals.values.size() == size_t(keystrokes);
  return holds ? EXIT_SUCCESS : EXIT_FAILURE;
}
