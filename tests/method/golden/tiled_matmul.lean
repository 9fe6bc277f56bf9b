-- Method document of Plumbline: kernel 'tiled_matmul' (barriers.cu:128) compared with the module in zeros.json.
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
-- Hypothesis (captured graph): a is contiguous.
-- Hypothesis (captured graph): b is contiguous.
-- Invariants: no pattern of one element a thread was recognised for c: its loops need an invariant about values from you.
-- Locked lines: VCskFhmxzeSTHX_HT9vP_nEfSDbHyZQjxjYJvxLXJzqkH24_fDClD6VcGHBgcZ1ula4NwN5Qu0suyGYN0A92e3YBLwvLspcwVn6LKo8J0DYUVQwoZ4R1k6BEiO2RlOMbI9tQBlP7L4BlPurcBlPFk2BlPY7+0N9DWqqyTvby+nrst0aNf5ggTI7UFKNnNRxohgFiL2hgFpAChgF9H4zY1V0qzY10LGIt7TVIIt70sc0pNRJY0pNtWoeefHDAEJpjAq7OC3ScTVieAKuPCUtqqRWi4gaY87HM6u8Np2EQgMl8RQKSIgZ7k_visePhRoooljJWURl9GUjnslW4WbKvUwvdCgQcT0ynYah_OX+qgdkWFYp77DME+ZKYU0aHKpGJ+_eUJWC7Gt7SG4Zx0E_I2aiSmz0w8SFoq8ey2jsvUwo7vg4ZDZQQOIjv63k4h_OqeWn_ssHoDdu+FIeoqfN4UFIp77yd6pGJrSaoZDHpmtbCQNi+kYOZmpIRpCANgqHBATgRvrgZ14Tsalzm9dU86qOzsxr+jviBjDIbo8VUxD+dySAKC6C4RJi772wvPXcHcHU7cAdZaLvgh_OcTW04kmlui8s+FIZ9KraIUJK9c9hRgoRGf5kqs4w089c95EILIMzNYeScBFMXm2DrK3BU0KsNq4486ChQZ+GzLHoolqCsnh2rfqRxud7psLJ1cgbRwoYuY2WvUwHlK9fEBGUNUCh_O3Gs2gYOBGp771+0pGJhWW9vvekO9vvL4I2T8JByTHAJaQ3pgmyOTR2+wepbY

import Velvet
import Plumbline.Float32
import Plumbline.Integers
import Plumbline.Scalar

-- What the module computes at the flat index i (below the number of elements).
@[grind]
def tiled_matmul_spec {S : Type} [Inhabited S] [Plumbline.Scalar S] (i : Nat) : S :=
  Plumbline.Scalar.lit 0x00000000 0 1

-- Lemmas that the proof needs go here.

method tiled_matmul_method
    (gridDim_x : Nat)
    (blockDim_x : Nat)
    (gridDim_y : Nat)
    (blockDim_y : Nat)
    (k_1 : Int)
    (m_1 : Int)
    (n_1 : Int)
    (numel_k_n : Int)
    (numel_m_k : Int)
    (numel_m_n : Int)
    (m : Int)
    (n : Int)
    (k : Int)
    (a : Array Float32)
    (b : Array Float32)
    (cIn : Array Float32)
    (asIn : Array Float32)
    (bsIn : Array Float32)
  returns (c : Array Float32)
  -- launch contract
  requires tiled_matmul_gridDim_x: ((gridDim_x : Int) = Plumbline.cDiv (n_1 + 3) 4)
  -- launch contract
  requires tiled_matmul_blockDim_x: ((blockDim_x : Int) = 4)
  -- launch contract
  requires tiled_matmul_gridDim_y: ((gridDim_y : Int) = Plumbline.cDiv (m_1 + 3) 4)
  -- launch contract
  requires tiled_matmul_blockDim_y: ((blockDim_y : Int) = 4)
  -- argument m, launch contract
  requires tiled_matmul_m: (m = m_1)
  -- argument n, launch contract
  requires tiled_matmul_n: (n = n_1)
  -- argument k, launch contract
  requires tiled_matmul_k: (k = k_1)
  -- elements of input a, launch contract
  requires tiled_matmul_a_size: ((a.size : Int) = numel_m_k)
  -- elements of input b, launch contract
  requires tiled_matmul_b_size: ((b.size : Int) = numel_k_n)
  -- elements of output:0, launch contract
  requires tiled_matmul_cIn_size: ((cIn.size : Int) = numel_m_n)
  -- number of elements
  requires tiled_matmul_numel: (numel_m_k = m_1 * k_1)
  -- number of elements
  requires tiled_matmul_numel_1: (numel_k_n = k_1 * n_1)
  -- number of elements
  requires tiled_matmul_numel_2: (numel_m_n = m_1 * n_1)
  -- launch contract: 1 <= n <= 100
  requires tiled_matmul_known: (1 ≤ n_1)
  -- launch contract: 1 <= n <= 100
  requires tiled_matmul_known_1: (n_1 ≤ 100)
  -- launch contract: 1 <= m <= 100
  requires tiled_matmul_known_2: (1 ≤ m_1)
  -- launch contract: 1 <= m <= 100
  requires tiled_matmul_known_3: (m_1 ≤ 100)
  -- launch contract: 1 <= k <= 100
  requires tiled_matmul_known_4: (1 ≤ k_1)
  -- launch contract: 1 <= k <= 100
  requires tiled_matmul_known_5: (k_1 ≤ 100)
  -- elements of the shared array as, barriers.cu:129; any contents
  requires tiled_matmul_asIn_size: ((asIn.size : Int) = 16)
  -- elements of the shared array bs, barriers.cu:130; any contents
  requires tiled_matmul_bsIn_size: ((bsIn.size : Int) = 16)
  ensures tiled_matmul_c_size_kept: ((c.size : Int) = numel_m_n)
  ensures tiled_matmul_c_value: (∀ k_2 : Nat, (k_2 : Int) < numel_m_n → c[k_2]! = tiled_matmul_spec k_2)
do
  let mut c : Array Float32 := cIn
  let mut as : Array Float32 := asIn
  let mut bs : Array Float32 := bsIn
  let mut blk_y : Nat := 0
  while tiled_matmul_blk_y_more: (blk_y < gridDim_y)
    invariant tiled_matmul_blk_y_le: (blk_y ≤ gridDim_y)
    invariant tiled_matmul_blk_y_c_size: (c.size = cIn.size)
    invariant tiled_matmul_blk_y_as_size: (as.size = asIn.size)
    invariant tiled_matmul_blk_y_bs_size: (bs.size = bsIn.size)
    -- yours: what holds of the values after each turn
    invariant tiled_matmul_blk_y_open: (True)
    decreasing tiled_matmul_blk_y_left: (gridDim_y - blk_y)
    done_with tiled_matmul_blk_y_end: (blk_y = gridDim_y)
  do
    let mut blk_x : Nat := 0
    while tiled_matmul_blk_x_more: (blk_x < gridDim_x)
      invariant tiled_matmul_blk_x_le: (blk_x ≤ gridDim_x)
      invariant tiled_matmul_blk_x_c_size: (c.size = cIn.size)
      invariant tiled_matmul_blk_x_as_size: (as.size = asIn.size)
      invariant tiled_matmul_blk_x_bs_size: (bs.size = bsIn.size)
      -- yours: what holds of the values after each turn
      invariant tiled_matmul_blk_x_open: (True)
      decreasing tiled_matmul_blk_x_left: (gridDim_x - blk_x)
      done_with tiled_matmul_blk_x_end: (blk_x = gridDim_x)
    do
      let blockIdx_y : Int := (blk_y : Int)
      let blockIdx_x : Int := (blk_x : Int)
      -- barriers.cu:133; of every thread, since it lives across a barrier
      let mut sum : Array Float32 := Array.replicate (blockDim_x * blockDim_y) (Float32.ofBits 0x00000000)
      -- barriers.cu:134
      let mut t : Int := 0
      -- phase 1, barriers.cu:131-133
      let mut thr_y : Nat := 0
      while tiled_matmul_thr_y_more: (thr_y < blockDim_y)
        invariant tiled_matmul_thr_y_le: (thr_y ≤ blockDim_y)
        invariant tiled_matmul_thr_y_sum_size: (sum.size = blockDim_x * blockDim_y)
        -- yours: what holds of the values after each turn
        invariant tiled_matmul_thr_y_open: (True)
        decreasing tiled_matmul_thr_y_left: (blockDim_y - thr_y)
        done_with tiled_matmul_thr_y_end: (thr_y = blockDim_y)
      do
        let mut thr_x : Nat := 0
        while tiled_matmul_thr_x_more: (thr_x < blockDim_x)
          invariant tiled_matmul_thr_x_le: (thr_x ≤ blockDim_x)
          invariant tiled_matmul_thr_x_sum_size: (sum.size = blockDim_x * blockDim_y)
          -- yours: what holds of the values after each turn
          invariant tiled_matmul_thr_x_open: (True)
          decreasing tiled_matmul_thr_x_left: (blockDim_x - thr_x)
          done_with tiled_matmul_thr_x_end: (thr_x = blockDim_x)
        do
          let threadIdx_y : Int := (thr_y : Int)
          let threadIdx_x : Int := (thr_x : Int)
          let g_thread : Nat := thr_y * blockDim_x + thr_x
          -- barriers.cu:131
          assert tiled_matmul_fits: (Plumbline.FitsU32 (blockIdx_y * 4))
          assert tiled_matmul_fits_1: (Plumbline.FitsU32 (blockIdx_y * 4 + threadIdx_y))
          assert tiled_matmul_fits_2: (Plumbline.FitsI32 (blockIdx_y * 4 + threadIdx_y))
          let row : Int := blockIdx_y * 4 + threadIdx_y
          -- barriers.cu:132
          assert tiled_matmul_fits_3: (Plumbline.FitsU32 (blockIdx_x * 4))
          assert tiled_matmul_fits_4: (Plumbline.FitsU32 (blockIdx_x * 4 + threadIdx_x))
          assert tiled_matmul_fits_5: (Plumbline.FitsI32 (blockIdx_x * 4 + threadIdx_x))
          let col : Int := blockIdx_x * 4 + threadIdx_x
          -- barriers.cu:133; 0x00000000 is 0.0
          sum := sum.set! g_thread (Float32.ofBits 0x00000000)
          thr_x := thr_x + 1
        thr_y := thr_y + 1
      assert tiled_matmul_fits_6: (Plumbline.FitsI32 (k + 3))
      assert tiled_matmul_fits_7: (Plumbline.FitsI32 (Plumbline.cDiv (k + 3) 4))
      while tiled_matmul_t_more: (t < Plumbline.cDiv (k + 3) 4)
        invariant tiled_matmul_t_from: (0 ≤ t)
        invariant tiled_matmul_t_to: (0 < t → t ≤ Plumbline.cDiv (k + 3) 4)
        invariant tiled_matmul_t_as_size: (as.size = asIn.size)
        invariant tiled_matmul_t_bs_size: (bs.size = bsIn.size)
        invariant tiled_matmul_t_sum_size: (sum.size = blockDim_x * blockDim_y)
        invariant tiled_matmul_t_t_fits: (Plumbline.FitsI32 t)
        -- yours: what holds of the values after each turn
        invariant tiled_matmul_t_open: (True)
        decreasing tiled_matmul_t_left: ((Plumbline.cDiv (k + 3) 4 - t).toNat)
        done_with tiled_matmul_t_end: (Plumbline.cDiv (k + 3) 4 ≤ t)
      do
        -- phase 2, barriers.cu:135-138
        -- race condition 2: no thread writes a cell of as, bs that another one reads or writes in this interval
        let mut thr_y_1 : Nat := 0
        while tiled_matmul_thr_y_1_more: (thr_y_1 < blockDim_y)
          invariant tiled_matmul_thr_y_1_le: (thr_y_1 ≤ blockDim_y)
          invariant tiled_matmul_thr_y_1_as_size: (as.size = asIn.size)
          invariant tiled_matmul_thr_y_1_bs_size: (bs.size = bsIn.size)
          -- yours: what holds of the values after each turn
          invariant tiled_matmul_thr_y_1_open: (True)
          decreasing tiled_matmul_thr_y_1_left: (blockDim_y - thr_y_1)
          done_with tiled_matmul_thr_y_1_end: (thr_y_1 = blockDim_y)
        do
          let mut thr_x_1 : Nat := 0
          while tiled_matmul_thr_x_1_more: (thr_x_1 < blockDim_x)
            invariant tiled_matmul_thr_x_1_le: (thr_x_1 ≤ blockDim_x)
            invariant tiled_matmul_thr_x_1_as_size: (as.size = asIn.size)
            invariant tiled_matmul_thr_x_1_bs_size: (bs.size = bsIn.size)
            -- yours: what holds of the values after each turn
            invariant tiled_matmul_thr_x_1_open: (True)
            decreasing tiled_matmul_thr_x_1_left: (blockDim_x - thr_x_1)
            done_with tiled_matmul_thr_x_1_end: (thr_x_1 = blockDim_x)
          do
            let threadIdx_y : Int := (thr_y_1 : Int)
            let threadIdx_x : Int := (thr_x_1 : Int)
            let g_thread : Nat := thr_y_1 * blockDim_x + thr_x_1
            -- barriers.cu:131
            let row_1 : Int := blockIdx_y * 4 + threadIdx_y
            -- barriers.cu:132
            let col_1 : Int := blockIdx_x * 4 + threadIdx_x
            -- barriers.cu:135
            assert tiled_matmul_fits_8: (Plumbline.FitsI32 (t * 4))
            assert tiled_matmul_fits_9: (Plumbline.FitsU32 (t * 4))
            assert tiled_matmul_fits_10: (Plumbline.FitsU32 (t * 4 + threadIdx_x))
            assert tiled_matmul_fits_11: (Plumbline.FitsI32 (t * 4 + threadIdx_x))
            let ka : Int := t * 4 + threadIdx_x
            -- barriers.cu:136
            assert tiled_matmul_fits_12: (Plumbline.FitsU32 (t * 4 + threadIdx_y))
            assert tiled_matmul_fits_13: (Plumbline.FitsI32 (t * 4 + threadIdx_y))
            let kb : Int := t * 4 + threadIdx_y
            -- barriers.cu:137; 0x00000000 is 0.0
            assert tiled_matmul_fits_14: (Plumbline.FitsI64 threadIdx_y)
            assert tiled_matmul_fits_15: (Plumbline.FitsI64 (threadIdx_y * 4))
            assert tiled_matmul_fits_16: (row_1 < m ∧ ka < k → Plumbline.FitsI32 (row_1 * k))
            assert tiled_matmul_fits_17: (row_1 < m ∧ ka < k → Plumbline.FitsI32 (row_1 * k + ka))
            assert tiled_matmul_bound: (row_1 < m ∧ ka < k → 0 ≤ row_1 * k + ka)
            assert tiled_matmul_bound_1: (row_1 < m ∧ ka < k → row_1 * k + ka < (a.size : Int))
            assert tiled_matmul_bound_2: (0 ≤ threadIdx_y * 4 + threadIdx_x)
            assert tiled_matmul_bound_3: (threadIdx_y * 4 + threadIdx_x < (as.size : Int))
            as := as.set! (threadIdx_y * 4 + threadIdx_x).toNat (if row_1 < m ∧ ka < k then a[(row_1 * k + ka).toNat]! else Float32.ofBits 0x00000000)
            -- barriers.cu:138; 0x00000000 is 0.0
            assert tiled_matmul_fits_18: (col_1 < n ∧ kb < k → Plumbline.FitsI32 (kb * n))
            assert tiled_matmul_fits_19: (col_1 < n ∧ kb < k → Plumbline.FitsI32 (kb * n + col_1))
            assert tiled_matmul_bound_4: (col_1 < n ∧ kb < k → 0 ≤ kb * n + col_1)
            assert tiled_matmul_bound_5: (col_1 < n ∧ kb < k → kb * n + col_1 < (b.size : Int))
            assert tiled_matmul_bound_6: (threadIdx_y * 4 + threadIdx_x < (bs.size : Int))
            bs := bs.set! (threadIdx_y * 4 + threadIdx_x).toNat (if col_1 < n ∧ kb < k then b[(kb * n + col_1).toNat]! else Float32.ofBits 0x00000000)
            thr_x_1 := thr_x_1 + 1
          thr_y_1 := thr_y_1 + 1
        -- barriers.cu:139; barrier: the interval ends here
        -- phase 3, barriers.cu:140
        let mut thr_y_2 : Nat := 0
        while tiled_matmul_thr_y_2_more: (thr_y_2 < blockDim_y)
          invariant tiled_matmul_thr_y_2_le: (thr_y_2 ≤ blockDim_y)
          invariant tiled_matmul_thr_y_2_sum_size: (sum.size = blockDim_x * blockDim_y)
          -- yours: what holds of the values after each turn
          invariant tiled_matmul_thr_y_2_open: (True)
          decreasing tiled_matmul_thr_y_2_left: (blockDim_y - thr_y_2)
          done_with tiled_matmul_thr_y_2_end: (thr_y_2 = blockDim_y)
        do
          let mut thr_x_2 : Nat := 0
          while tiled_matmul_thr_x_2_more: (thr_x_2 < blockDim_x)
            invariant tiled_matmul_thr_x_2_le: (thr_x_2 ≤ blockDim_x)
            invariant tiled_matmul_thr_x_2_sum_size: (sum.size = blockDim_x * blockDim_y)
            -- yours: what holds of the values after each turn
            invariant tiled_matmul_thr_x_2_open: (True)
            decreasing tiled_matmul_thr_x_2_left: (blockDim_x - thr_x_2)
            done_with tiled_matmul_thr_x_2_end: (thr_x_2 = blockDim_x)
          do
            let threadIdx_y : Int := (thr_y_2 : Int)
            let threadIdx_x : Int := (thr_x_2 : Int)
            let g_thread : Nat := thr_y_2 * blockDim_x + thr_x_2
            -- barriers.cu:140
            let mut i : Int := 0
            while tiled_matmul_i_more: (i < 4)
              invariant tiled_matmul_i_from: (0 ≤ i)
              invariant tiled_matmul_i_to: (0 < i → i ≤ 4)
              invariant tiled_matmul_i_sum_size: (sum.size = blockDim_x * blockDim_y)
              invariant tiled_matmul_i_i_fits: (Plumbline.FitsI32 i)
              -- yours: what holds of the values after each turn
              invariant tiled_matmul_i_open: (True)
              decreasing tiled_matmul_i_left: ((4 - i).toNat)
              done_with tiled_matmul_i_end: (4 ≤ i)
            do
              -- barriers.cu:140
              assert tiled_matmul_fits_20: (Plumbline.FitsI64 threadIdx_y)
              assert tiled_matmul_fits_21: (Plumbline.FitsI64 (threadIdx_y * 4))
              assert tiled_matmul_bound_7: (0 ≤ threadIdx_y * 4 + i)
              assert tiled_matmul_bound_8: (threadIdx_y * 4 + i < (as.size : Int))
              assert tiled_matmul_fits_22: (Plumbline.FitsI64 i)
              assert tiled_matmul_fits_23: (Plumbline.FitsI64 (i * 4))
              assert tiled_matmul_bound_9: (0 ≤ i * 4 + threadIdx_x)
              assert tiled_matmul_bound_10: (i * 4 + threadIdx_x < (bs.size : Int))
              sum := sum.set! g_thread (sum[g_thread]! + as[(threadIdx_y * 4 + i).toNat]! * bs[(i * 4 + threadIdx_x).toNat]!)
              assert tiled_matmul_fits_24: (Plumbline.FitsI32 (i + 1))
              i := i + 1
            thr_x_2 := thr_x_2 + 1
          thr_y_2 := thr_y_2 + 1
        -- barriers.cu:141; barrier: the interval ends here
        -- barriers.cu:134
        assert tiled_matmul_fits_25: (Plumbline.FitsI32 (t + 1))
        t := t + 1
        assert tiled_matmul_fits_26: (Plumbline.FitsI32 (k + 3))
        assert tiled_matmul_fits_27: (Plumbline.FitsI32 (Plumbline.cDiv (k + 3) 4))
      -- phase 4, barriers.cu:143
      -- race condition 4: no thread writes a cell of c that another one reads or writes in this interval
      let mut thr_y_3 : Nat := 0
      while tiled_matmul_thr_y_3_more: (thr_y_3 < blockDim_y)
        invariant tiled_matmul_thr_y_3_le: (thr_y_3 ≤ blockDim_y)
        invariant tiled_matmul_thr_y_3_c_size: (c.size = cIn.size)
        -- yours: what holds of the values after each turn
        invariant tiled_matmul_thr_y_3_open: (True)
        decreasing tiled_matmul_thr_y_3_left: (blockDim_y - thr_y_3)
        done_with tiled_matmul_thr_y_3_end: (thr_y_3 = blockDim_y)
      do
        let mut thr_x_3 : Nat := 0
        while tiled_matmul_thr_x_3_more: (thr_x_3 < blockDim_x)
          invariant tiled_matmul_thr_x_3_le: (thr_x_3 ≤ blockDim_x)
          invariant tiled_matmul_thr_x_3_c_size: (c.size = cIn.size)
          -- yours: what holds of the values after each turn
          invariant tiled_matmul_thr_x_3_open: (True)
          decreasing tiled_matmul_thr_x_3_left: (blockDim_x - thr_x_3)
          done_with tiled_matmul_thr_x_3_end: (thr_x_3 = blockDim_x)
        do
          let threadIdx_y : Int := (thr_y_3 : Int)
          let threadIdx_x : Int := (thr_x_3 : Int)
          let g_thread : Nat := thr_y_3 * blockDim_x + thr_x_3
          -- barriers.cu:131
          let row_2 : Int := blockIdx_y * 4 + threadIdx_y
          -- barriers.cu:132
          let col_2 : Int := blockIdx_x * 4 + threadIdx_x
          -- barriers.cu:143
          if row_2 < m ∧ col_2 < n then
            -- barriers.cu:143
            assert tiled_matmul_fits_28: (Plumbline.FitsI32 (row_2 * n))
            assert tiled_matmul_fits_29: (Plumbline.FitsI32 (row_2 * n + col_2))
            assert tiled_matmul_bound_11: (0 ≤ row_2 * n + col_2)
            assert tiled_matmul_bound_12: (row_2 * n + col_2 < (c.size : Int))
            c := c.set! (row_2 * n + col_2).toNat sum[g_thread]!
          thr_x_3 := thr_x_3 + 1
        thr_y_3 := thr_y_3 + 1
      blk_x := blk_x + 1
    blk_y := blk_y + 1
  return c

prove_correct tiled_matmul_method by
  velvet_vcgen [tiled_matmul_method, tiled_matmul_spec] with try finish
