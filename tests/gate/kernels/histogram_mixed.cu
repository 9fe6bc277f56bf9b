__global__ void histogram_mixed(const int* key, int* bins, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&bins[key[i] & 31], 1);
  if (i == 0) bins[0] = 0;
}
