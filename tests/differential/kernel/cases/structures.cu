//! {
//!  "block": [64, 1, 1], "grid": ["ceil(n / 64)", 1, 1],
//!  "symbols": {"n": [1, 1000]},
//!  "buffers": {"x": {"len": "n", "role": "input"}, "y": {"len": "4 * n", "role": "output"}, "top": {"len": "n", "role": "output"}},
//!  "sizes": [{"n": 1}, {"n": 130}]
//! }
struct Complex {
  float re, im;
  __device__ Complex(float r = 0.0f, float i = 0.0f) : re(r), im(i) {}
  __device__ Complex operator*(const Complex& o) const { return Complex(re * o.re - im * o.im, re * o.im + im * o.re); }
  __device__ Complex& operator+=(const Complex& o) {
    re += o.re;
    im += o.im;
    return *this;
  }
  __device__ float norm() const { return re * re + im * im; }
};
__device__ Complex operator-(Complex a, Complex b) {
  a.re -= b.re;
  a.im -= b.im;
  return a;
}
struct Best {
  float value = -INFINITY;
  int index = -1;
  __device__ void offer(float v, int i) {
    if (v > value || index < 0) {
      value = v;
      index = i;
    }
  }
};
struct Pair {
  Complex a, b;
  int tag;
};
__global__ void structs(const float* x, float* y, int* top, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Complex z(x[i], x[(i + 1) % n]), w = z * z;
  Complex copy = z;
  copy = copy * w;
  copy.re += 1.0f;
  Pair p = {z, w, 3};
  Pair q = p;
  q.a = q.b - copy;
  q.tag += p.tag;
  p.b.im = q.a.norm();
  Complex chosen = x[i] > 0.0f ? p.b : Complex(q.a);
  Complex again = Complex(chosen);
  again.im = 7.0f;
  y[4 * i] = q.a.re * q.tag;
  y[4 * i + 1] = p.b.im + p.a.re;
  y[4 * i + 2] = chosen.re - chosen.im;
  y[4 * i + 3] = (w * copy - again).norm();
  Best best;
  for (int k = 0; k < 9; ++k) best.offer(x[(i + k * 7) % n], k);
  top[i] = best.index;
}
