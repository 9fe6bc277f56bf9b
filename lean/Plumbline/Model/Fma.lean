-- not yet compiled
-- a * b + c with one rounding, on Lean's model of binary32. The product of two finite numbers is kept exact and the
-- model's own addition rounds once. With a zero addend the addition would not round, so the product does.

namespace Plumbline

def mulExact : Float.Model.UnpackedFloat → Float.Model.UnpackedFloat → Float.Model.UnpackedFloat
  | .finite s m e hm, .finite t n f hn => .finite (s * t) (m * n) (e + f) (Nat.mul_pos hm hn)
  | u, v => Float.Model.UnpackedFloat.mul Float.Model.Format.binary32 u v

def fmaUnpacked (u v w : Float.Model.UnpackedFloat) : Float.Model.UnpackedFloat :=
  match u, v, w with
  | .finite .., .finite .., .zero _ => Float.Model.UnpackedFloat.mul Float.Model.Format.binary32 u v
  | _, _, _ => Float.Model.UnpackedFloat.add Float.Model.Format.binary32 (mulExact u v) w

def fma32 (a b c : Float32) : Float32 :=
  Float32.ofModel (Float32.Model.pack (fmaUnpacked a.toModel.unpack b.toModel.unpack c.toModel.unpack))

end Plumbline
