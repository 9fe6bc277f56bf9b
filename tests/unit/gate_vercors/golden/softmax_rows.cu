// Written by Plumbline for VerCors: kernel 'k' with a contract made from its launch.
// What VerCors can show here is that each thread stays inside its arrays and that no two threads share a
// cell that one of them writes. It takes integers as unbounded and floats as rationals.
#include <cuda.h>
#include <math.h>

/*@
  context blockDim.x == 256;
  context gridDim.x == rows;
  context blockDim.y == 1;
  context gridDim.y == 1;
  context blockDim.z == 1;
  context gridDim.z == 1;
  context 1 <= rows && rows <= 30000;
  context 1 <= cols && cols <= 30000;
  context x != NULL && \pointer_length(x) == (rows * cols);
  context y != NULL && \pointer_length(y) == (rows * cols);
  context (\forall* int k_; 0 <= k_ && k_ < (rows * cols); Perm(&x[k_], write \ (blockDim.x * blockDim.y * blockDim.z * gridDim.x * gridDim.y * gridDim.z)));
  context (\forall* int c1_; (threadIdx.x <= c1_) && (((c1_ - threadIdx.x) % 256) == 0) && (c1_ < cols); Perm(&y[((blockIdx.x * cols) + c1_)], write));
  requires \shared_mem_size(s) == 256;
  requires Perm(&s[threadIdx.x], write);
@*/
__global__ void k(float* x, float* y, int rows, int cols) {
  extern __shared__ float s[];
  int row;
  int t;
  float top;
  int c;
  int h;
  float sum_;
  int c_1;
  int h_1;
  int c_2;
  row = ((int)blockIdx.x);
  t = ((int)threadIdx.x);
  top = -340000000000000000000000000000000000000.0f;
  c = t;
  /*@
    loop_invariant (threadIdx.x <= c);
    loop_invariant (((c - threadIdx.x) % 256) == 0);
    loop_invariant ((0 < ((cols - c) + 256)) || (c == threadIdx.x));
    loop_invariant (\forall* int k_; 0 <= k_ && k_ < (rows * cols); Perm(&x[k_], write \ (blockDim.x * blockDim.y * blockDim.z * gridDim.x * gridDim.y * gridDim.z)));
    loop_invariant (\forall* int c1_; (threadIdx.x <= c1_) && (((c1_ - threadIdx.x) % 256) == 0) && (c1_ < cols); Perm(&y[((blockIdx.x * cols) + c1_)], write));
    loop_invariant Perm(&s[threadIdx.x], write);
    decreases (cols - c);
  @*/
  while ((c < cols)) {
    top = (top < x[((row * cols) + c)] ? x[((row * cols) + c)] : top);
    c = ((int)(((unsigned int)c) + blockDim.x));
  }
  s[t] = top;
  /*@
    requires Perm(&s[threadIdx.x], write);
    ensures (threadIdx.x < 128) ==> Perm(&s[threadIdx.x], write);
    ensures (threadIdx.x < 128) ==> Perm(&s[(threadIdx.x + 128)], write);
    ensures (threadIdx.x == 0) ==> (\forall* int k_; 0 <= k_ && k_ < 256 && !(k_ < 128) && !(((0 <= (k_ - 128)) && ((k_ - 128) < 256)) && ((k_ - 128) < 128)); Perm(&s[k_], write));
  @*/
  __syncthreads();
  h = ((int)(blockDim.x / ((unsigned int)2)));
  /*@
    loop_invariant (0 <= h);
    loop_invariant (h <= 128);
    loop_invariant (\forall* int k_; 0 <= k_ && k_ < (rows * cols); Perm(&x[k_], write \ (blockDim.x * blockDim.y * blockDim.z * gridDim.x * gridDim.y * gridDim.z)));
    loop_invariant (\forall* int c1_; (threadIdx.x <= c1_) && (((c1_ - threadIdx.x) % 256) == 0) && (c1_ < cols); Perm(&y[((blockIdx.x * cols) + c1_)], write));
    loop_invariant ((0 < h) && (threadIdx.x < h)) ==> Perm(&s[threadIdx.x], write);
    loop_invariant ((0 < h) && (threadIdx.x < h)) ==> Perm(&s[(threadIdx.x + h)], write);
    loop_invariant !(0 < h) ==> Perm(&s[0], write \ (blockDim.x * blockDim.y * blockDim.z));
    loop_invariant (threadIdx.x == 0) ==> (\forall* int k_; 0 <= k_ && k_ < 256 && !((0 < h) && (k_ < h)) && !((((0 <= (k_ - h)) && ((k_ - h) < 256)) && (0 < h)) && ((k_ - h) < h)) && !(!(0 < h) && (0 == k_)); Perm(&s[k_], write));
    decreases h;
  @*/
  while ((h > 0)) {
    if ((t < h)) {
      s[t] = (s[t] < s[(t + h)] ? s[(t + h)] : s[t]);
    }
    /*@
      context (0 <= h);
      context (h <= 128);
      context (0 < h);
      requires ((0 < h) && (threadIdx.x < h)) ==> Perm(&s[threadIdx.x], write);
      requires ((0 < h) && (threadIdx.x < h)) ==> Perm(&s[(threadIdx.x + h)], write);
      requires !(0 < h) ==> Perm(&s[0], write \ (blockDim.x * blockDim.y * blockDim.z));
      requires (threadIdx.x == 0) ==> (\forall* int k_; 0 <= k_ && k_ < 256 && !((0 < h) && (k_ < h)) && !((((0 <= (k_ - h)) && ((k_ - h) < 256)) && (0 < h)) && ((k_ - h) < h)) && !(!(0 < h) && (0 == k_)); Perm(&s[k_], write));
      ensures ((0 < (h / 2)) && (threadIdx.x < (h / 2))) ==> Perm(&s[threadIdx.x], write);
      ensures ((0 < (h / 2)) && (threadIdx.x < (h / 2))) ==> Perm(&s[(threadIdx.x + (h / 2))], write);
      ensures !(0 < (h / 2)) ==> Perm(&s[0], write \ (blockDim.x * blockDim.y * blockDim.z));
      ensures (threadIdx.x == 0) ==> (\forall* int k_; 0 <= k_ && k_ < 256 && !((0 < (h / 2)) && (k_ < (h / 2))) && !((((0 <= (k_ - (h / 2))) && ((k_ - (h / 2)) < 256)) && (0 < (h / 2))) && ((k_ - (h / 2)) < (h / 2))) && !(!(0 < (h / 2)) && (0 == k_)); Perm(&s[k_], write));
    @*/
    __syncthreads();
    h = (h / 2);
  }
  top = s[0];
  /*@
    context (0 <= h);
    context (h <= 128);
    context !(0 < h);
    requires ((0 < h) && (threadIdx.x < h)) ==> Perm(&s[threadIdx.x], write);
    requires ((0 < h) && (threadIdx.x < h)) ==> Perm(&s[(threadIdx.x + h)], write);
    requires !(0 < h) ==> Perm(&s[0], write \ (blockDim.x * blockDim.y * blockDim.z));
    requires (threadIdx.x == 0) ==> (\forall* int k_; 0 <= k_ && k_ < 256 && !((0 < h) && (k_ < h)) && !((((0 <= (k_ - h)) && ((k_ - h) < 256)) && (0 < h)) && ((k_ - h) < h)) && !(!(0 < h) && (0 == k_)); Perm(&s[k_], write));
    ensures Perm(&s[threadIdx.x], write);
  @*/
  __syncthreads();
  sum_ = 0.0f;
  c_1 = t;
  /*@
    loop_invariant (threadIdx.x <= c_1);
    loop_invariant (((c_1 - threadIdx.x) % 256) == 0);
    loop_invariant ((0 < ((cols - c_1) + 256)) || (c_1 == threadIdx.x));
    loop_invariant (\forall* int k_; 0 <= k_ && k_ < (rows * cols); Perm(&x[k_], write \ (blockDim.x * blockDim.y * blockDim.z * gridDim.x * gridDim.y * gridDim.z)));
    loop_invariant (\forall* int c1_; (threadIdx.x <= c1_) && (((c1_ - threadIdx.x) % 256) == 0) && (c1_ < cols); Perm(&y[((blockIdx.x * cols) + c1_)], write));
    loop_invariant Perm(&s[threadIdx.x], write);
    decreases (cols - c_1);
  @*/
  while ((c_1 < cols)) {
    sum_ = (sum_ + expf((x[((row * cols) + c_1)] - top)));
    c_1 = ((int)(((unsigned int)c_1) + blockDim.x));
  }
  s[t] = sum_;
  /*@
    context (0 <= h);
    context (h <= 128);
    context !(0 < h);
    requires Perm(&s[threadIdx.x], write);
    ensures (threadIdx.x < 128) ==> Perm(&s[threadIdx.x], write);
    ensures (threadIdx.x < 128) ==> Perm(&s[(threadIdx.x + 128)], write);
  @*/
  __syncthreads();
  h_1 = ((int)(blockDim.x / ((unsigned int)2)));
  /*@
    loop_invariant (0 <= h_1);
    loop_invariant (h_1 <= 128);
    loop_invariant (\forall* int k_; 0 <= k_ && k_ < (rows * cols); Perm(&x[k_], write \ (blockDim.x * blockDim.y * blockDim.z * gridDim.x * gridDim.y * gridDim.z)));
    loop_invariant (\forall* int c1_; (threadIdx.x <= c1_) && (((c1_ - threadIdx.x) % 256) == 0) && (c1_ < cols); Perm(&y[((blockIdx.x * cols) + c1_)], write));
    loop_invariant ((0 < h_1) && (threadIdx.x < h_1)) ==> Perm(&s[threadIdx.x], write);
    loop_invariant ((0 < h_1) && (threadIdx.x < h_1)) ==> Perm(&s[(threadIdx.x + h_1)], write);
    loop_invariant !(0 < h_1) ==> Perm(&s[0], write \ (blockDim.x * blockDim.y * blockDim.z));
    decreases h_1;
  @*/
  while ((h_1 > 0)) {
    if ((t < h_1)) {
      s[t] = (s[t] + s[(t + h_1)]);
    }
    /*@
      context (0 <= h);
      context (h <= 128);
      context !(0 < h);
      context (0 <= h_1);
      context (h_1 <= 128);
      context (0 < h_1);
      requires ((0 < h_1) && (threadIdx.x < h_1)) ==> Perm(&s[threadIdx.x], write);
      requires ((0 < h_1) && (threadIdx.x < h_1)) ==> Perm(&s[(threadIdx.x + h_1)], write);
      requires !(0 < h_1) ==> Perm(&s[0], write \ (blockDim.x * blockDim.y * blockDim.z));
      ensures ((0 < (h_1 / 2)) && (threadIdx.x < (h_1 / 2))) ==> Perm(&s[threadIdx.x], write);
      ensures ((0 < (h_1 / 2)) && (threadIdx.x < (h_1 / 2))) ==> Perm(&s[(threadIdx.x + (h_1 / 2))], write);
      ensures !(0 < (h_1 / 2)) ==> Perm(&s[0], write \ (blockDim.x * blockDim.y * blockDim.z));
    @*/
    __syncthreads();
    h_1 = (h_1 / 2);
  }
  sum_ = s[0];
  c_2 = t;
  /*@
    loop_invariant (threadIdx.x <= c_2);
    loop_invariant (((c_2 - threadIdx.x) % 256) == 0);
    loop_invariant ((0 < ((cols - c_2) + 256)) || (c_2 == threadIdx.x));
    loop_invariant (\forall* int k_; 0 <= k_ && k_ < (rows * cols); Perm(&x[k_], write \ (blockDim.x * blockDim.y * blockDim.z * gridDim.x * gridDim.y * gridDim.z)));
    loop_invariant (\forall* int c1_; (threadIdx.x <= c1_) && (((c1_ - threadIdx.x) % 256) == 0) && (c1_ < cols); Perm(&y[((blockIdx.x * cols) + c1_)], write));
    loop_invariant ((0 < h_1) && (threadIdx.x < h_1)) ==> Perm(&s[threadIdx.x], write);
    loop_invariant ((0 < h_1) && (threadIdx.x < h_1)) ==> Perm(&s[(threadIdx.x + h_1)], write);
    loop_invariant !(0 < h_1) ==> Perm(&s[0], write \ (blockDim.x * blockDim.y * blockDim.z));
    decreases (cols - c_2);
  @*/
  while ((c_2 < cols)) {
    y[((row * cols) + c_2)] = (expf((x[((row * cols) + c_2)] - top)) / sum_);
    c_2 = ((int)(((unsigned int)c_2) + blockDim.x));
  }
}
