// Times that somebody at the window feels: start, longest stall of the window while checks run, key to echo,
// cancel, closing. Prints one line a figure with its bar; exits with 1 when one is missed.
#include "app/workbench/jobs.h"
#include "app/workbench/panels.h"
#include "core/workbench/project.h"
#include "views/editor/code_editor.h"
#include "views/editor/cuda_panel.h"
#include "views/shell/main_window.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QKeyEvent>
#include <QTimer>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

namespace {

using namespace plumbline;
using namespace plumbline::views;

bool missed = false;

void report(const char* what, double value, double bar) {
  const bool ok = value <= bar;
  missed = missed || !ok;
  std::printf("%-46s %9.2f ms   bar %6.0f ms   %s\n", what, value, bar, ok ? "ok" : "MISSED");
}

double ms(const QElapsedTimer& timer) {
  return static_cast<double>(timer.nsecsElapsed()) / 1e6;
}

void pump(int duration) {
  QEventLoop loop;
  QTimer::singleShot(duration, &loop, &QEventLoop::quit);
  loop.exec();
}

/// CPU time of this thread in ms: what a stall costs on a machine that has nothing else to do.
double threadMs() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
}

/// The longest time between two turns of the event loop, by the clock and by the thread's own work.
class Watchdog : public QObject {
public:
  Watchdog() {
    m_timer.setTimerType(Qt::PreciseTimer);
    m_timer.setInterval(interval);
    connect(&m_timer, &QTimer::timeout, this, [this] {
      m_longest = std::max(m_longest, ms(m_since) - interval);
      m_longestWork = std::max(m_longestWork, threadMs() - m_workBefore);
      m_workBefore = threadMs();
      m_since.start();
    });
    m_since.start();
    m_timer.start();
  }
  double longest() const { return m_longest; }
  double longestWork() const { return m_longestWork; }

private:
  static constexpr int interval = 2;
  QTimer m_timer;
  QElapsedTimer m_since;
  double m_longest = 0;
  double m_longestWork = 0;
  double m_workBefore = threadMs();
};

workbench::Request requestOf(const workbench::Sample& sample) {
  workbench::Request request;
  request.model = sample.model;
  request.kernel = sample.kernel;
  request.readings = {"ieee", "real"};
  return request;
}

void waitForCheck(MainWindow& window) {
  while (!window.desk().wasChecked())
    pump(5);
}

void benchStalls(MainWindow& window) {
  double longest = 0;
  double work = 0;
  for (const workbench::Sample& sample : workbench::bundledSamples()) {
    const Watchdog watchdog;
    window.openPair(requestOf(sample));
    waitForCheck(window);
    pump(100);
    longest = std::max(longest, watchdog.longest());
    work = std::max(work, watchdog.longestWork());
  }
  report("longest stall of the window during checks", longest, 50);
  report("  of it the window's own work", work, 50);
}

/// From the event to the repainted editor.
double keyToEcho(CodeEditor& editor, int key, const QString& text) {
  QElapsedTimer timer;
  timer.start();
  QKeyEvent press(QEvent::KeyPress, key, Qt::NoModifier, text);
  QApplication::sendEvent(&editor, &press);
  editor.viewport()->repaint();
  return ms(timer);
}

void benchKeys(MainWindow& window) {
  auto* cuda = static_cast<CudaPanel*>(window.workspace().panel(PanelSlot::Cuda));
  std::vector<double> times;
  times.reserve(200);
  for (int k = 0; k < 200; ++k)
    times.push_back(keyToEcho(cuda->editor(), k % 20 < 10 ? Qt::Key_Down : Qt::Key_Up, {}));
  std::sort(times.begin(), times.end());
  report("key to echo in the CUDA panel, median", times[times.size() / 2], 16);
  report("key to echo in the CUDA panel, 95th of 100", times[times.size() * 95 / 100], 16);
}

void benchCancel(MainWindow& window, const workbench::Sample& slow) {
  window.openPair(requestOf(slow));
  pump(250);
  if (window.desk().wasChecked()) {
    std::printf("cancel: the check was over before it could be cancelled\n");
    return;
  }
  QElapsedTimer timer;
  timer.start();
  window.desk().cancel();
  report("cancel acknowledged in the window", ms(timer), 16);
  while (!window.desk().wasChecked())
    pump(1);
  report("cancel to a stopped engine", ms(timer), 200);
}

} // namespace

int main(int argc, char** argv) {
  if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
    qputenv("QT_QPA_PLATFORM", "offscreen");
  qputenv("PLUMBLINE_SAMPLES", PLUMBLINE_SOURCE_DIR "/resources/samples");
  QElapsedTimer start;
  start.start();
  QApplication application(argc, argv);
  Appearance appearance;
  auto jobs = std::make_unique<app::Jobs>();
  auto window = std::make_unique<MainWindow>(*jobs, appearance, nullptr);
  app::fillWindow(*window);
  window->begin();
  window->show();
  QApplication::processEvents();
  window->repaint();
  report("start to a usable window", ms(start), 700);
  benchStalls(*window);
  benchKeys(*window);
  const std::vector<workbench::Sample> samples = workbench::bundledSamples();
  const auto slow = std::find_if(samples.begin(), samples.end(),
                                 [](const workbench::Sample& s) { return s.name == "one-bit-square"; });
  if (slow != samples.end()) {
    benchCancel(*window, *slow);
    window->openPair(requestOf(*slow));
    pump(250);
  }
  QElapsedTimer timer;
  timer.start();
  window->close();
  window.reset();
  jobs.reset();
  report("closing in the middle of a check", ms(timer), 300);
  return missed ? 1 : 0;
}
