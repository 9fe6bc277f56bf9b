// The log panel: filter, copy, clear, and following only at the end.

#include "tests/views/fixture/fixture.h"
#include "views/log/log_panel.h"

#include <QAction>
#include <QClipboard>
#include <QElapsedTimer>
#include <QGuiApplication>
#include <QLineEdit>
#include <QScrollBar>
#include <QTest>
#include <QTreeView>

using namespace plumbline;
using views::LogPanel;
using Level = views::JournalEntry::Level;

class LogPanelTest : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void init();
  void cleanup();
  void followsOnlyAtTheEnd();
  void filterCopyClear();
  void aFloodStaysQuick();
  void everythingHasAName();
  void pictures();

private:
  void fill(int count) {
    for (int k = 0; k < count; ++k)
      m_host->journal.add(Level::Info, QStringLiteral("line %1").arg(k));
  }
  QTreeView* view() { return m_panel->findChild<QTreeView*>(); }
  QScrollBar* bar() { return view()->verticalScrollBar(); }

  std::unique_ptr<fixture::Host> m_host;
  std::unique_ptr<LogPanel> m_panel;
};

void LogPanelTest::init() {
  m_host = std::make_unique<fixture::Host>();
  m_panel = std::make_unique<LogPanel>(m_host->context);
  m_panel->resize(560, 240);
  m_panel->show();
  QVERIFY(QTest::qWaitForWindowExposed(m_panel.get()));
  m_panel->activateWindow();
}

void LogPanelTest::cleanup() {
  m_panel.reset();
  m_host.reset();
}

void LogPanelTest::followsOnlyAtTheEnd() {
  QVERIFY(!view()->isVisible()); // empty: says what to do
  fill(100);
  QTRY_VERIFY(view()->isVisible());
  QTRY_COMPARE(bar()->value(), bar()->maximum());
  fill(10);
  QTRY_COMPARE(view()->model()->rowCount(), 110);
  QTRY_COMPARE(bar()->value(), bar()->maximum());
  bar()->setValue(20);
  fill(10);
  QTRY_COMPARE(view()->model()->rowCount(), 120);
  QCOMPARE(bar()->value(), 20);
  bar()->setValue(bar()->maximum());
  fill(10);
  QTRY_COMPARE(view()->model()->rowCount(), 130);
  QTRY_COMPARE(bar()->value(), bar()->maximum());
}

void LogPanelTest::filterCopyClear() {
  fill(12);
  m_host->journal.add(Level::Error, QStringLiteral("no solver; install z3"));
  QTRY_COMPARE(view()->model()->rowCount(), 13);
  view()->setFocus();
  QTest::keyClick(view(), Qt::Key_F, Qt::ControlModifier);
  auto* words = m_panel->findChild<QLineEdit*>();
  QVERIFY(words->hasFocus());
  QTest::keyClicks(words, QStringLiteral("error"));
  QCOMPARE(view()->model()->rowCount(), 1);
  view()->setFocus();
  QTest::keyClick(view(), Qt::Key_C, Qt::ControlModifier);
  QVERIFY(QGuiApplication::clipboard()->text().endsWith(QStringLiteral("error  no solver; install z3")));
  words->clear();
  view()->selectionModel()->select(view()->model()->index(3, 0),
                                   QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
  view()->selectionModel()->select(view()->model()->index(1, 0),
                                   QItemSelectionModel::Select | QItemSelectionModel::Rows);
  m_host->actions.find(QStringLiteral("log-copy"))->trigger();
  const QStringList lines = QGuiApplication::clipboard()->text().split(QLatin1Char('\n'));
  QCOMPARE(lines.size(), 2);
  QVERIFY(lines[0].endsWith(QStringLiteral("line 1")) && lines[1].endsWith(QStringLiteral("line 3")));
  m_host->actions.find(QStringLiteral("log-clear"))->trigger();
  QCOMPARE(view()->model()->rowCount(), 0);
  QVERIFY(!view()->isVisible());
  QVERIFY(m_host->journal.entries().empty());
}

void LogPanelTest::aFloodStaysQuick() {
  QElapsedTimer clock;
  clock.start();
  for (int k = 0; k < 150; ++k) {
    fill(100);
    QCoreApplication::processEvents();
  }
  QTRY_COMPARE(view()->model()->rowCount(), views::Journal::maximumEntries);
  const double each = static_cast<double>(clock.nsecsElapsed()) / 15e9;
  qInfo("one line: %.4f ms", each);
  QVERIFY(each < 0.5);
}

void LogPanelTest::everythingHasAName() {
  QCOMPARE(fixture::unnamedWidgets(*m_panel), QStringList());
}

void LogPanelTest::pictures() {
  m_host->journal.add(Level::Info, QStringLiteral("Opening relu-guard"));
  m_host->journal.add(Level::Detail, QStringLiteral("cuda: 1 kernel, 1 launch"));
  m_host->journal.add(Level::Warning, QStringLiteral("cvc5 was not found: goals are settled by one solver"));
  m_host->journal.add(Level::Error,
                      QStringLiteral("inline-asm: kernel.cu:12: not accepted; write it in CUDA"));
  QTRY_COMPARE(view()->model()->rowCount(), 4);
  fixture::forEachLook([&](const QString& look) {
    m_panel->refreshAppearance();
    m_panel->resize(look.endsWith(QStringLiteral("200")) ? QSize(1100, 400) : QSize(560, 240));
    QTest::qWait(20);
    fixture::screenshot(*m_panel, QStringLiteral("log-") + look);
  });
}

QTEST_MAIN(LogPanelTest)
#include "log_panel_test.moc"
