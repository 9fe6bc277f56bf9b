-- not yet compiled
-- Made from Plumbline's tables; a test compares.
-- The numbers that a spec is written over: one definition is read at Float32 and can be read at the reals.

namespace Plumbline

class Scalar (S : Type) where
  -- A literal: its binary32 bits, and the number that was written as a fraction.
  lit : UInt32 → Int → Nat → S
  nan : S
  -- The infinities that start a maximum or minimum.
  top : S
  bottom : S
  add : S → S → S
  sub : S → S → S
  mul : S → S → S
  div : S → S → S
  neg : S → S
  abs : S → S
  sqrt : S → S
  -- a * b + c with one rounding.
  fma : S → S → S → S
  -- IEEE comparisons: false when an operand is NaN; 0 and -0 are equal.
  lt : S → S → Bool
  le : S → S → Bool
  eq : S → S → Bool
  isNaN : S → Bool
  -- An integer, rounded once.
  ofInt : Int → S
  -- One over the root of an integer, computed in binary64 and rounded at the end.
  inverseRoot : Int → S
  -- ATen's elementary functions, about which nothing is known.
  aten_cos : S → S
  aten_erf : S → S
  aten_exp : S → S
  aten_expm1 : S → S
  aten_log : S → S
  aten_log1p : S → S
  aten_log2 : S → S
  aten_pow : S → S → S
  aten_rsqrt : S → S
  aten_sin : S → S
  aten_tanh : S → S

end Plumbline
