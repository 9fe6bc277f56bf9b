-- not yet compiled
-- CUDA's double to an integer.

namespace Plumbline

def truncI32_f64 (a : Float) : Int :=
  Int32.toInt (Float.toInt32 a)

def truncU32_f64 (a : Float) : Int :=
  Int.ofNat (UInt32.toNat (Float.toUInt32 a))

def truncI64_f64 (a : Float) : Int :=
  Int64.toInt (Float.toInt64 a)

end Plumbline
