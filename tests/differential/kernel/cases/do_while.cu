//! {
//!  "block": [64, 1, 1], "grid": ["ceil(n / 64)", 1, 1],
//!  "symbols": {"n": [1, 1000]},
//!  "buffers": {"u": {"len": "n", "role": "input"}, "out": {"len": "n", "role": "output"}, "steps": {"len": "n", "role": "output"}},
//!  "sizes": [{"n": 200}]
//! }
__global__ void loops(const unsigned* u, unsigned* out, int* steps, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned v = u[i], sum = 0;
  int count = 0;
  do {
    ++count;
    if (v % 3 == 0) {
      v /= 3;
      continue;
    }
    sum += v % 10;
    v /= 10;
  } while (v != 0);
  int left = 5;
  do
    sum ^= left;
  while (--left > 0);
  left = 4;
  do {
    if (left == 2) continue;
    sum = sum * 31u + left;
  } while (left-- && sum % 7 != 0);
  int down = 3;
  while (down-- > 0) {
    if (down == 1) continue;
    sum += 1000u << down;
  }
  for (;;) {
    if (++count > 12) break;
    sum ^= count;
  }
  out[i] = sum + left;
  steps[i] = count;
}
