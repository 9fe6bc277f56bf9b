-- not yet compiled
-- The same on CUDA's double.

namespace Plumbline

@[grind]
def fmaxf_f64 (a : Float) (b : Float) : Float :=
  if Float.isNaN a = true then b else (if Float.isNaN b = true then a else (if a < b then b else (if b < a then a else (if a = Float.ofBits 0x8000000000000000 then b else a))))

@[grind]
def fminf_f64 (a : Float) (b : Float) : Float :=
  if Float.isNaN a = true then b else (if Float.isNaN b = true then a else (if a < b then a else (if b < a then b else (if a = Float.ofBits 0x8000000000000000 then a else b))))

@[grind]
def std_max_f64 (a : Float) (b : Float) : Float :=
  if a < b then b else a

@[grind]
def std_min_f64 (a : Float) (b : Float) : Float :=
  if b < a then b else a

end Plumbline
