-- not yet compiled
-- Flush to zero: a subnormal becomes the zero of its sign, everything else stays.

namespace Plumbline

def ftz32 (a : Float32) : Float32 :=
  if UInt32.land (Float32.toBits a) 0x7F800000 = 0 then Float32.ofBits (UInt32.land (Float32.toBits a) 0x80000000) else a

end Plumbline
