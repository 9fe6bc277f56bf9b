"""The table of function values beside this file, computed by mpmath, which shares no code with MPFR.

As a test it computes the table anew and compares; `function_values.py --write` replaces it. One line a value:
function, arguments (binary floating-point numbers as fractions), value rounded to 60 digits or "undefined".
"""

import pathlib
import random
import sys
import unittest

try:
    import mpmath
except ImportError:
    print("skipped: mpmath is not installed")
    sys.exit(77)

TABLE = pathlib.Path(__file__).with_name("function_values.txt")
DIGITS = 60
mp = mpmath.mp
mp.dps = 3 * DIGITS


def cube_root(x):
    return mp.cbrt(x) if x >= 0 else -mp.cbrt(-x)


UNARY = {
    "exp": mp.exp, "exp2": lambda x: mp.mpf(2) ** x, "exp10": lambda x: mp.mpf(10) ** x, "expm1": mp.expm1,
    "log": mp.log, "log2": lambda x: mp.log(x) / mp.log(2), "log10": lambda x: mp.log(x) / mp.log(10),
    "log1p": mp.log1p, "sin": mp.sin, "cos": mp.cos, "tan": mp.tan, "asin": mp.asin, "acos": mp.acos,
    "atan": mp.atan, "sinh": mp.sinh, "cosh": mp.cosh, "tanh": mp.tanh, "asinh": mp.asinh, "acosh": mp.acosh,
    "atanh": mp.atanh, "erf": mp.erf, "erfc": mp.erfc, "cbrt": cube_root, "rsqrt": lambda x: 1 / mp.sqrt(x),
    "sqrt": mp.sqrt,
}
BINARY = {
    "pow": lambda x, y: x ** y, "atan2": mp.atan2, "hypot": mp.hypot, "divide": lambda x, y: x / y,
}
POSITIVE = {"log", "log2", "log10", "rsqrt"}


def is_defined(name, args):
    x = args[0]
    if name in POSITIVE:
        return x > 0
    if name == "pow":
        return x > 0 or (x == 0 and args[1] >= 0) or (x < 0 and args[1] == int(args[1]))
    edges = {"log1p": x > -1, "sqrt": x >= 0, "asin": abs(x) <= 1, "acos": abs(x) <= 1, "atanh": abs(x) < 1,
             "acosh": x >= 1, "atan2": args != [0, 0], "divide": args[-1] != 0}
    return edges.get(name, True)


def values(rng):
    """Ordinary numbers, small ones, large ones and the edges of domains."""
    edges = [0.0, 1.0, -1.0, 2.0, 0.5, -0.5, 1 + 2.0**-23, 1 - 2.0**-24, -1 + 2.0**-24, 2.0**-149, -2.0**-149, 3.0]
    return edges + [rng.choice([-1, 1]) * rng.uniform(0.5, 1) * 2.0**rng.randint(-30, 7) for _ in range(12)]




def fraction(x):
    top, bottom = float(x).as_integer_ratio()
    return f"{top}/{bottom}" if bottom != 1 else str(top)


def text(value):
    return mpmath.nstr(value, DIGITS, strip_zeros=False, min_fixed=1, max_fixed=0)


def line(name, function, args):
    words = [name, *(fraction(x) for x in args)]
    exact = [mp.mpf(x) for x in args]
    return " ".join([*words, text(function(*exact)) if is_defined(name, exact) else "undefined"])


def table():
    rng = random.Random(7)
    lines = []
    for name, function in UNARY.items():
        extra = [1e6, 1e9 + 0.5, 2.0**100, -1e5] if name in ("sin", "cos", "tan", "atan", "asinh", "cbrt") else []
        lines += [line(name, function, [x]) for x in values(rng) + extra]
    for name, function in BINARY.items():
        firsts, seconds = values(rng), values(rng)
        rng.shuffle(seconds)
        pairs = list(zip(firsts, seconds)) + [(-2.0, 3.0), (-2.0, -2.0), (-0.5, 0.5), (0.0, 0.0), (0.0, 2.5), (0.0, -1.0)]
        lines += [line(name, function, list(pair)) for pair in pairs]
    return "\n".join(lines) + "\n"


class FunctionValues(unittest.TestCase):
    def test_the_table_is_what_mpmath_computes(self):
        self.assertEqual(TABLE.read_text(encoding="ascii"), table())


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        TABLE.write_text(table(), encoding="ascii")
    else:
        unittest.main()
