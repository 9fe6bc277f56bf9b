__global__ void vector_misaligned(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) reinterpret_cast<float2*>(y + n)[i] = reinterpret_cast<const float2*>(x)[i];
}
