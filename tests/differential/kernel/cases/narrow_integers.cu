//! {
//!  "block": [64, 1, 1], "grid": ["ceil(n / 64)", 1, 1],
//!  "symbols": {"n": [1, 1000]},
//!  "buffers": {"c": {"len": "n", "role": "input", "align": 1}, "s": {"len": "n", "role": "input", "align": 2}, "u": {"len": "n", "role": "input"},
//!              "w": {"len": "n", "role": "input", "align": 8}, "out": {"len": "8 * n", "role": "output", "align": 8}},
//!  "sizes": [{"n": 500}]
//! }
__global__ void narrow(const signed char* c, const unsigned short* s, const unsigned* u, const long long* w, long long* out,
                       int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  long long* o = out + 8 * i;
  unsigned char b = c[i];
  b += 200;
  b <<= 1;
  short t = s[i];
  t ^= 0x55;
  t -= c[i];
  signed char d = (signed char)u[i];
  ++d;
  d *= 3;
  o[0] = b * 1000 + t;
  o[1] = d;
  o[2] = (unsigned)c[i] % 1000u;
  o[3] = (int)u[i] / 7 + (int)u[i] % -13;
  o[4] = w[i] / (c[i] == 0 ? 5 : c[i]) + w[i] % 1000003;
  o[5] = (u[i] << (s[i] & 31)) ^ (u[i] >> (b & 31)) ^ (unsigned)((int)u[i] >> (s[i] & 31));
  o[6] = (long long)((unsigned long long)w[i] * 6364136223846793005ull + 1442695040888963407ull);
  bool flag = u[i] & 4;
  flag |= c[i] > 100;
  unsigned short wrapped = s[i] + s[i];
  o[7] = (w[i] >> 40) + flag + wrapped + (c[i] < u[i]) + (char)(s[i] >> 3) + -(short)s[i] + ~b + !t;
}
