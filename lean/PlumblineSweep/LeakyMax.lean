-- not yet compiled
-- Axiom: native evaluation.

import Plumbline.Sweep
import PlumblineSweep.OfBitsToBits
import Plumbline.MaxMin

namespace Plumbline

def leakyMaxAt (bits : UInt32) : Bool :=
  decide (Plumbline.fmaxf (Float32.ofBits bits) (Float32.ofBits 0x3C23D70A * (Float32.ofBits bits)) = (if Float32.ofBits 0x00000000 < (Float32.ofBits bits) then (Float32.ofBits bits) else (Float32.ofBits bits) * Float32.ofBits 0x3C23D70A))

theorem f32_leaky_max (a : Float32) : Plumbline.fmaxf a (Float32.ofBits 0x3C23D70A * a) = (if Float32.ofBits 0x00000000 < a then a else a * Float32.ofBits 0x3C23D70A) := by
  have held := sweep_all leakyMaxAt (by native_decide) (Float32.toBits a)
  unfold leakyMaxAt at held
  have plain := of_decide_eq_true held
  rw [f32_of_bits_to_bits] at plain
  exact plain

end Plumbline
