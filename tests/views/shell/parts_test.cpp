// Parts of the frame that need no window: matching of names, guessing of files, recent pairs, watching of
// files.
#include "views/shell/appearance.h"
#include "views/shell/file_watch.h"
#include "views/shell/fuzzy.h"
#include "views/shell/pair_guess.h"
#include "views/shell/recent_pairs.h"

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <cstdio>

using namespace plumbline;
using namespace plumbline::views;

namespace {

void write(const QString& file, const QByteArray& text) {
  QFile out(file);
  QVERIFY(out.open(QIODevice::WriteOnly));
  out.write(text);
}

double channel(double c) {
  return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
}
double luminance(const QColor& c) {
  return 0.2126 * channel(c.redF()) + 0.7152 * channel(c.greenF()) + 0.0722 * channel(c.blueF());
}
double contrast(const QColor& a, const QColor& b) {
  return (std::max(luminance(a), luminance(b)) + 0.05) / (std::min(luminance(a), luminance(b)) + 0.05);
}

} // namespace

class PartsTest : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void fuzzyMatching();
  void guesses_data();
  void guesses();
  void guessOfOneFileTakesTheOtherSide();
  void recentPairsComeBack();
  void brokenRecentPairsAreLeftOut();
  void watchSeesWritesAndRenames();
  void watchForgets();
  void palettesCanBeRead();
};

void PartsTest::fuzzyMatching() {
  QVERIFY(fuzzyScore(QStringLiteral("zin"), QStringLiteral("View: Zoom In")));
  QVERIFY(!fuzzyScore(QStringLiteral("nzi"), QStringLiteral("View: Zoom In")));
  QVERIFY(fuzzyScore(QString(), QStringLiteral("anything")));
  QVERIFY(!fuzzyScore(QStringLiteral("a"), QString()));
  // Starts of words beat letters in between.
  QVERIFY(*fuzzyScore(QStringLiteral("ca"), QStringLiteral("Check: Again")) >
          *fuzzyScore(QStringLiteral("ca"), QStringLiteral("View: Recast")));
  // Letters side by side beat scattered ones.
  QVERIFY(*fuzzyScore(QStringLiteral("oom"), QStringLiteral("xoom")) >
          *fuzzyScore(QStringLiteral("oom"), QStringLiteral("xoxoxm")));
}

void PartsTest::guesses_data() {
  QTest::addColumn<QByteArray>("first");
  QTest::addColumn<QByteArray>("firstText");
  QTest::addColumn<QByteArray>("second");
  QTest::addColumn<QByteArray>("secondText");
  QTest::addColumn<int>("model"); // 0 or 1; -1: it asks
  const QByteArray module("import torch.nn as nn\nclass Model(nn.Module):\n  pass\n");
  const QByteArray inlined(
      "load_inline(cuda_sources='__global__ void k() {}')\nclass ModelNew(nn.Module): pass\n");
  QTest::newRow("py, cu") << QByteArray("m.py") << module << QByteArray("k.cu") << QByteArray("") << 0;
  QTest::newRow("cu, json") << QByteArray("k.cu") << QByteArray("") << QByteArray("g.json")
                            << QByteArray("{}") << 1;
  QTest::newRow("two py") << QByteArray("a.py") << inlined << QByteArray("b.py") << module << 1;
  QTest::newRow("py of unknown content, cu")
      << QByteArray("a.py") << QByteArray("pass") << QByteArray("k.cu") << QByteArray("") << 0;
  QTest::newRow("two modules") << QByteArray("a.py") << module << QByteArray("b.py") << module << -1;
  QTest::newRow("two kernels") << QByteArray("a.cu") << QByteArray("") << QByteArray("b.cu") << QByteArray("")
                               << -1;
  QTest::newRow("a text") << QByteArray("a.txt") << QByteArray("") << QByteArray("b.cu") << QByteArray("")
                          << -1;
}

void PartsTest::guesses() {
  QFETCH(QByteArray, first);
  QFETCH(QByteArray, firstText);
  QFETCH(QByteArray, second);
  QFETCH(QByteArray, secondText);
  QFETCH(int, model);
  const QTemporaryDir folder;
  const QStringList files{folder.filePath(QString::fromUtf8(first)),
                          folder.filePath(QString::fromUtf8(second))};
  write(files[0], firstText);
  write(files[1], secondText);
  const PairGuess guess = guessPair(files, {}, {});
  QCOMPARE(guess.question.isEmpty(), model >= 0);
  if (model >= 0) {
    QCOMPARE(guess.model, files[model]);
    QCOMPARE(guess.kernel, files[1 - model]);
  }
}

void PartsTest::guessOfOneFileTakesTheOtherSide() {
  const QString kernel = QStringLiteral("new.cu");
  PairGuess guess = guessPair({kernel}, QStringLiteral("m.py"), QStringLiteral("old.cu"));
  QCOMPARE(guess.model, QStringLiteral("m.py"));
  QCOMPARE(guess.kernel, kernel);
  QVERIFY(guess.question.isEmpty());
  guess = guessPair({kernel}, {}, {});
  QCOMPARE(guess.kernel, kernel);
  QVERIFY(!guess.question.isEmpty());
}

void PartsTest::recentPairsComeBack() {
  RecentPairs recent;
  workbench::Request a;
  a.model = "/x/m.py";
  a.kernel = "/x/k \"q\".cu";
  a.readings = {"ieee", "real"};
  a.assume = {"s0 % 4 == 0"};
  a.mode = "eval";
  a.kernelName = "k2";
  a.launchFile = "l.json";
  workbench::Request b = a;
  b.kernel = "/x/other.cu";
  recent.add(a);
  recent.add(b);
  recent.add(a);
  const RecentPairs back = RecentPairs::fromText(recent.toText());
  QCOMPARE(back.all().size(), size_t{2});
  QVERIFY(back.all()[0] == a);
  QVERIFY(back.all()[1] == b);
}

void PartsTest::brokenRecentPairsAreLeftOut() {
  QVERIFY(RecentPairs::fromText("nonsense").all().empty());
  QVERIFY(RecentPairs::fromText("[{\"model\": 3}, null, 7]").all().empty());
  RecentPairs recent;
  workbench::Request request;
  request.model = "m";
  for (int k = 0; k < 40; ++k) {
    request.kernel = std::to_string(k);
    recent.add(request);
  }
  QCOMPARE(recent.all().size(), RecentPairs::limit);
  QCOMPARE(recent.all()[0].kernel, std::string("39"));
}

void PartsTest::watchSeesWritesAndRenames() {
  const QTemporaryDir folder;
  const QString file = folder.filePath(QStringLiteral("k.cu"));
  write(file, "one");
  FileWatch watch;
  QSignalSpy changed(&watch, &FileWatch::changed);
  QSignalSpy settled(&watch, &FileWatch::settled);
  watch.watch({file});
  QVERIFY(!watch.look());
  write(file, "two!");
  QTRY_COMPARE(settled.count(), 1);
  QVERIFY(changed.count() >= 1);
  // As many editors save: a new file is renamed onto the old one. Twice, since the second one is what is
  // missed easily.
  for (int round = 2; round <= 3; ++round) {
    changed.clear();
    const QString fresh = folder.filePath(QStringLiteral("k.cu.new"));
    write(fresh, QByteArray("round ") + QByteArray::number(round));
    QVERIFY(std::rename(qPrintable(fresh), qPrintable(file)) == 0);
    QTRY_COMPARE(settled.count(), round);
    QVERIFY(changed.count() >= 1);
  }
  changed.clear();
  QVERIFY(QFile::remove(file));
  QTRY_COMPARE(settled.count(), 4);
  write(file, "again");
  QTRY_COMPARE(settled.count(), 5);
}

void PartsTest::watchForgets() {
  const QTemporaryDir folder;
  const QString file = folder.filePath(QStringLiteral("k.cu"));
  write(file, "one");
  FileWatch watch;
  watch.watch({file});
  watch.watch({});
  QSignalSpy changed(&watch, &FileWatch::changed);
  write(file, "other");
  QTest::qWait(FileWatch::debounceMs);
  QCOMPARE(changed.count(), 0);
}

void PartsTest::palettesCanBeRead() {
  for (const QPalette& palette : {lightPalette(), darkPalette()})
    for (const auto& [text, paper] :
         {std::pair(QPalette::WindowText, QPalette::Window), std::pair(QPalette::Text, QPalette::Base),
          std::pair(QPalette::Text, QPalette::AlternateBase),
          std::pair(QPalette::ButtonText, QPalette::Button),
          std::pair(QPalette::HighlightedText, QPalette::Highlight),
          std::pair(QPalette::Link, QPalette::Window),
          std::pair(QPalette::ToolTipText, QPalette::ToolTipBase),
          std::pair(QPalette::PlaceholderText, QPalette::Base)}) {
      const double ratio = contrast(palette.color(text), palette.color(paper));
      QVERIFY2(ratio >= 4.5,
               qPrintable(QStringLiteral("%1 on %2: %3").arg(int{text}).arg(int{paper}).arg(ratio)));
    }
}

QTEST_MAIN(PartsTest)
#include "parts_test.moc"
