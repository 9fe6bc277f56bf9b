-- not yet compiled
-- CUDA's and C++'s maximum and minimum on Float32, as compare and select.

namespace Plumbline

-- PTX max.f32 and min.f32: a number beats NaN, 0 is above -0.
@[grind]
def fmaxf (a : Float32) (b : Float32) : Float32 :=
  if Float32.isNaN a = true then b else (if Float32.isNaN b = true then a else (if a < b then b else (if b < a then a else (if a = Float32.ofBits 0x80000000 then b else a))))

@[grind]
def fminf (a : Float32) (b : Float32) : Float32 :=
  if Float32.isNaN a = true then b else (if Float32.isNaN b = true then a else (if a < b then a else (if b < a then b else (if a = Float32.ofBits 0x80000000 then a else b))))

-- C++'s std::max and std::min.
@[grind]
def std_max (a : Float32) (b : Float32) : Float32 :=
  if a < b then b else a

@[grind]
def std_min (a : Float32) (b : Float32) : Float32 :=
  if b < a then b else a

end Plumbline
