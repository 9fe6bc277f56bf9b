-- not yet compiled
-- Axiom: native evaluation.

import Plumbline.Sweep
import PlumblineSweep.OfBitsToBits

namespace Plumbline

def twoMulAt (bits : UInt32) : Bool :=
  decide (Float32.ofBits 0x40000000 * (Float32.ofBits bits) = (Float32.ofBits bits) + (Float32.ofBits bits))

theorem f32_two_mul (a : Float32) : Float32.ofBits 0x40000000 * a = a + a := by
  have held := sweep_all twoMulAt (by native_decide) (Float32.toBits a)
  unfold twoMulAt at held
  have plain := of_decide_eq_true held
  rw [f32_of_bits_to_bits] at plain
  exact plain

end Plumbline
