//! {
//!  "block": [64, 1, 1], "grid": ["ceil(n / 64)", 1, 1],
//!  "symbols": {"n": [1, 1000]},
//!  "buffers": {"x": {"len": "n", "role": "input"}, "k": {"len": "n", "role": "input"}, "y": {"len": "4 * n", "role": "output"},
//!              "out": {"len": "4 * n", "role": "output"}},
//!  "values": {"k": [-9, 9]},
//!  "sizes": [{"n": 1}, {"n": 200}]
//! }
__global__ void effects(const float* x, const int* k, float* y, int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float* target = y + 4 * i;
  int p = 0, q, r;
  *target++ = x[i];
  target[p++] = x[(i + 1) % n] * 2.0f;
  target[p++] = target[p - 2] + 1.0f;
  target[p] = q = r = k[i] + 7;
  int hits = 0;
  if (k[i] > 0 && ++hits > 0 && k[i] % 2 == 0) hits += 10;
  if (k[i] < -4 || (hits += 100) > 150) hits++;
  const int z = k[i] > 3 ? ++q : k[i] < 0 ? r-- : (q += 4);
  int c = 1;
  c += (c++, c * 2);
  int cells[4] = {0, 3, 2, 1};
  const int held = (cells[cells[0]] = 3);
  const int stepped = ++cells[cells[1]];
  int m = 0;
  for (int a = 0, b = 8; a < b; ++a, b -= 2) m = m * 10 + a + b;
  cells[m & 3] += cells[(m >> 1) & 3]--;
  int* o = out + 4 * i;
  *o = hits + z * 1000;
  o[1] = held * 10 + stepped + c * 100, o[2] = q * 100 + r;
  o[3] = cells[0] + cells[1] * 10 + cells[2] * 100 + cells[3] * 1000 + m;
}
