-- not yet compiled
-- a * b + c with one rounding: CUDA's fmaf.

import Plumbline.Model.Fma

namespace Plumbline

@[grind]
def fma (a : Float32) (b : Float32) (c : Float32) : Float32 :=
  Plumbline.fma32 a b c

end Plumbline
