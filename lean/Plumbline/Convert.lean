-- not yet compiled
-- Float32 to an integer.

namespace Plumbline

-- Conversions to an integer: truncated, clamped, 0 for NaN.
def truncI32 (a : Float32) : Int :=
  Int32.toInt (Float32.toInt32 a)

def truncU32 (a : Float32) : Int :=
  Int.ofNat (UInt32.toNat (Float32.toUInt32 a))

def truncI64 (a : Float32) : Int :=
  Int64.toInt (Float32.toInt64 a)

end Plumbline
