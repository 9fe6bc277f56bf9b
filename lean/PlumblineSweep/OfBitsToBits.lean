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
  simp only [Bool.or_eq_true, decide_eq_true_eq] at held
  cases held with
  | inl same => exact same
  | inr nan =>
    have canonical := a.toModel.valid.eq_packedNaN nan.1 nan.2
    have bits : Float32.toBits a = 0x7FC00000 := UInt32.eq_of_toBitVec_eq canonical
    rw [bits]
    first | decide +kernel | decide | rfl

end Plumbline
