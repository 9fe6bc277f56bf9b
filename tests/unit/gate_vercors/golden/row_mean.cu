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
  context out != NULL && \pointer_length(out) == rows;
  context (\forall* int k_; 0 <= k_ && k_ < (rows * cols); Perm(&x[k_], write \ (blockDim.x * blockDim.y * blockDim.z * gridDim.x * gridDim.y * gridDim.z)));
  context (threadIdx.x == 0) ==> Perm(&out[blockIdx.x], write);
  requires Perm(&part[threadIdx.x], write);
@*/
__global__ void k(float* x, float* out, int rows, int cols) {
  __shared__ float part[256];
  int row;
  float sum_;
  int c;
  unsigned int s;
  row = ((int)blockIdx.x);
  sum_ = 0.0f;
  c = ((int)threadIdx.x);
  /*@
    loop_invariant (threadIdx.x <= c);
    loop_invariant (((c - threadIdx.x) % 256) == 0);
    loop_invariant ((0 < ((cols - c) + 256)) || (c == threadIdx.x));
    loop_invariant (\forall* int k_; 0 <= k_ && k_ < (rows * cols); Perm(&x[k_], write \ (blockDim.x * blockDim.y * blockDim.z * gridDim.x * gridDim.y * gridDim.z)));
    loop_invariant (threadIdx.x == 0) ==> Perm(&out[blockIdx.x], write);
    loop_invariant Perm(&part[threadIdx.x], write);
    decreases (cols - c);
  @*/
  while ((c < cols)) {
    sum_ = (sum_ + x[((row * cols) + c)]);
    c = ((int)(((unsigned int)c) + blockDim.x));
  }
  part[threadIdx.x] = sum_;
  /*@
    requires Perm(&part[threadIdx.x], write);
    ensures (threadIdx.x < 128) ==> Perm(&part[threadIdx.x], write);
    ensures (threadIdx.x < 128) ==> Perm(&part[(threadIdx.x + 128)], write);
  @*/
  __syncthreads();
  s = (blockDim.x / ((unsigned int)2));
  /*@
    loop_invariant (0 <= s);
    loop_invariant (s <= 128);
    loop_invariant (\forall* int k_; 0 <= k_ && k_ < (rows * cols); Perm(&x[k_], write \ (blockDim.x * blockDim.y * blockDim.z * gridDim.x * gridDim.y * gridDim.z)));
    loop_invariant (threadIdx.x == 0) ==> Perm(&out[blockIdx.x], write);
    loop_invariant ((0 < s) && (threadIdx.x < s)) ==> Perm(&part[threadIdx.x], write);
    loop_invariant ((0 < s) && (threadIdx.x < s)) ==> Perm(&part[(threadIdx.x + s)], write);
    loop_invariant (!(0 < s) && (threadIdx.x == 0)) ==> Perm(&part[0], write);
    decreases s;
  @*/
  while ((s > ((unsigned int)0))) {
    if ((threadIdx.x < s)) {
      part[threadIdx.x] = (part[threadIdx.x] + part[(threadIdx.x + s)]);
    }
    /*@
      context (0 <= s);
      context (s <= 128);
      context (0 < s);
      requires ((0 < s) && (threadIdx.x < s)) ==> Perm(&part[threadIdx.x], write);
      requires ((0 < s) && (threadIdx.x < s)) ==> Perm(&part[(threadIdx.x + s)], write);
      requires (!(0 < s) && (threadIdx.x == 0)) ==> Perm(&part[0], write);
      ensures ((0 < (s / 2)) && (threadIdx.x < (s / 2))) ==> Perm(&part[threadIdx.x], write);
      ensures ((0 < (s / 2)) && (threadIdx.x < (s / 2))) ==> Perm(&part[(threadIdx.x + (s / 2))], write);
      ensures (!(0 < (s / 2)) && (threadIdx.x == 0)) ==> Perm(&part[0], write);
    @*/
    __syncthreads();
    s = (s / 2);
  }
  if ((threadIdx.x == ((unsigned int)0))) {
    out[row] = (part[0] / ((float)cols));
  }
}
