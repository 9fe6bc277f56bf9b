// Texts of values against the C library, which rounds correctly, and against IEEE 754's definition.

#include "views/witness/float_text.h"

#include <QTest>

#include <bit>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <random>

using namespace plumbline::views;

namespace {

uint32_t cLibrary(const std::string& text) {
  return canonical(std::bit_cast<uint32_t>(std::strtof(text.c_str(), nullptr)));
}

/// A decimal of many shapes: few or many digits, all magnitudes, around the limits too.
std::string randomDecimal(std::mt19937_64& random) {
  std::string text = random() % 2 ? "-" : "";
  const int digits = 1 + static_cast<int>(random() % (random() % 3 == 0 ? 40 : 9));
  for (int k = 0; k < digits; ++k) {
    text += static_cast<char>('0' + random() % 10);
    if (k == 0 || random() % 12 == 0)
      if (text.find('.') == std::string::npos && k + 1 < digits)
        text += '.';
  }
  if (random() % 4)
    text += "e" + std::to_string(static_cast<int>(random() % 100) - 52);
  return text;
}

std::string randomHexadecimal(std::mt19937_64& random) {
  char text[80];
  std::snprintf(text, sizeof text, "%s0x%x.%0*llxp%d", random() % 2 ? "-" : "",
                static_cast<unsigned>(random() % 16), 1 + static_cast<int>(random() % 12),
                static_cast<unsigned long long>(random() & 0xffffffff),
                static_cast<int>(random() % 300) - 160);
  return text;
}

} // namespace

class FloatTextTest : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void decimalsAsTheCLibraryReadsThem();
  void hexadecimalsAsTheCLibraryReadsThem();
  void edges_data();
  void edges();
  void whatIsNoNumber_data();
  void whatIsNoNumber();
  void shortestTextGivesTheValueBack();
  void bits();
  void neighboursAsTheCLibraryKnowsThem();
  void presetsAreWhatTheyAreCalled();
};

void FloatTextTest::decimalsAsTheCLibraryReadsThem() {
  std::mt19937_64 random(20240607);
  for (int k = 0; k < 10000; ++k) {
    const std::string text = randomDecimal(random);
    const ParsedBits parsed = parseValue(QString::fromStdString(text));
    QVERIFY2(parsed.bits.has_value(), text.c_str());
    QVERIFY2(*parsed.bits == cLibrary(text), text.c_str());
  }
}

void FloatTextTest::hexadecimalsAsTheCLibraryReadsThem() {
  std::mt19937_64 random(77);
  for (int k = 0; k < 10000; ++k) {
    const std::string text = randomHexadecimal(random);
    const ParsedBits parsed = parseValue(QString::fromStdString(text));
    QVERIFY2(parsed.bits.has_value(), text.c_str());
    QVERIFY2(*parsed.bits == cLibrary(text), text.c_str());
  }
}

void FloatTextTest::edges_data() {
  QTest::addColumn<QString>("text");
  QTest::addColumn<quint32>("bits");
  auto row = [](const char* text, quint32 bits) { QTest::newRow(text) << QString::fromLatin1(text) << bits; };
  row("nan", 0x7fc00000);
  row("-nan", 0x7fc00000);
  row("NaN", 0x7fc00000);
  row("inf", 0x7f800000);
  row("+Infinity", 0x7f800000);
  row("-inf", 0xff800000);
  row("0", 0);
  row("-0", 0x80000000);
  row("-0.0e99", 0x80000000);
  row(" 1 ", 0x3f800000);
  row("+1", 0x3f800000);
  row("0.01f", 0x3c23d70a);
  row(".5", 0x3f000000);
  row("5.", 0x40a00000);
  // The largest finite value, and half an ulp above it: the tie goes to even, which is infinity.
  row("3.4028234663852886e38", 0x7f7fffff);
  row("340282356779733661637539395458142568447.9", 0x7f7fffff);
  row("340282356779733661637539395458142568448", 0x7f800000);
  row("1e39", 0x7f800000);
  row("-1e999999999999", 0xff800000);
  row("100000000000000000000000000000000000000000", 0x7f800000);
  // Half of the smallest subnormal is a tie with zero; anything above is not.
  row("0x1p-149", 0x00000001);
  row("0x1p-150", 0x00000000);
  row("0x1.000001p-150", 0x00000001);
  row("-0x1p-150", 0x80000000);
  row("1e-60", 0x00000000);
  row("-1e-999999999999", 0x80000000);
  row("0x1.8p-3", 0x3e400000);
  row("0x1.000001p0", 0x3f800000); // half an ulp above 1: to even
  row("0x1.000003p0", 0x3f800002);
  row("0x1p128", 0x7f800000);
  row("0x0.0000001p200", 0x7f800000);
}

void FloatTextTest::edges() {
  QFETCH(QString, text);
  QFETCH(quint32, bits);
  const ParsedBits parsed = parseValue(text);
  QVERIFY2(parsed.bits.has_value(), qPrintable(parsed.problem));
  QCOMPARE(hexText(*parsed.bits), hexText(bits));
}

void FloatTextTest::whatIsNoNumber_data() {
  QTest::addColumn<QString>("text");
  for (const char* text :
       {"",    " ",  "-",    "--1",   "+-1",  "1..2", "1e", "1e+", "abc", "nan(1)", "infx",
        "1 2", "0x", "0x10", "0x1.8", "0xp1", "1f2",  "f",  ".",   "١",   "1,5",    "1_000"})
    QTest::newRow(text) << QString::fromUtf8(text);
}

void FloatTextTest::whatIsNoNumber() {
  QFETCH(QString, text);
  const ParsedBits parsed = parseValue(text);
  QVERIFY(!parsed.bits.has_value());
  QVERIFY(!parsed.problem.isEmpty());
}

void FloatTextTest::shortestTextGivesTheValueBack() {
  std::mt19937 random(5);
  for (int k = 0; k < 20000; ++k) {
    const auto bits = static_cast<uint32_t>(random());
    QCOMPARE(*parseValue(decimalText(bits)).bits, canonical(bits));
    QCOMPARE(*parseHex(hexText(bits)).bits, bits);
  }
  QCOMPARE(decimalText(0x80000000), QStringLiteral("-0"));
  QCOMPARE(decimalText(0xffc00001), QStringLiteral("nan"));
  QCOMPARE(decimalText(0xff800000), QStringLiteral("-inf"));
}

void FloatTextTest::bits() {
  QCOMPARE(*parseHex(QStringLiteral("7FC0_0000")).bits, 0x7fc00000U);
  QCOMPARE(*parseHex(QStringLiteral("0X1")).bits, 1U);
  for (const char* text : {"", "0x", "123456789", "0xg", "-1", "1.5"})
    QVERIFY(!parseHex(QString::fromLatin1(text)).bits);
  QCOMPARE(canonical(0x7f800001), 0x7fc00000U);
  QCOMPARE(canonical(0xff800000), 0xff800000U);
}

void FloatTextTest::neighboursAsTheCLibraryKnowsThem() {
  const float infinity = std::numeric_limits<float>::infinity();
  std::mt19937 random(9);
  for (int k = 0; k < 20000; ++k) {
    const auto bits = static_cast<uint32_t>(random());
    const auto value = std::bit_cast<float>(bits);
    if (std::isnan(value) || value == 0.0F)
      continue;
    for (int direction : {-1, 1}) {
      const float next = std::nextafterf(value, static_cast<float>(direction) * infinity);
      if (const auto found = neighbour(bits, direction); found && next != 0.0F)
        QCOMPARE(*found, std::bit_cast<uint32_t>(next));
      else
        QVERIFY(next == value || next == 0.0F);
    }
  }
  // Both zeros are values here; an infinity has one neighbour, a NaN none.
  QCOMPARE(*neighbour(0x00000001, -1), 0x00000000U);
  QCOMPARE(*neighbour(0x00000000, -1), 0x80000000U);
  QCOMPARE(*neighbour(0x80000000, -1), 0x80000001U);
  QCOMPARE(*neighbour(0x80000001, 1), 0x80000000U);
  QCOMPARE(*neighbour(0x80000000, 1), 0x00000000U);
  QCOMPARE(*neighbour(0x7f800000, -1), 0x7f7fffffU);
  QCOMPARE(*neighbour(0xff800000, 1), 0xff7fffffU);
  QVERIFY(!neighbour(0x7f800000, 1) && !neighbour(0xff800000, -1));
  QVERIFY(!neighbour(0x7fc00000, 1) && !neighbour(0xffc00001, -1));
}

void FloatTextTest::presetsAreWhatTheyAreCalled() {
  using Limits = std::numeric_limits<float>;
  QHash<QString, uint32_t> named;
  for (const auto& [name, bits] : presets())
    named.insert(name, bits);
  QCOMPARE(named.size(), static_cast<qsizetype>(presets().size()));
  auto is = [&](const char* name, float value) {
    QCOMPARE(named.value(QString::fromLatin1(name)), std::bit_cast<uint32_t>(value));
  };
  is("+inf", Limits::infinity());
  is("-inf", -Limits::infinity());
  is("+0", 0.0F);
  is("-0", -0.0F);
  is("1", 1.0F);
  is("-1", -1.0F);
  is("smallest subnormal", Limits::denorm_min());
  is("largest subnormal", std::nextafterf(Limits::min(), 0.0F));
  is("- smallest subnormal", -Limits::denorm_min());
  is("- largest subnormal", -std::nextafterf(Limits::min(), 0.0F));
  is("smallest normal", Limits::min());
  is("largest finite", Limits::max());
  is("- largest finite", Limits::lowest());
  is("next above 1", std::nextafterf(1.0F, 2.0F));
  is("next below 1", std::nextafterf(1.0F, 0.0F));
  QVERIFY(std::isnan(std::bit_cast<float>(named.value(QStringLiteral("nan")))));
}

QTEST_GUILESS_MAIN(FloatTextTest)
#include "float_text_test.moc"
