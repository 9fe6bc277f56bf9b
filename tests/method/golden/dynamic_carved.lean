-- Method document of Plumbline: kernel 'dynamic_carved' (barriers.cu:295) compared with the module in zeros.json.
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
-- Locked lines: en0Dp_mxzeSTHX_HT9vP_nEfSDbHyZQjxjYJvxLSmFLPdXbPfDClD6VcGHBgcZ1ulaJ68N5QayouyGYN0pcwVQwYsUGmaYR0hk+BlP8wYBlPfokqyTE6+FRHgLQNnNA58cWlYgicWlBngQjnlaeavQJHsTViDimr4seyOZkIQFGHzq6u8kDKYHXZUuZ0t+9gZrLfRKq8dZA3ll4lN8BtiBckSIgF5ciWlxmupKKivLykCc4OLEiCn6t9YK7VqBccdgPP0TIIxWe_pWFCxEBB8uRBe8RnMk3koqISIgOXWiWlY68OlXu0oIwGjg6pGmvgcFZ0BjkTUNC67juT8YwH9UoMyIHeSIgFfYiWlTngl8BM5STEGcUSMEeDOIzVGW1KEqowEY6KVJBdGptF1uZC2TsqjxCSIg3KSiWlcb0ivLI1mgaVniggaV256xoeHPkcLMCnarlMCFEArEyo0

import Velvet
import Plumbline.Float32
import Plumbline.Integers
import Plumbline.Scalar

-- What the module computes at the flat index i (below the number of elements).
@[grind]
def dynamic_carved_spec {S : Type} [Inhabited S] [Plumbline.Scalar S] (i : Nat) : S :=
  Plumbline.Scalar.lit 0x00000000 0 1

-- Lemmas that the proof needs go here.

method dynamic_carved_method
    (gridDim_x : Nat)
    (blockDim_x : Nat)
    (n_1 : Int)
    (n : Int)
    (x : Array Float32)
    (yIn : Array Float32)
    (memoryIn : Array Float32)
  returns (y : Array Float32)
  -- launch contract
  requires dynamic_carved_gridDim_x: ((gridDim_x : Int) = Plumbline.cDiv (n_1 + 15) 16)
  -- launch contract
  requires dynamic_carved_blockDim_x: ((blockDim_x : Int) = 16)
  -- argument n, launch contract
  requires dynamic_carved_n: (n = n_1)
  -- elements of input x, launch contract
  requires dynamic_carved_x_size: ((x.size : Int) = n_1)
  -- elements of output:0, launch contract
  requires dynamic_carved_yIn_size: ((yIn.size : Int) = n_1)
  -- captured graph: 1 <= n <= 100000
  requires dynamic_carved_known: (1 ≤ n_1)
  -- captured graph: 1 <= n <= 100000
  requires dynamic_carved_known_1: (n_1 ≤ 100000)
  -- elements of the dynamic shared memory of the launch, barriers.cu:296; any contents
  requires dynamic_carved_memoryIn_size: ((memoryIn.size : Int) = Plumbline.cDiv 192 4)
  ensures dynamic_carved_y_size_kept: ((y.size : Int) = n_1)
  ensures dynamic_carved_y_value: (∀ k : Nat, (k : Int) < n_1 → y[k]! = dynamic_carved_spec k)
do
  let mut y : Array Float32 := yIn
  let mut memory : Array Float32 := memoryIn
  let mut blk_x : Nat := 0
  while dynamic_carved_blk_x_more: (blk_x < gridDim_x)
    invariant dynamic_carved_blk_x_le: (blk_x ≤ gridDim_x)
    invariant dynamic_carved_blk_x_y_size: (y.size = yIn.size)
    invariant dynamic_carved_blk_x_memory_size: (memory.size = memoryIn.size)
    -- yours: what holds of the values after each turn
    invariant dynamic_carved_blk_x_open: (True)
    decreasing dynamic_carved_blk_x_left: (gridDim_x - blk_x)
    done_with dynamic_carved_blk_x_end: (blk_x = gridDim_x)
  do
    let blockIdx_x : Int := (blk_x : Int)
    -- barriers.cu:297
    let first : Int := 0
    -- barriers.cu:298
    let second : Int := (blockDim_x : Int)
    -- barriers.cu:299
    let third : Int := second + 16
    -- phase 1, barriers.cu:300-302
    -- race condition 1: no thread writes a cell of memory that another one reads or writes in this interval
    let mut thr_x : Nat := 0
    while dynamic_carved_thr_x_more: (thr_x < blockDim_x)
      invariant dynamic_carved_thr_x_le: (thr_x ≤ blockDim_x)
      invariant dynamic_carved_thr_x_memory_size: (memory.size = memoryIn.size)
      -- yours: what holds of the values after each turn
      invariant dynamic_carved_thr_x_open: (True)
      decreasing dynamic_carved_thr_x_left: (blockDim_x - thr_x)
      done_with dynamic_carved_thr_x_end: (thr_x = blockDim_x)
    do
      let threadIdx_x : Int := (thr_x : Int)
      -- barriers.cu:300
      assert dynamic_carved_fits: (Plumbline.FitsI32 threadIdx_x)
      let t : Int := threadIdx_x
      -- barriers.cu:301
      assert dynamic_carved_fits_1: (Plumbline.FitsU32 (blockIdx_x * (blockDim_x : Int)))
      assert dynamic_carved_fits_2: (Plumbline.FitsU32 t)
      assert dynamic_carved_fits_3: (Plumbline.FitsU32 (blockIdx_x * (blockDim_x : Int) + t))
      assert dynamic_carved_fits_4: (Plumbline.FitsI32 (blockIdx_x * (blockDim_x : Int) + t))
      let i : Int := blockIdx_x * (blockDim_x : Int) + t
      -- barriers.cu:302; 0x00000000 is 0.0
      assert dynamic_carved_bound: (i < n → 0 ≤ i)
      assert dynamic_carved_bound_1: (i < n → i < (x.size : Int))
      assert dynamic_carved_bound_2: (0 ≤ first + t)
      assert dynamic_carved_bound_3: (first + t < (memory.size : Int))
      memory := memory.set! (first + t).toNat (if i < n then x[i.toNat]! else Float32.ofBits 0x00000000)
      thr_x := thr_x + 1
    -- barriers.cu:303; barrier: the interval ends here
    -- phase 2, barriers.cu:304
    -- race condition 2: no thread writes a cell of memory that another one reads or writes in this interval
    let mut thr_x_1 : Nat := 0
    while dynamic_carved_thr_x_1_more: (thr_x_1 < blockDim_x)
      invariant dynamic_carved_thr_x_1_le: (thr_x_1 ≤ blockDim_x)
      invariant dynamic_carved_thr_x_1_memory_size: (memory.size = memoryIn.size)
      -- yours: what holds of the values after each turn
      invariant dynamic_carved_thr_x_1_open: (True)
      decreasing dynamic_carved_thr_x_1_left: (blockDim_x - thr_x_1)
      done_with dynamic_carved_thr_x_1_end: (thr_x_1 = blockDim_x)
    do
      let threadIdx_x : Int := (thr_x_1 : Int)
      -- barriers.cu:300
      let t_1 : Int := threadIdx_x
      -- barriers.cu:304; 0x3F800000 is 1.0
      assert dynamic_carved_fits_5: (Plumbline.FitsI32 (15 - t_1))
      assert dynamic_carved_bound_4: (0 ≤ first + (15 - t_1))
      assert dynamic_carved_bound_5: (first + (15 - t_1) < (memory.size : Int))
      assert dynamic_carved_bound_6: (0 ≤ second + t_1)
      assert dynamic_carved_bound_7: (second + t_1 < (memory.size : Int))
      memory := memory.set! (second + t_1).toNat (memory[(first + (15 - t_1)).toNat]! + Float32.ofBits 0x3F800000)
      thr_x_1 := thr_x_1 + 1
    -- barriers.cu:305; barrier: the interval ends here
    -- phase 3, barriers.cu:306
    -- race condition 3: no thread writes a cell of memory that another one reads or writes in this interval
    let mut thr_x_2 : Nat := 0
    while dynamic_carved_thr_x_2_more: (thr_x_2 < blockDim_x)
      invariant dynamic_carved_thr_x_2_le: (thr_x_2 ≤ blockDim_x)
      invariant dynamic_carved_thr_x_2_memory_size: (memory.size = memoryIn.size)
      -- yours: what holds of the values after each turn
      invariant dynamic_carved_thr_x_2_open: (True)
      decreasing dynamic_carved_thr_x_2_left: (blockDim_x - thr_x_2)
      done_with dynamic_carved_thr_x_2_end: (thr_x_2 = blockDim_x)
    do
      let threadIdx_x : Int := (thr_x_2 : Int)
      -- barriers.cu:300
      let t_2 : Int := threadIdx_x
      -- barriers.cu:306
      assert dynamic_carved_fits_6: (Plumbline.FitsI32 (t_2 + 3))
      assert dynamic_carved_bound_8: (0 ≤ second + Plumbline.cMod (t_2 + 3) 16)
      assert dynamic_carved_bound_9: (second + Plumbline.cMod (t_2 + 3) 16 < (memory.size : Int))
      assert dynamic_carved_bound_10: (0 ≤ first + t_2)
      assert dynamic_carved_bound_11: (first + t_2 < (memory.size : Int))
      assert dynamic_carved_bound_12: (0 ≤ third + t_2)
      assert dynamic_carved_bound_13: (third + t_2 < (memory.size : Int))
      memory := memory.set! (third + t_2).toNat (memory[(second + Plumbline.cMod (t_2 + 3) 16).toNat]! * memory[(first + t_2).toNat]!)
      thr_x_2 := thr_x_2 + 1
    -- barriers.cu:307; barrier: the interval ends here
    -- phase 4, barriers.cu:308
    -- race condition 4: no thread writes a cell of y that another one reads or writes in this interval
    let mut thr_x_3 : Nat := 0
    while dynamic_carved_thr_x_3_more: (thr_x_3 < blockDim_x)
      invariant dynamic_carved_thr_x_3_le: (thr_x_3 ≤ blockDim_x)
      invariant dynamic_carved_thr_x_3_y_size: (y.size = yIn.size)
      -- yours: what holds of the values after each turn
      invariant dynamic_carved_thr_x_3_open: (True)
      decreasing dynamic_carved_thr_x_3_left: (blockDim_x - thr_x_3)
      done_with dynamic_carved_thr_x_3_end: (thr_x_3 = blockDim_x)
    do
      let threadIdx_x : Int := (thr_x_3 : Int)
      -- barriers.cu:300
      let t_3 : Int := threadIdx_x
      -- barriers.cu:301
      let i_1 : Int := blockIdx_x * (blockDim_x : Int) + t_3
      -- barriers.cu:308
      if i_1 < n then
        -- barriers.cu:308
        assert dynamic_carved_fits_7: (Plumbline.FitsI32 (t_3 + 1))
        assert dynamic_carved_bound_14: (0 ≤ third + Plumbline.cMod (t_3 + 1) 16)
        assert dynamic_carved_bound_15: (third + Plumbline.cMod (t_3 + 1) 16 < (memory.size : Int))
        assert dynamic_carved_bound_16: (0 ≤ i_1)
        assert dynamic_carved_bound_17: (i_1 < (y.size : Int))
        y := y.set! i_1.toNat memory[(third + Plumbline.cMod (t_3 + 1) 16).toNat]!
      thr_x_3 := thr_x_3 + 1
    blk_x := blk_x + 1
  return y

prove_correct dynamic_carved_method by
  velvet_vcgen [dynamic_carved_method, dynamic_carved_spec] with try finish
