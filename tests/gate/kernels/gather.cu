__global__ void gather(const float* x, const int* index, float* y, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    int j = index[i];
    y[i] = j >= 0 && j < m ? x[j] : 0.0f;
  }
}
