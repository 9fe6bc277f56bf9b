// Loops of one thread: every way to count, to leave and to go on.

//! {}
__global__ void grid_stride(const float* x, float* y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) y[i] = x[i] * 2.0f;
}

//! {"block": [16, 1, 1], "grid": [2, 1, 1]}
__global__ void grid_stride_long(const float* x, float* y, int n) {
  const int stride = gridDim.x * blockDim.x;
  for (int i = threadIdx.x + blockDim.x * blockIdx.x; i < n; i += stride) {
    float v = x[i];
    if (v < 0.0f) continue;
    y[i] = v;
  }
  for (int i = threadIdx.x + blockDim.x * blockIdx.x; i < n; i += stride)
    if (x[i] < 0.0f || x[i] != x[i]) y[i] = -1.0f;
}

//! {}
__global__ void counted_up(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0.0f;
  for (int k = 0; k < 5; ++k) sum += x[i] * k;
  for (int k = 1; k <= 9; k += 3) sum = sum - k;
  y[i] = sum;
}

//! {}
__global__ void counted_down(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float sum = x[i];
    for (int k = 7; k > 2; k--) sum = sum * 0.5f + k;
    for (int k = 8; k >= 0; k -= 4) sum += k;
    y[i] = sum;
  }
}

//! {}
__global__ void halving_and_doubling(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float v = x[i];
  for (int s = n; s > 0; s >>= 1) v += s;
  for (int s = n; s > 4; s /= 3) v -= s;
  for (int s = 1; s < n; s *= 2) v = v + s * 0.25f;
  for (unsigned s = 1; s <= 64; s <<= 2) v = v + s;
  y[i] = v;
}

//! {}
__global__ void while_and_do(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float v = x[i];
  int k = 0;
  while (k < 4) {
    v = v * 0.5f;
    k++;
  }
  do {
    v += 1.0f;
    k -= 2;
  } while (k > 0);
  int j = i % 3;
  do {
    v = v - j;
    j++;
  } while (j < 2);
  y[i] = v + k;
}

//! {}
__global__ void leave_early(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int found = -1;
  for (int k = 0; k < 8; ++k) {
    if (i + k >= n) break;
    float v = x[i + k];
    if (v != v) continue;
    if (v > 1.0f) {
      found = k;
      break;
    }
  }
  y[i] = found;
}

//! {}
__global__ void return_from_loop(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  y[i] = 3.0f;
  for (int k = 0; k < 4; ++k) {
    for (int m = k; m < 6; m += 2) {
      if (m == 4 && i % 2 == 0) return;
      if (x[i] < m) {
        y[i] = k * 10 + m;
        return;
      }
      y[i] = y[i] + 1.0f;
    }
    if (k == 2) return;
  }
  y[i] = -1.0f;
}

//! {}
__global__ void nested_levels(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int sum = 0;
  for (int a = 0; a < 5; ++a) {
    if (a == i % 4) continue;
    for (int b = a; b < 6; b += 2) {
      int c = 0;
      while (c <= b) {
        c += 1;
        if (c == 3) continue;
        sum += c * (a + 1);
        if (sum > 60) break;
      }
      if (sum > 50 && b > 3) break;
      if (b == 4) continue;
      sum -= b;
    }
    if (sum < -5) break;
  }
  y[i] = sum + x[i];
}

//! {}
__global__ void leading_break(const float* x, float* y, int n) {
  int k = blockIdx.x * blockDim.x + threadIdx.x;
  while (true) {
    if (k >= n) break;
    y[k] = x[k] + 1.0f;
    k += blockDim.x * gridDim.x;
  }
}

//! {}
__global__ void countdown_condition(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned left = i % 7;
  float v = x[i];
  while (left != 0) {
    v = v + left;
    --left;
  }
  unsigned more = 5;
  while (more) {
    v = v - more;
    more -= 1;
  }
  y[i] = v;
}

//! {}
__global__ void two_conditions(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int k = i;
  while (k > 0 && x[k - 1] < x[k]) --k;
  y[i] = k;
}

//! {}
__global__ void condition_reads(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float s = 0.0f;
  for (int k = i; k < n && x[k] < 2.0f; k += 5) s += 0.5f;
  for (int k = 0; k < i && k * k < i; ++k) s += 1.0f;
  y[i] = s;
}

//! {}
__global__ void switch_in_loop(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float v = x[i];
  for (int k = 0; k < 6; ++k) {
    switch ((i + k) % 5) {
      case 0: v = v + 1.0f;
      case 1: v = v * 0.5f; break;
      case 2:
        if (v > 4.0f) continue;
        v = v + 3.0f;
        break;
      case 3: if (k == 4) { y[i] = v; return; } break;
      default: v = v - 2.0f;
    }
    v = v + 0.125f;
  }
  y[i] = v;
}

//! {}
__global__ void declared_inside(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float total = 0.0f;
  for (int k = 0; k < 4; ++k) {
    float t;
    if (k % 2 == 0) t = x[i];
    else t = 1.0f;
    float u;
    u = t * t;
    int w;
    for (w = k; w < 6; w += 4) u += w;
    total += u + w;
  }
  float last;
  for (int k = 0; k < 3; ++k) last = total + k;
  if (n > 0) y[i] = last;
}

//! {"symbols": {"n": [1, 100000], "m": [0, 100]}, "sizes": [{"n": 7, "m": 0}, {"n": 70, "m": 1}, {"n": 65, "m": 9}]}
__global__ void bounds_from_launch(const float* x, float* y, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float s = x[i];
  for (int k = 0; k < m; k++) s += k;
  for (int k = m; k > 0;) {
    --k;
    s -= 0.5f;
  }
  for (int k = 10; k > m; k -= 2) s *= 0.5f;
  y[i] = s;
}

__device__ float twice(float v) { return v + v; }
__device__ int firstAbove(const float* x, int n, int from, float limit) {
  for (int a = from; a < n; ++a) {
    if (x[a] > limit) return a;
    if (a > from + 6) break;
  }
  return -1;
}

//! {}
__global__ void device_functions(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float s = 0.0f;
  for (int k = 0; k < 3; ++k) {
    s = twice(s) + x[i];
    int at = firstAbove(x, n, i, s);
    if (at >= 0) s += at;
  }
  y[i] = s;
}

//! {}
__global__ void moving_pointers(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float* p = x + i;
  float* q = y + i;
  for (int k = i; k < n; k += blockDim.x * gridDim.x) {
    *q = *p + 1.0f;
    p += blockDim.x * gridDim.x;
    q += blockDim.x * gridDim.x;
  }
}

//! {}
__global__ void special_functions(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float s = 0.0f;
  for (int k = 0; k < 4; ++k) {
    float v = x[(i + k) % n];
    s = fmaxf(s, fabsf(v)) + expf(fminf(v, 0.0f)) * sqrtf(fmaxf(v, 0.0f));
  }
  y[i] = isnan(s) ? 0.0f : s;
}
