-- Method document of Plumbline: kernel 'softmax_rows' (barriers.cu:163) compared with the module in zeros.json.
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
-- Invariants: no pattern of one element a thread was recognised for y: its loops need an invariant about values from you.
-- Locked lines: 9D4gYnmxzeSTHX_HT9vP_nEfSDbHyZQjxjYJvxLSmFXbPfDClD6VcGdWsDUMHBgcZ1ulaJm2N5QK7ouyGYN0pcwhasZ_01zsVQwYsUGma0eShk+BlPHacBlPD0yDvF75MqyT2A0FRHCq0NnN2DahgF4mszY1gy4zY1qh4ffLnhqffLDtqTK7+jgigabFKTViDim_xueyOc+auoy7Vu6u8kDKrBN2gYCCvB524uyReeCH9Fa6tDvsxrll4fdSiNQQGOSIgF5cCSbtngpKKbG_3+gBzHv70gpy5PYyMqvUwemuBzHDxkthsM_ex6K9qyrcCU6+MSlbF07s4wa+_pWAj7LxxuiY4IssJaLzirmSgeQSIgM3TAQJoYsKc85lenqKvUwIJ0CSbCWYLhPtDaLhP8iUyWaQ0GqFSWL+498aJm9xrLxxPeqcD8Qlx8YwvdWZHM31ISIgFfYKvJ_ACBPewEY+pxEazNotF1uMe6gni7qaSIg3KSCSbTngLWZLgCFDz6HcuoW4UIFsQvUwVPwFDzX2+DW6mY2VIeq2O+ni_tg2at2jCJKuc++CFEu4N2ZxhQCLye4ByDDmSIgER5iZjkLo4uGi+mUYmvUwtXQCSblga2If2GM2IfrJgQVg0a691ulj0SPsbSssFJ2Zxnge46wYf_buTisMezUVwYuE4SIgEwuCSbGkg16ZpSY_3YapinesvUwGlU16ZQl+9P45Kuvd8KgS8lCc+o6swtX0DToBUgArEyo0

import Velvet
import Plumbline.Float32
import Plumbline.Integers
import Plumbline.MaxMin
import Plumbline.Opaque
import Plumbline.Scalar

-- What the module computes at the flat index i (below the number of elements).
@[grind]
def softmax_rows_spec {S : Type} [Inhabited S] [Plumbline.Scalar S] (i : Nat) : S :=
  Plumbline.Scalar.lit 0x00000000 0 1

-- Lemmas that the proof needs go here.

method softmax_rows_method
    (gridDim_x : Nat)
    (blockDim_x : Nat)
    (n_1 : Int)
    (numel_rows_n : Int)
    (rows_1 : Int)
    (rows : Int)
    (n : Int)
    (x : Array Float32)
    (yIn : Array Float32)
    (sIn : Array Float32)
  returns (y : Array Float32)
  -- launch contract
  requires softmax_rows_gridDim_x: ((gridDim_x : Int) = rows_1)
  -- launch contract
  requires softmax_rows_blockDim_x: ((blockDim_x : Int) = 16)
  -- argument rows, launch contract
  requires softmax_rows_rows: (rows = rows_1)
  -- argument n, launch contract
  requires softmax_rows_n: (n = n_1)
  -- elements of input x, launch contract
  requires softmax_rows_x_size: ((x.size : Int) = numel_rows_n)
  -- elements of output:0, launch contract
  requires softmax_rows_yIn_size: ((yIn.size : Int) = numel_rows_n)
  -- number of elements
  requires softmax_rows_numel: (numel_rows_n = rows_1 * n_1)
  -- launch contract: 1 <= n <= 100
  requires softmax_rows_known: (1 ≤ n_1)
  -- launch contract: 1 <= n <= 100
  requires softmax_rows_known_1: (n_1 ≤ 100)
  -- launch contract: 1 <= rows <= 100
  requires softmax_rows_known_2: (1 ≤ rows_1)
  -- launch contract: 1 <= rows <= 100
  requires softmax_rows_known_3: (rows_1 ≤ 100)
  -- elements of the shared array s, barriers.cu:164; any contents
  requires softmax_rows_sIn_size: ((sIn.size : Int) = 16)
  ensures softmax_rows_y_size_kept: ((y.size : Int) = numel_rows_n)
  ensures softmax_rows_y_value: (∀ k : Nat, (k : Int) < numel_rows_n → y[k]! = softmax_rows_spec k)
do
  let mut y : Array Float32 := yIn
  let mut s : Array Float32 := sIn
  let mut blk_x : Nat := 0
  while softmax_rows_blk_x_more: (blk_x < gridDim_x)
    invariant softmax_rows_blk_x_le: (blk_x ≤ gridDim_x)
    invariant softmax_rows_blk_x_y_size: (y.size = yIn.size)
    invariant softmax_rows_blk_x_s_size: (s.size = sIn.size)
    -- yours: what holds of the values after each turn
    invariant softmax_rows_blk_x_open: (True)
    decreasing softmax_rows_blk_x_left: (gridDim_x - blk_x)
    done_with softmax_rows_blk_x_end: (blk_x = gridDim_x)
  do
    let blockIdx_x : Int := (blk_x : Int)
    -- barriers.cu:176; of every thread, since it lives across a barrier
    let mut top : Array Float32 := Array.replicate blockDim_x (Float32.ofBits 0x00000000)
    -- barriers.cu:165
    assert softmax_rows_fits: (Plumbline.FitsU32 n)
    assert softmax_rows_fits_1: (Plumbline.FitsU32 (blockIdx_x * n))
    let row : Int := blockIdx_x * n
    -- barriers.cu:166
    let out : Int := blockIdx_x * n
    -- phase 1, barriers.cu:167-170
    -- race condition 1: no thread writes a cell of s that another one reads or writes in this interval
    let mut thr_x : Nat := 0
    while softmax_rows_thr_x_more: (thr_x < blockDim_x)
      invariant softmax_rows_thr_x_le: (thr_x ≤ blockDim_x)
      invariant softmax_rows_thr_x_s_size: (s.size = sIn.size)
      -- yours: what holds of the values after each turn
      invariant softmax_rows_thr_x_open: (True)
      decreasing softmax_rows_thr_x_left: (blockDim_x - thr_x)
      done_with softmax_rows_thr_x_end: (thr_x = blockDim_x)
    do
      let threadIdx_x : Int := (thr_x : Int)
      -- barriers.cu:167
      assert softmax_rows_fits_2: (Plumbline.FitsI32 threadIdx_x)
      let t : Int := threadIdx_x
      -- barriers.cu:168; 0xFF800000 is -INFINITY
      let mut best : Float32 := Float32.ofBits 0xFF800000
      -- barriers.cu:169
      let mut k_1 : Int := t
      while softmax_rows_k_more: (k_1 < n)
        invariant softmax_rows_k_from: (t ≤ k_1)
        invariant softmax_rows_k_to: (t < k_1 → k_1 < n + (blockDim_x : Int))
        invariant softmax_rows_k_step: (Plumbline.cMod (k_1 - t) (blockDim_x : Int) = 0)
        invariant softmax_rows_k_k_1_fits: (Plumbline.FitsI32 k_1)
        -- yours: what holds of the values after each turn
        invariant softmax_rows_k_open: (True)
        decreasing softmax_rows_k_left: ((n - k_1).toNat)
        done_with softmax_rows_k_end: (n ≤ k_1)
      do
        assert softmax_rows_progress: (0 < (blockDim_x : Int))
        -- barriers.cu:169
        assert softmax_rows_bound: (0 ≤ row + k_1)
        assert softmax_rows_bound_1: (row + k_1 < (x.size : Int))
        best := Plumbline.fmaxf best x[(row + k_1).toNat]!
        assert softmax_rows_fits_3: (Plumbline.FitsU32 k_1)
        assert softmax_rows_fits_4: (Plumbline.FitsU32 (k_1 + (blockDim_x : Int)))
        assert softmax_rows_fits_5: (Plumbline.FitsI32 (k_1 + (blockDim_x : Int)))
        k_1 := k_1 + (blockDim_x : Int)
      -- barriers.cu:170
      assert softmax_rows_bound_2: (0 ≤ t)
      assert softmax_rows_bound_3: (t < (s.size : Int))
      s := s.set! t.toNat best
      thr_x := thr_x + 1
    -- barriers.cu:171; barrier: the interval ends here
    -- barriers.cu:172
    assert softmax_rows_fits_6: (Plumbline.FitsU32 (Plumbline.cDiv (blockDim_x : Int) 2))
    assert softmax_rows_fits_7: (Plumbline.FitsI32 (Plumbline.cDiv (blockDim_x : Int) 2))
    let mut w : Int := Plumbline.cDiv (blockDim_x : Int) 2
    while softmax_rows_w_more: (0 < w)
      invariant softmax_rows_w_from: (w ≤ Plumbline.cDiv (blockDim_x : Int) 2)
      invariant softmax_rows_w_to: (w < Plumbline.cDiv (blockDim_x : Int) 2 → 0 ≤ w)
      invariant softmax_rows_w_s_size: (s.size = sIn.size)
      invariant softmax_rows_w_w_fits: (Plumbline.FitsI32 w)
      -- yours: what holds of the values after each turn
      invariant softmax_rows_w_open: (True)
      decreasing softmax_rows_w_left: (w.toNat)
      done_with softmax_rows_w_end: (w ≤ 0)
    do
      -- phase 2, barriers.cu:173
      -- race condition 2: no thread writes a cell of s that another one reads or writes in this interval
      let mut thr_x_1 : Nat := 0
      while softmax_rows_thr_x_1_more: (thr_x_1 < blockDim_x)
        invariant softmax_rows_thr_x_1_le: (thr_x_1 ≤ blockDim_x)
        invariant softmax_rows_thr_x_1_s_size: (s.size = sIn.size)
        -- yours: what holds of the values after each turn
        invariant softmax_rows_thr_x_1_open: (True)
        decreasing softmax_rows_thr_x_1_left: (blockDim_x - thr_x_1)
        done_with softmax_rows_thr_x_1_end: (thr_x_1 = blockDim_x)
      do
        let threadIdx_x : Int := (thr_x_1 : Int)
        -- barriers.cu:167
        let t_1 : Int := threadIdx_x
        -- barriers.cu:173
        if t_1 < w then
          -- barriers.cu:173
          assert softmax_rows_bound_4: (0 ≤ t_1)
          assert softmax_rows_bound_5: (t_1 < (s.size : Int))
          assert softmax_rows_fits_8: (Plumbline.FitsI32 (t_1 + w))
          assert softmax_rows_bound_6: (0 ≤ t_1 + w)
          assert softmax_rows_bound_7: (t_1 + w < (s.size : Int))
          s := s.set! t_1.toNat (Plumbline.fmaxf s[t_1.toNat]! s[(t_1 + w).toNat]!)
        thr_x_1 := thr_x_1 + 1
      -- barriers.cu:174; barrier: the interval ends here
      -- barriers.cu:172
      assert softmax_rows_fits_9: (Plumbline.FitsI32 (Plumbline.cDiv w 2))
      w := Plumbline.cDiv w 2
    -- phase 3, barriers.cu:176
    let mut thr_x_2 : Nat := 0
    while softmax_rows_thr_x_2_more: (thr_x_2 < blockDim_x)
      invariant softmax_rows_thr_x_2_le: (thr_x_2 ≤ blockDim_x)
      invariant softmax_rows_thr_x_2_top_size: (top.size = blockDim_x)
      -- yours: what holds of the values after each turn
      invariant softmax_rows_thr_x_2_open: (True)
      decreasing softmax_rows_thr_x_2_left: (blockDim_x - thr_x_2)
      done_with softmax_rows_thr_x_2_end: (thr_x_2 = blockDim_x)
    do
      let threadIdx_x : Int := (thr_x_2 : Int)
      -- barriers.cu:176
      assert softmax_rows_bound_8: (0 < (s.size : Int))
      top := top.set! thr_x_2 s[0]!
      thr_x_2 := thr_x_2 + 1
    -- barriers.cu:177; barrier: the interval ends here
    -- phase 4, barriers.cu:178-180
    -- race condition 4: no thread writes a cell of s that another one reads or writes in this interval
    let mut thr_x_3 : Nat := 0
    while softmax_rows_thr_x_3_more: (thr_x_3 < blockDim_x)
      invariant softmax_rows_thr_x_3_le: (thr_x_3 ≤ blockDim_x)
      invariant softmax_rows_thr_x_3_s_size: (s.size = sIn.size)
      -- yours: what holds of the values after each turn
      invariant softmax_rows_thr_x_3_open: (True)
      decreasing softmax_rows_thr_x_3_left: (blockDim_x - thr_x_3)
      done_with softmax_rows_thr_x_3_end: (thr_x_3 = blockDim_x)
    do
      let threadIdx_x : Int := (thr_x_3 : Int)
      -- barriers.cu:167
      let t_2 : Int := threadIdx_x
      -- barriers.cu:178; 0x00000000 is 0.0
      let mut sum : Float32 := Float32.ofBits 0x00000000
      -- barriers.cu:179
      let mut k_2 : Int := t_2
      while softmax_rows_k_more_1: (k_2 < n)
        invariant softmax_rows_k_from_1: (t_2 ≤ k_2)
        invariant softmax_rows_k_to_1: (t_2 < k_2 → k_2 < n + (blockDim_x : Int))
        invariant softmax_rows_k_step_1: (Plumbline.cMod (k_2 - t_2) (blockDim_x : Int) = 0)
        invariant softmax_rows_k_k_2_fits: (Plumbline.FitsI32 k_2)
        -- yours: what holds of the values after each turn
        invariant softmax_rows_k_open_1: (True)
        decreasing softmax_rows_k_left_1: ((n - k_2).toNat)
        done_with softmax_rows_k_end_1: (n ≤ k_2)
      do
        assert softmax_rows_progress_1: (0 < (blockDim_x : Int))
        -- barriers.cu:179
        assert softmax_rows_bound_9: (0 ≤ row + k_2)
        assert softmax_rows_bound_10: (row + k_2 < (x.size : Int))
        sum := sum + Plumbline.expf (x[(row + k_2).toNat]! - top[thr_x_3]!)
        assert softmax_rows_fits_10: (Plumbline.FitsU32 k_2)
        assert softmax_rows_fits_11: (Plumbline.FitsU32 (k_2 + (blockDim_x : Int)))
        assert softmax_rows_fits_12: (Plumbline.FitsI32 (k_2 + (blockDim_x : Int)))
        k_2 := k_2 + (blockDim_x : Int)
      -- barriers.cu:180
      assert softmax_rows_bound_11: (0 ≤ t_2)
      assert softmax_rows_bound_12: (t_2 < (s.size : Int))
      s := s.set! t_2.toNat sum
      thr_x_3 := thr_x_3 + 1
    -- barriers.cu:181; barrier: the interval ends here
    -- barriers.cu:182
    let mut w_1 : Int := Plumbline.cDiv (blockDim_x : Int) 2
    while softmax_rows_w_more_1: (0 < w_1)
      invariant softmax_rows_w_from_1: (w_1 ≤ Plumbline.cDiv (blockDim_x : Int) 2)
      invariant softmax_rows_w_to_1: (w_1 < Plumbline.cDiv (blockDim_x : Int) 2 → 0 ≤ w_1)
      invariant softmax_rows_w_s_size_1: (s.size = sIn.size)
      invariant softmax_rows_w_w_1_fits: (Plumbline.FitsI32 w_1)
      -- yours: what holds of the values after each turn
      invariant softmax_rows_w_open_1: (True)
      decreasing softmax_rows_w_left_1: (w_1.toNat)
      done_with softmax_rows_w_end_1: (w_1 ≤ 0)
    do
      -- phase 5, barriers.cu:183
      -- race condition 5: no thread writes a cell of s that another one reads or writes in this interval
      let mut thr_x_4 : Nat := 0
      while softmax_rows_thr_x_4_more: (thr_x_4 < blockDim_x)
        invariant softmax_rows_thr_x_4_le: (thr_x_4 ≤ blockDim_x)
        invariant softmax_rows_thr_x_4_s_size: (s.size = sIn.size)
        -- yours: what holds of the values after each turn
        invariant softmax_rows_thr_x_4_open: (True)
        decreasing softmax_rows_thr_x_4_left: (blockDim_x - thr_x_4)
        done_with softmax_rows_thr_x_4_end: (thr_x_4 = blockDim_x)
      do
        let threadIdx_x : Int := (thr_x_4 : Int)
        -- barriers.cu:167
        let t_3 : Int := threadIdx_x
        -- barriers.cu:183
        if t_3 < w_1 then
          -- barriers.cu:183
          assert softmax_rows_bound_13: (0 ≤ t_3)
          assert softmax_rows_bound_14: (t_3 < (s.size : Int))
          assert softmax_rows_fits_13: (Plumbline.FitsI32 (t_3 + w_1))
          assert softmax_rows_bound_15: (0 ≤ t_3 + w_1)
          assert softmax_rows_bound_16: (t_3 + w_1 < (s.size : Int))
          s := s.set! t_3.toNat (s[t_3.toNat]! + s[(t_3 + w_1).toNat]!)
        thr_x_4 := thr_x_4 + 1
      -- barriers.cu:184; barrier: the interval ends here
      -- barriers.cu:182
      assert softmax_rows_fits_14: (Plumbline.FitsI32 (Plumbline.cDiv w_1 2))
      w_1 := Plumbline.cDiv w_1 2
    -- phase 6, barriers.cu:186
    -- race condition 6: no thread writes a cell of y that another one reads or writes in this interval
    let mut thr_x_5 : Nat := 0
    while softmax_rows_thr_x_5_more: (thr_x_5 < blockDim_x)
      invariant softmax_rows_thr_x_5_le: (thr_x_5 ≤ blockDim_x)
      invariant softmax_rows_thr_x_5_y_size: (y.size = yIn.size)
      -- yours: what holds of the values after each turn
      invariant softmax_rows_thr_x_5_open: (True)
      decreasing softmax_rows_thr_x_5_left: (blockDim_x - thr_x_5)
      done_with softmax_rows_thr_x_5_end: (thr_x_5 = blockDim_x)
    do
      let threadIdx_x : Int := (thr_x_5 : Int)
      -- barriers.cu:167
      let t_4 : Int := threadIdx_x
      -- barriers.cu:186
      let mut k_3 : Int := t_4
      while softmax_rows_k_more_2: (k_3 < n)
        invariant softmax_rows_k_from_2: (t_4 ≤ k_3)
        invariant softmax_rows_k_to_2: (t_4 < k_3 → k_3 < n + (blockDim_x : Int))
        invariant softmax_rows_k_step_2: (Plumbline.cMod (k_3 - t_4) (blockDim_x : Int) = 0)
        invariant softmax_rows_k_y_size: (y.size = yIn.size)
        invariant softmax_rows_k_k_3_fits: (Plumbline.FitsI32 k_3)
        -- yours: what holds of the values after each turn
        invariant softmax_rows_k_open_2: (True)
        decreasing softmax_rows_k_left_2: ((n - k_3).toNat)
        done_with softmax_rows_k_end_2: (n ≤ k_3)
      do
        assert softmax_rows_progress_2: (0 < (blockDim_x : Int))
        -- barriers.cu:186
        assert softmax_rows_bound_17: (0 ≤ row + k_3)
        assert softmax_rows_bound_18: (row + k_3 < (x.size : Int))
        assert softmax_rows_bound_19: (0 < (s.size : Int))
        assert softmax_rows_bound_20: (0 ≤ out + k_3)
        assert softmax_rows_bound_21: (out + k_3 < (y.size : Int))
        y := y.set! (out + k_3).toNat (Plumbline.expf (x[(row + k_3).toNat]! - top[thr_x_5]!) / s[0]!)
        assert softmax_rows_fits_15: (Plumbline.FitsU32 k_3)
        assert softmax_rows_fits_16: (Plumbline.FitsU32 (k_3 + (blockDim_x : Int)))
        assert softmax_rows_fits_17: (Plumbline.FitsI32 (k_3 + (blockDim_x : Int)))
        k_3 := k_3 + (blockDim_x : Int)
      thr_x_5 := thr_x_5 + 1
    blk_x := blk_x + 1
  return y

prove_correct softmax_rows_method by
  velvet_vcgen [softmax_rows_method, softmax_rows_spec] with try finish
