__global__ void warp_late_write(const float* x, float* y) {
  __shared__ float s[64];
  y[threadIdx.x] = s[threadIdx.x ^ 1];
  __syncwarp();
  s[threadIdx.x] = x[threadIdx.x];
}
