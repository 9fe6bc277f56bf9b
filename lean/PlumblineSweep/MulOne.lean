-- not yet compiled
-- Axiom: native evaluation.

import Plumbline.Sweep
import PlumblineSweep.OfBitsToBits

namespace Plumbline

def mulOneAt (bits : UInt32) : Bool :=
  decide ((Float32.ofBits bits) * Float32.ofBits 0x3F800000 = (Float32.ofBits bits))

theorem f32_mul_one (a : Float32) : a * Float32.ofBits 0x3F800000 = a := by
  have held := sweep_all mulOneAt (by native_decide) (Float32.toBits a)
  unfold mulOneAt at held
  have plain := of_decide_eq_true held
  rw [f32_of_bits_to_bits] at plain
  exact plain

end Plumbline
