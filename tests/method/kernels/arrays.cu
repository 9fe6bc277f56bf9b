// Arrays of a thread, constant arrays, shared arrays without a barrier.

//! {}
__global__ void local_window(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float w[5];
  for (int k = 0; k < 5; ++k) w[k] = i + k - 2 >= 0 && i + k - 2 < n ? x[i + k - 2] : 0.0f;
  float s = 0.0f;
  for (int k = 0; k < 5; ++k) s += w[4 - k] * (k + 1);
  y[i] = s;
}

//! {}
__global__ void local_sort(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float v[4] = {x[i], x[(i + 1) % n], 0.5f};
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 3 - a; ++b)
      if (v[b] > v[b + 1]) {
        float t = v[b];
        v[b] = v[b + 1];
        v[b + 1] = t;
      }
  y[i] = v[0] + v[3] * 2.0f;
}

//! {}
__global__ void local_two_dimensions(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float m[3][2];
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 2; ++c) m[r][c] = x[i] + r * 2 + c;
  float s = 0.0f;
  for (int c = 0; c < 2; ++c)
    for (int r = 2; r >= 0; --r) s = s * 0.5f + m[r][c];
  y[i] = s;
}

//! {}
__global__ void local_integers(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int count[4] = {0, 0, 0, 0};
  bool seen[4] = {false, false, false, false};
  for (int k = i; k < i + 9; ++k) {
    int bin = k % 4;
    count[bin] += k / 4 + 1;
    if (x[k % n] > 0.0f) seen[bin] = true;
  }
  int best = 0;
  for (int k = 1; k < 4; ++k)
    if (count[k] > count[best] && seen[k]) best = k;
  y[i] = best * 100 + count[best];
}

//! {}
__global__ void array_in_loop(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float s = 0.0f;
  for (int r = 0; r < 3; ++r) {
    float part[2];
    part[0] = x[i] * r;
    part[1] = part[0] + 1.0f;
    for (int k = 0; k < 2; ++k) s += part[k];
  }
  y[i] = s;
}

__constant__ const float weights[4] = {0.25f, -1.5f, 3.0f, 1e-3f};
__constant__ const int offsets[3] = {-1, 0, 2};

//! {}
__global__ void constants(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float s = weights[3];
  for (int k = 0; k < 3; ++k) {
    int at = i + offsets[k];
    if (at >= 0 && at < n) s += weights[k] * x[at];
  }
  y[i] = s;
}

//! {}
__global__ void own_shared_cell(const float* x, float* y, int n) {
  __shared__ float mine[64];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  mine[threadIdx.x] = i < n ? x[i] : 0.0f;
  for (int k = 0; k < 3; ++k) mine[threadIdx.x] = mine[threadIdx.x] * 0.5f + 1.0f;
  if (i < n) y[i] = mine[threadIdx.x];
}

//! {}
__global__ void pointer_into_array(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float v[6];
  float* p = v + 3;
  for (int k = -3; k < 3; ++k) p[k] = x[i] + k;
  float s = 0.0f;
  const float* q = v;
  for (int k = 0; k < 6; ++k) {
    s = s * 0.5f + *q;
    q++;
  }
  y[i] = s;
}
