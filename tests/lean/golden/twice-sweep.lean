-- Method document of Plumbline: kernel 'twice_kernel' (kernel.cu:4) compared with the module in graph.json.
-- Lean has not checked this text: it was written for Velvet 2 on Lean 4.34 without running either.
-- Generated and locked: definitions, requires, body, ensures. Yours: invariants, lemmas, the proof.
--
-- Reading: ieee. A Float32 has one NaN; equality is equality of bits, so 0 and -0 differ.
-- Scope: all inputs and sizes that satisfy the requires clauses.
-- The threads run one after another here. That no thread depends on another, that all elements are
-- written and that the launch is legal is shown by Plumbline's safety gate, not by this document.
-- Hypothesis (captured graph): x is contiguous.
-- Hypothesis (wrapper): x.is_contiguous().
-- Theorem twice_kernel_sweep (sweep): rests on the axiom of native evaluation.
-- Locked lines: HniL17mxzeSTHX_HT9vP_XL5ytbSmFpndSxBfDClD6VcGHBgDIYcZ1Wj5ulav_gdE+5VgPp4uyGYN0KlEVQwYsUGmahk+9gBQQ09gB5wKJwjgByxv_sFsQh5_m+CGNFcUR_PHtACnMK94TViDimqm0eyO0mULLW5KK6u8ll4qOyB8UIsGSIg_viF5cy1rR1ADN4K2eCRoylxTuKyWf1Y4eiyzq6zVRbRaa08j7Y_pWArEyo0

import Velvet
import Plumbline.Float32
import Plumbline.Integers
import Plumbline.Scalar
import Plumbline.Sweep

-- What the module computes at the flat index i (below the number of elements).
-- graph: x, add
@[grind]
def twice_kernel_spec {S : Type} [Inhabited S] [Plumbline.Scalar S] (x : Array S) (i : Nat) : S :=
  let x_at : S := x[i]!
  Plumbline.Scalar.add x_at x_at

-- Lemmas that the proof needs go here.

-- Whether the module allows the kernel's value at this bit pattern.
def twice_kernel_sweep_at (bits : UInt32) : Bool :=
  decide (Float32.ofBits 0x40000000 * Float32.ofBits bits = twice_kernel_spec #[Float32.ofBits bits] 0)

-- All 2^32 bit patterns. Axiom: native evaluation.
theorem twice_kernel_sweep (bits : UInt32) : twice_kernel_sweep_at bits = true := by
  exact Plumbline.sweep_all twice_kernel_sweep_at (by native_decide) bits

method twice_kernel_method
    (gridDim_x : Nat)
    (blockDim_x : Nat)
    (s0 : Int)
    (n : Int)
    (x : Array Float32)
    (yIn : Array Float32)
  returns (y : Array Float32)
  -- launch in 'forward', kernel.cu:18
  requires twice_kernel_gridDim_x: ((gridDim_x : Int) = Plumbline.cDiv (s0 + 256 - 1) 256)
  -- launch in 'forward', kernel.cu:18
  requires twice_kernel_blockDim_x: ((blockDim_x : Int) = 256)
  -- argument n, launch in 'forward', kernel.cu:18
  requires twice_kernel_n: (n = s0)
  -- elements of input x, launch in 'forward', kernel.cu:18
  requires twice_kernel_x_size: ((x.size : Int) = s0)
  -- elements of output:0, launch in 'forward', kernel.cu:18
  requires twice_kernel_yIn_size: ((yIn.size : Int) = s0)
  -- captured graph: s0 >= 2
  requires twice_kernel_known: (2 ≤ s0)
  -- default size range: 2 <= s0 <= 1073741824
  requires twice_kernel_known_1: (s0 ≤ 1073741824)
  ensures twice_kernel_y_size_kept: ((y.size : Int) = s0)
  ensures twice_kernel_y_value: (∀ k : Nat, (k : Int) < s0 → y[k]! = twice_kernel_spec x k)
do
  let mut y : Array Float32 := yIn
  let mut g_done : Int := 0
  let mut blk_x : Nat := 0
  while twice_kernel_blk_x_more: (blk_x < gridDim_x)
    invariant twice_kernel_blk_x_le: (blk_x ≤ gridDim_x)
    invariant twice_kernel_blk_x_count: (g_done = (blk_x : Int) * (blockDim_x : Int))
    invariant twice_kernel_blk_x_y_size: (y.size = yIn.size)
    invariant twice_kernel_blk_x_y_done: (∀ k : Nat, (k : Int) < s0 → (k : Int) < g_done → y[k]! = twice_kernel_spec x k)
    decreasing twice_kernel_blk_x_left: (gridDim_x - blk_x)
    done_with twice_kernel_blk_x_end: (blk_x = gridDim_x)
  do
    let mut thr_x : Nat := 0
    while twice_kernel_thr_x_more: (thr_x < blockDim_x)
      invariant twice_kernel_thr_x_le: (thr_x ≤ blockDim_x)
      invariant twice_kernel_thr_x_count: (g_done = (blk_x : Int) * (blockDim_x : Int) + (thr_x : Int))
      invariant twice_kernel_thr_x_y_size: (y.size = yIn.size)
      invariant twice_kernel_thr_x_y_done: (∀ k : Nat, (k : Int) < s0 → (k : Int) < g_done → y[k]! = twice_kernel_spec x k)
      decreasing twice_kernel_thr_x_left: (blockDim_x - thr_x)
      done_with twice_kernel_thr_x_end: (thr_x = blockDim_x)
    do
      let blockIdx_x : Int := (blk_x : Int)
      let threadIdx_x : Int := (thr_x : Int)
      -- kernel.cu:5
      assert twice_kernel_fits: (Plumbline.FitsU32 (blockIdx_x * (blockDim_x : Int)))
      assert twice_kernel_fits_1: (Plumbline.FitsU32 (blockIdx_x * (blockDim_x : Int) + threadIdx_x))
      assert twice_kernel_fits_2: (Plumbline.FitsI32 (blockIdx_x * (blockDim_x : Int) + threadIdx_x))
      let i : Int := blockIdx_x * (blockDim_x : Int) + threadIdx_x
      -- kernel.cu:6
      if i < n then
        -- kernel.cu:7
        assert twice_kernel_bound: (0 ≤ i)
        assert twice_kernel_bound_1: (i < (x.size : Int))
        let v : Float32 := x[i.toNat]!
        -- kernel.cu:8; 0x40000000 is 2.0
        assert twice_kernel_bound_2: (i < (y.size : Int))
        y := y.set! i.toNat (Float32.ofBits 0x40000000 * v)
      g_done := g_done + 1
      thr_x := thr_x + 1
    blk_x := blk_x + 1
  return y

prove_correct twice_kernel_method by
  velvet_vcgen [twice_kernel_method, twice_kernel_spec] with try finish
