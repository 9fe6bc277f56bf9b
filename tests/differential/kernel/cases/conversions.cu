//! {
//!  "block": [256, 1, 1], "grid": ["ceil(n / 256)", 1, 1], "symbols": {"n": [1, 1000000]},
//!  "buffers": {"x": {"len": "n", "role": "input"}, "d": {"len": "n", "role": "input", "align": 8},
//!              "k": {"len": "n", "role": "input", "align": 8}, "y": {"len": "n", "role": "output"},
//!              "t": {"len": "n", "role": "output"}},
//!  "sizes": [{"n": 3000}]
//! }
__global__ void convertThem(const float* x, const double* d, const long long* k, float* y, int* t, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float bounded = fminf(fmaxf(x[i], -2e9f), 2e9f);
    int whole = (int)bounded;
    unsigned char low = (unsigned char)whole;
    short half = (short)whole;
    bool any = x[i];
    y[i] = (float)k[i] + (float)(unsigned long long)k[i] + (float)d[i] + (float)whole;
    t[i] = low + half * 2 + any + (int)(unsigned)(k[i] >> 13) % 1000 + (char)65;
  }
}
