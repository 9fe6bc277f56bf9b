-- not yet compiled
-- Made from Plumbline's tables; a test compares.
-- ATen's element-wise operators on one element, with the defaults of their other arguments: what
-- resources/optable/aten.def and core/spec say. A zero whose sign ATen leaves open is chosen by a Bool.

import Plumbline.Scalar

namespace Plumbline

-- aten.abs.default
def op_abs {S : Type} [Plumbline.Scalar S] (self : S) : S :=
  Plumbline.Scalar.abs self

-- aten.absolute.default
def op_absolute {S : Type} [Plumbline.Scalar S] (self : S) : S :=
  Plumbline.Scalar.abs self

-- aten.add.Scalar
def op_add_Scalar {S : Type} [Plumbline.Scalar S] (self : S) (other : S) : S :=
  Plumbline.Scalar.add self other

-- aten.add.Tensor
def op_add_Tensor {S : Type} [Plumbline.Scalar S] (self : S) (other : S) : S :=
  Plumbline.Scalar.add self other

-- aten.div.Scalar
def op_div_Scalar {S : Type} [Plumbline.Scalar S] (self : S) (other : S) : S :=
  Plumbline.Scalar.div self other

-- aten.div.Tensor
def op_div_Tensor {S : Type} [Plumbline.Scalar S] (self : S) (other : S) : S :=
  Plumbline.Scalar.div self other

-- aten.divide.Tensor
def op_divide_Tensor {S : Type} [Plumbline.Scalar S] (self : S) (other : S) : S :=
  Plumbline.Scalar.div self other

-- aten.mul.Scalar
def op_mul_Scalar {S : Type} [Plumbline.Scalar S] (self : S) (other : S) : S :=
  Plumbline.Scalar.mul self other

-- aten.mul.Tensor
def op_mul_Tensor {S : Type} [Plumbline.Scalar S] (self : S) (other : S) : S :=
  Plumbline.Scalar.mul self other

-- aten.multiply.Scalar
def op_multiply_Scalar {S : Type} [Plumbline.Scalar S] (self : S) (other : S) : S :=
  Plumbline.Scalar.mul self other

-- aten.multiply.Tensor
def op_multiply_Tensor {S : Type} [Plumbline.Scalar S] (self : S) (other : S) : S :=
  Plumbline.Scalar.mul self other

-- aten.neg.default
def op_neg {S : Type} [Plumbline.Scalar S] (self : S) : S :=
  Plumbline.Scalar.neg self

-- aten.negative.default
def op_negative {S : Type} [Plumbline.Scalar S] (self : S) : S :=
  Plumbline.Scalar.neg self

-- aten.reciprocal.default
def op_reciprocal {S : Type} [Plumbline.Scalar S] (self : S) : S :=
  Plumbline.Scalar.div (Plumbline.Scalar.lit 0x3F800000 1 1) self

-- aten.rsub.Scalar
def op_rsub_Scalar {S : Type} [Plumbline.Scalar S] (self : S) (other : S) : S :=
  Plumbline.Scalar.sub other self

-- aten.rsub.Tensor
def op_rsub_Tensor {S : Type} [Plumbline.Scalar S] (self : S) (other : S) : S :=
  Plumbline.Scalar.sub other self

-- aten.sqrt.default
def op_sqrt {S : Type} [Plumbline.Scalar S] (self : S) : S :=
  Plumbline.Scalar.sqrt self

-- aten.square.default
def op_square {S : Type} [Plumbline.Scalar S] (self : S) : S :=
  Plumbline.Scalar.mul self self

-- aten.sub.Scalar
def op_sub_Scalar {S : Type} [Plumbline.Scalar S] (self : S) (other : S) : S :=
  Plumbline.Scalar.sub self other

-- aten.sub.Tensor
def op_sub_Tensor {S : Type} [Plumbline.Scalar S] (self : S) (other : S) : S :=
  Plumbline.Scalar.sub self other

-- aten.subtract.Tensor
def op_subtract_Tensor {S : Type} [Plumbline.Scalar S] (self : S) (other : S) : S :=
  Plumbline.Scalar.sub self other

-- aten.true_divide.Tensor
def op_true_divide_Tensor {S : Type} [Plumbline.Scalar S] (self : S) (other : S) : S :=
  Plumbline.Scalar.div self other

-- aten.eq.Scalar
def op_eq_Scalar {S : Type} [Plumbline.Scalar S] (self : S) (other : S) : Bool :=
  Plumbline.Scalar.eq self other

-- aten.eq.Tensor
def op_eq_Tensor {S : Type} [Plumbline.Scalar S] (self : S) (other : S) : Bool :=
  Plumbline.Scalar.eq self other

-- aten.ge.Scalar
def op_ge_Scalar {S : Type} [Plumbline.Scalar S] (self : S) (other : S) : Bool :=
  Plumbline.Scalar.le other self

-- aten.ge.Tensor
def op_ge_Tensor {S : Type} [Plumbline.Scalar S] (self : S) (other : S) : Bool :=
  Plumbline.Scalar.le other self

-- aten.gt.Scalar
def op_gt_Scalar {S : Type} [Plumbline.Scalar S] (self : S) (other : S) : Bool :=
  Plumbline.Scalar.lt other self

-- aten.gt.Tensor
def op_gt_Tensor {S : Type} [Plumbline.Scalar S] (self : S) (other : S) : Bool :=
  Plumbline.Scalar.lt other self

-- aten.isnan.default
def op_isnan {S : Type} [Plumbline.Scalar S] (self : S) : Bool :=
  Plumbline.Scalar.isNaN self

-- aten.le.Scalar
def op_le_Scalar {S : Type} [Plumbline.Scalar S] (self : S) (other : S) : Bool :=
  Plumbline.Scalar.le self other

-- aten.le.Tensor
def op_le_Tensor {S : Type} [Plumbline.Scalar S] (self : S) (other : S) : Bool :=
  Plumbline.Scalar.le self other

-- aten.logical_and.default
def op_logical_and {S : Type} [Plumbline.Scalar S] (self : S) (other : S) : Bool :=
  !(Plumbline.Scalar.eq self (Plumbline.Scalar.lit 0x00000000 0 1)) && !(Plumbline.Scalar.eq other (Plumbline.Scalar.lit 0x00000000 0 1))

-- aten.logical_not.default
def op_logical_not {S : Type} [Plumbline.Scalar S] (self : S) : Bool :=
  Plumbline.Scalar.eq self (Plumbline.Scalar.lit 0x00000000 0 1)

-- aten.logical_or.default
def op_logical_or {S : Type} [Plumbline.Scalar S] (self : S) (other : S) : Bool :=
  !(Plumbline.Scalar.eq self (Plumbline.Scalar.lit 0x00000000 0 1)) || !(Plumbline.Scalar.eq other (Plumbline.Scalar.lit 0x00000000 0 1))

-- aten.logical_xor.default
def op_logical_xor {S : Type} [Plumbline.Scalar S] (self : S) (other : S) : Bool :=
  let t : Bool := Plumbline.Scalar.eq other (Plumbline.Scalar.lit 0x00000000 0 1)
  if Plumbline.Scalar.eq self (Plumbline.Scalar.lit 0x00000000 0 1) then !t else t

-- aten.lt.Scalar
def op_lt_Scalar {S : Type} [Plumbline.Scalar S] (self : S) (other : S) : Bool :=
  Plumbline.Scalar.lt self other

-- aten.lt.Tensor
def op_lt_Tensor {S : Type} [Plumbline.Scalar S] (self : S) (other : S) : Bool :=
  Plumbline.Scalar.lt self other

-- aten.masked_fill.Scalar
def op_masked_fill_Scalar {S : Type} [Plumbline.Scalar S] (self : S) (mask : Bool) (value : S) : S :=
  if mask then value else self

-- aten.masked_fill.Tensor
def op_masked_fill_Tensor {S : Type} [Plumbline.Scalar S] (self : S) (mask : Bool) (value : S) : S :=
  if mask then value else self

-- aten.ne.Scalar
def op_ne_Scalar {S : Type} [Plumbline.Scalar S] (self : S) (other : S) : Bool :=
  !(Plumbline.Scalar.eq self other)

-- aten.ne.Tensor
def op_ne_Tensor {S : Type} [Plumbline.Scalar S] (self : S) (other : S) : Bool :=
  !(Plumbline.Scalar.eq self other)

-- aten.where.ScalarOther
def op_where_ScalarOther {S : Type} [Plumbline.Scalar S] (condition : Bool) (self : S) (other : S) : S :=
  if condition then self else other

-- aten.where.ScalarSelf
def op_where_ScalarSelf {S : Type} [Plumbline.Scalar S] (condition : Bool) (self : S) (other : S) : S :=
  if condition then self else other

-- aten.where.self
def op_where_self {S : Type} [Plumbline.Scalar S] (condition : Bool) (self : S) (other : S) : S :=
  if condition then self else other

-- aten.clamp_max.Tensor
def op_clamp_max_Tensor {S : Type} [Plumbline.Scalar S] (zero : Bool) (self : S) (max_arg : S) : S :=
  if Plumbline.Scalar.isNaN max_arg then max_arg else (if Plumbline.Scalar.lt max_arg self then max_arg else (if Plumbline.Scalar.eq self max_arg then (if zero then self else max_arg) else self))

-- aten.clamp_max.default
def op_clamp_max {S : Type} [Plumbline.Scalar S] (zero : Bool) (self : S) (max_arg : S) : S :=
  if Plumbline.Scalar.isNaN max_arg then max_arg else (if Plumbline.Scalar.lt max_arg self then max_arg else (if Plumbline.Scalar.eq self max_arg then (if zero then self else max_arg) else self))

-- aten.clamp_min.Tensor
def op_clamp_min_Tensor {S : Type} [Plumbline.Scalar S] (zero : Bool) (self : S) (min_arg : S) : S :=
  if Plumbline.Scalar.isNaN min_arg then min_arg else (if Plumbline.Scalar.lt self min_arg then min_arg else (if Plumbline.Scalar.eq self min_arg then (if zero then self else min_arg) else self))

-- aten.clamp_min.default
def op_clamp_min {S : Type} [Plumbline.Scalar S] (zero : Bool) (self : S) (min_arg : S) : S :=
  if Plumbline.Scalar.isNaN min_arg then min_arg else (if Plumbline.Scalar.lt self min_arg then min_arg else (if Plumbline.Scalar.eq self min_arg then (if zero then self else min_arg) else self))

-- aten.hardshrink.default
def op_hardshrink {S : Type} [Plumbline.Scalar S] (self : S) : S :=
  if Plumbline.Scalar.le (Plumbline.Scalar.neg (Plumbline.Scalar.lit 0x3F000000 1 2)) self && Plumbline.Scalar.le self (Plumbline.Scalar.lit 0x3F000000 1 2) then Plumbline.Scalar.lit 0x00000000 0 1 else self

-- aten.hardtanh.default
def op_hardtanh {S : Type} [Plumbline.Scalar S] (self : S) : S :=
  let t : S := if Plumbline.Scalar.lt self (Plumbline.Scalar.lit 0xBF800000 (-1) 1) then Plumbline.Scalar.lit 0xBF800000 (-1) 1 else self
  if Plumbline.Scalar.lt (Plumbline.Scalar.lit 0x3F800000 1 1) t then Plumbline.Scalar.lit 0x3F800000 1 1 else t

-- aten.softshrink.default
def op_softshrink {S : Type} [Plumbline.Scalar S] (self : S) : S :=
  if Plumbline.Scalar.lt (Plumbline.Scalar.lit 0x3F000000 1 2) self then Plumbline.Scalar.sub self (Plumbline.Scalar.lit 0x3F000000 1 2) else (if Plumbline.Scalar.lt self (Plumbline.Scalar.neg (Plumbline.Scalar.lit 0x3F000000 1 2)) then Plumbline.Scalar.add self (Plumbline.Scalar.lit 0x3F000000 1 2) else Plumbline.Scalar.mul self (Plumbline.Scalar.lit 0x00000000 0 1))

-- aten.leaky_relu.default
def op_leaky_relu {S : Type} [Plumbline.Scalar S] (self : S) : S :=
  if Plumbline.Scalar.lt (Plumbline.Scalar.lit 0x00000000 0 1) self then self else Plumbline.Scalar.mul self (Plumbline.Scalar.lit 0x3C23D70A 1 100)

-- aten.max.other
def op_max_other {S : Type} [Plumbline.Scalar S] (zero : Bool) (self : S) (other : S) : S :=
  if Plumbline.Scalar.isNaN other then other else (if Plumbline.Scalar.lt self other then other else (if Plumbline.Scalar.eq self other then (if zero then self else other) else self))

-- aten.maximum.default
def op_maximum {S : Type} [Plumbline.Scalar S] (zero : Bool) (self : S) (other : S) : S :=
  if Plumbline.Scalar.isNaN other then other else (if Plumbline.Scalar.lt self other then other else (if Plumbline.Scalar.eq self other then (if zero then self else other) else self))

-- aten.min.other
def op_min_other {S : Type} [Plumbline.Scalar S] (zero : Bool) (self : S) (other : S) : S :=
  if Plumbline.Scalar.isNaN other then other else (if Plumbline.Scalar.lt other self then other else (if Plumbline.Scalar.eq self other then (if zero then self else other) else self))

-- aten.minimum.default
def op_minimum {S : Type} [Plumbline.Scalar S] (zero : Bool) (self : S) (other : S) : S :=
  if Plumbline.Scalar.isNaN other then other else (if Plumbline.Scalar.lt other self then other else (if Plumbline.Scalar.eq self other then (if zero then self else other) else self))

-- aten.relu.default
def op_relu {S : Type} [Plumbline.Scalar S] (zero : Bool) (self : S) : S :=
  if Plumbline.Scalar.lt self (Plumbline.Scalar.lit 0x00000000 0 1) then Plumbline.Scalar.lit 0x00000000 0 1 else (if Plumbline.Scalar.eq self (Plumbline.Scalar.lit 0x00000000 0 1) then (if zero then self else Plumbline.Scalar.lit 0x00000000 0 1) else self)

-- aten.relu6.default
def op_relu6 {S : Type} [Plumbline.Scalar S] (zero : Bool) (self : S) : S :=
  let t : S := if Plumbline.Scalar.lt self (Plumbline.Scalar.lit 0x00000000 0 1) then Plumbline.Scalar.lit 0x00000000 0 1 else (if Plumbline.Scalar.eq self (Plumbline.Scalar.lit 0x00000000 0 1) then (if zero then self else Plumbline.Scalar.lit 0x00000000 0 1) else self)
  if Plumbline.Scalar.lt (Plumbline.Scalar.lit 0x40C00000 6 1) t then Plumbline.Scalar.lit 0x40C00000 6 1 else t

-- aten.threshold.default
def op_threshold {S : Type} [Plumbline.Scalar S] (self : S) (threshold : S) (value : S) : S :=
  if Plumbline.Scalar.le self threshold then value else self

-- aten.celu.default
def op_celu {S : Type} [Plumbline.Scalar S] (self : S) : S :=
  if Plumbline.Scalar.lt (Plumbline.Scalar.lit 0x00000000 0 1) self then self else Plumbline.Scalar.sub (Plumbline.Scalar.aten_exp self) (Plumbline.Scalar.lit 0x3F800000 1 1)

-- aten.elu.default
def op_elu {S : Type} [Plumbline.Scalar S] (self : S) : S :=
  if Plumbline.Scalar.lt (Plumbline.Scalar.lit 0x00000000 0 1) self then self else Plumbline.Scalar.sub (Plumbline.Scalar.aten_exp self) (Plumbline.Scalar.lit 0x3F800000 1 1)

-- aten.gelu.default
def op_gelu {S : Type} [Plumbline.Scalar S] (self : S) : S :=
  Plumbline.Scalar.mul (Plumbline.Scalar.mul self (Plumbline.Scalar.lit 0x3F000000 1 2)) (Plumbline.Scalar.add (Plumbline.Scalar.lit 0x3F800000 1 1) (Plumbline.Scalar.aten_erf (Plumbline.Scalar.mul self (Plumbline.Scalar.lit 0x3F3504F3 1767766952966369 2500000000000000))))

-- aten.hardsigmoid.default
def op_hardsigmoid {S : Type} [Plumbline.Scalar S] (self : S) : S :=
  let t : S := Plumbline.Scalar.add self (Plumbline.Scalar.lit 0x40400000 3 1)
  let t_1 : S := if Plumbline.Scalar.lt t (Plumbline.Scalar.lit 0x00000000 0 1) then Plumbline.Scalar.lit 0x00000000 0 1 else t
  Plumbline.Scalar.div (if Plumbline.Scalar.lt (Plumbline.Scalar.lit 0x40C00000 6 1) t_1 then Plumbline.Scalar.lit 0x40C00000 6 1 else t_1) (Plumbline.Scalar.lit 0x40C00000 6 1)

-- aten.hardswish.default
def op_hardswish {S : Type} [Plumbline.Scalar S] (self : S) : S :=
  let t : S := Plumbline.Scalar.add self (Plumbline.Scalar.lit 0x40400000 3 1)
  let t_1 : S := if Plumbline.Scalar.lt t (Plumbline.Scalar.lit 0x00000000 0 1) then Plumbline.Scalar.lit 0x00000000 0 1 else t
  Plumbline.Scalar.div (Plumbline.Scalar.mul self (if Plumbline.Scalar.lt (Plumbline.Scalar.lit 0x40C00000 6 1) t_1 then Plumbline.Scalar.lit 0x40C00000 6 1 else t_1)) (Plumbline.Scalar.lit 0x40C00000 6 1)

-- aten.log_sigmoid.default
def op_log_sigmoid {S : Type} [Plumbline.Scalar S] (self : S) : S :=
  Plumbline.Scalar.sub (if Plumbline.Scalar.lt self (Plumbline.Scalar.lit 0x00000000 0 1) then self else Plumbline.Scalar.lit 0x00000000 0 1) (Plumbline.Scalar.aten_log1p (Plumbline.Scalar.aten_exp (Plumbline.Scalar.neg (Plumbline.Scalar.abs self))))

-- aten.mish.default
def op_mish {S : Type} [Plumbline.Scalar S] (self : S) : S :=
  Plumbline.Scalar.mul self (Plumbline.Scalar.aten_tanh (Plumbline.Scalar.aten_log1p (Plumbline.Scalar.aten_exp self)))

-- aten.selu.default
def op_selu {S : Type} [Plumbline.Scalar S] (self : S) : S :=
  if Plumbline.Scalar.lt (Plumbline.Scalar.lit 0x00000000 0 1) self then Plumbline.Scalar.mul self (Plumbline.Scalar.lit 0x3F867D5F 2101401974710961 2000000000000000) else Plumbline.Scalar.mul (Plumbline.Scalar.sub (Plumbline.Scalar.aten_exp self) (Plumbline.Scalar.lit 0x3F800000 1 1)) (Plumbline.Scalar.mul (Plumbline.Scalar.lit 0x3FD62D7D 4183158105885943 2500000000000000) (Plumbline.Scalar.lit 0x3F867D5F 2101401974710961 2000000000000000))

-- aten.softplus.default
def op_softplus {S : Type} [Plumbline.Scalar S] (self : S) : S :=
  if Plumbline.Scalar.lt (Plumbline.Scalar.lit 0x41A00000 20 1) self then self else Plumbline.Scalar.aten_log1p (Plumbline.Scalar.aten_exp self)

-- aten.cos.default
def op_cos {S : Type} [Plumbline.Scalar S] (self : S) : S :=
  Plumbline.Scalar.aten_cos self

-- aten.erf.default
def op_erf {S : Type} [Plumbline.Scalar S] (self : S) : S :=
  Plumbline.Scalar.aten_erf self

-- aten.exp.default
def op_exp {S : Type} [Plumbline.Scalar S] (self : S) : S :=
  Plumbline.Scalar.aten_exp self

-- aten.expm1.default
def op_expm1 {S : Type} [Plumbline.Scalar S] (self : S) : S :=
  Plumbline.Scalar.aten_expm1 self

-- aten.log.default
def op_log {S : Type} [Plumbline.Scalar S] (self : S) : S :=
  Plumbline.Scalar.aten_log self

-- aten.log1p.default
def op_log1p {S : Type} [Plumbline.Scalar S] (self : S) : S :=
  Plumbline.Scalar.aten_log1p self

-- aten.log2.default
def op_log2 {S : Type} [Plumbline.Scalar S] (self : S) : S :=
  Plumbline.Scalar.aten_log2 self

-- aten.rsqrt.default
def op_rsqrt {S : Type} [Plumbline.Scalar S] (self : S) : S :=
  Plumbline.Scalar.aten_rsqrt self

-- aten.sigmoid.default
def op_sigmoid {S : Type} [Plumbline.Scalar S] (self : S) : S :=
  Plumbline.Scalar.div (Plumbline.Scalar.lit 0x3F800000 1 1) (Plumbline.Scalar.add (Plumbline.Scalar.lit 0x3F800000 1 1) (Plumbline.Scalar.aten_exp (Plumbline.Scalar.neg self)))

-- aten.silu.default
def op_silu {S : Type} [Plumbline.Scalar S] (self : S) : S :=
  Plumbline.Scalar.div self (Plumbline.Scalar.add (Plumbline.Scalar.lit 0x3F800000 1 1) (Plumbline.Scalar.aten_exp (Plumbline.Scalar.neg self)))

-- aten.sin.default
def op_sin {S : Type} [Plumbline.Scalar S] (self : S) : S :=
  Plumbline.Scalar.aten_sin self

-- aten.tanh.default
def op_tanh {S : Type} [Plumbline.Scalar S] (self : S) : S :=
  Plumbline.Scalar.aten_tanh self

-- aten._to_copy.default
def op__to_copy {S : Type} [Plumbline.Scalar S] (self : S) : S :=
  self

-- aten.alias.default
def op_alias {S : Type} [Plumbline.Scalar S] (self : S) : S :=
  self

-- aten.clone.default
def op_clone {S : Type} [Plumbline.Scalar S] (self : S) : S :=
  self

-- aten.contiguous.default
def op_contiguous {S : Type} [Plumbline.Scalar S] (self : S) : S :=
  self

-- aten.detach.default
def op_detach {S : Type} [Plumbline.Scalar S] (self : S) : S :=
  self

-- aten.detach_.default
def op_detach_ {S : Type} [Plumbline.Scalar S] (self : S) : S :=
  self

-- aten.lift_fresh.default
def op_lift_fresh {S : Type} [Plumbline.Scalar S] (self : S) : S :=
  self

-- aten.lift_fresh_copy.default
def op_lift_fresh_copy {S : Type} [Plumbline.Scalar S] (self : S) : S :=
  self

-- aten.ones_like.default
def op_ones_like {S : Type} [Plumbline.Scalar S] (self : S) : S :=
  Plumbline.Scalar.lit 0x3F800000 1 1

-- aten.to.dtype
def op_to_dtype {S : Type} [Plumbline.Scalar S] (self : S) (dtype : S) : S :=
  self

-- aten.zeros_like.default
def op_zeros_like {S : Type} [Plumbline.Scalar S] (self : S) : S :=
  Plumbline.Scalar.lit 0x00000000 0 1

end Plumbline
