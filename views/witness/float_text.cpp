#include "views/witness/float_text.h"

#include <QCoreApplication>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>

namespace plumbline::views {

namespace {

constexpr uint32_t signBit = 0x80000000;
constexpr uint32_t infinity = 0x7f800000;

QString say(const char* sentence) {
  return QCoreApplication::translate("float", sentence);
}

bool isNaN(uint32_t bits) {
  return (bits & ~signBit) > infinity;
}

/// Whether a nonzero number in scientific or plain form is at least one: the position of its first nonzero
/// digit, corrected by its exponent. Tells what is too large from what is too small.
bool isLarge(std::string_view text, bool hexadecimal) {
  const size_t mark = text.find_first_of(hexadecimal ? "pP" : "eE");
  const std::string_view digits = text.substr(0, mark);
  long exponent = 0;
  if (mark != std::string_view::npos) {
    std::string_view power = text.substr(mark + 1);
    const bool negative = power.starts_with('-');
    if (negative || power.starts_with('+'))
      power.remove_prefix(1);
    const auto parsed = std::from_chars(power.begin(), power.end(), exponent);
    if (parsed.ec == std::errc::result_out_of_range)
      return !negative;
    exponent = negative ? -exponent : exponent;
  }
  const size_t point = std::min(digits.find('.'), digits.size());
  const size_t first = digits.find_first_not_of("0.");
  const long place = first < point ? static_cast<long>(point - first)
                                   : static_cast<long>(point) - static_cast<long>(first) + 1;
  return place * (hexadecimal ? 4 : 1) + exponent > 0;
}

/// The number without its sign.
std::optional<float> magnitude(std::string_view text, bool hexadecimal) {
  float value = 0;
  const char* const end = text.end();
  const auto parsed = std::from_chars(text.begin(), end, value,
                                      hexadecimal ? std::chars_format::hex : std::chars_format::general);
  if (parsed.ptr != end || parsed.ec == std::errc::invalid_argument)
    return std::nullopt;
  if (parsed.ec == std::errc::result_out_of_range)
    return isLarge(text, hexadecimal) ? std::bit_cast<float>(infinity) : 0.0F;
  return value;
}

} // namespace

ParsedBits parseValue(const QString& given) {
  std::string text = given.trimmed().toLower().toStdString();
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+'))
    text.erase(0, 1);
  const uint32_t sign = negative ? signBit : 0;
  if (text.empty())
    return {std::nullopt, say("Type a number, nan, inf or -0")};
  if (text == "nan")
    return {canonicalNaN, {}};
  if (text == "inf" || text == "infinity")
    return {sign | infinity, {}};
  const bool hexadecimal = text.starts_with("0x");
  if (hexadecimal && text.find('p') == std::string::npos)
    return {std::nullopt,
            say("Bits belong in the hexadecimal field; a hexadecimal number ends with p and an exponent")};
  if (hexadecimal)
    text.erase(0, 2);
  else if (text.size() > 1 && text.ends_with('f'))
    text.pop_back();
  // What from_chars would read beyond numbers: a second sign, "inf", "nan(...)".
  const bool digits =
      !text.empty() && (std::isxdigit(static_cast<unsigned char>(text.front())) || text.front() == '.');
  const std::optional<float> value = digits ? magnitude(text, hexadecimal) : std::nullopt;
  if (!value)
    return {std::nullopt, say("Not a number: write 0.5, 1e-40, 0x1.8p-3, nan, inf or -0")};
  return {sign | std::bit_cast<uint32_t>(*value), {}};
}

ParsedBits parseHex(const QString& given) {
  QString text = given.trimmed();
  if (text.startsWith(QStringLiteral("0x"), Qt::CaseInsensitive))
    text.remove(0, 2);
  text.remove(QLatin1Char(' ')).remove(QLatin1Char('_'));
  const std::string digits = text.toStdString();
  uint32_t bits = 0;
  const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), bits, 16);
  if (digits.empty() || digits.size() > 8 || parsed.ec != std::errc() ||
      parsed.ptr != digits.data() + digits.size())
    return {std::nullopt, say("One to eight hexadecimal digits, as 0x7fc00000")};
  return {bits, {}};
}

QString hexText(uint32_t bits) {
  return QStringLiteral("0x%1").arg(bits, 8, 16, QLatin1Char('0'));
}

QString decimalText(uint32_t bits) {
  if (isNaN(bits))
    return QStringLiteral("nan");
  char text[32];
  const auto end = std::to_chars(std::begin(text), std::end(text), std::bit_cast<float>(bits));
  return QString::fromLatin1(text, end.ptr - text);
}

QString valueText(uint32_t bits) {
  return hexText(bits) + QStringLiteral(" (") + decimalText(bits) + QLatin1Char(')');
}

uint32_t canonical(uint32_t bits) {
  return isNaN(bits) ? canonicalNaN : bits;
}

std::optional<uint32_t> neighbour(uint32_t bits, int direction) {
  if (isNaN(bits))
    return std::nullopt;
  // Negative patterns grow downwards; -0 and +0 stand beside each other.
  const bool negative = (bits & signBit) != 0;
  if (bits == signBit && direction > 0)
    return 0U;
  if (bits == 0 && direction < 0)
    return signBit;
  if ((bits & ~signBit) == infinity && negative == (direction < 0))
    return std::nullopt;
  return negative == (direction < 0) ? bits + 1 : bits - 1;
}

const std::vector<std::pair<QString, uint32_t>>& presets() {
  static const std::vector<std::pair<QString, uint32_t>> list{
      {QStringLiteral("nan"), canonicalNaN},
      {QStringLiteral("+inf"), infinity},
      {QStringLiteral("-inf"), signBit | infinity},
      {QStringLiteral("+0"), 0},
      {QStringLiteral("-0"), signBit},
      {QStringLiteral("1"), 0x3f800000},
      {QStringLiteral("-1"), 0xbf800000},
      {say("smallest subnormal"), 0x00000001},
      {say("largest subnormal"), 0x007fffff},
      {say("- smallest subnormal"), 0x80000001},
      {say("- largest subnormal"), 0x807fffff},
      {say("smallest normal"), 0x00800000},
      {say("largest finite"), 0x7f7fffff},
      {say("- largest finite"), 0xff7fffff},
      {say("next above 1"), 0x3f800001},
      {say("next below 1"), 0x3f7fffff},
  };
  return list;
}

} // namespace plumbline::views
