__global__ void counter(const int* x, int* out) {
  __shared__ int count[1];
  if (threadIdx.x == 0) count[0] = 0;
  __syncthreads();
  if (x[threadIdx.x] > 0) atomicAdd(&count[0], 1);
  __syncthreads();
  if (threadIdx.x == 0) out[0] = count[0];
}
