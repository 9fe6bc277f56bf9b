__global__ void vector_tail(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int whole = n / 2;
  if (i < whole) reinterpret_cast<float2*>(y)[i] = reinterpret_cast<const float2*>(x)[i];
  if (i == 0 && n % 2 == 1) y[n - 1] = x[n - 1];
}
