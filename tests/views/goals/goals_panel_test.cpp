// The goals panel: filter, detail, evidence, selection by key.

#include "tests/views/fixture/fixture.h"
#include "views/goals/goals_panel.h"
#include "views/models/roles.h"

#include <QAction>
#include <QCheckBox>
#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QSignalSpy>
#include <QTest>
#include <QTreeView>

using namespace plumbline;
using views::GoalsPanel;

class GoalsPanelTest : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void init();
  void cleanup();
  void opensOnTheFirstGoalThatIsNotClosed();
  void selectingByKeyTells();
  void filterByKey();
  void groupsHaveTheWholeWidth();
  void namesHaveRoomInANarrowPanel();
  void queryIsCopied();
  void counterpartsAreShown();
  void newSnapshotKeepsTheGoal();
  void staleAndEmpty();
  void hiddenPanelCatchesUp();
  void everythingHasAName();
  void pictures();

private:
  template <class T> T* get(const char* name) {
    for (T* widget : m_panel->findChildren<T*>())
      if (widget->accessibleName() == QString::fromUtf8(name))
        return widget;
    return nullptr;
  }
  QTreeView* tree() { return get<QTreeView>("Goals"); }
  int current() { return tree()->currentIndex().data(views::IndexRole).toInt(); }

  std::unique_ptr<fixture::Host> m_host;
  std::unique_ptr<GoalsPanel> m_panel;
};

void GoalsPanelTest::init() {
  m_host = std::make_unique<fixture::Host>();
  m_panel = std::make_unique<GoalsPanel>(m_host->context);
  m_panel->resize(620, 520);
  m_panel->setSnapshot(fixture::relu());
  m_panel->show();
  QVERIFY(QTest::qWaitForWindowExposed(m_panel.get()));
  m_panel->activateWindow();
}

void GoalsPanelTest::cleanup() {
  m_panel.reset();
  m_host.reset();
}

void GoalsPanelTest::opensOnTheFirstGoalThatIsNotClosed() {
  QCOMPARE(current(), 2);
  QVERIFY(get<QPlainTextEdit>("Statement of the goal")
              ->toPlainText()
              .startsWith(QStringLiteral("forall x : binary32")));
  auto* evidence = get<QTreeView>("Evidence of the goal");
  QCOMPARE(evidence->model()->rowCount(), 2);
  QCOMPARE(evidence->model()->index(0, 1).data().toString(), QStringLiteral("sat: x[i] = NaN"));
  QCOMPARE(evidence->model()->index(0, 3).data().toString(), QStringLiteral("3.1 ms"));
}

void GoalsPanelTest::selectingByKeyTells() {
  QSignalSpy spy(m_panel.get(), &views::Panel::selected);
  tree()->setFocus();
  QTest::keyClick(tree(), Qt::Key_Home); // a group
  QCOMPARE(spy.count(), 0);
  QTest::keyClick(tree(), Qt::Key_Down);
  QCOMPARE(spy.count(), 1);
  const auto anchor = spy[0].at(0).value<workbench::Anchor>();
  QVERIFY(anchor.kind == workbench::Anchor::Kind::Goal);
  QCOMPARE(anchor.index, 0);
}

void GoalsPanelTest::filterByKey() {
  tree()->setFocus();
  QTest::keyClick(tree(), Qt::Key_F, Qt::ControlModifier);
  auto* words = get<QLineEdit>("Filter goals");
  QVERIFY(words->hasFocus());
  QSignalSpy spy(m_panel.get(), &views::Panel::selected);
  QTest::keyClicks(words, QStringLiteral("bounds"));
  QCOMPARE(get<QLabel>("Goals shown")->text(), QStringLiteral("2 of 4"));
  QCOMPARE(tree()->model()->rowCount(), 1);
  QCOMPARE(spy.count(), 0); // filtering selects nothing
  words->clear();
  QTest::keyClick(words, Qt::Key_O, Qt::AltModifier);
  QVERIFY(get<QCheckBox>("Only open goals")->isChecked());
  QCOMPARE(get<QLabel>("Goals shown")->text(), QStringLiteral("1 of 4"));
}

void GoalsPanelTest::groupsHaveTheWholeWidth() {
  const auto spanned = [this] {
    for (int group = 0; group < tree()->model()->rowCount(); ++group)
      if (!tree()->isFirstColumnSpanned(group, QModelIndex()))
        return false;
    return tree()->model()->rowCount() > 0;
  };
  QVERIFY(spanned());
  get<QLineEdit>("Filter goals")->setText(QStringLiteral("bounds"));
  QVERIFY(spanned());
  get<QLineEdit>("Filter goals")->clear();
  QVERIFY(spanned());
  m_panel->setSnapshot(fixture::relu());
  QVERIFY(spanned());
}

void GoalsPanelTest::namesHaveRoomInANarrowPanel() {
  QVERIFY(!tree()->isColumnHidden(3));
  const int name = 20 * QFontMetrics(QApplication::font()).averageCharWidth();
  for (const int width : {500, 400, 330, 900}) {
    m_panel->resize(width, 520);
    QTRY_VERIFY2(tree()->columnWidth(1) >= name - 40, qPrintable(QString::number(width)));
  }
  QVERIFY(!tree()->isColumnHidden(2) && !tree()->isColumnHidden(3));
}

void GoalsPanelTest::queryIsCopied() {
  tree()->setFocus();
  QAction* copy = m_host->actions.find(QStringLiteral("goals-copy-query"));
  QVERIFY(copy->isEnabled());
  QTest::keyClick(tree(), Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
  QVERIFY(QGuiApplication::clipboard()->text().contains(QStringLiteral("(check-sat)")));
  auto* evidence = get<QTreeView>("Evidence of the goal");
  evidence->setCurrentIndex(evidence->model()->index(1, 0)); // the replay has no query
  QVERIFY(!copy->isEnabled());
  QTest::keyClick(tree(), Qt::Key_End); // under real, by normal form
  QVERIFY(!copy->isEnabled());
  m_host->actions.find(QStringLiteral("goals-copy-statement"))->trigger();
  QVERIFY(QGuiApplication::clipboard()->text().startsWith(QStringLiteral("forall x : real")));
}

void GoalsPanelTest::counterpartsAreShown() {
  QSignalSpy spy(m_panel.get(), &views::Panel::selected);
  const workbench::SnapshotPtr snapshot = fixture::relu();
  workbench::Anchor anchor;
  anchor.kind = workbench::Anchor::Kind::Node;
  anchor.index = 1;
  m_panel->setHighlight(workbench::counterparts(*snapshot, anchor), anchor);
  const QAbstractItemModel* rows = tree()->model();
  const QModelIndex value = rows->index(0, 0, rows->index(1, 0));
  QCOMPARE(value.data(views::IndexRole).toInt(), 2);
  QVERIFY(value.data(Qt::BackgroundRole).isValid());
  QVERIFY(!rows->index(0, 0, rows->index(0, 0)).data(Qt::BackgroundRole).isValid());
  QCOMPARE(spy.count(), 0);
}

void GoalsPanelTest::newSnapshotKeepsTheGoal() {
  QSignalSpy spy(m_panel.get(), &views::Panel::selected);
  tree()->collapse(tree()->model()->index(0, 0));
  workbench::Snapshot next = fixture::reluSnapshot();
  next.revision = 2;
  next.goals.erase(next.goals.begin());
  next.goals[1].status = workbench::CaseStatus::Closed;
  next.goals[1].statement = "another statement";
  m_panel->setSnapshot(fixture::share(next));
  QCOMPARE(current(), 1);
  QCOMPARE(get<QPlainTextEdit>("Statement of the goal")->toPlainText(), QStringLiteral("another statement"));
  QVERIFY(!tree()->isExpanded(tree()->model()->index(0, 0)));
  QCOMPARE(spy.count(), 0);
}

void GoalsPanelTest::staleAndEmpty() {
  m_panel->setStale(true);
  QVERIFY(get<QLabel>("Notice")->isVisible());
  const QAbstractItemModel* rows = tree()->model();
  QCOMPARE(rows->index(0, 0, rows->index(0, 0)).data().toString(), QStringLiteral("was closed"));
  m_panel->setSnapshot(nullptr);
  QVERIFY(!tree()->isVisible());
  QVERIFY(get<QLabel>("Nothing to show")->text().contains(QStringLiteral("Ctrl+O")));
  workbench::Snapshot none = fixture::reluSnapshot();
  none.goals.clear();
  m_panel->setSnapshot(fixture::share(none));
  QCOMPARE(m_panel->emptyText(), QStringLiteral("No goals yet: F5 checks"));
  m_panel->setBusy(QStringLiteral("reading the model"));
  QVERIFY(get<QLabel>("Nothing to show")->text().contains(QStringLiteral("reading the model")));
  none.error =
      Error{ErrorKind::Rejected, "inline-asm", "Inline assembly is not accepted.", "Write it in CUDA."};
  m_panel->setSnapshot(fixture::share(none));
  QVERIFY(get<QLabel>("Nothing to show")->text().contains(QStringLiteral("Write it in CUDA.")));
}

void GoalsPanelTest::hiddenPanelCatchesUp() {
  m_panel->hide();
  workbench::Snapshot next = fixture::reluSnapshot();
  next.goals.resize(1);
  m_panel->setSnapshot(fixture::share(next));
  QCOMPARE(tree()->model()->rowCount(), 3);
  m_panel->show();
  QCOMPARE(tree()->model()->rowCount(), 1);
}

void GoalsPanelTest::everythingHasAName() {
  QCOMPARE(fixture::unnamedWidgets(*m_panel), QStringList());
}

void GoalsPanelTest::pictures() {
  fixture::forEachLook([&](const QString& look) {
    m_panel->refreshAppearance();
    m_panel->resize(look.endsWith(QStringLiteral("200")) ? QSize(1100, 900) : QSize(620, 520));
    QTest::qWait(20);
    fixture::screenshot(*m_panel, QStringLiteral("goals-") + look);
  });
  m_panel->setSnapshot(nullptr);
  fixture::screenshot(*m_panel, QStringLiteral("goals-empty"));
}

QTEST_MAIN(GoalsPanelTest)
#include "goals_panel_test.moc"
