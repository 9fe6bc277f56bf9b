#include "core/f32/rational.h"

#include <cctype>

namespace plumbline::f32 {

namespace {

constexpr long kMaxExponent = 20000;

/// Reads digits of one base and a decimal point into value * base^-fractionDigits.
class LiteralReader {
public:
  explicit LiteralReader(std::string_view text) : m_rest(text) {}

  std::optional<Rational> read() {
    bool negative = take('-');
    if (!negative)
      take('+');
    bool hex = m_rest.size() > 2 && m_rest[0] == '0' && (m_rest[1] == 'x' || m_rest[1] == 'X');
    if (hex)
      m_rest.remove_prefix(2);
    auto value = number(hex);
    if (value && !hex && take('/')) {
      auto divisor = number(false);
      if (!divisor || *divisor == 0)
        return std::nullopt;
      *value /= *divisor;
    }
    if (!value || !m_rest.empty())
      return std::nullopt;
    return negative ? Rational(-*value) : *value;
  }

private:
  bool take(char wanted) {
    if (m_rest.empty() || m_rest.front() != wanted)
      return false;
    m_rest.remove_prefix(1);
    return true;
  }

  std::string digits(bool hex) {
    size_t count = 0;
    while (count < m_rest.size()) {
      auto c = static_cast<unsigned char>(m_rest[count]);
      if (hex ? std::isxdigit(c) == 0 : std::isdigit(c) == 0)
        break;
      ++count;
    }
    std::string result(m_rest.substr(0, count));
    m_rest.remove_prefix(count);
    return result;
  }

  std::optional<long> exponent(char lower, char upper) {
    if (!take(lower) && !take(upper))
      return 0;
    bool negative = take('-');
    if (!negative)
      take('+');
    std::string text = digits(false);
    if (text.empty() || text.size() > 6)
      return std::nullopt;
    long value = std::stol(text);
    if (value > kMaxExponent)
      return std::nullopt;
    return negative ? -value : value;
  }

  std::optional<Rational> number(bool hex) {
    std::string whole = digits(hex);
    std::string fraction = take('.') ? digits(hex) : std::string();
    if (whole.empty() && fraction.empty())
      return std::nullopt;
    auto power = hex ? exponent('p', 'P') : exponent('e', 'E');
    if (!power)
      return std::nullopt;
    Rational value(mpz_class(whole + fraction, hex ? 16 : 10));
    auto shift = static_cast<long>(fraction.size());
    return hex ? scaled(value, *power - 4 * shift) : value * powerOfTen(*power - shift);
  }

  static Rational powerOfTen(long exponent) {
    mpz_class power;
    mpz_ui_pow_ui(power.get_mpz_t(), 10, static_cast<unsigned long>(exponent < 0 ? -exponent : exponent));
    return exponent < 0 ? Rational(1) / Rational(power) : Rational(power);
  }

  std::string_view m_rest;
};

} // namespace

Rational scaled(const Rational& value, long exponent) {
  Rational result;
  if (exponent >= 0)
    mpq_mul_2exp(result.get_mpq_t(), value.get_mpq_t(), static_cast<mp_bitcnt_t>(exponent));
  else
    mpq_div_2exp(result.get_mpq_t(), value.get_mpq_t(), static_cast<mp_bitcnt_t>(-exponent));
  return result;
}

Rational rationalFromInteger(int64_t value) {
  return Rational(static_cast<long>(value));
}

std::string toString(const Rational& value) {
  return value.get_str();
}

std::optional<Rational> exactSqrt(const Rational& value) {
  if (value < 0 || mpz_perfect_square_p(value.get_num_mpz_t()) == 0 ||
      mpz_perfect_square_p(value.get_den_mpz_t()) == 0)
    return std::nullopt;
  return Rational(sqrt(value.get_num()), sqrt(value.get_den()));
}

Expected<Rational> parseExact(std::string_view text) {
  if (auto value = LiteralReader(text).read())
    return *value;
  return fail(ErrorKind::Usage, "number-syntax", "\"" + std::string(text) + "\" is not a number.",
              "Write a decimal, a fraction such as 1/3, or a hexadecimal float such as 0x1.8p3.");
}

uint64_t roundRational(const Rational& value, int exponentBits, int mantissaBits) {
  const uint64_t signBit = value < 0 ? uint64_t{1} << (exponentBits + mantissaBits) : 0;
  const mpz_class numerator = ::abs(value.get_num());
  const mpz_class& denominator = value.get_den();
  if (numerator == 0)
    return 0;
  const long bias = (1L << (exponentBits - 1)) - 1;
  // floor(log2 |value|), from the sizes and one comparison.
  long exponent = static_cast<long>(mpz_sizeinbase(numerator.get_mpz_t(), 2)) -
                  static_cast<long>(mpz_sizeinbase(denominator.get_mpz_t(), 2));
  if (::abs(value) < scaled(1, exponent))
    --exponent;
  if (exponent > bias)
    return signBit | ((uint64_t{1} << exponentBits) - 1) << mantissaBits;
  const long lowestExponent = std::max(exponent, 1 - bias);
  const Rational steps = scaled(::abs(value), mantissaBits - lowestExponent); // in units of the last place
  mpz_class whole;
  mpz_class rest;
  mpz_fdiv_qr(whole.get_mpz_t(), rest.get_mpz_t(), steps.get_num_mpz_t(), steps.get_den_mpz_t());
  const int half = cmp(mpz_class(rest * 2), steps.get_den());
  if (half > 0 || (half == 0 && mpz_odd_p(whole.get_mpz_t()) != 0))
    ++whole;
  // `whole` counts patterns from the start of the binade below; subnormals count from zero.
  const uint64_t start = static_cast<uint64_t>(lowestExponent + bias - 1) << mantissaBits;
  return signBit | (start + whole.get_ui());
}

} // namespace plumbline::f32
