#include "app/workbench/screenshots.h"

#include "views/shell/main_window.h"

#include <QCoreApplication>
#include <QDir>
#include <QDockWidget>
#include <QTimer>

#include <cstdio>

namespace plumbline::app {

using namespace views;

namespace {

constexpr QSize pictureSize(1440, 900);
constexpr int pollMs = 50;
constexpr int calmMs = 400; ///< after the check: deferred layouts and case queries that panels ask for

/// Lets layouts and repaints that are on their way happen.
void settle() {
  for (int round = 0; round < 4; ++round) {
    QCoreApplication::processEvents(QEventLoop::AllEvents, 50);
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
  }
}

bool save(QWidget& widget, const QString& file) {
  return widget.grab().save(file, "PNG");
}

} // namespace

Screenshots::Screenshots(MainWindow& window, Appearance& appearance, QObject* parent)
    : QObject(parent), m_window(window), m_appearance(appearance) {}

void Screenshots::prepare() {
  // The screen of the offscreen platform is small, and a new window is made to fit it.
  m_window.resize(pictureSize);
  m_window.workspace().applyDefaultLayout();
}

void Screenshots::takeWindow(const QString& file) {
  prepare();
  whenQuiet([this, file] { finish(saveWindow(file), file); });
}

void Screenshots::takePanels(const QString& folder) {
  prepare();
  whenQuiet([this, folder] { finish(QDir().mkpath(folder) && savePanels(folder), folder); });
}

void Screenshots::whenQuiet(std::function<void()> then) {
  auto* poll = new QTimer(this);
  poll->setInterval(pollMs);
  connect(poll, &QTimer::timeout, this, [this, poll, then = std::move(then), calm = 0]() mutable {
    // Quiet: what was opened has been checked, and nothing has run for a while.
    const bool waiting = m_window.desk().isOpen() && m_window.desk().isBusy();
    const bool unchecked = m_window.desk().isOpen() && !m_window.desk().wasChecked();
    calm = waiting || unchecked ? 0 : calm + pollMs;
    if (calm < calmMs)
      return;
    poll->stop();
    then();
  });
  poll->start();
}

bool Screenshots::saveWindow(const QString& file) {
  settle();
  return save(m_window, file);
}

bool Screenshots::savePanels(const QString& folder) {
  bool written = true;
  for (const Theme theme : {Theme::Light, Theme::Dark})
    for (const int zoom : {100, 200}) {
      m_appearance.setTheme(theme);
      m_appearance.setZoom(zoom);
      const QString suffix = QStringLiteral("-%1-%2.png").arg(name(theme)).arg(zoom);
      m_window.showPage(MainWindow::Page::Start);
      settle();
      written = save(m_window, folder + QLatin1String("/start") + suffix) && written;
      if (!m_window.desk().isOpen())
        continue;
      m_window.showPage(MainWindow::Page::Work);
      m_window.workspace().applyDefaultLayout();
      settle();
      written = save(m_window, folder + QLatin1String("/window") + suffix) && written;
      for (int k = 0; k < panelSlotCount; ++k) {
        const auto slot = static_cast<PanelSlot>(k);
        m_window.workspace().raisePanel(slot);
        settle();
        written =
            save(*m_window.workspace().dock(slot), folder + QLatin1Char('/') + id(slot) + suffix) && written;
      }
    }
  return written;
}

void Screenshots::finish(bool written, const QString& target) {
  if (!written)
    std::fprintf(stderr, "error: %s cannot be written\nnext: name a folder that exists and is yours\n",
                 qPrintable(target));
  QCoreApplication::exit(written ? 0 : 4);
}

} // namespace plumbline::app
