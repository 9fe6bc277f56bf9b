-- Method document of Plumbline: kernel 'grid_stride' (loops.cu:4) compared with the module in zeros.json.
-- Lean has not checked this text: it was written for Velvet 2 on Lean 4.34 without running either.
-- Generated and locked: definitions, requires, body, ensures. Yours: invariants, lemmas, the proof.
--
-- Reading: ieee. A Float32 has one NaN; equality is equality of bits, so 0 and -0 differ.
-- Scope: all inputs and sizes that satisfy the requires clauses.
-- Blocks run one after another here, and between two barriers the threads of a block. That is what the
-- kernel does only if the race condition of every phase holds (phases without a barrier between them
-- count as one), no block depends on another, every thread reaches every barrier, nothing is read
-- before it is written, and the launch is legal. None of this is shown here: only the answer of
-- `plumbline check` says whether Plumbline's safety gate has shown it. Shared memory keeps what the
-- block before left there; the kernel may not depend on it.
-- Hypothesis (captured graph): x is contiguous.
-- Hypothesis (launch contract): n is the number of elements of x.
-- Invariants: no pattern of one element a thread was recognised for y: its loops need an invariant about values from you.
-- Locked lines: mbCbUdmxzeSTHX_HT9vP_nEfSDbHyZQjxjYJvxLSmFLPdXbPfDClD6VcGHBgcZ1uladSaN5Q_cSuyGYN0pcwVQwYsUGmahk+BlPOlABlPf5UqyTy2qFRHnbCNnNJ0OcWlOxMcWlkCSbGY7eYTViDimeyOUrixycnCm6u8ll4aR0BOoK2CSIg_viF5cDXNzmSBZ+g5ss3I9ROmh0Z2SvUw9qe7z_sUoGpi1aEQtWDXNOGSYN2uvckzoTBA_pWArEyo0

import Velvet
import Plumbline.Float32
import Plumbline.Integers
import Plumbline.Scalar

-- What the module computes at the flat index i (below the number of elements).
@[grind]
def grid_stride_spec {S : Type} [Inhabited S] [Plumbline.Scalar S] (i : Nat) : S :=
  Plumbline.Scalar.lit 0x00000000 0 1

-- Lemmas that the proof needs go here.

method grid_stride_method
    (gridDim_x : Nat)
    (blockDim_x : Nat)
    (n_1 : Int)
    (n : Int)
    (x : Array Float32)
    (yIn : Array Float32)
  returns (y : Array Float32)
  -- launch contract
  requires grid_stride_gridDim_x: ((gridDim_x : Int) = Plumbline.cDiv (n_1 + 63) 64)
  -- launch contract
  requires grid_stride_blockDim_x: ((blockDim_x : Int) = 64)
  -- argument n, launch contract
  requires grid_stride_n: (n = n_1)
  -- elements of input x, launch contract
  requires grid_stride_x_size: ((x.size : Int) = n_1)
  -- elements of output:0, launch contract
  requires grid_stride_yIn_size: ((yIn.size : Int) = n_1)
  -- captured graph: 1 <= n <= 100000
  requires grid_stride_known: (1 ≤ n_1)
  -- captured graph: 1 <= n <= 100000
  requires grid_stride_known_1: (n_1 ≤ 100000)
  ensures grid_stride_y_size_kept: ((y.size : Int) = n_1)
  ensures grid_stride_y_value: (∀ k : Nat, (k : Int) < n_1 → y[k]! = grid_stride_spec k)
do
  let mut y : Array Float32 := yIn
  let mut blk_x : Nat := 0
  while grid_stride_blk_x_more: (blk_x < gridDim_x)
    invariant grid_stride_blk_x_le: (blk_x ≤ gridDim_x)
    invariant grid_stride_blk_x_y_size: (y.size = yIn.size)
    -- yours: what holds of the values after each turn
    invariant grid_stride_blk_x_open: (True)
    decreasing grid_stride_blk_x_left: (gridDim_x - blk_x)
    done_with grid_stride_blk_x_end: (blk_x = gridDim_x)
  do
    let mut thr_x : Nat := 0
    while grid_stride_thr_x_more: (thr_x < blockDim_x)
      invariant grid_stride_thr_x_le: (thr_x ≤ blockDim_x)
      invariant grid_stride_thr_x_y_size: (y.size = yIn.size)
      -- yours: what holds of the values after each turn
      invariant grid_stride_thr_x_open: (True)
      decreasing grid_stride_thr_x_left: (blockDim_x - thr_x)
      done_with grid_stride_thr_x_end: (thr_x = blockDim_x)
    do
      let blockIdx_x : Int := (blk_x : Int)
      let threadIdx_x : Int := (thr_x : Int)
      -- loops.cu:5
      assert grid_stride_fits: (Plumbline.FitsU32 (blockIdx_x * (blockDim_x : Int)))
      assert grid_stride_fits_1: (Plumbline.FitsU32 (blockIdx_x * (blockDim_x : Int) + threadIdx_x))
      assert grid_stride_fits_2: (Plumbline.FitsI32 (blockIdx_x * (blockDim_x : Int) + threadIdx_x))
      let mut i : Int := blockIdx_x * (blockDim_x : Int) + threadIdx_x
      while grid_stride_i_more: (i < n)
        invariant grid_stride_i_from: (blockIdx_x * (blockDim_x : Int) + threadIdx_x ≤ i)
        invariant grid_stride_i_to: (blockIdx_x * (blockDim_x : Int) + threadIdx_x < i → i < n + (blockDim_x : Int) * (gridDim_x : Int))
        invariant grid_stride_i_step: (Plumbline.cMod (i - (blockIdx_x * (blockDim_x : Int) + threadIdx_x)) ((blockDim_x : Int) * (gridDim_x : Int)) = 0)
        invariant grid_stride_i_y_size: (y.size = yIn.size)
        invariant grid_stride_i_i_fits: (Plumbline.FitsI32 i)
        -- yours: what holds of the values after each turn
        invariant grid_stride_i_open: (True)
        decreasing grid_stride_i_left: ((n - i).toNat)
        done_with grid_stride_i_end: (n ≤ i)
      do
        assert grid_stride_progress: (0 < (blockDim_x : Int) * (gridDim_x : Int))
        -- loops.cu:5; 0x40000000 is 2.0
        assert grid_stride_bound: (0 ≤ i)
        assert grid_stride_bound_1: (i < (x.size : Int))
        assert grid_stride_bound_2: (i < (y.size : Int))
        y := y.set! i.toNat (x[i.toNat]! * Float32.ofBits 0x40000000)
        -- loops.cu:5
        assert grid_stride_fits_3: (Plumbline.FitsU32 i)
        assert grid_stride_fits_4: (Plumbline.FitsU32 ((blockDim_x : Int) * (gridDim_x : Int)))
        assert grid_stride_fits_5: (Plumbline.FitsU32 (i + (blockDim_x : Int) * (gridDim_x : Int)))
        assert grid_stride_fits_6: (Plumbline.FitsI32 (i + (blockDim_x : Int) * (gridDim_x : Int)))
        i := i + (blockDim_x : Int) * (gridDim_x : Int)
      thr_x := thr_x + 1
    blk_x := blk_x + 1
  return y

prove_correct grid_stride_method by
  velvet_vcgen [grid_stride_method, grid_stride_spec] with try finish
