-- not yet compiled
-- A Bool function tried on all 2^32 bit patterns, and what follows from it. The proof is Lean's; that a sweep returned
-- true is an axiom of native evaluation where `native_decide` says so.

namespace Plumbline

def allBelow (p : UInt32 → Bool) : Nat → Bool
  | 0 => true
  | n + 1 => p (UInt32.ofNat n) && allBelow p n

def allPatterns (p : UInt32 → Bool) : Bool :=
  allBelow p 4294967296

theorem allBelow_holds (p : UInt32 → Bool) (n k : Nat) (h : allBelow p n = true) (hk : k < n) :
    p (UInt32.ofNat k) = true := by
  induction n with
  | zero => omega
  | succ n ih =>
    have both : p (UInt32.ofNat n) = true ∧ allBelow p n = true := by
      first
        | simpa [allBelow] using h
        | (rw [allBelow, Bool.and_eq_true] at h; exact h)
    by_cases less : k < n
    · exact ih both.2 less
    · have same : k = n := by omega
      rw [same]
      exact both.1

theorem sweep_all (p : UInt32 → Bool) (h : allPatterns p = true) (bits : UInt32) : p bits = true := by
  have below : bits.toNat < 4294967296 := by
    first
      | exact bits.toNat_lt
      | (have bound := bits.toNat_lt; omega)
  have held := allBelow_holds p 4294967296 bits.toNat h below
  rw [UInt32.ofNat_toNat] at held
  exact held

end Plumbline
