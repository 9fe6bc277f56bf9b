// The safety panel: what the gate said, its findings, and the picture of who touches what.

#include "tests/views/fixture/fixture.h"
#include "views/safety/access_picture.h"
#include "views/safety/safety_panel.h"
#include "views/style/empty_state.h"

#include <QLabel>
#include <QListWidget>
#include <QSignalSpy>
#include <QTest>

using namespace plumbline;
using views::SafetyPanel;

namespace {

SourceRange line(int number) {
  SourceRange range;
  range.file = "kernel.cu";
  range.line = range.endLine = number;
  range.column = 3;
  range.endColumn = 9;
  return range;
}

/// Thread 0 reads s[255], which thread 255 writes with no barrier between; s has 256 elements.
workbench::FindingView race() {
  workbench::FindingView finding;
  finding.kind = "race-block";
  finding.message = "two threads of one block touch s[255] and one writes it";
  finding.sizes = "n = 256";
  finding.threads = {"thread 0", "thread 255"};
  finding.spans = {line(4), line(3)};
  finding.array = "s";
  finding.element = 255;
  finding.length = 256;
  finding.touches = {{"thread 0", 255, workbench::TouchKind::Read, line(4)},
                     {"thread 255", 255, workbench::TouchKind::Write, line(3)},
                     {"thread 254", 254, workbench::TouchKind::Write, line(3)},
                     {"thread 254", 254, workbench::TouchKind::Read, line(4)}};
  return finding;
}

workbench::SnapshotPtr refused(std::vector<workbench::FindingView> findings) {
  auto made = std::make_shared<workbench::Snapshot>();
  made->cuda.file = "kernel.cu";
  made->cuda.text = "1\n2\n3\n4\n";
  made->safety.status = "refused";
  made->safety.obligations = 9;
  made->safety.proved = 7;
  made->safety.findings = std::move(findings);
  return made;
}

} // namespace

class SafetyPanelTest : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void init() {
    m_host = std::make_unique<fixture::Host>();
    m_panel = std::make_unique<SafetyPanel>(m_host->context);
    m_panel->resize(620, 520);
    m_panel->show();
  }
  void cleanup() {
    m_panel.reset();
    m_host.reset();
  }

  void saysWhyThereIsNothing() {
    const auto* pages = m_panel->findChild<views::EmptyState*>();
    QVERIFY(!pages->showsContent());
    QCOMPARE(pages->text(), m_panel->emptyText());
    m_panel->setSnapshot(std::make_shared<workbench::Snapshot>());
    QVERIFY(!pages->showsContent());
    QVERIFY(pages->text().contains(QLatin1String("could not be read")));
  }

  void pictureHasWhoTouchesWhat() {
    m_panel->setSnapshot(refused({race()}));
    const views::AccessPicture& picture = m_panel->picture();
    QCOMPARE(picture.rows(), (QStringList{QStringLiteral("thread 0"), QStringLiteral("thread 255"),
                                          QStringLiteral("thread 254")}));
    QCOMPARE(picture.cellText(0, 255), QStringLiteral("R"));
    QCOMPARE(picture.cellText(1, 255), QStringLiteral("W"));
    QCOMPARE(picture.cellText(2, 254), QStringLiteral("RW"));
    QCOMPARE(picture.cellText(0, 254), QString());
    // Two neighbours before; behind the array's end one column that says so.
    QVERIFY(picture.columns() == (std::vector<int64_t>{253, 254, 255, 256}));
    QVERIFY(picture.accessibleDescription().contains(QLatin1String("thread 255: W of s[255]")));
    QVERIFY(picture.sizeHint().width() > 100);
  }

  void selectingTellsTheLine() {
    workbench::FindingView other;
    other.kind = "out-of-bounds";
    other.message = "x[9] is outside its 9 elements";
    other.spans = {line(2)};
    m_panel->setSnapshot(refused({race(), other}));
    QSignalSpy selected(m_panel.get(), &views::Panel::selected);
    m_panel->list().setFocus();
    QTest::keyClick(&m_panel->list(), Qt::Key_Down);
    QCOMPARE(selected.count(), 1);
    QVERIFY(selected[0][0].value<workbench::Anchor>().range == line(2));
    QVERIFY(m_panel->picture().isEmpty());
    QVERIFY(!m_panel->picture().isVisible());
    QTest::keyClick(&m_panel->list(), Qt::Key_Up);
    QVERIFY(!m_panel->picture().isEmpty());
    // A click on the read of thread 0 goes to line 4.
    auto* picture = m_panel->findChild<views::AccessPicture*>();
    const QSize size = picture->sizeHint();
    const int rowHeight = (size.height() - 1) / 4;
    QTest::mouseClick(picture, Qt::LeftButton, {},
                      QPoint(size.width() - 1 - (size.width() - 1) / 3, rowHeight + rowHeight / 2));
    for (int x = size.width() - 2; selected.count() < 3 && x > 0; x -= 5)
      QTest::mouseClick(picture, Qt::LeftButton, {}, QPoint(x, rowHeight + rowHeight / 2));
    QVERIFY(selected.last()[0].value<workbench::Anchor>().range == line(4));
  }

  void acceptedSaysHowMuchIsProved() {
    auto made = std::make_shared<workbench::Snapshot>();
    made->safety.status = "accepted";
    made->safety.obligations = made->safety.proved = 12;
    m_panel->setSnapshot(made);
    bool said = false;
    for (const QLabel* label : m_panel->findChildren<QLabel*>())
      said |= label->text().contains(QLatin1String("accepted - 12 of 12"));
    QVERIFY(said);
    QVERIFY(!m_panel->list().isVisible());
  }

  void everythingHasAName() {
    m_panel->setSnapshot(refused({race()}));
    for (const QWidget* widget : {static_cast<QWidget*>(&m_panel->list()),
                                  static_cast<QWidget*>(m_panel->findChild<views::AccessPicture*>())})
      QVERIFY(!widget->accessibleName().isEmpty());
  }

private:
  std::unique_ptr<fixture::Host> m_host;
  std::unique_ptr<SafetyPanel> m_panel;
};

QTEST_MAIN(SafetyPanelTest)
#include "safety_panel_test.moc"
