-- not yet compiled
-- Lemmas proved by trying all 2^32 values, with the axiom of native evaluation.

import PlumblineSweep.DivOne
import PlumblineSweep.HalfDiv
import PlumblineSweep.LeakyMax
import PlumblineSweep.MulOne
import PlumblineSweep.NegNeg
import PlumblineSweep.OfBitsToBits
import PlumblineSweep.SubZero
import PlumblineSweep.TwoMul
