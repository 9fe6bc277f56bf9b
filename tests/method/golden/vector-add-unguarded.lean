-- Method document of Plumbline: kernel 'add_kernel' (kernel.cu:4) compared with the module in graph.json.
-- Lean has not checked this text: it was written for Velvet 2 on Lean 4.34 without running either.
-- Generated and locked: definitions, requires, body, ensures. Yours: invariants, lemmas, the proof.
--
-- Reading: ieee. A Float32 has one NaN; equality is equality of bits, so 0 and -0 differ.
-- Scope: all inputs and sizes that satisfy the requires clauses.
-- The threads run one after another here. That no thread depends on another, that all elements are
-- written and that the launch is legal is shown by Plumbline's safety gate, not by this document.
-- Hypothesis (captured graph): x is contiguous.
-- Hypothesis (captured graph): y is contiguous.
-- Locked lines: wcCkctmxzeSTHX_HT9vP_XL5ytbSmFF5PfDClD6VcGfBsHBgcZ1cW9ulajUQ9qaFCkuyGYN0KlEVQwYsUWpoBZSf1W_zrmlS_zrRtuIKhn5wzTlcjeMrRFJoUybR+qCGNm_8R_PKasdFQKuCTVicSOqm0eyOF_4pPmVwY6u8ll4_jqE0QzQQSIg_viF5cy1rcE4K9EE8iCRoylxWHwo6iT7w45uQy0j7Y_pWArEQJG

import Velvet
import Plumbline.Float32
import Plumbline.Integers
import Plumbline.Lemmas.AddComm
import Plumbline.Scalar

-- What the module computes at the flat index i (below the number of elements).
-- graph: x, y, add
@[grind]
def add_kernel_spec {S : Type} [Inhabited S] [Plumbline.Scalar S] (x : Array S) (y : Array S) (i : Nat) : S :=
  Plumbline.Scalar.add x[i]! y[i]!

-- Lemmas that the proof needs go here.

method add_kernel_method
    (gridDim_x : Nat)
    (blockDim_x : Nat)
    (s0 : Int)
    (n : Int)
    (x : Array Float32)
    (y : Array Float32)
    (outIn : Array Float32)
  returns (out : Array Float32)
  -- launch in 'forward', kernel.cu:13
  requires add_kernel_gridDim_x: ((gridDim_x : Int) = Plumbline.cDiv (s0 + 255) 256)
  -- launch in 'forward', kernel.cu:13
  requires add_kernel_blockDim_x: ((blockDim_x : Int) = 256)
  -- argument n, launch in 'forward', kernel.cu:13
  requires add_kernel_n: (n = s0)
  -- elements of input x, launch in 'forward', kernel.cu:13
  requires add_kernel_x_size: ((x.size : Int) = s0)
  -- elements of input y, launch in 'forward', kernel.cu:13
  requires add_kernel_y_size: ((y.size : Int) = s0)
  -- elements of output:0, launch in 'forward', kernel.cu:13
  requires add_kernel_outIn_size: ((outIn.size : Int) = s0)
  -- captured graph: s0 >= 2
  requires add_kernel_known: (2 ≤ s0)
  -- default size range: 2 <= s0 <= 1073741824
  requires add_kernel_known_1: (s0 ≤ 1073741824)
  ensures add_kernel_out_size_kept: ((out.size : Int) = s0)
  ensures add_kernel_out_value: (∀ k : Nat, (k : Int) < s0 → out[k]! = add_kernel_spec x y k)
do
  let mut out : Array Float32 := outIn
  let mut g_done : Int := 0
  let mut blk_x : Nat := 0
  while add_kernel_blk_x_more: (blk_x < gridDim_x)
    invariant add_kernel_blk_x_le: (blk_x ≤ gridDim_x)
    invariant add_kernel_blk_x_count: (g_done = (blk_x : Int) * (blockDim_x : Int))
    invariant add_kernel_blk_x_out_size: (out.size = outIn.size)
    invariant add_kernel_blk_x_out_done: (∀ k : Nat, (k : Int) < s0 → (k : Int) < g_done → out[k]! = add_kernel_spec x y k)
    decreasing add_kernel_blk_x_left: (gridDim_x - blk_x)
    done_with add_kernel_blk_x_end: (blk_x = gridDim_x)
  do
    let mut thr_x : Nat := 0
    while add_kernel_thr_x_more: (thr_x < blockDim_x)
      invariant add_kernel_thr_x_le: (thr_x ≤ blockDim_x)
      invariant add_kernel_thr_x_count: (g_done = (blk_x : Int) * (blockDim_x : Int) + (thr_x : Int))
      invariant add_kernel_thr_x_out_size: (out.size = outIn.size)
      invariant add_kernel_thr_x_out_done: (∀ k : Nat, (k : Int) < s0 → (k : Int) < g_done → out[k]! = add_kernel_spec x y k)
      decreasing add_kernel_thr_x_left: (blockDim_x - thr_x)
      done_with add_kernel_thr_x_end: (thr_x = blockDim_x)
    do
      let blockIdx_x : Int := (blk_x : Int)
      let threadIdx_x : Int := (thr_x : Int)
      -- kernel.cu:5
      assert add_kernel_fits: (Plumbline.FitsU32 (blockIdx_x * (blockDim_x : Int)))
      assert add_kernel_fits_1: (Plumbline.FitsU32 (blockIdx_x * (blockDim_x : Int) + threadIdx_x))
      assert add_kernel_fits_2: (Plumbline.FitsI32 (blockIdx_x * (blockDim_x : Int) + threadIdx_x))
      let i : Int := blockIdx_x * (blockDim_x : Int) + threadIdx_x
      -- kernel.cu:6
      assert add_kernel_bound: (0 ≤ i)
      assert add_kernel_bound_1: (i < (x.size : Int))
      assert add_kernel_bound_2: (i < (y.size : Int))
      assert add_kernel_bound_3: (i < (out.size : Int))
      out := out.set! i.toNat (x[i.toNat]! + y[i.toNat]!)
      g_done := g_done + 1
      thr_x := thr_x + 1
    blk_x := blk_x + 1
  return out

prove_correct add_kernel_method by
  velvet_vcgen [add_kernel_method, add_kernel_spec] with try finish
