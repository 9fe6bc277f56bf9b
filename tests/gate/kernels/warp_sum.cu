__global__ void warp_sum(const float* x, float* out) {
  __shared__ float s[8];
  float v = x[blockIdx.x * 256 + threadIdx.x];
  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffff, v, d);
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  if (lane == 0) s[warp] = v;
  __syncthreads();
  if (warp == 0) {
    v = lane < 8 ? s[lane] : 0.0f;
    for (int d = 4; d > 0; d /= 2) v += __shfl_down_sync(0xffffffff, v, d);
    if (lane == 0) out[blockIdx.x] = v;
  }
}
