-- not yet compiled
-- Axiom: native evaluation.

import Plumbline.Sweep
import Plumbline.Model.ToBitsInj

namespace Plumbline

def roundTrips (bits : UInt32) : Bool :=
  decide (Float32.toBits (Float32.ofBits bits) = bits)
    || decide (Float.Model.UnpackedFloat.unpackExponent (spec := Float.Model.Format.binary32) bits.toBitVec = -1#8
        ∧ Float.Model.UnpackedFloat.unpackMantissa (spec := Float.Model.Format.binary32) bits.toBitVec ≠ 0#23)

theorem f32_of_bits_to_bits (a : Float32) : Float32.ofBits (Float32.toBits a) = a := by
  apply f32_to_bits_inj
  have held := sweep_all roundTrips (by native_decide) (Float32.toBits a)
  unfold roundTrips at held
  -- Not simp: it would write 255#8 for -1#8.
  rw [Bool.or_eq_true] at held
  cases held with
  | inl same => exact of_decide_eq_true same
  | inr found =>
    have nan := of_decide_eq_true found
    have packed : Float.Model.UnpackedFloat.packedNaN Float.Model.Format.binary32 = UInt32.toBitVec 0x7FC00000 := by
      first | decide +kernel | decide | rfl
    have canonical := Eq.trans (a.toModel.valid.eq_packedNaN nan.1 nan.2) packed
    have bits : Float32.toBits a = 0x7FC00000 := UInt32.eq_of_toBitVec_eq canonical
    rw [bits]
    first | decide +kernel | decide | rfl

end Plumbline
