// Barriers: phases, registers across them, uniform loops and branches around them.

//! {}
__global__ void tree_sum(const float* x, float* y, int n) {
  __shared__ float s[64];
  int tid = threadIdx.x;
  int i = blockIdx.x * blockDim.x + tid;
  s[tid] = i < n ? x[i] : 0.0f;
  __syncthreads();
  for (int w = blockDim.x / 2; w > 0; w >>= 1) {
    if (tid < w) s[tid] += s[tid + w];
    __syncthreads();
  }
  if (i < n) y[i] = s[0] + tid;
}

//! {}
__global__ void tree_sum_up(const float* x, float* y, int n) {
  __shared__ float s[64];
  unsigned t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + t;
  s[t] = i < n ? x[i] : 0.0f;
  __syncthreads();
  for (unsigned w = 1; w < blockDim.x; w *= 2) {
    if (t % (2 * w) == 0) s[t] += s[t + w];
    __syncthreads();
  }
  if (i < n) y[i] = x[i] - s[0];
}

//! {"block": [37, 1, 1], "grid": ["ceil(n / 37)", 1, 1]}
__global__ void reverse_in_block(const float* x, float* y, int n) {
  __shared__ float s[37];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  s[threadIdx.x] = i < n ? x[i] : -1.0f;
  __syncthreads();
  if (i < n) y[i] = s[blockDim.x - 1 - threadIdx.x];
}

//! {}
__global__ void register_across(const float* x, float* y, int n) {
  __shared__ float s[64];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float own = i < n ? x[i] : 0.0f;
  int steps = 0;
  s[threadIdx.x] = own;
  __syncthreads();
  own = own * 0.5f + s[(threadIdx.x + 1) % 64];
  if (own > 0.0f) steps = steps + 1;
  __syncthreads();
  s[threadIdx.x] = own;
  __syncthreads();
  if (i < n) y[i] = own + s[63 - threadIdx.x] + steps;
}

//! {"block": [32, 1, 1], "grid": ["ceil(n / 32)", 1, 1]}
__global__ void scan_double_buffer(const float* x, float* y, int n) {
  __shared__ float s[2][32];
  int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + t;
  int from = 0;
  int to = 1;
  s[from][t] = i < n ? x[i] : 0.0f;
  __syncthreads();
  for (int d = 1; d < 32; d *= 2) {
    if (t >= d) s[to][t] = s[from][t] + s[from][t - d];
    else s[to][t] = s[from][t];
    __syncthreads();
    from = 1 - from;
    to = 1 - to;
  }
  if (i < n) y[i] = s[from][t];
}

//! {"block": [32, 1, 1], "grid": ["ceil(n / 32)", 1, 1]}
__global__ void scan_in_place(const float* x, float* y, int n) {
  __shared__ float s[32];
  int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + t;
  s[t] = i < n ? x[i] : 0.0f;
  for (int d = 1; d < blockDim.x; d <<= 1) {
    __syncthreads();
    float v = 0.0f;
    if (t >= d) v = s[t - d];
    __syncthreads();
    s[t] += v;
  }
  if (i < n) y[i] = s[t];
}

//! {"block": [30, 1, 1], "grid": ["ceil(n / 30)", 1, 1]}
__global__ void stencil_halo(const float* x, float* y, int n) {
  __shared__ float s[34];
  int g = blockIdx.x * blockDim.x + threadIdx.x;
  int l = threadIdx.x + 2;
  s[l] = g < n ? x[g] : 0.0f;
  if (threadIdx.x < 2) {
    s[l - 2] = g - 2 >= 0 && g - 2 < n ? x[g - 2] : 0.0f;
    s[l + 30] = g + 30 < n ? x[g + 30] : 0.0f;
  }
  __syncthreads();
  float sum = 0.0f;
  for (int k = -2; k <= 2; ++k) sum += s[l + k];
  if (g < n) y[g] = sum;
}

//! {"block": [8, 4, 1], "grid": ["ceil(n / 8)", "ceil(m / 8)", 1], "symbols": {"n": [1, 1000], "m": [1, 1000]},
//!  "buffers": {"x": {"len": "n * m", "role": "input"}, "y": {"len": "n * m", "role": "output"}},
//!  "sizes": [{"n": 1, "m": 1}, {"n": 9, "m": 8}, {"n": 8, "m": 17}]}
__global__ void transpose_tiles(const float* x, float* y, int n, int m) {
  __shared__ float tile[8][9];
  int c = blockIdx.x * 8 + threadIdx.x;
  int r = blockIdx.y * 8 + threadIdx.y;
  for (int j = 0; j < 8; j += 4)
    if (r + j < m && c < n) tile[threadIdx.y + j][threadIdx.x] = x[(r + j) * n + c];
  __syncthreads();
  int c2 = blockIdx.y * 8 + threadIdx.x;
  int r2 = blockIdx.x * 8 + threadIdx.y;
  for (int j = 0; j < 8; j += 4)
    if (r2 + j < n && c2 < m) y[(r2 + j) * m + c2] = tile[threadIdx.x][threadIdx.y + j];
}

//! {"block": [4, 4, 1], "grid": ["ceil(n / 4)", "ceil(m / 4)", 1],
//!  "symbols": {"m": [1, 100], "n": [1, 100], "k": [1, 100]},
//!  "buffers": {"x": null, "y": null, "a": {"len": "m * k", "role": "input"}, "b": {"len": "k * n", "role": "input"},
//!              "c": {"len": "m * n", "role": "output"}},
//!  "sizes": [{"m": 1, "n": 1, "k": 1}, {"m": 5, "n": 6, "k": 7}, {"m": 4, "n": 3, "k": 8}]}
__global__ void tiled_matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float as[4][4];
  __shared__ float bs[4][4];
  int row = blockIdx.y * 4 + threadIdx.y;
  int col = blockIdx.x * 4 + threadIdx.x;
  float sum = 0.0f;
  for (int t = 0; t < (k + 3) / 4; ++t) {
    int ka = t * 4 + threadIdx.x;
    int kb = t * 4 + threadIdx.y;
    as[threadIdx.y][threadIdx.x] = row < m && ka < k ? a[row * k + ka] : 0.0f;
    bs[threadIdx.y][threadIdx.x] = col < n && kb < k ? b[kb * n + col] : 0.0f;
    __syncthreads();
    for (int i = 0; i < 4; ++i) sum += as[threadIdx.y][i] * bs[i][threadIdx.x];
    __syncthreads();
  }
  if (row < m && col < n) c[row * n + col] = sum;
}

//! {"block": [4, 2, 1], "grid": [1, 1, 1], "sizes": [{"n": 5}, {"n": 8}]}
__global__ void register_tile(const float* x, float* y, int n) {
  __shared__ float s[8];
  float acc[3] = {1.0f, 2.0f};
  int t = threadIdx.y * 4 + threadIdx.x;
  for (int r = 0; r < 4; ++r) {
    s[t] = t + r < n ? x[t + r] : 0.0f;
    __syncthreads();
    for (int k = 0; k < 3; ++k) acc[k] += s[(t + k) % 8] * (k + 1);
    __syncthreads();
  }
  if (t < n) y[t] = acc[0] + acc[1] * acc[2];
}

//! {"block": [16, 1, 1], "grid": ["rows", 1, 1], "symbols": {"rows": [1, 100], "n": [1, 100]},
//!  "buffers": {"x": {"len": "rows * n", "role": "input"}, "y": {"len": "rows * n", "role": "output"}},
//!  "sizes": [{"rows": 1, "n": 1}, {"rows": 3, "n": 40}, {"rows": 2, "n": 16}]}
__global__ void softmax_rows(const float* x, float* y, int rows, int n) {
  __shared__ float s[16];
  const float* row = x + blockIdx.x * n;
  float* out = y + blockIdx.x * n;
  int t = threadIdx.x;
  float best = -INFINITY;
  for (int k = t; k < n; k += blockDim.x) best = fmaxf(best, row[k]);
  s[t] = best;
  __syncthreads();
  for (int w = blockDim.x / 2; w > 0; w /= 2) {
    if (t < w) s[t] = fmaxf(s[t], s[t + w]);
    __syncthreads();
  }
  float top = s[0];
  __syncthreads();
  float sum = 0.0f;
  for (int k = t; k < n; k += blockDim.x) sum += expf(row[k] - top);
  s[t] = sum;
  __syncthreads();
  for (int w = blockDim.x / 2; w > 0; w /= 2) {
    if (t < w) s[t] += s[t + w];
    __syncthreads();
  }
  for (int k = t; k < n; k += blockDim.x) out[k] = expf(row[k] - top) / s[0];
}

//! {"block": [16, 1, 1], "grid": ["rows", 1, 1], "symbols": {"rows": [1, 100], "n": [1, 100]},
//!  "buffers": {"x": {"len": "rows * n", "role": "input"}, "y": {"len": "rows * n", "role": "output"}},
//!  "sizes": [{"rows": 2, "n": 1}, {"rows": 3, "n": 33}]}
__global__ void row_mean_shift(const float* x, float* y, int rows, int n) {
  __shared__ float s[16];
  __shared__ float mean;
  int row = blockIdx.x;
  if (row >= rows) return;
  float part = 0.0f;
  for (int k = threadIdx.x; k < n; k += 16) part += x[row * n + k];
  s[threadIdx.x] = part;
  __syncthreads();
  if (threadIdx.x == 0) {
    float all = 0.0f;
    for (int k = 0; k < 16; ++k) all += s[k];
    mean = all / n;
  }
  __syncthreads();
  for (int k = threadIdx.x; k < n; k += 16) y[row * n + k] = x[row * n + k] - mean;
}

//! {"symbols": {"n": [1, 1000], "mode": [0, 3]},
//!  "sizes": [{"n": 70, "mode": 0}, {"n": 70, "mode": 1}, {"n": 65, "mode": 2}, {"n": 3, "mode": 3}]}
__global__ void uniform_branches(const float* x, float* y, int n, int mode) {
  __shared__ float s[64];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (mode == 3) {
    if (i < n) y[i] = -3.0f;
    return;
  }
  float v = i < n ? x[i] : 0.0f;
  if (mode > 0) {
    s[threadIdx.x] = v;
    __syncthreads();
    v = s[(threadIdx.x + 5) % 64];
    if (mode == 2) {
      __syncthreads();
      s[threadIdx.x] = v * 2.0f;
      __syncthreads();
      v = v + s[(threadIdx.x + 9) % 64];
    }
  } else {
    v = v * 0.5f;
  }
  if (i < n) y[i] = v;
}

//! {"symbols": {"n": [1, 1000], "m": [0, 100]},
//!  "sizes": [{"n": 70, "m": 0}, {"n": 70, "m": 3}, {"n": 65, "m": 12}]}
__global__ void uniform_break(const float* x, float* y, int n, int m) {
  __shared__ float s[64];
  int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + t;
  s[t] = i < n ? x[i] : 0.0f;
  float v = 0.0f;
  for (int k = 0; k < 8; ++k) {
    __syncthreads();
    if (k == m) break;
    v += s[(t + k) % 64];
    if (k % 2 == 1) continue;
    __syncthreads();
    s[t] = v;
  }
  if (i < n) y[i] = v;
}

//! {}
__global__ void divergent_between(const float* x, float* y, int n) {
  __shared__ float s[64];
  int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + t;
  s[t] = i < n ? x[i] : 0.0f;
  for (int r = 0; r < 3; ++r) {
    __syncthreads();
    float v = s[(t + 1) % 64];
    __syncthreads();
    if (t % 3 == r) continue;
    if (v < 0.0f) {
      s[t] = v - 1.0f;
      continue;
    }
    for (int k = 0; k < 4; ++k) {
      if (k > t) break;
      v = v * 0.5f;
    }
    s[t] = v + r;
  }
  __syncthreads();
  if (i >= n) return;
  if (s[t] > 100.0f) {
    y[i] = 100.0f;
    return;
  }
  y[i] = s[63 - t];
}

//! {"block": [32, 1, 1], "grid": ["ceil(n / 32)", 1, 1], "shared_bytes": "32 * 4"}
__global__ void dynamic_shared(const float* x, float* y, int n) {
  extern __shared__ float s[];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  s[threadIdx.x] = i < n ? x[i] : 0.0f;
  __syncthreads();
  if (i < n) y[i] = s[31 - threadIdx.x] * 2.0f;
}

//! {"block": [16, 1, 1], "grid": ["ceil(n / 16)", 1, 1], "shared_bytes": "48 * 4"}
__global__ void dynamic_carved(const float* x, float* y, int n) {
  extern __shared__ float memory[];
  float* first = memory;
  float* second = memory + blockDim.x;
  float* third = second + 16;
  int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + t;
  first[t] = i < n ? x[i] : 0.0f;
  __syncthreads();
  second[t] = first[15 - t] + 1.0f;
  __syncthreads();
  third[t] = second[(t + 3) % 16] * first[t];
  __syncthreads();
  if (i < n) y[i] = third[(t + 1) % 16];
}

//! {"block": [16, 1, 1], "grid": ["ceil(n / 16)", 1, 1], "shared_bytes": "32 * 4"}
__global__ void dynamic_bytes(const float* x, float* y, int n) {
  extern __shared__ unsigned char raw[];
  float* a = (float*)raw;
  float* b = reinterpret_cast<float*>(raw + 16 * sizeof(float));
  int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + t;
  a[t] = i < n ? x[i] : 0.0f;
  b[t] = t;
  __syncthreads();
  if (i < n) y[i] = a[15 - t] + b[(t + 1) % 16];
}

//! {"block": [3, 2, 4], "grid": ["ceil(n / 24)", 1, 1]}
__global__ void block_of_three_dimensions(const float* x, float* y, int n) {
  __shared__ float s[24];
  __shared__ int from[24];
  int t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  int i = blockIdx.x * 24 + t;
  float own = i < n ? x[i] : 0.0f;
  s[t] = own;
  from[t] = (t * 7 + 3) % 24;
  __syncthreads();
  float other = s[from[t]];
  __syncthreads();
  s[from[t]] = own - other;
  __syncthreads();
  if (i < n) y[i] = s[t] + own;
}

//! {"block": [1, 1, 1], "grid": ["n", 1, 1]}
__global__ void one_thread(const float* x, float* y, int n) {
  __shared__ float s[2];
  s[0] = x[blockIdx.x];
  s[1] = 2.0f;
  __syncthreads();
  float v = s[0] * s[1];
  __syncthreads();
  y[blockIdx.x] = v;
}

//! {"block": [64, 1, 1], "grid": [1, 1, 1], "sizes": [{"n": 1}, {"n": 64}, {"n": 200}]}
__global__ void grid_stride_in_phases(const float* x, float* y, int n) {
  __shared__ float s[64];
  float part = 0.0f;
  for (int i = threadIdx.x; i < n; i += blockDim.x) part += x[i];
  s[threadIdx.x] = part;
  __syncthreads();
  for (int w = 32; w > 0; w >>= 1) {
    if (threadIdx.x < w) s[threadIdx.x] += s[threadIdx.x + w];
    __syncthreads();
  }
  for (int i = threadIdx.x; i < n; i += blockDim.x) y[i] = x[i] / s[0];
}

//! {"block": [16, 1, 1], "grid": [1, 1, 1], "sizes": [{"n": 1}, {"n": 16}, {"n": 45}]}
__global__ void chunks_with_moving_pointers(const float* x, float* y, int n) {
  __shared__ float s[16];
  const float* in = x;
  float* out = y;
  for (int left = n; left > 0; left -= 16) {
    if (threadIdx.x < left) s[threadIdx.x] = in[threadIdx.x];
    else s[threadIdx.x] = 0.0f;
    __syncthreads();
    if (threadIdx.x < left) out[threadIdx.x] = s[15 - threadIdx.x];
    __syncthreads();
    in += 16;
    out += 16;
  }
}

//! {"block": [8, 1, 1], "grid": ["ceil(n / 8)", 1, 1]}
__global__ void odd_even_sort(const float* x, float* y, int n) {
  __shared__ float s[8];
  int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + t;
  s[t] = i < n && x[i] == x[i] ? x[i] : 1e30f;
  __syncthreads();
  for (int round = 0; round < 8; ++round) {
    int a = 2 * t + round % 2;
    if (a + 1 < 8) {
      float u = s[a];
      float v = s[a + 1];
      if (u > v) {
        s[a] = v;
        s[a + 1] = u;
      }
    }
    __syncthreads();
  }
  if (i < n) y[i] = s[t];
}

__device__ int ceilDiv(int a, int b) { return (a + b - 1) / b; }

//! {"block": [32, 1, 1], "grid": [2, 1, 1]}
__global__ void uniform_count_from_function(const float* x, float* y, int n) {
  __shared__ float s[32];
  int tiles = ceilDiv(n, 64);
  int first = blockIdx.x * 32;
  for (int tile = 0; tile < tiles; ++tile) {
    int at = tile * 64 + first + threadIdx.x;
    s[threadIdx.x] = at < n ? x[at] : 0.0f;
    __syncthreads();
    if (at < n) y[at] = s[31 - threadIdx.x];
    __syncthreads();
  }
}

//! {"block": [16, 1, 1], "grid": ["ceil(n / 16)", 1, 1]}
__global__ void shared_flags_and_counts(const float* x, float* y, int n) {
  __shared__ bool positive[16];
  __shared__ int before[16];
  int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + t;
  positive[t] = i < n && x[i] > 0.0f;
  __syncthreads();
  int count = 0;
  for (int k = 0; k < t; ++k)
    if (positive[k]) ++count;
  before[t] = count;
  __syncthreads();
  if (i < n) y[i] = positive[t] ? before[15] * 100 + before[t] : -1;
}

//! {"block": [16, 1, 1], "grid": ["ceil(n / 16)", 1, 1]}
__global__ void late_value_across(const float* x, float* y, int n) {
  __shared__ float s[16];
  int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + t;
  float v;
  if (i < n) v = x[i];
  s[t] = i < n ? 1.0f : 0.0f;
  __syncthreads();
  if (i < n) v = v + s[15 - t];
  __syncthreads();
  if (i < n) y[i] = v;
}

//! {"block": [16, 1, 1], "grid": ["ceil(n / 16)", 1, 1]}
__global__ void parameter_changed(const float* x, float* y, int n) {
  __shared__ float s[16];
  x += blockIdx.x * 16;
  y += blockIdx.x * 16;
  n -= blockIdx.x * 16;
  if (n > 16) n = 16;
  s[threadIdx.x] = threadIdx.x < n ? x[threadIdx.x] : 0.0f;
  __syncthreads();
  if (threadIdx.x < n) y[threadIdx.x] = s[15 - threadIdx.x];
}

//! {"block": [16, 1, 1], "grid": ["ceil(n / 16)", 1, 1]}
__global__ void while_around_barrier(const float* x, float* y, int n) {
  __shared__ float s[16];
  int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + t;
  s[t] = i < n ? x[i] : 0.0f;
  int w = 1;
  while (w < 16) {
    __syncthreads();
    float v = s[(t + w) % 16];
    __syncthreads();
    s[t] = fmaxf(s[t], v);
    w = w * 2;
  }
  int left = 3;
  do {
    __syncthreads();
    float v = s[15 - t];
    __syncthreads();
    s[t] = v + 1.0f;
    left--;
  } while (left > 0);
  if (i < n) y[i] = s[t];
}
