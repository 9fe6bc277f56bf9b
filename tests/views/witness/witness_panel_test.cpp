// The witness panel: editing bits, both sides following, runs, undo, choosing.

#include "tests/views/fixture/fixture.h"
#include "views/models/steps_model.h"
#include "views/witness/bits_widget.h"
#include "views/witness/value_editor.h"
#include "views/witness/witness_panel.h"

#include <QAction>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>
#include <QTreeView>

using namespace plumbline;
using views::BitsWidget;
using views::StepsModel;
using views::WitnessPanel;

namespace {

QWidget* named(QWidget& root, const QString& name) {
  for (QWidget* widget : root.findChildren<QWidget*>())
    if (widget->accessibleName() == name)
      return widget;
  return nullptr;
}

template <class T> T* get(QWidget& root, const char* name) {
  return qobject_cast<T*>(named(root, QString::fromUtf8(name)));
}

} // namespace

class WitnessPanelTest : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void init();
  void cleanup();
  void showsTheFoundWitness();
  void eachBitTogglesExactlyItself();
  void bitsByKeyboard();
  void bothSidesFollow();
  void nanShowsItsCanonicalForm();
  void fieldsAndPresets();
  void invalidTextIsMarkedAndChangesNothing();
  void undoAndReset();
  void typingIsOneStep();
  void runsShowAndAreDropped();
  void contradictingRunIsSaid();
  void stepsLinkToTheirPlaces();
  void valuesOfACase();
  void realWitnessIsText();
  void emptyStates();
  void staleIsSaid();
  void everythingHasAName();
  void evaluationIsFast();
  void pictures();

private:
  QString labelText(const char* name) { return get<QLabel>(*m_panel, name)->text(); }
  uint32_t value() const { return m_panel->values().at(0); }
  BitsWidget* bits() { return m_panel->findChild<BitsWidget*>(); }

  std::unique_ptr<fixture::Host> m_host;
  std::unique_ptr<WitnessPanel> m_panel;
};

void WitnessPanelTest::init() {
  m_host = std::make_unique<fixture::Host>();
  m_panel = std::make_unique<WitnessPanel>(m_host->context);
  m_panel->resize(720, 620);
  m_panel->setSnapshot(fixture::relu());
  m_panel->show();
  QVERIFY(QTest::qWaitForWindowExposed(m_panel.get()));
}

void WitnessPanelTest::cleanup() {
  m_panel.reset();
  m_host.reset();
}

void WitnessPanelTest::showsTheFoundWitness() {
  QCOMPARE(value(), 0x7fc00000U);
  QCOMPARE(labelText("Comparison"), QStringLiteral("≠ differs here"));
  QVERIFY(labelText("Result of PyTorch").contains(QStringLiteral("0x7fc00000 (nan)")));
  QVERIFY(labelText("Result of the kernel").contains(QStringLiteral("0x00000000 (0)")));
  QVERIFY(labelText("Replay of the witness").contains(QStringLiteral("interpreter confirmed")));
  QCOMPARE(labelText("Class of x[i]"), QStringLiteral("NaN"));
}

void WitnessPanelTest::eachBitTogglesExactlyItself() {
  for (int bit = 0; bit < 32; ++bit) {
    const uint32_t before = value();
    QTest::mouseClick(bits(), Qt::LeftButton, {}, bits()->rectOf(bit).center());
    QCOMPARE(value(), before ^ (1U << bit));
    QCOMPARE(bits()->bits(), value());
    QTest::mouseClick(bits(), Qt::LeftButton, {}, bits()->rectOf(bit).center());
    QCOMPARE(value(), before);
  }
}

void WitnessPanelTest::bitsByKeyboard() {
  bits()->setFocus();
  QTest::keyClick(bits(), Qt::Key_Home);
  QTest::keyClick(bits(), Qt::Key_Space);
  QCOMPARE(value(), 0xffc00000U); // the sign
  QTest::keyClick(bits(), Qt::Key_Right);
  QCOMPARE(bits()->cursor(), 30);
  QTest::keyClick(bits(), Qt::Key_0); // and moves on
  QCOMPARE(value(), 0xbfc00000U);
  QTest::keyClick(bits(), Qt::Key_1); // is 0 already? bit 29 is set: nothing changes
  QCOMPARE(value(), 0xbfc00000U);
  QCOMPARE(bits()->cursor(), 28);
  QTest::keyClick(bits(), Qt::Key_End);
  QCOMPARE(bits()->cursor(), 0);
  QTest::keyClick(bits(), Qt::Key_Left);
  QTest::keyClick(bits(), Qt::Key_Space);
  QCOMPARE(value(), 0xbfc00002U);
  QTest::keyClick(bits(), Qt::Key_Up); // towards zero: it is negative
  QCOMPARE(value(), 0xbfc00001U);
  QTest::keyClick(bits(), Qt::Key_Down);
  QCOMPARE(value(), 0xbfc00002U);
}

void WitnessPanelTest::bothSidesFollow() {
  auto* kernel = get<QTreeView>(*m_panel, "Steps of the kernel");
  auto cell = [&](int row, int column) { return kernel->model()->index(row, column).data().toString(); };
  QCOMPARE(cell(1, StepsModel::Value), QStringLiteral("false"));
  QCOMPARE(cell(2, StepsModel::Value), QStringLiteral("not reached"));
  QCOMPARE(cell(4, StepsModel::Mark), QStringLiteral("≠"));
  QVERIFY(m_panel->putValues("value of output 0", {0x3f800000}));
  QCOMPARE(labelText("Comparison"), QStringLiteral("= same here"));
  QCOMPARE(cell(1, StepsModel::Value), QStringLiteral("true"));
  QVERIFY(cell(2, StepsModel::Value).contains(QStringLiteral("0x3f800000")));
  QCOMPARE(cell(3, StepsModel::Value), QStringLiteral("not reached"));
  QVERIFY(cell(4, StepsModel::Mark).isEmpty());
  QVERIFY(labelText("Replay of the witness").isEmpty());
  // A zero tie: two values are allowed.
  QVERIFY(m_panel->putValues("value of output 0", {0x80000000}));
  QCOMPARE(labelText("Comparison"), QStringLiteral("= same here"));
  QVERIFY(labelText("Result of PyTorch").contains(QStringLiteral("0x80000000 (-0)")));
}

void WitnessPanelTest::nanShowsItsCanonicalForm() {
  QVERIFY(m_panel->putValues("value of output 0", {0xff812345}));
  QCOMPARE(labelText("Class of x[i]"), QStringLiteral("NaN, counts as 0x7fc00000"));
  QCOMPARE(get<QLineEdit>(*m_panel, "Hexadecimal bits of x[i]")->text(), QStringLiteral("0xff812345"));
  QCOMPARE(get<QLineEdit>(*m_panel, "Decimal value of x[i]")->text(), QStringLiteral("nan"));
  QVERIFY(!get<QToolButton>(*m_panel, "Next value above x[i]")->isEnabled());
}

void WitnessPanelTest::fieldsAndPresets() {
  auto* decimal = get<QLineEdit>(*m_panel, "Decimal value of x[i]");
  decimal->setFocus();
  decimal->selectAll();
  QTest::keyClicks(decimal, QStringLiteral("-0"));
  QCOMPARE(value(), 0x80000000U);
  auto* hex = get<QLineEdit>(*m_panel, "Hexadecimal bits of x[i]");
  QCOMPARE(hex->text(), QStringLiteral("0x80000000"));
  hex->setFocus();
  hex->selectAll();
  QTest::keyClicks(hex, QStringLiteral("3f800000"));
  QCOMPARE(value(), 0x3f800000U);
  QCOMPARE(decimal->text(), QStringLiteral("1"));
  QCOMPARE(hex->text(), QStringLiteral("3f800000")); // as typed, until the field is left
  decimal->setFocus();
  QCOMPARE(hex->text(), QStringLiteral("0x3f800000"));
  QTest::mouseClick(get<QToolButton>(*m_panel, "Next value above x[i]"), Qt::LeftButton);
  QCOMPARE(value(), 0x3f800001U);
  QTest::mouseClick(get<QToolButton>(*m_panel, "Next value below x[i]"), Qt::LeftButton);
  QCOMPARE(value(), 0x3f800000U);
  auto* presets = get<QComboBox>(*m_panel, "Special values for x[i]");
  presets->setFocus();
  QTest::keyClick(presets, Qt::Key_Home); // the first is nan
  QCOMPARE(value(), 0x7fc00000U);
}

void WitnessPanelTest::invalidTextIsMarkedAndChangesNothing() {
  auto* decimal = get<QLineEdit>(*m_panel, "Decimal value of x[i]");
  decimal->setFocus();
  decimal->selectAll();
  QTest::keyClicks(decimal, QStringLiteral("hello"));
  QCOMPARE(value(), 0x7fc00000U);
  auto* problem = get<QLabel>(*m_panel, "What is wrong with the text");
  QVERIFY(problem->isVisible() && !problem->text().isEmpty());
  QCOMPARE(m_host->undo.count(), 0);
  get<QLineEdit>(*m_panel, "Hexadecimal bits of x[i]")->setFocus();
  QCOMPARE(decimal->text(), QStringLiteral("nan"));
  QVERIFY(!problem->isVisible());
}

void WitnessPanelTest::undoAndReset() {
  QTest::mouseClick(bits(), Qt::LeftButton, {}, bits()->rectOf(31).center());
  QTest::mouseClick(bits(), Qt::LeftButton, {}, bits()->rectOf(0).center());
  QCOMPARE(value(), 0xffc00001U);
  QCOMPARE(m_host->undo.count(), 2);
  m_host->undo.undo();
  QCOMPARE(value(), 0xffc00000U);
  m_host->undo.redo();
  QCOMPARE(value(), 0xffc00001U);
  QAction* reset = m_host->actions.find(QStringLiteral("witness-reset"));
  QVERIFY(reset->isEnabled());
  reset->trigger();
  QCOMPARE(value(), 0x7fc00000U);
  QVERIFY(!reset->isEnabled());
  m_host->undo.undo();
  QCOMPARE(value(), 0xffc00001U);
}

void WitnessPanelTest::typingIsOneStep() {
  auto* decimal = get<QLineEdit>(*m_panel, "Decimal value of x[i]");
  decimal->setFocus();
  decimal->selectAll();
  QTest::keyClicks(decimal, QStringLiteral("12.75"));
  QCOMPARE(value(), 0x414c0000U);
  QCOMPARE(m_host->undo.count(), 1);
  m_host->undo.undo();
  QCOMPARE(value(), 0x7fc00000U);
}

void WitnessPanelTest::runsShowAndAreDropped() {
  m_host->actions.find(QStringLiteral("witness-interpreter"))->trigger();
  m_host->actions.find(QStringLiteral("witness-pytorch"))->trigger();
  QCOMPARE(m_host->bench.calls.size(), size_t{2});
  QCOMPARE(m_host->bench.calls[0].values, std::vector<uint32_t>{0x7fc00000});
  QVERIFY(labelText("Answer of the interpreter").contains(QStringLiteral("working")));
  QVERIFY(!m_host->actions.find(QStringLiteral("witness-interpreter"))->isEnabled());
  m_host->bench.answer(1, workbench::RunResult{"interpreter", true, "0x00000000 (0)", 0, "grid 1 x 256"});
  m_host->bench.end(1);
  QVERIFY(labelText("Answer of the interpreter").contains(QStringLiteral("0x00000000 (0); grid 1 x 256")));
  // The values change while PyTorch is running: its answer is about other values.
  QTest::mouseClick(bits(), Qt::LeftButton, {}, bits()->rectOf(0).center());
  QVERIFY(!m_host->bench.open.contains(2));
  m_host->bench.answer(2, workbench::RunResult{"PyTorch", true, "0x7fc00000 (nan)", 0x7fc00000, ""});
  QVERIFY(labelText("Answer of PyTorch").isEmpty());
  QVERIFY(labelText("Answer of the interpreter").isEmpty());
  // One that ends without an answer leaves nothing behind, and may be asked for again.
  m_host->actions.find(QStringLiteral("witness-pytorch"))->trigger();
  m_host->bench.end(3, true);
  QVERIFY(labelText("Answer of PyTorch").isEmpty());
  QVERIFY(m_host->actions.find(QStringLiteral("witness-pytorch"))->isEnabled());
}

void WitnessPanelTest::contradictingRunIsSaid() {
  m_host->actions.find(QStringLiteral("witness-interpreter"))->trigger();
  m_host->bench.answer(1, workbench::RunResult{"interpreter", true, "0x3f800000 (1)", 0x3f800000, ""});
  m_host->bench.end(1);
  QVERIFY(labelText("Answer of the interpreter").contains(QStringLiteral("contradicts")));
  m_host->actions.find(QStringLiteral("witness-pytorch"))->trigger();
  m_host->bench.answer(2,
                       workbench::RunResult{"PyTorch", true, "0xffc00000 (nan)", 0xffc00000, ""}); // any NaN
  QVERIFY(!labelText("Answer of PyTorch").contains(QStringLiteral("contradicts")));
  m_host->bench.end(2);
  QVERIFY(!labelText("Answer of PyTorch").isEmpty());
}

void WitnessPanelTest::stepsLinkToTheirPlaces() {
  QSignalSpy spy(m_panel.get(), &views::Panel::selected);
  auto* kernel = get<QTreeView>(*m_panel, "Steps of the kernel");
  kernel->setFocus();
  kernel->setCurrentIndex({});
  spy.clear();
  QTest::keyClick(kernel, Qt::Key_Down);
  QTest::keyClick(kernel, Qt::Key_Down);
  QVERIFY(!spy.isEmpty());
  const auto anchor = spy.last().at(0).value<workbench::Anchor>();
  QVERIFY(anchor.kind == workbench::Anchor::Kind::KernelStep);
  QCOMPARE(anchor.index, kernel->currentIndex().row());
  QCOMPARE(anchor.program, 0);
  // The answer colours the counterparts.
  const workbench::SnapshotPtr snapshot = fixture::relu();
  m_panel->setHighlight(workbench::counterparts(*snapshot, {workbench::Anchor::Kind::KernelStep, 4, 0, {}}),
                        {workbench::Anchor::Kind::KernelStep, 4, 0, {}});
  auto* spec = get<QTreeView>(*m_panel, "Steps of PyTorch");
  QVERIFY(spec->model()->index(1, StepsModel::Step).data(Qt::BackgroundRole).isValid());
}

void WitnessPanelTest::valuesOfACase() {
  m_panel->showValues(0, {0x00000001});
  QCOMPARE(value(), 1U);
  auto* chooser = get<QComboBox>(*m_panel, "Witness or goal");
  QCOMPARE(chooser->count(), 2);
  QVERIFY(chooser->currentText().contains(QStringLiteral("1e-45")));
  m_panel->showValues(0, {0x7fc00000}); // the found one: no second entry
  QCOMPARE(chooser->count(), 1);
  QCOMPARE(value(), 0x7fc00000U);
}

void WitnessPanelTest::realWitnessIsText() {
  workbench::Snapshot snapshot = fixture::reluSnapshot();
  workbench::WitnessView real;
  real.reading = "real";
  real.output = "y";
  real.tensors = {{"x", "[2] = [1/3, 0]"}};
  real.spec = "1/3";
  real.kernel = "2/3";
  snapshot.revision = 2;
  snapshot.witnesses = {real};
  snapshot.programs.clear();
  snapshot.caseGoals.clear();
  snapshot.cases = {};
  m_panel->setSnapshot(fixture::share(snapshot));
  auto* text = get<QPlainTextEdit>(*m_panel, "Witness as text");
  QVERIFY(text->isVisible());
  QVERIFY(text->toPlainText().contains(QStringLiteral("x = [2] = [1/3, 0]")));
  QVERIFY(bits() == nullptr);
  bool said = false;
  for (QLabel* label : m_panel->findChildren<QLabel*>())
    said = said || (label->isVisible() && label->text().contains(QStringLiteral("bits do not apply")));
  QVERIFY(said);
  QVERIFY(!m_host->actions.find(QStringLiteral("witness-interpreter"))->isEnabled());
}

void WitnessPanelTest::emptyStates() {
  m_panel->setSnapshot(nullptr);
  QVERIFY(m_panel->emptyText().contains(QStringLiteral("Ctrl+O")));
  workbench::Snapshot snapshot = fixture::reluSnapshot();
  snapshot.revision = 2;
  snapshot.witnesses.clear();
  for (workbench::GoalRow& goal : snapshot.goals)
    goal.status = workbench::CaseStatus::Closed;
  m_panel->setSnapshot(fixture::share(snapshot));
  QCOMPARE(m_panel->emptyText(), QStringLiteral("No difference found: every case is closed"));
  QCOMPARE(m_panel->values().size(), size_t{1}); // values can be tried nevertheless
  // A pair whose values were never compared: the safety gate's goals say nothing about them.
  workbench::Snapshot unread = snapshot;
  unread.revision = 3;
  std::erase_if(unread.goals, [](const workbench::GoalRow& goal) { return goal.group != "safety gate"; });
  QVERIFY(!unread.goals.empty());
  m_panel->setSnapshot(fixture::share(unread));
  QCOMPARE(m_panel->emptyText(), QStringLiteral("The values were not compared"));
  snapshot.revision = 4;
  snapshot.goals[2].status = workbench::CaseStatus::Open;
  m_panel->setSnapshot(fixture::share(snapshot));
  QVERIFY(!m_panel->emptyText().contains(QStringLiteral("every case")));
  snapshot.revision = 5;
  snapshot.goals.clear();
  snapshot.programs.clear();
  m_panel->setSnapshot(fixture::share(snapshot));
  QVERIFY(m_panel->emptyText().contains(QStringLiteral("F5")));
}

void WitnessPanelTest::staleIsSaid() {
  m_host->actions.find(QStringLiteral("witness-interpreter"))->trigger();
  m_panel->setStale(true);
  QVERIFY(m_host->bench.open.empty());
  QVERIFY(!m_host->actions.find(QStringLiteral("witness-interpreter"))->isEnabled());
  QVERIFY(get<QLabel>(*m_panel, "Notice")->isVisible());
  m_panel->setStale(false);
  QVERIFY(!get<QLabel>(*m_panel, "Notice")->isVisible());
}

void WitnessPanelTest::everythingHasAName() {
  QCOMPARE(fixture::unnamedWidgets(*m_panel), QStringList());
}

void WitnessPanelTest::evaluationIsFast() {
  QElapsedTimer clock;
  clock.start();
  for (uint32_t k = 0; k < 200; ++k)
    QVERIFY(m_panel->putValues("value of output 0", {0x3f800000 + k}));
  const double each = static_cast<double>(clock.nsecsElapsed()) / 200e6;
  qInfo("one edit: %.3f ms", each);
  QVERIFY(each < 16);
}

void WitnessPanelTest::pictures() {
  fixture::forEachLook([&](const QString& look) {
    m_panel->refreshAppearance();
    m_panel->resize(look.endsWith(QStringLiteral("200")) ? QSize(900, 900) : QSize(620, 620));
    QTest::qWait(20);
    fixture::screenshot(*m_panel, QStringLiteral("witness-") + look);
  });
}

QTEST_MAIN(WitnessPanelTest)
#include "witness_panel_test.moc"
