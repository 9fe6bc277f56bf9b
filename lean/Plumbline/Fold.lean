-- not yet compiled
-- The folds that sums, products, maxima and the like of a spec are.

namespace Plumbline

-- From init, the steps 0, 1, ... up to the number of steps, in this order.
def fold {A : Type} (init : A) (next : Int → A → A) : Nat → A
  | 0 => init
  | n + 1 => next (Int.ofNat n) (fold init next n)

end Plumbline
