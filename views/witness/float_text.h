// Texts of binary32 values.
#pragma once

#include <QString>

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace plumbline::views {

inline constexpr uint32_t canonicalNaN = 0x7fc00000;

/// A value, or what is wrong with the text.
struct ParsedBits {
  std::optional<uint32_t> bits;
  QString problem;
};

/// "nan", "inf", "-0", decimals ("0.1", "1e-40", "0.01f") and hexadecimal floats ("0x1.8p-3"), rounded to
/// nearest even; what is too large becomes an infinity, as in C.
ParsedBits parseValue(const QString& text);

/// One to eight hexadecimal digits, with or without "0x"; blanks and underscores are skipped.
ParsedBits parseHex(const QString& text);

QString hexText(uint32_t bits);     ///< "0x7fc00000"
QString decimalText(uint32_t bits); ///< shortest text that gives the same value back: "nan", "-0", "1e-45"
QString valueText(uint32_t bits);   ///< "0x7fc00000 (nan)"

/// All NaNs are one value: its canonical pattern, other patterns unchanged.
uint32_t canonical(uint32_t bits);

/// The next value above (+1) or below (-1), both zeros being values; nothing beyond an infinity, and of a
/// NaN.
std::optional<uint32_t> neighbour(uint32_t bits, int direction);

/// Values worth trying, with their names.
const std::vector<std::pair<QString, uint32_t>>& presets();

} // namespace plumbline::views
