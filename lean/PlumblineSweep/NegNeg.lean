-- not yet compiled
-- Axiom: native evaluation.

import Plumbline.Sweep
import PlumblineSweep.OfBitsToBits

namespace Plumbline

def negNegAt (bits : UInt32) : Bool :=
  decide (-(-(Float32.ofBits bits)) = (Float32.ofBits bits))

theorem f32_neg_neg (a : Float32) : -(-a) = a := by
  have held := sweep_all negNegAt (by native_decide) (Float32.toBits a)
  unfold negNegAt at held
  have plain := of_decide_eq_true held
  rw [f32_of_bits_to_bits] at plain
  exact plain

end Plumbline
