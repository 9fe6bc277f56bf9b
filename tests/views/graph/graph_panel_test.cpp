// The graph panel: keyboard, search, selection, large graphs.

#include "tests/views/fixture/fixture.h"
#include "views/graph/graph_items.h"
#include "views/graph/graph_panel.h"
#include "views/graph/graph_view.h"

#include <QElapsedTimer>
#include <QHelpEvent>
#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTest>
#include <QToolTip>
#include <QWheelEvent>

using namespace plumbline;
using views::GraphPanel;
using views::GraphView;

namespace {

workbench::Snapshot chain(int count) {
  workbench::Snapshot snapshot;
  snapshot.revision = 50;
  for (int k = 0; k < count; ++k) {
    workbench::GraphNode node{"node" + std::to_string(k),
                              workbench::NodeKind::Operator,
                              "node" + std::to_string(k),
                              "aten.add.Tensor",
                              "[s0, 64]",
                              "float32",
                              "",
                              {}};
    if (k > 0)
      node.inputs = {k - 1};
    if (k > 8 && k % 3 == 0)
      node.inputs.push_back(k - 8);
    snapshot.graph.push_back(node);
  }
  return snapshot;
}

/// One node of each kind.
workbench::Snapshot kinds() {
  using Kind = workbench::NodeKind;
  workbench::Snapshot snapshot;
  snapshot.revision = 60;
  snapshot.graph = {
      {"x", Kind::Input, "x", "", "[s0, 16]", "float32", "", {}},
      {"weight", Kind::Parameter, "weight", "", "[32, 16]", "float32", "state_dict: linear.weight", {}},
      {"running_mean",
       Kind::Buffer,
       "running_mean",
       "",
       "[32]",
       "float32",
       "state_dict: bn.running_mean",
       {}},
      {"eps", Kind::Constant, "1e-05", "", "[]", "float32", "", {}},
      {"linear",
       Kind::Operator,
       "linear",
       "aten.linear.default",
       "[s0, 32]",
       "float32",
       "input = x\nweight = weight",
       {0, 1}},
      {"sub",
       Kind::Operator,
       "sub",
       "aten.sub.Tensor",
       "[s0, 32]",
       "float32",
       "self = linear\nother = running_mean",
       {4, 2}},
      {"add",
       Kind::Operator,
       "add",
       "aten.add.Scalar",
       "[s0, 32]",
       "float32",
       "self = sub\nother = 1e-05",
       {5, 3}},
      {"output:0", Kind::Output, "output:0", "", "[s0, 32]", "float32", "", {6}}};
  return snapshot;
}

} // namespace

class GraphPanelTest : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void init();
  void cleanup();
  void arrowsFollowEdgesAndReturnSelects();
  void clickSelects();
  void counterpartsAreMarked();
  void searchByKey();
  void zoomByKeyAndWheel();
  void tooltipsSayShapeAndArguments();
  void sameGraphIsKept();
  void newestGraphWins();
  void emptyStates();
  void everythingHasAName();
  void fiveThousandNodes();
  void pictures();

private:
  GraphView* view() { return m_panel->findChild<GraphView*>(); }
  void show(const workbench::SnapshotPtr& snapshot) {
    m_panel->setSnapshot(snapshot);
    QTRY_VERIFY(!view()->layoutRunning());
  }
  QString description() { return view()->accessibleDescription(); }

  std::unique_ptr<fixture::Host> m_host;
  std::unique_ptr<GraphPanel> m_panel;
};

void GraphPanelTest::init() {
  m_host = std::make_unique<fixture::Host>();
  m_panel = std::make_unique<GraphPanel>(m_host->context);
  m_panel->resize(420, 420);
  m_panel->show();
  QVERIFY(QTest::qWaitForWindowExposed(m_panel.get()));
  m_panel->activateWindow();
  show(fixture::relu());
}

void GraphPanelTest::cleanup() {
  m_panel.reset();
  m_host.reset();
}

void GraphPanelTest::arrowsFollowEdgesAndReturnSelects() {
  QSignalSpy spy(m_panel.get(), &views::Panel::selected);
  view()->setFocus();
  QCOMPARE(view()->current(), 0);
  QTest::keyClick(view(), Qt::Key_Down);
  QCOMPARE(view()->current(), 1);
  QVERIFY(description().contains(QStringLiteral("aten.relu.default")));
  QTest::keyClick(view(), Qt::Key_Down);
  QTest::keyClick(view(), Qt::Key_Down); // nothing below
  QCOMPARE(view()->current(), 2);
  QTest::keyClick(view(), Qt::Key_Up);
  QCOMPARE(spy.count(), 0);
  QTest::keyClick(view(), Qt::Key_Return);
  QCOMPARE(spy.count(), 1);
  const auto anchor = spy[0].at(0).value<workbench::Anchor>();
  QVERIFY(anchor.kind == workbench::Anchor::Kind::Node);
  QCOMPARE(anchor.index, 1);
  show(fixture::share(kinds()));
  view()->setCurrent(0);
  QTest::keyClick(view(), Qt::Key_Right);
  const int right = view()->current();
  QVERIFY(right != 0 && view()->item(right)->x() > view()->item(0)->x());
  QTest::keyClick(view(), Qt::Key_Left);
  QCOMPARE(view()->current(), 0);
}

void GraphPanelTest::clickSelects() {
  QSignalSpy spy(m_panel.get(), &views::Panel::selected);
  const QPoint at = view()->mapFromScene(view()->item(2)->pos());
  QTest::mouseClick(view()->viewport(), Qt::LeftButton, {}, at);
  QCOMPARE(spy.count(), 1);
  QCOMPARE(spy[0].at(0).value<workbench::Anchor>().index, 2);
  QTest::mouseClick(view()->viewport(), Qt::LeftButton, {}, QPoint(2, 2)); // beside everything
  QCOMPARE(spy.count(), 1);
}

void GraphPanelTest::counterpartsAreMarked() {
  workbench::Highlight highlight;
  highlight.nodes = {1};
  m_panel->setHighlight(highlight, {workbench::Anchor::Kind::Goal, 2, 0, {}});
  QVERIFY(view()->item(1)->marks().linked);
  QVERIFY(!view()->item(0)->marks().linked);
  QCOMPARE(view()->current(), 1);
  m_panel->setHighlight({}, {});
  QVERIFY(!view()->item(1)->marks().linked);
}

void GraphPanelTest::searchByKey() {
  show(fixture::share(chain(30)));
  view()->setFocus();
  QTest::keyClick(view(), Qt::Key_F, Qt::ControlModifier);
  auto* search = m_panel->findChild<QLineEdit*>();
  QVERIFY(search->hasFocus());
  QTest::keyClicks(search, QStringLiteral("NODE1"));
  QLabel* count = nullptr;
  for (QLabel* label : m_panel->findChildren<QLabel*>())
    if (label->accessibleName() == QStringLiteral("Matches"))
      count = label;
  QCOMPARE(count->text(), QStringLiteral("1 of 11")); // node1, node10 ... node19
  QCOMPARE(view()->current(), 1);
  QTest::keyClick(search, Qt::Key_Return);
  QCOMPARE(count->text(), QStringLiteral("2 of 11"));
  QCOMPARE(view()->current(), 10);
  QTest::keyClick(search, Qt::Key_F3, Qt::ShiftModifier);
  QTest::keyClick(search, Qt::Key_F3, Qt::ShiftModifier); // around
  QCOMPARE(view()->current(), 19);
  QVERIFY(view()->item(12)->marks().found);
  QVERIFY(!view()->item(2)->marks().found);
  search->setText(QStringLiteral("[s0, add")); // shape and operator
  QCOMPARE(count->text(), QStringLiteral("1 of 30"));
  search->setText(QStringLiteral("conv"));
  QCOMPARE(count->text(), QStringLiteral("no match"));
}

void GraphPanelTest::zoomByKeyAndWheel() {
  view()->setFocus();
  const double before = view()->zoom();
  QCOMPARE(before, 1.0); // small graphs are not blown up
  QTest::keyClick(view(), Qt::Key_Plus);
  QVERIFY(view()->zoom() > before);
  QTest::keyClick(view(), Qt::Key_Minus);
  QVERIFY(qAbs(view()->zoom() - before) < 1e-9);
  QWheelEvent wheel(QPointF(50, 50), view()->viewport()->mapToGlobal(QPointF(50, 50)), {}, QPoint(0, 120),
                    Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
  QCoreApplication::sendEvent(view()->viewport(), &wheel);
  QVERIFY(view()->zoom() > before);
  for (int k = 0; k < 60; ++k)
    QTest::keyClick(view(), Qt::Key_Minus);
  QVERIFY(view()->zoom() > 0.01);
  QTest::keyClick(view(), Qt::Key_0);
  QCOMPARE(view()->zoom(), 1.0);
}

void GraphPanelTest::tooltipsSayShapeAndArguments() {
  workbench::Snapshot snapshot = kinds();
  snapshot.graph[4].where = {"folder/model.py", 12};
  snapshot.graph[4].sourceText = "return self.head(x)";
  snapshot.graph[4].cost = {65536, 4096};
  show(fixture::share(snapshot));
  const QPoint at = view()->mapFromScene(view()->item(4)->pos());
  QHelpEvent help(QEvent::ToolTip, at, view()->viewport()->mapToGlobal(at));
  QCoreApplication::sendEvent(view()->viewport(), &help);
  const QString tip = QToolTip::text();
  for (const char* part :
       {"linear", "operator", "aten.linear.default", "[s0, 32]", "float32", "weight = weight",
        "65 536 operations, 4 096 bytes", "folder/model.py:12", "return self.head(x)"})
    QVERIFY2(tip.contains(QString::fromLatin1(part)), part);
  snapshot.revision = 2;
  snapshot.graph[4].where.line = 13; // nothing else is new
  show(fixture::share(snapshot));
  QVERIFY(views::describe(view()->item(4)->node()).contains(QStringLiteral("folder/model.py:13")));
}

void GraphPanelTest::sameGraphIsKept() {
  view()->setCurrent(1);
  const views::NodeItem* item = view()->item(1);
  workbench::Snapshot next = fixture::reluSnapshot();
  next.revision = 2;
  show(fixture::share(next));
  QCOMPARE(view()->item(1), item);
  next.graph[2].shape = "[s1]";
  show(fixture::share(next));
  QCOMPARE(view()->current(), 1); // by name
}

void GraphPanelTest::newestGraphWins() {
  QSignalSpy spy(view(), &GraphView::laidOut);
  for (int k = 0; k < 5; ++k)
    m_panel->setSnapshot(fixture::share(chain(100 + k)));
  QTRY_VERIFY(!view()->layoutRunning());
  QCOMPARE(spy.count(), 1);
  QVERIFY(view()->item(103) != nullptr && view()->item(104) == nullptr);
}

void GraphPanelTest::emptyStates() {
  m_panel->setSnapshot(nullptr);
  QVERIFY(!view()->isVisible());
  QVERIFY(m_panel->emptyText().contains(QStringLiteral("Ctrl+O")));
  show(fixture::relu());
  QVERIFY(view()->isVisible());
}

void GraphPanelTest::everythingHasAName() {
  QCOMPARE(fixture::unnamedWidgets(*m_panel).join(QLatin1Char(';')), QString());
}

void GraphPanelTest::fiveThousandNodes() {
  const workbench::SnapshotPtr snapshot = fixture::share(chain(5000));
  QElapsedTimer clock;
  clock.start();
  m_panel->setSnapshot(snapshot);
  const double asked = static_cast<double>(clock.nsecsElapsed()) / 1e6;
  QTRY_VERIFY(!view()->layoutRunning());
  const double placed = static_cast<double>(clock.nsecsElapsed()) / 1e6;
  clock.restart();
  view()->fit();
  view()->grab();
  const double whole = static_cast<double>(clock.nsecsElapsed()) / 1e6;
  view()->setTransform({});
  view()->setCurrent(2500);
  clock.restart();
  view()->grab();
  const double part = static_cast<double>(clock.nsecsElapsed()) / 1e6;
  qInfo("5,000 nodes: handed over in %.1f ms, placed after %.1f ms, painted whole in %.1f ms, a part in %.1f "
        "ms",
        asked, placed, whole, part);
  QVERIFY(asked < 200);
  QVERIFY(placed < 2000);
  QVERIFY(part < 200);
  const workbench::Highlight all = [] {
    workbench::Highlight highlight;
    for (int k = 0; k < 5000; k += 2)
      highlight.nodes.insert(k);
    return highlight;
  }();
  clock.restart();
  m_panel->setHighlight(all, {workbench::Anchor::Kind::Goal, 0, 0, {}});
  QVERIFY(clock.elapsed() < 200);
}

void GraphPanelTest::pictures() {
  show(fixture::share(kinds()));
  workbench::Highlight highlight;
  highlight.nodes = {4, 5};
  m_panel->setHighlight(highlight, {workbench::Anchor::Kind::Goal, 2, 0, {}});
  view()->setFocus();
  fixture::forEachLook([&](const QString& look) {
    m_panel->resize(look.endsWith(QStringLiteral("200")) ? QSize(1000, 1000) : QSize(560, 560));
    QTest::qWait(20);
    m_panel->refreshAppearance();
    QTRY_VERIFY(!view()->layoutRunning());
    QTest::qWait(20);
    fixture::screenshot(*m_panel, QStringLiteral("graph-") + look);
  });
  show(fixture::share(chain(400)));
  fixture::screenshot(*m_panel, QStringLiteral("graph-400"));
}

QTEST_MAIN(GraphPanelTest)
#include "graph_panel_test.moc"
