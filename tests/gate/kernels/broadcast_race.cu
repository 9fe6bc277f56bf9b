__global__ void broadcast_race(const float* x, float* y, int cols) {
  __shared__ float part[64];
  float v = x[blockIdx.x * 64 + threadIdx.x];
  part[threadIdx.x] = v;
  __syncthreads();
  float first = part[0];
  part[threadIdx.x] = v * first;
  __syncthreads();
  y[blockIdx.x * 64 + threadIdx.x] = part[63 - threadIdx.x];
}
