-- Method document of Plumbline: kernel 'relu_kernel' (kernel.cu:4) compared with the module in graph.json.
-- Lean has not checked this text: it was written for Velvet 2 on Lean 4.34 without running either.
-- Generated and locked: definitions, requires, body, ensures. Yours: invariants, lemmas, the proof.
--
-- Reading: ieee. A Float32 has one NaN; equality is equality of bits, so 0 and -0 differ.
-- Scope: all inputs and sizes that satisfy the requires clauses.
-- The threads run one after another here. That no thread depends on another, that all elements are
-- written and that the launch is legal is shown by Plumbline's safety gate, not by this document.
-- Hypothesis (captured graph): x is contiguous.
-- Hypothesis (wrapper): x.is_contiguous().
-- Assumption zero-sign:relu: ATen does not fix the sign of a zero chosen on a tie; the spec takes it as a Bool, and either value is allowed.
-- Locked lines: 51SNEPmxzeSTHX_HT9vP_XL5ytbSmFpndKbFfDClD6VcGHBgcZ10znulaGV0dE+V5edNH0znulavzYb4e4yyuyGYN0ZWWKlExSAVQwYsUGmahk+9gBbb49gBWamJwjS4Yxv_4rAQh5IPIhgFq8uCGN9_SR_P0LaJETy0EKPbwy+yaLwkKt4wEpMTViDimqm0eyOnS+MqMVuu6u8ll4xoAwY2fhqSIg_viF5cy1ruGMpAsDZ+CRoylxTuKyWffIez+Ezq6JrndQo96Oj7Y_pWArEyo0

import Velvet
import Plumbline.Float32
import Plumbline.Integers
import Plumbline.Scalar

-- What the module computes at the flat index i (below the number of elements).
-- graph: x, relu
@[grind]
def relu_kernel_spec {S : Type} [Inhabited S] [Plumbline.Scalar S] (zero_relu : Bool) (x : Array S) (i : Nat) : S :=
  let x_at : S := x[i]!
  if Plumbline.Scalar.lt x_at (Plumbline.Scalar.lit 0x00000000 0 1) then Plumbline.Scalar.lit 0x00000000 0 1 else (if Plumbline.Scalar.eq x_at (Plumbline.Scalar.lit 0x00000000 0 1) then (if zero_relu then x_at else Plumbline.Scalar.lit 0x00000000 0 1) else x_at)

-- That v is a value of the module at i: ATen leaves the sign of a zero tie open.
-- graph: x, relu
@[grind]
def relu_kernel_allows (v : Float32) (x : Array Float32) (i : Nat) : Prop :=
  v = relu_kernel_spec true x i ∨ v = relu_kernel_spec false x i

-- Lemmas that the proof needs go here.

method relu_kernel_method
    (gridDim_x : Nat)
    (blockDim_x : Nat)
    (numel_s0_s1 : Int)
    (s0 : Int)
    (s1 : Int)
    (n : Int)
    (x : Array Float32)
    (yIn : Array Float32)
  returns (y : Array Float32)
  -- launch in 'forward', kernel.cu:18
  requires relu_kernel_gridDim_x: ((gridDim_x : Int) = Plumbline.cDiv (numel_s0_s1 + 256 - 1) 256)
  -- launch in 'forward', kernel.cu:18
  requires relu_kernel_blockDim_x: ((blockDim_x : Int) = 256)
  -- argument n, launch in 'forward', kernel.cu:18
  requires relu_kernel_n: (n = numel_s0_s1)
  -- elements of input x, launch in 'forward', kernel.cu:18
  requires relu_kernel_x_size: ((x.size : Int) = numel_s0_s1)
  -- elements of output:0, launch in 'forward', kernel.cu:18
  requires relu_kernel_yIn_size: ((yIn.size : Int) = numel_s0_s1)
  -- number of elements
  requires relu_kernel_numel: (numel_s0_s1 = s0 * s1)
  -- captured graph: s0 >= 2
  requires relu_kernel_known: (2 ≤ s0)
  -- default size range: 2 <= s0 <= 1073741824
  requires relu_kernel_known_1: (s0 ≤ 1073741824)
  -- captured graph: s1 >= 2
  requires relu_kernel_known_2: (2 ≤ s1)
  -- default size range: 2 <= s1 <= 1073741824
  requires relu_kernel_known_3: (s1 ≤ 1073741824)
  -- default size range: (s0 * s1) <= 1073741824
  requires relu_kernel_known_4: (numel_s0_s1 ≤ 1073741824)
  ensures relu_kernel_y_size_kept: ((y.size : Int) = numel_s0_s1)
  ensures relu_kernel_y_value: (∀ k : Nat, (k : Int) < numel_s0_s1 → relu_kernel_allows y[k]! x k)
do
  let mut y : Array Float32 := yIn
  let mut g_done : Int := 0
  let mut blk_x : Nat := 0
  while relu_kernel_blk_x_more: (blk_x < gridDim_x)
    invariant relu_kernel_blk_x_le: (blk_x ≤ gridDim_x)
    invariant relu_kernel_blk_x_count: (g_done = (blk_x : Int) * (blockDim_x : Int))
    invariant relu_kernel_blk_x_y_size: (y.size = yIn.size)
    invariant relu_kernel_blk_x_y_done: (∀ k : Nat, (k : Int) < numel_s0_s1 → (k : Int) < g_done → relu_kernel_allows y[k]! x k)
    decreasing relu_kernel_blk_x_left: (gridDim_x - blk_x)
    done_with relu_kernel_blk_x_end: (blk_x = gridDim_x)
  do
    let mut thr_x : Nat := 0
    while relu_kernel_thr_x_more: (thr_x < blockDim_x)
      invariant relu_kernel_thr_x_le: (thr_x ≤ blockDim_x)
      invariant relu_kernel_thr_x_count: (g_done = (blk_x : Int) * (blockDim_x : Int) + (thr_x : Int))
      invariant relu_kernel_thr_x_y_size: (y.size = yIn.size)
      invariant relu_kernel_thr_x_y_done: (∀ k : Nat, (k : Int) < numel_s0_s1 → (k : Int) < g_done → relu_kernel_allows y[k]! x k)
      decreasing relu_kernel_thr_x_left: (blockDim_x - thr_x)
      done_with relu_kernel_thr_x_end: (thr_x = blockDim_x)
    do
      let blockIdx_x : Int := (blk_x : Int)
      let threadIdx_x : Int := (thr_x : Int)
      -- kernel.cu:5
      assert relu_kernel_fits: (Plumbline.FitsU32 (blockIdx_x * (blockDim_x : Int)))
      assert relu_kernel_fits_1: (Plumbline.FitsU32 (blockIdx_x * (blockDim_x : Int) + threadIdx_x))
      assert relu_kernel_fits_2: (Plumbline.FitsI32 (blockIdx_x * (blockDim_x : Int) + threadIdx_x))
      let i : Int := blockIdx_x * (blockDim_x : Int) + threadIdx_x
      -- kernel.cu:6
      if i < n then
        -- kernel.cu:7
        assert relu_kernel_bound: (0 ≤ i)
        assert relu_kernel_bound_1: (i < (x.size : Int))
        let v : Float32 := x[i.toNat]!
        -- kernel.cu:8; 0x00000000 is 0.0
        assert relu_kernel_bound_2: (i < (y.size : Int))
        y := y.set! i.toNat (if v < Float32.ofBits 0x00000000 then Float32.ofBits 0x00000000 else v)
      g_done := g_done + 1
      thr_x := thr_x + 1
    blk_x := blk_x + 1
  return y

prove_correct relu_kernel_method by
  velvet_vcgen [relu_kernel_method, relu_kernel_spec, relu_kernel_allows] with try finish
