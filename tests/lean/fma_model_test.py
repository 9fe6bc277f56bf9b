"""What Plumbline/Model/Fma.lean says, written out once more by hand: the product of finite numbers kept exact, then the
addition of Lean's model, which rounds once; with a zero addend the multiplication of the model. Compared with the C library's
fmaf. This checks the idea of that file and its treatment of zeros, NaN and infinities; it does not read Lean's text."""

import ctypes
import ctypes.util
import random
import struct
import unittest
from fractions import Fraction

LIBM = ctypes.CDLL(ctypes.util.find_library("m"))
LIBM.fmaf.restype = ctypes.c_float
LIBM.fmaf.argtypes = [ctypes.c_float] * 3

NAN, SPECIAL = 0x7FC00000, [0x7FC00000, 0x7F800000, 0xFF800000, 0, 0x80000000, 1, 0x80000001, 0x007FFFFF, 0x00800000,
                            0x7F7FFFFF, 0xFF7FFFFF, 0x3F800000, 0xBF800000, 0x3F800001, 0xBF800002, 0x34000000]


def as_float(bits):
    return ctypes.c_float.from_buffer_copy(struct.pack("<I", bits))


def canonical(bits):
    return NAN if bits & 0x7FFFFFFF > 0x7F800000 else bits


def unpack(bits):
    """("nan",), ("inf", sign), ("zero", sign) or ("finite", sign, m, e): (-1)^sign * m * 2^e."""
    sign, exponent, mantissa = bits >> 31, (bits >> 23) & 255, bits & 0x7FFFFF
    if exponent == 255:
        return ("nan",) if mantissa else ("inf", sign)
    if exponent == 0:
        return ("finite", sign, mantissa, -149) if mantissa else ("zero", sign)
    return ("finite", sign, mantissa | 0x800000, exponent - 150)


def value(number):
    return (-1) ** number[1] * Fraction(number[2]) * Fraction(2) ** number[3]


def rounded(exact, sign):
    """The model's rounding of a rational to nearest even; `sign` of a result of zero."""
    if exact == 0:
        return sign << 31
    sign, size = int(exact < 0), abs(exact)
    exponent = -149
    while size >= Fraction(2) ** (exponent + 24):
        exponent += 1
    scaled = size / Fraction(2) ** exponent
    mantissa = scaled.numerator // scaled.denominator
    rest = scaled - mantissa
    mantissa += rest > Fraction(1, 2) or (rest == Fraction(1, 2) and mantissa % 2 == 1)
    if mantissa == 1 << 24:
        mantissa, exponent = mantissa >> 1, exponent + 1
    if exponent > 104:
        return sign << 31 | 0x7F800000
    return sign << 31 | (mantissa if mantissa < 0x800000 else (exponent + 150) << 23 | (mantissa & 0x7FFFFF))


def mul(u, v):
    """UnpackedFloat.mul and pack."""
    if "nan" in (u[0], v[0]) or {u[0], v[0]} == {"inf", "zero"}:
        return NAN
    sign = u[1] ^ v[1]
    if "inf" in (u[0], v[0]):
        return sign << 31 | 0x7F800000
    if "zero" in (u[0], v[0]):
        return sign << 31
    return rounded(value(u) * value(v), sign)


def add(u, v):
    """UnpackedFloat.add and pack; a finite operand beside a zero is packed as it is."""
    if "nan" in (u[0], v[0]):
        return NAN
    if u[0] == v[0] == "inf":
        return u[1] << 31 | 0x7F800000 if u[1] == v[1] else NAN
    for each in (u, v):
        if each[0] == "inf":
            return each[1] << 31 | 0x7F800000
    if u[0] == v[0] == "zero":
        return (u[1] if u[1] == v[1] else 0) << 31
    if u[0] == "zero" or v[0] == "zero":
        finite = v if u[0] == "zero" else u
        assert finite[2] < 1 << 24, "an unrounded product beside a zero addend"
        return rounded(value(finite), finite[1])
    return rounded(value(u) + value(v), 0)


def fma(a, b, c):
    u, v, w = unpack(a), unpack(b), unpack(c)
    if u[0] == v[0] == "finite":
        if w[0] == "zero":
            return mul(u, v)
        return add(("finite", u[1] ^ v[1], u[2] * v[2], u[3] + v[3]), w)
    return add(unpack(mul(u, v)), w)


class Model(unittest.TestCase):
    def test_it_is_the_fused_multiply_add(self):
        draw = random.Random(7)
        cases = [(a, b, c) for a in SPECIAL for b in SPECIAL for c in SPECIAL]
        for _ in range(3000):
            cases.append(tuple(draw.getrandbits(32) for _ in range(3)))
            near = [draw.randrange(0x3F000000, 0x41000000) ^ (draw.getrandbits(1) << 31) for _ in range(2)]
            product = struct.unpack("<I", struct.pack("<f", struct.unpack("<f", struct.pack("<I", near[0]))[0] *
                                                      struct.unpack("<f", struct.pack("<I", near[1]))[0]))[0]
            cases.append((*near, (product ^ 0x80000000) + draw.randrange(-2, 3)))  # cancels
        for a, b, c in cases:
            wanted = LIBM.fmaf(as_float(a), as_float(b), as_float(c))
            bits = struct.unpack("<I", struct.pack("<f", wanted))[0]
            self.assertEqual(hex(fma(canonical(a), canonical(b), canonical(c))), hex(canonical(bits)),
                             (hex(a), hex(b), hex(c)))


if __name__ == "__main__":
    unittest.main()
