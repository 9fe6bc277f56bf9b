// The frame of the window with a session that the test answers for: pages, verdict and its currency, palette,
// layout, files dropped on it.
#include "tests/views/support/fake_session.h"
#include "tests/views/support/sample_snapshot.h"
#include "views/editor/code_editor.h"
#include "views/editor/cuda_panel.h"
#include "views/editor/editor_look.h"
#include "views/editor/method_panel.h"
#include "views/shell/command_palette.h"
#include "views/shell/main_window.h"
#include "views/shell/open_page.h"
#include "views/shell/story_list.h"
#include "views/shell/verdict_banner.h"
#include "views/style/style.h"

#include <QAction>
#include <QApplication>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QFile>
#include <QLineEdit>
#include <QListWidget>
#include <QMessageBox>
#include <QMimeData>
#include <QPushButton>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

using namespace plumbline;
using namespace plumbline::views;
using namespace plumbline::workbench;

namespace {

void write(const QString& file, const QByteArray& text) {
  QFile out(file);
  QVERIFY(out.open(QIODevice::WriteOnly));
  out.write(text);
}

void drop(QWidget& window, const QStringList& files) {
  QMimeData data;
  QList<QUrl> urls;
  for (const QString& file : files)
    urls << QUrl::fromLocalFile(file);
  data.setUrls(urls);
  QDragEnterEvent enter(QPoint(10, 10), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
  QApplication::sendEvent(&window, &enter);
  QDropEvent event(QPointF(10, 10), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
  QApplication::sendEvent(&window, &event);
}

} // namespace

class ShellTest : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void initTestCase();
  void init();
  void cleanup();
  void startPageOffersSamples();
  void verdictIsCurrentOnlyAfterItsCheck();
  void resultsOfOlderRequestsAreDropped();
  void aChangeOnDiskMarksTheVerdictAtOnce();
  void cancelIsAcknowledgedAtOnce();
  void busySignComesLate();
  void selectionReachesOtherPanels();
  void paletteFiltersAndRuns();
  void paletteListsEveryAction();
  void shortcutsAreUnique();
  void layoutComesBack();
  void brokenLayoutFallsBack();
  void themeAndZoom();
  void dropOfTwoFilesOpensThem();
  void unclearDropAsksInPlace();
  void openPageNamesWhatIsMissing();
  void missingFileLeadsToTheForm();
  void recentPairsAreRemembered();
  void everyWidgetHasAName();
  void closingStopsTheWork();

private:
  void makeWindow(QSettings* settings = nullptr);
  Request pair() const;
  QString file(const char* name) const { return m_folder->filePath(QString::fromUtf8(name)); }

  std::unique_ptr<QTemporaryDir> m_folder;
  std::unique_ptr<Appearance> m_appearance;
  std::unique_ptr<test::FakeSession> m_session;
  std::unique_ptr<MainWindow> m_window;
};

void ShellTest::initTestCase() {
  m_appearance = std::make_unique<Appearance>();
}

void ShellTest::init() {
  m_folder = std::make_unique<QTemporaryDir>();
  write(file("model.py"), "import torch.nn as nn\nclass Model(nn.Module): pass\n");
  write(file("kernel.cu"), "__global__ void k() {}\n");
  m_appearance->setTheme(Theme::Light);
  m_appearance->setZoom(100);
  m_session = std::make_unique<test::FakeSession>();
  makeWindow();
}

void ShellTest::cleanup() {
  for (QWidget* widget : QApplication::topLevelWidgets())
    QVERIFY2(qobject_cast<QMessageBox*>(widget) == nullptr, "no message boxes");
  m_window.reset();
  m_session.reset();
}

void ShellTest::makeWindow(QSettings* settings) {
  m_window.reset();
  m_window = std::make_unique<MainWindow>(*m_session, *m_appearance, settings);
  m_window->setPanel(PanelSlot::Cuda, new CudaPanel(m_window->panelContext()));
  m_window->setPanel(PanelSlot::Method, new MethodPanel(m_window->panelContext()));
  m_window->setSamples({{QStringLiteral("first"), file("model.py"), file("kernel.cu"),
                         QStringLiteral("Why first."), QStringLiteral("different")},
                        {QStringLiteral("second"), file("model.py"), file("kernel.cu"),
                         QStringLiteral("Why second."), QStringLiteral("equal")}});
  m_window->begin();
  m_window->show();
  QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
}

Request ShellTest::pair() const {
  Request request;
  request.model = file("model.py").toStdString();
  request.kernel = file("kernel.cu").toStdString();
  return request;
}

void ShellTest::startPageOffersSamples() {
  QVERIFY(m_window->page() == MainWindow::Page::Start);
  auto* list = m_window->startPage().findChild<StoryList*>();
  QVERIFY(list != nullptr);
  QCOMPARE(list->count(), 2);
  QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualItemRect(list->item(1)).center());
  QVERIFY(m_window->page() == MainWindow::Page::Work);
  QCOMPARE(m_session->requests.size(), size_t{1});
  QCOMPARE(m_session->requests[0].kernel, file("kernel.cu").toStdString());
  QCOMPARE(m_session->requests[0].readings, (std::vector<std::string>{"ieee", "real"}));
}

void ShellTest::verdictIsCurrentOnlyAfterItsCheck() {
  m_window->openPair(pair());
  QVERIFY(!m_window->banner().showsCurrentVerdict());
  m_session->give(test::reluSnapshot());
  QVERIFY(m_window->banner().showsCurrentVerdict());
  QVERIFY(m_window->banner().text().contains(QLatin1String("different: a NaN input separates them")));
  QVERIFY2(m_window->banner().text().startsWith(toneSymbol(Tone::Bad)), "a symbol besides the colour");
  m_window->actions().find(QStringLiteral("check-again"))->trigger();
  QVERIFY(!m_window->banner().showsCurrentVerdict());
  QVERIFY(m_window->banner().text().contains(QLatin1String("Before: different")));
  QVERIFY(m_window->banner().text().startsWith(toneSymbol(Tone::Neutral)));
  Snapshot undetermined = test::reluSnapshot();
  undetermined.headline = "undetermined: cancelled";
  undetermined.tone = Tone::Weak;
  undetermined.readings = {{"ieee", "undetermined", Tone::Weak, "", "cancelled", "check again"}};
  m_session->give(undetermined);
  QVERIFY(m_window->banner().showsCurrentVerdict());
  QVERIFY(!m_window->banner().text().contains(QLatin1String("different")));
}

void ShellTest::resultsOfOlderRequestsAreDropped() {
  m_window->openPair(pair());
  const quint64 older = m_session->last();
  m_window->desk().checkAgain();
  m_session->give(test::reluSnapshot(), older);
  QVERIFY(m_window->desk().snapshot() == nullptr);
  m_session->give(test::rejectedSnapshot());
  QCOMPARE(m_window->desk().snapshot()->revision, uint64_t{2});
  m_window->actions().find(QStringLiteral("file-close"))->trigger();
  m_session->give(test::reluSnapshot());
  QVERIFY(m_window->desk().snapshot() == nullptr);
  QVERIFY(m_window->page() == MainWindow::Page::Start);
}

void ShellTest::aChangeOnDiskMarksTheVerdictAtOnce() {
  m_window->openPair(pair());
  m_session->give(test::reluSnapshot());
  QVERIFY(m_window->desk().staleReason().isEmpty());
  write(file("kernel.cu"), "__global__ void k() { }\n");
  QTRY_VERIFY(!m_window->desk().staleReason().isEmpty());
  QCOMPARE(m_session->requests.size(), size_t{1}); // marked before the next check starts
  QVERIFY(!m_window->banner().showsCurrentVerdict());
  QVERIFY(m_window->banner().text().contains(QLatin1String("changed on disk: not checked yet")));
  QTRY_COMPARE(m_session->requests.size(), size_t{2});
  // The file changes again while the check runs: its result is of an older text.
  write(file("kernel.cu"), "__global__ void k() {  }\n");
  m_session->give(test::reluSnapshot());
  QVERIFY(!m_window->banner().showsCurrentVerdict());
  QTRY_COMPARE(m_session->requests.size(), size_t{3});
  m_session->give(test::reluSnapshot());
  QVERIFY(m_window->banner().showsCurrentVerdict());
}

void ShellTest::cancelIsAcknowledgedAtOnce() {
  m_window->openPair(pair());
  QAction* cancel = m_window->actions().find(QStringLiteral("check-cancel"));
  QVERIFY(cancel->isEnabled());
  QTRY_VERIFY(m_window->banner().showsTask());
  cancel->trigger();
  QCOMPARE(m_session->cancels, 1);
  QVERIFY(m_window->banner().text().contains(QLatin1String("cancelling")));
  m_session->give(test::rejectedSnapshot());
  QVERIFY(!cancel->isEnabled());
  QVERIFY(!m_window->banner().showsTask());
}

void ShellTest::busySignComesLate() {
  m_window->openPair(pair());
  QVERIFY2(!m_window->banner().showsTask(), "short checks do not flicker");
  QTRY_VERIFY_WITH_TIMEOUT(m_window->banner().showsTask(), 1000);
  QVERIFY(m_window->banner().text().contains(QLatin1String("Checking")));
  m_session->give(test::reluSnapshot());
  QVERIFY(!m_window->banner().showsTask());
}

void ShellTest::selectionReachesOtherPanels() {
  m_window->openPair(pair());
  m_session->give(test::reluSnapshot());
  auto* cuda = static_cast<CudaPanel*>(m_window->workspace().panel(PanelSlot::Cuda));
  auto* method = static_cast<MethodPanel*>(m_window->workspace().panel(PanelSlot::Method));
  const auto linked = [method](int line) {
    return (method->editor().markersAtLine(line - 1) >> LinkedMarker & 1U) != 0;
  };
  QTRY_VERIFY(method->editor().lines() > 5 && cuda->editor().lines() > 5); // panels follow one by one
  QVERIFY(!linked(5));
  cuda->editor().setFocus();
  for (int k = 0; k < 5; ++k)
    QTest::keyClick(&cuda->editor(), Qt::Key_Down);
  for (int k = 0; k < 12; ++k)
    QTest::keyClick(&cuda->editor(), Qt::Key_Right);
  QVERIFY(linked(5));
  QVERIFY(!linked(3));
}

void ShellTest::paletteFiltersAndRuns() {
  m_window->openPair(pair());
  m_session->give(test::reluSnapshot());
  m_window->actions().find(QStringLiteral("help-palette"))->trigger();
  auto* palette = m_window->findChild<CommandPalette*>();
  QVERIFY(palette->isVisible());
  auto* field = palette->findChild<QLineEdit*>();
  auto* list = palette->findChild<QListWidget*>();
  QTest::keyClicks(field, QStringLiteral("theme dark"));
  QVERIFY(list->count() >= 1);
  QVERIFY(list->item(0)->text().startsWith(QLatin1String("Theme: Dark")));
  QTest::keyClick(field, Qt::Key_Return);
  QVERIFY(!palette->isVisible());
  QVERIFY(isDark());
  m_window->actions().find(QStringLiteral("help-palette"))->trigger();
  QTest::keyClicks(field, QStringLiteral("zoom in"));
  QVERIFY2(list->item(0)->text().contains(QLatin1String("Ctrl++")), qPrintable(list->item(0)->text()));
  QTest::keyClick(field, Qt::Key_Escape);
  QVERIFY(!palette->isVisible());
}

void ShellTest::paletteListsEveryAction() {
  m_window->actions().find(QStringLiteral("help-palette"))->trigger();
  auto* list = m_window->findChild<CommandPalette*>()->findChild<QListWidget*>();
  QCOMPARE(list->count(), static_cast<int>(m_window->actions().entries().size()));
  for (const Actions::Entry& entry : m_window->actions().entries())
    QVERIFY2(!entry.category.isEmpty() && !plainText(entry.action->text()).isEmpty(), qPrintable(entry.id));
}

void ShellTest::shortcutsAreUnique() {
  QHash<QString, QString> windowKeys;
  QSet<QString> ids;
  for (const Actions::Entry& entry : m_window->actions().entries()) {
    QVERIFY2(!ids.contains(entry.id), qPrintable(entry.id));
    ids.insert(entry.id);
    if (entry.action->shortcutContext() != Qt::WindowShortcut)
      continue;
    for (const QKeySequence& key : entry.action->shortcuts()) {
      QVERIFY2(!windowKeys.contains(key.toString()), qPrintable(key.toString()));
      windowKeys.insert(key.toString(), entry.id);
    }
  }
  for (int k = 1; k <= panelSlotCount; ++k)
    QVERIFY(windowKeys.contains(QStringLiteral("Alt+%1").arg(k)));
}

void ShellTest::layoutComesBack() {
  QSettings settings(file("settings.ini"), QSettings::IniFormat);
  makeWindow(&settings);
  m_window->openPair(pair());
  m_window->workspace().dock(PanelSlot::Log)->close();
  m_window->workspace().dock(PanelSlot::Graph)->setFloating(true);
  m_window->close();
  makeWindow(&settings);
  m_window->openPair(pair());
  QVERIFY(m_window->workspace().dock(PanelSlot::Log)->isHidden());
  QVERIFY(m_window->workspace().dock(PanelSlot::Graph)->isFloating());
  QVERIFY(!m_window->workspace().dock(PanelSlot::Cuda)->isHidden());
  m_window->actions().find(QStringLiteral("view-reset-layout"))->trigger();
  QVERIFY(!m_window->workspace().dock(PanelSlot::Log)->isHidden());
  QVERIFY(!m_window->workspace().dock(PanelSlot::Graph)->isFloating());
}

void ShellTest::brokenLayoutFallsBack() {
  QSettings settings(file("settings.ini"), QSettings::IniFormat);
  settings.setValue(QStringLiteral("window/layout"), QByteArray("no layout at all"));
  settings.setValue(QStringLiteral("window/geometry"), QByteArray("neither"));
  settings.setValue(QStringLiteral("recent"), QByteArray("{"));
  makeWindow(&settings);
  m_window->openPair(pair());
  for (int k = 0; k < panelSlotCount; ++k)
    QVERIFY(!m_window->workspace().dock(static_cast<PanelSlot>(k))->isHidden());
  // A layout that shows nothing is none either.
  for (int k = 0; k < panelSlotCount; ++k)
    m_window->workspace().dock(static_cast<PanelSlot>(k))->close();
  const QByteArray nothing = m_window->workspace().saveLayout();
  QVERIFY(!m_window->workspace().restoreLayout(nothing));
  QVERIFY(!m_window->workspace().dock(PanelSlot::Cuda)->isHidden());
}

void ShellTest::themeAndZoom() {
  m_window->openPair(pair());
  m_session->give(test::reluSnapshot());
  auto* cuda = static_cast<CudaPanel*>(m_window->workspace().panel(PanelSlot::Cuda));
  const auto paper = [cuda] {
    return cuda->grab().toImage().pixelColor(cuda->width() - 30, cuda->height() - 30);
  };
  QTRY_VERIFY(cuda->editor().lines() > 5);
  QVERIFY(paper().lightness() > 200);
  m_window->actions().find(QStringLiteral("view-theme-dark"))->trigger();
  QVERIFY(paper().lightness() < 60);
  const int height = QFontMetrics(fixedFont()).height();
  for (int k = 0; k < 5; ++k)
    m_window->actions().find(QStringLiteral("view-zoom-in"))->trigger();
  QVERIFY(QFontMetrics(fixedFont()).height() > height);
  QVERIFY(cuda->editor().textHeight(0) > height);
  m_window->actions().find(QStringLiteral("view-zoom-reset"))->trigger();
  QCOMPARE(QFontMetrics(fixedFont()).height(), height);
}

void ShellTest::dropOfTwoFilesOpensThem() {
  drop(*m_window, {file("kernel.cu"), file("model.py")});
  QCOMPARE(m_session->requests.size(), size_t{1});
  QCOMPARE(m_session->requests[0].model, file("model.py").toStdString());
  QCOMPARE(m_session->requests[0].kernel, file("kernel.cu").toStdString());
  write(file("other.cu"), "__global__ void other() {}\n");
  drop(*m_window, {file("other.cu")}); // with a pair open, one file replaces its side
  QCOMPARE(m_session->requests.size(), size_t{2});
  QCOMPARE(m_session->requests[1].model, file("model.py").toStdString());
  QCOMPARE(m_session->requests[1].kernel, file("other.cu").toStdString());
}

void ShellTest::unclearDropAsksInPlace() {
  write(file("second.py"), "import torch.nn as nn\nclass Model(nn.Module): pass\n");
  drop(*m_window, {file("model.py"), file("second.py")});
  QVERIFY(m_session->requests.empty());
  QVERIFY(m_window->page() == MainWindow::Page::Open);
  QCOMPARE(m_window->openPage().request().model, file("model.py").toStdString());
  QCOMPARE(m_window->openPage().request().kernel, file("second.py").toStdString());
  QTest::keyClick(&m_window->openPage(), Qt::Key_Escape);
  QVERIFY(m_window->page() == MainWindow::Page::Start);
}

void ShellTest::openPageNamesWhatIsMissing() {
  m_window->actions().find(QStringLiteral("file-open"))->trigger();
  OpenPage& form = m_window->openPage();
  QVERIFY(m_window->page() == MainWindow::Page::Open);
  Request request = pair();
  request.kernel = file("nowhere.cu").toStdString();
  QVERIFY(problemOf(request).contains(QLatin1String("nowhere.cu")));
  form.setRequest(request, {});
  request = pair();
  request.readings = {"real"};
  request.assume = {"s0 % 4 == 0", "s0 < 100"};
  request.mode = "eval";
  request.kernelName = "k";
  QVERIFY(problemOf(request).isEmpty());
  form.setRequest(request, {});
  QVERIFY(form.request() == request);
  request.readings.clear();
  QVERIFY(!problemOf(request).isEmpty());
  request.readings = {"ieee"};
  request.launchFile = "nowhere.json";
  QVERIFY(problemOf(request).contains(QLatin1String("nowhere.json")));
}

void ShellTest::missingFileLeadsToTheForm() {
  Request request = pair();
  request.model = file("gone.py").toStdString();
  m_window->openPair(request);
  QVERIFY(m_session->requests.empty());
  QVERIFY(m_window->page() == MainWindow::Page::Open);
}

void ShellTest::recentPairsAreRemembered() {
  QSettings settings(file("settings.ini"), QSettings::IniFormat);
  makeWindow(&settings);
  m_window->openPair(pair());
  m_window->close();
  makeWindow(&settings);
  const auto lists = m_window->startPage().findChildren<StoryList*>();
  QCOMPARE(lists.size(), 2);
  QCOMPARE(lists[1]->count() + lists[0]->count(), 3);
}

void ShellTest::everyWidgetHasAName() {
  m_window->openPair(pair());
  m_session->give(test::rejectedSnapshot());
  for (const QWidget* widget : m_window->findChildren<QWidget*>()) {
    const QByteArray kind(widget->metaObject()->className());
    const bool named = qobject_cast<const QLineEdit*>(widget) || qobject_cast<const QListWidget*>(widget) ||
                       qobject_cast<const CodeEditor*>(widget);
    if (named)
      QVERIFY2(!widget->accessibleName().isEmpty(), kind + " without an accessible name");
    if (const auto* button = qobject_cast<const QAbstractButton*>(widget);
        button != nullptr && qobject_cast<const QDockWidget*>(widget->parentWidget()) == nullptr &&
        !kind.startsWith("QLineEdit") && widget->objectName() != QLatin1String("qt_menubar_ext_button") &&
        !kind.contains("Scroll"))
      QVERIFY2(!button->text().isEmpty() || !button->accessibleName().isEmpty(), kind + " without a name");
  }
}

void ShellTest::closingStopsTheWork() {
  m_window->openPair(pair());
  m_window->close();
  QVERIFY(m_session->cancels >= 1);
}

QTEST_MAIN(ShellTest)
#include "shell_test.moc"
