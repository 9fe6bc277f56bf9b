// The cases panel: splitting by key, undo, results that come late or contradict, the matrix.

#include "tests/views/fixture/fixture.h"
#include "views/cases/case_results.h"
#include "views/cases/cases_panel.h"
#include "views/models/cases_model.h"
#include "views/models/roles.h"

#include <QAction>
#include <QComboBox>
#include <QElapsedTimer>
#include <QLabel>
#include <QMenu>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>
#include <QTreeView>

using namespace plumbline;
using views::CasesModel;
using views::CasesPanel;
using workbench::CaseResult;
using workbench::CaseStatus;

namespace {

const CaseResult closed{CaseStatus::Closed, "sweep", "equal", "", "record", 1, {}};
const CaseResult witnessed{CaseStatus::Witnessed, "z3", "sat", "", "query", 1, {0x7fc00000}};

/// Nothing is known of the only goal yet.
workbench::Snapshot openSnapshot() {
  workbench::Snapshot snapshot = fixture::reluSnapshot();
  snapshot.cases.nodes[0].result = {};
  return snapshot;
}

} // namespace

class CasesPanelTest : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void init();
  void cleanup();
  void splitByKeyAndUndo();
  void splitMenuByKey();
  void matrixFillsItself();
  void settleByKey();
  void allOpenCasesAreSettled();
  void resultAfterTheSplitWasUndone();
  void contradictionIsAConflict();
  void partAgainstTheWhole();
  void openAnswerKeepsWhatIsKnown();
  void joinIsUndoneWithAllCuts();
  void matrixCellMakesTheCase();
  void matrixIsFilledWithTheTruth();
  void cellAgainstTheTree();
  void matrixByKeyboard();
  void recheckKeepsCutsAndDropsResults();
  void anchorsSpeakOfTheForestThatWasTold();
  void cancelEndsEverything();
  void emptyStates();
  void everythingHasAName();
  void bigTreeStaysQuick();
  void pictures();

private:
  QTreeView* tree() { return m_panel->findChild<QTreeView*>(); }
  QTableView* table() { return m_panel->findChild<QTableView*>(); }
  CasesModel* model() { return m_panel->findChild<CasesModel*>(); }
  CaseStatus status(int node) { return model()->node(node).result.status; }
  void key(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) { QTest::keyClick(tree(), key, modifiers); }
  void choose(int node) { tree()->setCurrentIndex(model()->indexOf(node)); }
  void answer(views::Ticket ticket, const CaseResult& result) {
    m_host->bench.answer(ticket, result);
    m_host->bench.end(ticket);
  }
  void show(workbench::Snapshot snapshot);

  std::unique_ptr<fixture::Host> m_host;
  std::unique_ptr<CasesPanel> m_panel;
};

void CasesPanelTest::init() {
  m_host = std::make_unique<fixture::Host>();
  m_panel = std::make_unique<CasesPanel>(m_host->context);
  m_panel->resize(1000, 420);
  show(openSnapshot());
}

void CasesPanelTest::show(workbench::Snapshot snapshot) {
  m_panel->setSnapshot(fixture::share(std::move(snapshot)));
  m_panel->show();
  QVERIFY(QTest::qWaitForWindowExposed(m_panel.get()));
  m_panel->activateWindow();
  tree()->setFocus();
}

void CasesPanelTest::cleanup() {
  m_panel.reset();
  m_host.reset();
}

void CasesPanelTest::splitByKeyAndUndo() {
  key(Qt::Key_G);
  QCOMPARE(model()->forest().nodes.size(), size_t{3});
  QVERIFY(tree()->isExpanded(model()->indexOf(0)));
  choose(1);
  key(Qt::Key_C);
  QCOMPARE(model()->forest().nodes.size(), size_t{12});
  QCOMPARE(m_host->undo.count(), 2);
  QCOMPARE(m_host->undo.text(0), QStringLiteral("Split on 0 < x[i]"));
  QCOMPARE(m_host->undo.text(1), QStringLiteral("Split x[i] by class"));
  choose(5);
  key(Qt::Key_G); // nothing is left to cut by
  key(Qt::Key_C);
  QCOMPARE(model()->forest().nodes.size(), size_t{12});
  m_host->undo.undo();
  QCOMPARE(model()->forest().nodes.size(), size_t{3});
  QCOMPARE(model()->nodeAt(tree()->currentIndex()), 1); // the case around what is gone
  m_host->undo.undo();
  QCOMPARE(model()->forest().nodes.size(), size_t{1});
  QVERIFY(status(0) == CaseStatus::Open);
  m_host->undo.redo();
  m_host->undo.redo();
  QCOMPARE(model()->forest().nodes.size(), size_t{12});
}

void CasesPanelTest::splitMenuByKey() {
  key(Qt::Key_S);
  auto* menu = m_panel->findChild<QMenu*>();
  QVERIFY(menu->isVisible());
  QCOMPARE(menu->actions().size(), 2);
  QCOMPARE(menu->actions()[1]->text(), QStringLiteral("By class of x[i]"));
  QTest::keyClick(menu, Qt::Key_Down);
  QTest::keyClick(menu, Qt::Key_Return);
  QCOMPARE(model()->forest().nodes.size(), size_t{10});
}

void CasesPanelTest::matrixFillsItself() {
  QVERIFY(m_host->bench.calls.empty());
  m_panel->setFillsMatrix(true);
  workbench::Snapshot next = openSnapshot();
  next.revision = 1000;
  show(std::move(next));
  QCOMPARE(m_host->bench.calls.size(), size_t{1});
  QVERIFY(m_host->bench.calls[0].kind == fixture::Bench::Call::Kind::Matrix);
  QCOMPARE(m_host->bench.calls[0].goal, 0);
  QCOMPARE(m_host->bench.calls[0].variable, 0);
}

void CasesPanelTest::settleByKey() {
  key(Qt::Key_G);
  choose(2);
  key(Qt::Key_Return);
  QCOMPARE(m_host->bench.calls.size(), size_t{1});
  QCOMPARE(m_host->bench.calls[0].goal, 0);
  QCOMPARE(m_host->bench.calls[0].path, model()->node(2).path);
  QVERIFY(model()->indexOf(2, CasesModel::Status).data().toString().contains(QStringLiteral("working")));
  key(Qt::Key_E); // asked already
  QCOMPARE(m_host->bench.calls.size(), size_t{1});
  answer(1, fixture::reluTruth(model()->node(2).path));
  QVERIFY(status(2) == CaseStatus::Witnessed);
  QVERIFY(status(0) == CaseStatus::Witnessed);
  QVERIFY(!model()->indexOf(2, CasesModel::Status).data().toString().contains(QStringLiteral("working")));
  QSignalSpy values(m_panel.get(), &views::Panel::valuesChosen);
  key(Qt::Key_W);
  QCOMPARE(values.count(), 1);
  QCOMPARE(values[0].at(1).value<std::vector<uint32_t>>().size(), size_t{1});
}

void CasesPanelTest::allOpenCasesAreSettled() {
  key(Qt::Key_C);
  key(Qt::Key_E, Qt::ShiftModifier);
  size_t at = 0;
  while (at < m_host->bench.calls.size()) {
    QVERIFY(m_host->bench.open.size() <= 2); // the rest waits in the panel
    const fixture::Bench::Call call = m_host->bench.calls[at++];
    answer(call.ticket, fixture::reluTruth(call.path));
  }
  QCOMPARE(at, size_t{9});
  for (int node = 1; node <= 9; ++node)
    QVERIFY(status(node) ==
            (node == 1 ? CaseStatus::Witnessed : CaseStatus::Closed)); // the first class is NaN
  QVERIFY(status(0) == CaseStatus::Witnessed);
  key(Qt::Key_E, Qt::ShiftModifier); // nothing is open
  QCOMPARE(m_host->bench.calls.size(), size_t{9});
}

void CasesPanelTest::resultAfterTheSplitWasUndone() {
  key(Qt::Key_G);
  choose(1);
  key(Qt::Key_E);
  m_host->undo.undo();
  answer(1, closed);
  QVERIFY(status(0) == CaseStatus::Open); // a part is not the whole
  QCOMPARE(model()->forest().nodes.size(), size_t{1});
  m_host->undo.redo();
  QVERIFY(status(1) == CaseStatus::Closed);
  QVERIFY(status(2) == CaseStatus::Open);
  QVERIFY(status(0) == CaseStatus::Split);
}

void CasesPanelTest::contradictionIsAConflict() {
  key(Qt::Key_E);
  answer(1, closed);
  QVERIFY(status(0) == CaseStatus::Closed);
  key(Qt::Key_E);
  answer(2, witnessed);
  QVERIFY(status(0) == CaseStatus::Conflict);
  QVERIFY(model()->node(0).result.reason.find("sweep") != std::string::npos);
  QCOMPARE(model()->node(0).result.witness, witnessed.witness);
  key(Qt::Key_E); // nothing heals it
  answer(3, closed);
  QVERIFY(status(0) == CaseStatus::Conflict);
}

void CasesPanelTest::partAgainstTheWhole() {
  key(Qt::Key_E);
  answer(1, closed);
  key(Qt::Key_G);
  choose(2);
  key(Qt::Key_E);
  answer(2, witnessed);
  QVERIFY(status(2) == CaseStatus::Conflict);
  QVERIFY(status(0) == CaseStatus::Conflict);
  // All parts proved, but the whole has a witness.
  workbench::Snapshot other = fixture::reluSnapshot();
  other.revision = 9;
  other.request.kernel = "other.cu";
  m_panel->setSnapshot(fixture::share(other));
  choose(0);
  key(Qt::Key_G);
  for (int node : {1, 2}) {
    choose(node);
    key(Qt::Key_E);
    answer(m_host->bench.calls.back().ticket, closed);
  }
  QVERIFY(status(0) == CaseStatus::Conflict);
  QCOMPARE(model()->node(0).result.witness.size(), size_t{1});
}

void CasesPanelTest::openAnswerKeepsWhatIsKnown() {
  key(Qt::Key_E);
  answer(1, closed);
  key(Qt::Key_E);
  answer(2, {CaseStatus::Open, "", "", "time limit", "", 9, {}});
  QVERIFY(status(0) == CaseStatus::Closed);
  QCOMPARE(model()->node(0).result.engine, std::string("sweep"));
}

void CasesPanelTest::joinIsUndoneWithAllCuts() {
  key(Qt::Key_G);
  choose(1);
  key(Qt::Key_C);
  choose(4);
  key(Qt::Key_E);
  answer(1, closed);
  const workbench::CasePath path = model()->node(4).path;
  choose(0);
  key(Qt::Key_J);
  QCOMPARE(model()->forest().nodes.size(), size_t{1});
  QVERIFY(status(0) == CaseStatus::Open);
  m_host->undo.undo();
  QCOMPARE(model()->forest().nodes.size(), size_t{12});
  QCOMPARE(model()->node(4).path, path);
  QVERIFY(status(4) == CaseStatus::Closed);
}

void CasesPanelTest::matrixCellMakesTheCase() {
  const QModelIndex cell = table()->model()->index(1, 0); // not (0 < x[i]), NaN
  QTest::mouseClick(table()->viewport(), Qt::LeftButton, {}, table()->visualRect(cell).center());
  const int node = model()->nodeAt(tree()->currentIndex());
  QCOMPARE(model()->node(node).path.size(), size_t{2});
  QVERIFY(model()->node(node).path[1].floatClass == workbench::FloatClass::NaN);
  QVERIFY(!model()->node(node).path[0].holds);
  QCOMPARE(m_host->undo.count(), 1); // both cuts are one step
  key(Qt::Key_E);
  answer(1, fixture::reluTruth(model()->node(node).path));
  QCOMPARE(cell.data(views::StatusRole).toInt(), int(CaseStatus::Witnessed)); // the same case
  QSignalSpy values(m_panel.get(), &views::Panel::valuesChosen);
  QTest::mouseClick(table()->viewport(), Qt::LeftButton, {}, table()->visualRect(cell).center());
  QCOMPARE(values.count(), 1);
  m_host->undo.undo();
  QCOMPARE(model()->forest().nodes.size(), size_t{1});
  // A tree that is cut by class first: the cell's conditions come in the other order.
  choose(0);
  key(Qt::Key_C);
  QTest::mouseClick(table()->viewport(), Qt::LeftButton, {}, table()->visualRect(cell).center());
  const int again = model()->nodeAt(tree()->currentIndex());
  QCOMPARE(model()->node(again).path.size(), size_t{2});
  QVERIFY(status(again) == CaseStatus::Witnessed); // known from before
}

void CasesPanelTest::matrixIsFilledWithTheTruth() {
  key(Qt::Key_M);
  QCOMPARE(m_host->bench.calls.size(), size_t{1});
  QCOMPARE(m_host->bench.calls[0].variable, 0);
  QCOMPARE(table()->model()->index(0, 0).data().toString(), QStringLiteral("…"));
  for (int row = 0; row < 2; ++row)
    for (int k = 0; k < 9; ++k) {
      const auto floatClass = static_cast<workbench::FloatClass>(k);
      workbench::CasePath path = model()->goals()[0].rows[static_cast<size_t>(row)];
      path.push_back({-1, true, 0, floatClass});
      m_host->bench.answer(1, workbench::MatrixCell{row, floatClass, fixture::reluTruth(path), true});
    }
  m_host->bench.end(1);
  auto symbol = [&](int row, int column) { return table()->model()->index(row, column).data().toString(); };
  // 0 < x: the positive classes are closed, the others have no input. Else: NaN differs, positive ones are
  // empty.
  for (int k = 0; k < 9; ++k) {
    const bool positive = k >= int(workbench::FloatClass::PositiveSubnormal);
    QCOMPARE(symbol(0, k), positive ? QStringLiteral("✔") : QStringLiteral("∅"));
    QCOMPARE(symbol(1, k), positive ? QStringLiteral("∅")
                           : k == 0 ? QStringLiteral("✘")
                                    : QStringLiteral("✔"));
  }
}

void CasesPanelTest::cellAgainstTheTree() {
  key(Qt::Key_E);
  answer(1, closed); // the whole goal
  key(Qt::Key_M);
  m_host->bench.answer(2, workbench::MatrixCell{1, workbench::FloatClass::NaN, witnessed, true});
  QVERIFY(status(0) == CaseStatus::Conflict);
  QCOMPARE(table()->model()->index(1, 0).data(views::StatusRole).toInt(), int(CaseStatus::Conflict));
}

void CasesPanelTest::matrixByKeyboard() {
  table()->setFocus();
  table()->setCurrentIndex(table()->model()->index(0, 0));
  QTest::keyClick(table(), Qt::Key_Right);
  QTest::keyClick(table(), Qt::Key_Down);
  QCOMPARE(table()->currentIndex(), table()->model()->index(1, 1));
  QTest::keyClick(table(), Qt::Key_Return);
  const int node = model()->nodeAt(tree()->currentIndex());
  QCOMPARE(model()->node(node).path.size(), size_t{2});
  QVERIFY(model()->node(node).path[1].floatClass == workbench::FloatClass::NegativeInfinity);
}

void CasesPanelTest::recheckKeepsCutsAndDropsResults() {
  key(Qt::Key_G);
  choose(1);
  key(Qt::Key_E);
  answer(1, closed);
  choose(2);
  key(Qt::Key_E);
  workbench::Snapshot next = openSnapshot();
  next.revision = 2;
  m_panel->setSnapshot(fixture::share(next));
  QCOMPARE(model()->forest().nodes.size(), size_t{3});
  QVERIFY(status(1) == CaseStatus::Open); // proved for other files
  QCOMPARE(model()->nodeAt(tree()->currentIndex()), 2);
  answer(2, closed); // asked about the older files
  QVERIFY(status(2) == CaseStatus::Open);
  next.revision = 3;
  next.request.kernel = "another.cu";
  m_panel->setSnapshot(fixture::share(next));
  QCOMPARE(model()->forest().nodes.size(), size_t{1});
}

void CasesPanelTest::anchorsSpeakOfTheForestThatWasTold() {
  QSignalSpy told(m_panel.get(), &views::Panel::casesChanged);
  QSignalSpy chosen(m_panel.get(), &views::Panel::selected);
  key(Qt::Key_G);
  key(Qt::Key_Down);
  QCOMPARE(chosen.count(), 1);
  QCOMPARE(told.count(), 1);
  const auto anchor = chosen[0].at(0).value<workbench::Anchor>();
  QVERIFY(anchor.kind == workbench::Anchor::Kind::Case);
  const auto forest = told[0].at(0).value<workbench::CaseForest>();
  QVERIFY(anchor.index < static_cast<int>(forest.nodes.size()));
  QCOMPARE(forest.nodes[static_cast<size_t>(anchor.index)].path, model()->node(anchor.index).path);
  QVERIFY(told.wait(200) == false); // told once
}

void CasesPanelTest::cancelEndsEverything() {
  key(Qt::Key_C);
  key(Qt::Key_E, Qt::ShiftModifier);
  key(Qt::Key_M);
  QCOMPARE(m_host->bench.open.size(), size_t{3});
  key(Qt::Key_Escape);
  QVERIFY(m_host->bench.open.empty());
  QCOMPARE(m_host->bench.calls.size(), size_t{3}); // no other one was started
  for (int node = 1; node <= 9; ++node)
    QVERIFY(status(node) == CaseStatus::Open);
  m_panel->setStale(true);
  QVERIFY(!m_host->actions.find(QStringLiteral("cases-settle"))->isEnabled());
  key(Qt::Key_E);
  QCOMPARE(m_host->bench.calls.size(), size_t{3});
}

void CasesPanelTest::emptyStates() {
  workbench::Snapshot real = fixture::reluSnapshot();
  real.revision = 5;
  real.request.readings = {"real"};
  real.caseGoals.clear();
  real.cases = {};
  m_panel->setSnapshot(fixture::share(real));
  QCOMPARE(m_panel->emptyText(), QStringLiteral("Cases are for the ieee reading"));
  QVERIFY(!tree()->isVisible());
  m_panel->setSnapshot(nullptr);
  QVERIFY(m_panel->emptyText().contains(QStringLiteral("Ctrl+O")));
  real.request.readings = {"ieee"};
  real.goals.clear();
  real.revision = 6;
  m_panel->setSnapshot(fixture::share(real));
  QVERIFY(m_panel->emptyText().contains(QStringLiteral("F5")));
}

void CasesPanelTest::everythingHasAName() {
  QCOMPARE(fixture::unnamedWidgets(*m_panel), QStringList());
}

void CasesPanelTest::bigTreeStaysQuick() {
  workbench::Snapshot big = openSnapshot();
  big.revision = 7;
  big.caseGoals[0].variables = {"x[i]", "y[i]", "z[i]"};
  for (int k = 0; k < 20; ++k)
    big.caseGoals[0].guards.push_back({"g" + std::to_string(k)});
  for (int node = 0; big.cases.nodes.size() < 100000; ++node) {
    const auto depth = static_cast<int>(big.cases.nodes[static_cast<size_t>(node)].path.size());
    big.cases =
        workbench::split(std::move(big.cases), big.caseGoals, node,
                         depth < 3 ? workbench::SplitOn{-1, depth} : workbench::SplitOn{depth - 3, -1});
  }
  const workbench::SnapshotPtr snapshot = fixture::share(std::move(big));
  QElapsedTimer clock;
  clock.start();
  m_panel->setSnapshot(snapshot);
  const double set = static_cast<double>(clock.nsecsElapsed()) / 1e6;
  const auto leaf = static_cast<int>(model()->forest().nodes.size()) - 1;
  choose(leaf);
  key(Qt::Key_E);
  clock.restart();
  answer(1, closed);
  const double result = static_cast<double>(clock.nsecsElapsed()) / 1e6;
  QSignalSpy told(m_panel.get(), &views::Panel::casesChanged);
  QVERIFY(told.wait(1000));
  qInfo("100,000 cases: shown in %.1f ms, a result in %.2f ms", set, result);
  QVERIFY(status(leaf) == CaseStatus::Closed);
  QVERIFY(set < 500);
  QVERIFY(result < 20);
}

void CasesPanelTest::pictures() {
  key(Qt::Key_G);
  choose(2);
  key(Qt::Key_C);
  key(Qt::Key_M);
  for (int row = 0; row < 2; ++row)
    for (int k = 0; k < 8; ++k) {
      workbench::CasePath path = model()->goals()[0].rows[static_cast<size_t>(row)];
      path.push_back({-1, true, 0, static_cast<workbench::FloatClass>(k)});
      m_host->bench.answer(1, workbench::MatrixCell{row, static_cast<workbench::FloatClass>(k),
                                                    fixture::reluTruth(path), true});
    }
  m_host->bench.end(1);
  tree()->expandAll();
  choose(3);
  fixture::forEachLook([&](const QString& look) {
    m_panel->refreshAppearance();
    m_panel->resize(look.endsWith(QStringLiteral("200")) ? QSize(2400, 800) : QSize(1200, 420));
    QTest::qWait(20);
    fixture::screenshot(*m_panel, QStringLiteral("cases-") + look);
  });
  m_panel->refreshAppearance();
  m_panel->setStale(true);
  QTest::qWait(20);
  m_panel->resize(560, 640);
  QTest::qWait(20);
  fixture::screenshot(*m_panel, QStringLiteral("cases-stale"));
}

QTEST_MAIN(CasesPanelTest)
#include "cases_panel_test.moc"
