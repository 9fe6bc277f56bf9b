-- not yet compiled
-- Axiom: native evaluation.

import Plumbline.Sweep
import PlumblineSweep.OfBitsToBits

namespace Plumbline

def halfDivAt (bits : UInt32) : Bool :=
  decide ((Float32.ofBits bits) / Float32.ofBits 0x40000000 = (Float32.ofBits bits) * Float32.ofBits 0x3F000000)

theorem f32_half_div (a : Float32) : a / Float32.ofBits 0x40000000 = a * Float32.ofBits 0x3F000000 := by
  have held := sweep_all halfDivAt (by native_decide) (Float32.toBits a)
  unfold halfDivAt at held
  have plain := of_decide_eq_true held
  rw [f32_of_bits_to_bits] at plain
  exact plain

end Plumbline
