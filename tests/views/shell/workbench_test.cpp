// The whole window with the real engines: every sample, a change on disk, cancel, closing in the middle of a
// sweep.
#include "app/workbench/arguments.h"
#include "app/workbench/jobs.h"
#include "app/workbench/panels.h"
#include "core/workbench/project.h"
#include "lean-bridge/client/proof_document.h"
#include "views/shell/main_window.h"
#include "views/shell/verdict_banner.h"

#include <QAction>
#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QFileDialog>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>

using namespace plumbline;
using namespace plumbline::views;

namespace {

constexpr int checkLimitMs = 60'000;

/// Processes whose parent is this one.
int childCount() {
  int count = 0;
  for (const QString& entry : QDir(QStringLiteral("/proc")).entryList(QDir::Dirs)) {
    QFile stat(QStringLiteral("/proc/%1/stat").arg(entry));
    if (!entry[0].isDigit() || !stat.open(QIODevice::ReadOnly))
      continue;
    const QByteArray line = stat.readAll();
    const QList<QByteArray> fields = line.mid(line.lastIndexOf(')') + 2).split(' ');
    if (fields.size() > 1 && fields[1].toLongLong() == QCoreApplication::applicationPid())
      ++count;
  }
  return count;
}

/// The window as the program builds it.
struct Program {
  explicit Program(Appearance& appearance) : window(jobs, appearance, nullptr) {
    app::fillWindow(window);
    window.begin();
    window.show();
  }
  app::Jobs jobs;
  MainWindow window;
};

workbench::Request requestOf(const workbench::Sample& sample) {
  workbench::Request request;
  request.model = sample.model;
  request.kernel = sample.kernel;
  return request;
}

} // namespace

class WorkbenchTest : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void initTestCase();
  void everySample_data();
  void everySample();
  void changeOnDiskIsCheckedAgain();
  void cancelEndsASweep();
  void closingDuringASweepIsQuick();
  void leanProjectIsChosenInTheWindow();
  void serversAreRestarted();
  void commandLine();

private:
  static const workbench::Sample& sample(const std::string& name);
  std::unique_ptr<Appearance> m_appearance;
  std::unique_ptr<Program> m_program; ///< one for all samples: its children stay warm
};

void WorkbenchTest::initTestCase() {
  qputenv("PLUMBLINE_SAMPLES", PLUMBLINE_SOURCE_DIR "/resources/samples");
  m_appearance = std::make_unique<Appearance>();
  QVERIFY(workbench::bundledSamples().size() > 10);
}

const workbench::Sample& WorkbenchTest::sample(const std::string& name) {
  static const std::vector<workbench::Sample> all = workbench::bundledSamples();
  return *std::find_if(all.begin(), all.end(), [&](const workbench::Sample& s) { return s.name == name; });
}

void WorkbenchTest::everySample_data() {
  QTest::addColumn<QString>("name");
  for (const workbench::Sample& each : workbench::bundledSamples())
    QTest::newRow(each.name.c_str()) << QString::fromStdString(each.name);
}

void WorkbenchTest::everySample() {
  QFETCH(QString, name);
  const workbench::Sample& each = sample(name.toStdString());
  if (!m_program)
    m_program = std::make_unique<Program>(*m_appearance);
  m_program->window.openPair(requestOf(each));
  QTRY_VERIFY_WITH_TIMEOUT(m_program->window.desk().wasChecked(), checkLimitMs);
  const workbench::Snapshot& snapshot = *m_program->window.desk().snapshot();
  QVERIFY(!snapshot.readings.empty());
  // What it is equal modulo of follows the word.
  const QString relation = QString::fromStdString(snapshot.readings[0].relation);
  QCOMPARE(relation.section(QLatin1Char(' '), 0, 0), QString::fromStdString(each.relation));
  QVERIFY(m_program->window.banner().showsCurrentVerdict());
  QVERIFY(!snapshot.cuda.text.empty());
  if (snapshot.error)
    QVERIFY2(!snapshot.marks.empty(), "what is rejected is marked at its line");
}

void WorkbenchTest::changeOnDiskIsCheckedAgain() {
  const QTemporaryDir folder;
  workbench::Request request = requestOf(sample("relu-guard"));
  const QString kernel = folder.filePath(QStringLiteral("kernel.cu"));
  QVERIFY(QFile::copy(QString::fromStdString(request.kernel), kernel));
  request.kernel = kernel.toStdString();
  m_program->window.openPair(request);
  Desk& desk = m_program->window.desk();
  QTRY_VERIFY_WITH_TIMEOUT(desk.wasChecked(), checkLimitMs);
  QCOMPARE(desk.snapshot()->readings[0].relation, std::string("different"));
  const uint64_t before = desk.snapshot()->revision;
  // The kernel of the sample that is equal, saved by a rename.
  const QString fresh = folder.filePath(QStringLiteral("kernel.cu.new"));
  QVERIFY(QFile::copy(QString::fromStdString(sample("relu-keeps-nan").kernel), fresh));
  QVERIFY(std::rename(qPrintable(fresh), qPrintable(kernel)) == 0);
  QTRY_VERIFY(!desk.staleReason().isEmpty());
  QVERIFY(!m_program->window.banner().showsCurrentVerdict());
  QTRY_VERIFY_WITH_TIMEOUT(desk.staleReason().isEmpty(), checkLimitMs);
  QVERIFY(desk.snapshot()->revision > before);
  QCOMPARE(desk.snapshot()->readings[0].relation, std::string("equal"));
  m_program.reset();
}

void WorkbenchTest::cancelEndsASweep() {
  Program program(*m_appearance);
  program.window.openPair(requestOf(sample("one-bit-square")));
  QTest::qWait(300);
  if (program.window.desk().wasChecked())
    QSKIP("this machine is too fast to be interrupted");
  QElapsedTimer timer;
  timer.start();
  program.window.desk().cancel();
  QTRY_VERIFY_WITH_TIMEOUT(program.window.desk().wasChecked(), 5000);
  const auto elapsed = timer.elapsed();
  QVERIFY2(elapsed < 1000, qPrintable(QStringLiteral("%1 ms").arg(elapsed)));
  const workbench::Snapshot& snapshot = *program.window.desk().snapshot();
  for (const workbench::ReadingView& reading : snapshot.readings)
    QCOMPARE(reading.relation, std::string("undetermined"));
  QVERIFY(snapshot.tone != workbench::Tone::Good && snapshot.tone != workbench::Tone::Bad);
  const QString shown = program.window.banner().text();
  QVERIFY2(shown.contains(QLatin1String("cancel"), Qt::CaseInsensitive), qPrintable(shown));
}

void WorkbenchTest::closingDuringASweepIsQuick() {
  const int before = childCount();
  QElapsedTimer timer;
  {
    Program program(*m_appearance);
    program.window.openPair(requestOf(sample("one-bit-square")));
    QTest::qWait(300);
    QVERIFY(childCount() > before);
    timer.start();
    program.window.close();
  }
  const auto elapsed = timer.elapsed();
  QVERIFY2(elapsed < 1000, qPrintable(QStringLiteral("%1 ms").arg(elapsed)));
  QCOMPARE(childCount(), before);
}

void WorkbenchTest::leanProjectIsChosenInTheWindow() {
  // A machine with a lake, which is never started here: nothing is open.
  const QTemporaryDir folder;
  const auto write = [&folder](const char* name, const char* text) {
    QFile file(folder.filePath(QLatin1String(name)));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(text) > 0);
    file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
  };
  write("lake", "#!/bin/sh\nexit 1\n");
  write("lean-toolchain", "leanprover/lean4:v4.34.0\n");
  write("lakefile.toml", "name = \"project\"\n");
  const QByteArray path = qgetenv("PATH");
  const QByteArray project = qgetenv("PLUMBLINE_LEAN_PROJECT");
  qputenv("PATH", QFile::encodeName(folder.path()) + ':' + path);
  qunsetenv("PLUMBLINE_LEAN_PROJECT");
  QSettings settings(folder.filePath(QStringLiteral("settings.ini")), QSettings::IniFormat);
  app::Jobs jobs;
  MainWindow window(jobs, *m_appearance, &settings);
  app::fillWindow(window, &settings);
  window.begin();
  window.show();
  const auto remark = [&window] { return window.journal().entries().back().text; };
  window.actions().find(QStringLiteral("servers-lean-project"))->trigger();
  auto* dialog = window.findChild<QFileDialog*>(QStringLiteral("lean-project-dialog"));
  QVERIFY(dialog);
  Q_EMIT dialog->fileSelected(folder.path());
  dialog->close();
  QCOMPARE(remark(), QStringLiteral("Lean: stopped")); // found, started with the first document
  QCOMPARE(settings.value(QStringLiteral("lean/project")).toString(), folder.path());
  window.actions().find(QStringLiteral("servers-forget-lean-project"))->trigger();
  QVERIFY2(remark().contains(QLatin1String("no project")), qPrintable(remark()));
  QVERIFY(!settings.contains(QStringLiteral("lean/project")));
  qputenv("PATH", path);
  if (!project.isNull())
    qputenv("PLUMBLINE_LEAN_PROJECT", project);
}

void WorkbenchTest::serversAreRestarted() {
  Program program(*m_appearance);
  program.window.openPair(requestOf(sample("relu-guard")));
  QTRY_VERIFY_WITH_TIMEOUT(program.window.desk().wasChecked(), checkLimitMs);
  auto* proof = program.window.findChild<lsp::ProofDocument*>();
  QVERIFY(proof && proof->plumbline().client);
  const lsp::LanguageClient& client = *proof->plumbline().client;
  QTRY_VERIFY(proof->isOpen() && client.state() == lsp::LanguageClient::State::Running);
  const qint64 pid = client.processId();
  const std::string text = proof->text();
  program.window.actions().find(QStringLiteral("servers-restart"))->trigger();
  QTRY_VERIFY(client.state() == lsp::LanguageClient::State::Running && client.processId() != pid);
  QCOMPARE(proof->text(), text);
  QVERIFY(client.document(proof->uri()));
}

void WorkbenchTest::commandLine() {
  const auto parse = [](const QStringList& words) { return app::parseArguments(words); };
  QVERIFY(parse({}) && !parse({})->request);
  const auto full = parse({QStringLiteral("m.py"), QStringLiteral("k.cu"), QStringLiteral("--reading"),
                           QStringLiteral("real"), QStringLiteral("--assume"), QStringLiteral("s0 > 3"),
                           QStringLiteral("--theme"), QStringLiteral("dark"), QStringLiteral("--scale"),
                           QStringLiteral("150"), QStringLiteral("--screenshot"), QStringLiteral("a.png")});
  QVERIFY(full.has_value());
  const workbench::Request request = full->request.value_or(workbench::Request{});
  QCOMPARE(request.model, std::string("m.py"));
  QCOMPARE(request.readings, (std::vector<std::string>{"real"}));
  QCOMPARE(request.assume, (std::vector<std::string>{"s0 > 3"}));
  QVERIFY(full->theme == Theme::Dark);
  QCOMPARE(full->scale.value_or(0), 150);
  const auto named = parse({QStringLiteral("relu-guard")});
  QVERIFY(named.has_value());
  QCOMPARE(named->request.value_or(workbench::Request{}).kernel, sample("relu-guard").kernel);
  for (const QStringList& wrong : {QStringList{QStringLiteral("no-such-sample")},
                                   QStringList{QStringLiteral("--reading"), QStringLiteral("x")},
                                   QStringList{QStringLiteral("--scale"), QStringLiteral("5")},
                                   QStringList{QStringLiteral("--screenshot")},
                                   QStringList{QStringLiteral("a"), QStringLiteral("b"), QStringLiteral("c")},
                                   QStringList{QStringLiteral("--nonsense")},
                                   QStringList{QStringLiteral("--reading"), QStringLiteral("real")}}) {
    const auto result = parse(wrong);
    QVERIFY2(!result, qPrintable(wrong.join(u' ')));
    QVERIFY(result.error().kind == ErrorKind::Usage);
  }
}

QTEST_MAIN(WorkbenchTest)
#include "workbench_test.moc"
