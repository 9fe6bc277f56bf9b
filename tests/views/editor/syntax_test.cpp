// The definitions that we bring along: each loads without a warning and knows its language's words, and every
// colour can be read on every background it appears on.
#include "views/editor/code_editor.h"
#include "views/editor/syntax.h"
#include "views/style/style.h"

#include <KSyntaxHighlighting/AbstractHighlighter>
#include <KSyntaxHighlighting/State>
#include <QApplication>
#include <QTest>

#include <cmath>

using namespace plumbline::views;
using Style = KSyntaxHighlighting::Theme::TextStyle;

Q_DECLARE_METATYPE(Language)

namespace {

/// Text styles of the words of a text.
class Words : public KSyntaxHighlighting::AbstractHighlighter {
public:
  explicit Words(Language language) { setDefinition(definitionOf(language)); }
  QList<std::pair<QString, Style>> of(const QString& text) {
    m_result.clear();
    KSyntaxHighlighting::State state;
    for (const QString& line : text.split(QLatin1Char('\n'))) {
      m_line = line;
      state = highlightLine(line, state);
    }
    return m_result;
  }

private:
  void applyFormat(int offset, int length, const KSyntaxHighlighting::Format& format) override {
    const QString word = m_line.mid(offset, length).trimmed();
    if (!word.isEmpty())
      m_result.emplace_back(word, format.textStyle());
  }
  QString m_line;
  QList<std::pair<QString, Style>> m_result;
};

QStringList& warnings() {
  static QStringList list;
  return list;
}
void collect(QtMsgType type, const QMessageLogContext&, const QString& message) {
  if (type != QtDebugMsg && type != QtInfoMsg)
    warnings() << message;
}

/// WCAG 2 relative luminance and contrast.
double channel(double c) {
  return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
}
double luminance(const QColor& c) {
  return 0.2126 * channel(c.redF()) + 0.7152 * channel(c.greenF()) + 0.0722 * channel(c.blueF());
}
double contrast(const QColor& a, const QColor& b) {
  const double high = std::max(luminance(a), luminance(b));
  const double low = std::min(luminance(a), luminance(b));
  return (high + 0.05) / (low + 0.05);
}

} // namespace

class SyntaxTest : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void loadsWithoutWarnings_data();
  void loadsWithoutWarnings();
  void knowsWords_data();
  void knowsWords();
  void nestedCommentsEndWhereLeanEndsThem();
  void coloursCanBeRead_data();
  void coloursCanBeRead();
};

void SyntaxTest::loadsWithoutWarnings_data() {
  QTest::addColumn<Language>("language");
  QTest::newRow("CUDA") << Language::Cuda;
  QTest::newRow("Lean and Velvet") << Language::Velvet;
  QTest::newRow("SMT-LIB") << Language::SmtLib;
  QTest::newRow("PTX") << Language::Ptx;
}

void SyntaxTest::loadsWithoutWarnings() {
  QFETCH(Language, language);
  warnings().clear();
  const QtMessageHandler before = qInstallMessageHandler(collect);
  const KSyntaxHighlighting::Definition definition = definitionOf(language);
  const bool valid = definition.isValid() && !definition.formats().isEmpty();
  Words(language).of(QStringLiteral("x"));
  qInstallMessageHandler(before);
  QVERIFY(valid);
  QVERIFY2(definition.filePath().contains(QLatin1String("syntax-addons")), qPrintable(definition.filePath()));
  QCOMPARE(warnings(), QStringList());
}

void SyntaxTest::knowsWords_data() {
  QTest::addColumn<Language>("language");
  QTest::addColumn<QString>("text");
  QTest::addColumn<QString>("word");
  QTest::addColumn<int>("style");
  const auto row = [](const char* name, Language language, const char* text, const char* word, Style style) {
    QTest::newRow(name) << language << QString::fromUtf8(text) << QString::fromUtf8(word) << int{style};
  };
  row("global", Language::Cuda, "__global__ void k(int n) {", "__global__", Style::Attribute);
  row("void", Language::Cuda, "__global__ void k(int n) {", "void", Style::DataType);
  row("threadIdx", Language::Cuda, "int i = threadIdx.x;", "threadIdx", Style::Extension);
  row("barrier", Language::Cuda, "__syncthreads();", "__syncthreads", Style::ControlFlow);
  row("if", Language::Cuda, "if (i < n) return;", "if", Style::ControlFlow);
  row("C comment", Language::Cuda, "int i; // here", "// here", Style::Comment);
  row("method", Language::Velvet, "method f (n : Nat) returns (y : Nat)", "method", Style::Keyword);
  row("invariant", Language::Velvet, "  invariant a: (x ≤ n)", "invariant", Style::Keyword);
  row("while", Language::Velvet, "  while i < n", "while", Style::ControlFlow);
  row("Float32", Language::Velvet, "(x : Array Float32)", "Float32", Style::DataType);
  row("hex", Language::Velvet, "Float32.ofBits 0x7fc00000", "0x7fc00000", Style::BaseN);
  row("Lean comment", Language::Velvet, "let x := 1 -- why", "-- why", Style::Comment);
  row("sorry", Language::Velvet, "  sorry", "sorry", Style::Alert);
  row("quantifier", Language::Velvet, "∀ k : Nat, k < n", "∀", Style::Operator);
  row("attribute", Language::Velvet, "@[grind] theorem t : True", "@[grind]", Style::Attribute);
  row("declare", Language::SmtLib, "(declare-const x Float32)", "declare-const", Style::Keyword);
  row("sort", Language::SmtLib, "(declare-const x Float32)", "Float32", Style::DataType);
  row("check", Language::SmtLib, "(check-sat)", "check-sat", Style::Keyword);
  row("fp.add", Language::SmtLib, "(fp.add RNE x y)", "fp.add", Style::BuiltIn);
  row("bits", Language::SmtLib, "(_ bv3 32) #x7fc00000", "#x7fc00000", Style::BaseN);
  row("symbol with a command inside", Language::SmtLib, "(my-assert x)", "my-assert", Style::Normal);
  row("SMT comment", Language::SmtLib, "; query", "; query", Style::Comment);
  row("entry", Language::Ptx, ".visible .entry relu(", ".entry", Style::Keyword);
  row("type", Language::Ptx, "add.f32 %f1, %f2, %f3;", ".f32", Style::DataType);
  row("instruction", Language::Ptx, "add.f32 %f1, %f2, %f3;", "add", Style::BuiltIn);
  row("modifier", Language::Ptx, "fma.rn.f32 %f1, %f2, %f3, %f4;", ".rn", Style::Attribute);
  row("register", Language::Ptx, "add.f32 %f1, %f2, %f3;", "%f1", Style::Variable);
  row("predicate", Language::Ptx, "@%p1 bra $L__BB0_2;", "@%p1", Style::ControlFlow);
  row("label", Language::Ptx, "$L__BB0_2:", "$L__BB0_2:", Style::Function);
  row("float bits", Language::Ptx, "mov.f32 %f1, 0f3F800000;", "0f3F800000", Style::Float);
}

void SyntaxTest::knowsWords() {
  QFETCH(Language, language);
  QFETCH(QString, text);
  QFETCH(QString, word);
  QFETCH(int, style);
  for (const auto& [found, foundStyle] : Words(language).of(text))
    if (found.contains(word)) {
      QCOMPARE(int{foundStyle}, style);
      return;
    }
  QCOMPARE(int{Style::Normal}, style); // plain text has no format of its own
}

void SyntaxTest::nestedCommentsEndWhereLeanEndsThem() {
  const auto words = Words(Language::Velvet).of(QStringLiteral("/- a /- b -/ theorem -/ theorem"));
  QCOMPARE(words.back().second, Style::Keyword);
  int keywords = 0;
  for (const auto& [word, style] : words)
    keywords += style == Style::Keyword ? 1 : 0;
  QCOMPARE(keywords, 1);
}

void SyntaxTest::coloursCanBeRead_data() {
  QTest::addColumn<bool>("dark");
  QTest::newRow("light") << false;
  QTest::newRow("dark") << true;
}

void SyntaxTest::coloursCanBeRead() {
  QFETCH(bool, dark);
  const QColor base = dark ? QColor(0x1e, 0x1f, 0x22) : QColor(Qt::white);
  QPalette palette(base);
  palette.setColor(QPalette::Base, base);
  QApplication::setPalette(palette);
  QCOMPARE(isDark(), dark);
  for (int style = 0; style < textStyleCount; ++style) {
    const QColor color = wordLook(static_cast<Style>(style), dark).color;
    for (const QColor& paper : {base, linkedFill()})
      QVERIFY2(contrast(color, paper) >= 4.5, qPrintable(QStringLiteral("style %1 %2 on %3: %4")
                                                             .arg(style)
                                                             .arg(color.name(), paper.name())
                                                             .arg(contrast(color, paper))));
  }
}

QTEST_MAIN(SyntaxTest)
#include "syntax_test.moc"
