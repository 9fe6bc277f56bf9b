-- Method document of Plumbline: kernel 'tree_sum' (barriers.cu:4) compared with the module in zeros.json.
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
-- Locked lines: osOw8xmxzeSTHX_HT9vP_nEfSDbHyZQjxjYJvxLSmFLPdXbPfDClD6VcGHBgcZ1ula1GGN5Qv9SuyGYN0pcwVQwYsUGma0eShk+BlPxLuBlPDDaqyTBvaFRHodENnNXuGcWldNUcWlAhaIepC0kTvsRhmTViDim_xueyO4vIZuElTy6u8kDKXUpsxrll4ApOs+UsyGSIgF5cyYh3PUIgCyNf8LwYFQh3mYTG5kmUY_USephKYNA3wghXC_pWyE5WHxAUuNS6sJabr2UHCpPgSIgPEtAQJoYsaEWP66XB+vUwIJ0yYhfU4WLXVtWWLXcMEoVWSR+C0AgcA5cKaJmQLnWHxLL4cD8AsVB+X8YwriiQdQt5ESIgFfYyYhl3WyNfS9wW1JnigW1J0HIKUAPryd9IwEYArEyo0

import Velvet
import Plumbline.Float32
import Plumbline.Integers
import Plumbline.Scalar

-- What the module computes at the flat index i (below the number of elements).
@[grind]
def tree_sum_spec {S : Type} [Inhabited S] [Plumbline.Scalar S] (i : Nat) : S :=
  Plumbline.Scalar.lit 0x00000000 0 1

-- Lemmas that the proof needs go here.

method tree_sum_method
    (gridDim_x : Nat)
    (blockDim_x : Nat)
    (n_1 : Int)
    (n : Int)
    (x : Array Float32)
    (yIn : Array Float32)
    (sIn : Array Float32)
  returns (y : Array Float32)
  -- launch contract
  requires tree_sum_gridDim_x: ((gridDim_x : Int) = Plumbline.cDiv (n_1 + 63) 64)
  -- launch contract
  requires tree_sum_blockDim_x: ((blockDim_x : Int) = 64)
  -- argument n, launch contract
  requires tree_sum_n: (n = n_1)
  -- elements of input x, launch contract
  requires tree_sum_x_size: ((x.size : Int) = n_1)
  -- elements of output:0, launch contract
  requires tree_sum_yIn_size: ((yIn.size : Int) = n_1)
  -- captured graph: 1 <= n <= 100000
  requires tree_sum_known: (1 ≤ n_1)
  -- captured graph: 1 <= n <= 100000
  requires tree_sum_known_1: (n_1 ≤ 100000)
  -- elements of the shared array s, barriers.cu:5; any contents
  requires tree_sum_sIn_size: ((sIn.size : Int) = 64)
  ensures tree_sum_y_size_kept: ((y.size : Int) = n_1)
  ensures tree_sum_y_value: (∀ k : Nat, (k : Int) < n_1 → y[k]! = tree_sum_spec k)
do
  let mut y : Array Float32 := yIn
  let mut s : Array Float32 := sIn
  let mut blk_x : Nat := 0
  while tree_sum_blk_x_more: (blk_x < gridDim_x)
    invariant tree_sum_blk_x_le: (blk_x ≤ gridDim_x)
    invariant tree_sum_blk_x_y_size: (y.size = yIn.size)
    invariant tree_sum_blk_x_s_size: (s.size = sIn.size)
    -- yours: what holds of the values after each turn
    invariant tree_sum_blk_x_open: (True)
    decreasing tree_sum_blk_x_left: (gridDim_x - blk_x)
    done_with tree_sum_blk_x_end: (blk_x = gridDim_x)
  do
    let blockIdx_x : Int := (blk_x : Int)
    -- phase 1, barriers.cu:6-8
    -- race condition 1: no thread writes a cell of s that another one reads or writes in this interval
    let mut thr_x : Nat := 0
    while tree_sum_thr_x_more: (thr_x < blockDim_x)
      invariant tree_sum_thr_x_le: (thr_x ≤ blockDim_x)
      invariant tree_sum_thr_x_s_size: (s.size = sIn.size)
      -- yours: what holds of the values after each turn
      invariant tree_sum_thr_x_open: (True)
      decreasing tree_sum_thr_x_left: (blockDim_x - thr_x)
      done_with tree_sum_thr_x_end: (thr_x = blockDim_x)
    do
      let threadIdx_x : Int := (thr_x : Int)
      -- barriers.cu:6
      assert tree_sum_fits: (Plumbline.FitsI32 threadIdx_x)
      let tid : Int := threadIdx_x
      -- barriers.cu:7
      assert tree_sum_fits_1: (Plumbline.FitsU32 (blockIdx_x * (blockDim_x : Int)))
      assert tree_sum_fits_2: (Plumbline.FitsU32 tid)
      assert tree_sum_fits_3: (Plumbline.FitsU32 (blockIdx_x * (blockDim_x : Int) + tid))
      assert tree_sum_fits_4: (Plumbline.FitsI32 (blockIdx_x * (blockDim_x : Int) + tid))
      let i : Int := blockIdx_x * (blockDim_x : Int) + tid
      -- barriers.cu:8; 0x00000000 is 0.0
      assert tree_sum_bound: (i < n → 0 ≤ i)
      assert tree_sum_bound_1: (i < n → i < (x.size : Int))
      assert tree_sum_bound_2: (0 ≤ tid)
      assert tree_sum_bound_3: (tid < (s.size : Int))
      s := s.set! tid.toNat (if i < n then x[i.toNat]! else Float32.ofBits 0x00000000)
      thr_x := thr_x + 1
    -- barriers.cu:9; barrier: the interval ends here
    -- barriers.cu:10
    assert tree_sum_fits_5: (Plumbline.FitsU32 (Plumbline.cDiv (blockDim_x : Int) 2))
    assert tree_sum_fits_6: (Plumbline.FitsI32 (Plumbline.cDiv (blockDim_x : Int) 2))
    let mut w : Int := Plumbline.cDiv (blockDim_x : Int) 2
    while tree_sum_w_more: (0 < w)
      invariant tree_sum_w_from: (w ≤ Plumbline.cDiv (blockDim_x : Int) 2)
      invariant tree_sum_w_to: (w < Plumbline.cDiv (blockDim_x : Int) 2 → 0 ≤ w)
      invariant tree_sum_w_s_size: (s.size = sIn.size)
      invariant tree_sum_w_w_fits: (Plumbline.FitsI32 w)
      -- yours: what holds of the values after each turn
      invariant tree_sum_w_open: (True)
      decreasing tree_sum_w_left: (w.toNat)
      done_with tree_sum_w_end: (w ≤ 0)
    do
      -- phase 2, barriers.cu:11
      -- race condition 2: no thread writes a cell of s that another one reads or writes in this interval
      let mut thr_x_1 : Nat := 0
      while tree_sum_thr_x_1_more: (thr_x_1 < blockDim_x)
        invariant tree_sum_thr_x_1_le: (thr_x_1 ≤ blockDim_x)
        invariant tree_sum_thr_x_1_s_size: (s.size = sIn.size)
        -- yours: what holds of the values after each turn
        invariant tree_sum_thr_x_1_open: (True)
        decreasing tree_sum_thr_x_1_left: (blockDim_x - thr_x_1)
        done_with tree_sum_thr_x_1_end: (thr_x_1 = blockDim_x)
      do
        let threadIdx_x : Int := (thr_x_1 : Int)
        -- barriers.cu:6
        let tid_1 : Int := threadIdx_x
        -- barriers.cu:11
        if tid_1 < w then
          -- barriers.cu:11
          assert tree_sum_bound_4: (0 ≤ tid_1)
          assert tree_sum_bound_5: (tid_1 < (s.size : Int))
          assert tree_sum_fits_7: (Plumbline.FitsI32 (tid_1 + w))
          assert tree_sum_bound_6: (0 ≤ tid_1 + w)
          assert tree_sum_bound_7: (tid_1 + w < (s.size : Int))
          s := s.set! tid_1.toNat (s[tid_1.toNat]! + s[(tid_1 + w).toNat]!)
        thr_x_1 := thr_x_1 + 1
      -- barriers.cu:12; barrier: the interval ends here
      -- barriers.cu:10
      assert tree_sum_shifted: (0 ≤ w)
      w := Plumbline.cDiv w 2
    -- phase 3, barriers.cu:14
    -- race condition 3: no thread writes a cell of y that another one reads or writes in this interval
    let mut thr_x_2 : Nat := 0
    while tree_sum_thr_x_2_more: (thr_x_2 < blockDim_x)
      invariant tree_sum_thr_x_2_le: (thr_x_2 ≤ blockDim_x)
      invariant tree_sum_thr_x_2_y_size: (y.size = yIn.size)
      -- yours: what holds of the values after each turn
      invariant tree_sum_thr_x_2_open: (True)
      decreasing tree_sum_thr_x_2_left: (blockDim_x - thr_x_2)
      done_with tree_sum_thr_x_2_end: (thr_x_2 = blockDim_x)
    do
      let threadIdx_x : Int := (thr_x_2 : Int)
      -- barriers.cu:6
      let tid_2 : Int := threadIdx_x
      -- barriers.cu:7
      let i_1 : Int := blockIdx_x * (blockDim_x : Int) + tid_2
      -- barriers.cu:14
      if i_1 < n then
        -- barriers.cu:14
        assert tree_sum_bound_8: (0 < (s.size : Int))
        assert tree_sum_bound_9: (0 ≤ i_1)
        assert tree_sum_bound_10: (i_1 < (y.size : Int))
        y := y.set! i_1.toNat (s[0]! + Float32.ofInt tid_2)
      thr_x_2 := thr_x_2 + 1
    blk_x := blk_x + 1
  return y

prove_correct tree_sum_method by
  velvet_vcgen [tree_sum_method, tree_sum_spec] with try finish
