// Questions about indices as kernels raise them, with their answers known from arithmetic.
#pragma once

#include <string_view>

namespace plumbline::test {

struct ArithmeticCase {
  std::string_view name;
  std::string_view hypotheses; ///< as ArithmeticText reads them
  std::string_view goal;
  bool holds = true;
};

/// Sizes are symbolic unless a name says otherwise. Two threads of one launch are x and x2.
inline constexpr ArithmeticCase arithmeticCases[] = {
    // Bounds.
    {"guard", "0 <= i; i < n", "0 <= i && i < n"},
    {"flat index fits 32 bits, block of 256", "0 <= b < 8388608; 0 <= t < 256", "256*b + t < 2147483648"},
    {"flat index fits 32 bits, any block",
     "0 <= b < G; 0 <= t < D; 1 <= D <= 1024; 1 <= G; G*D <= 2147483647", "b*D + t < 2147483648"},
    {"row of a matrix", "0 <= row < n; 0 <= k < n; 1 <= n <= 8192", "row*n + k < n*n"},
    {"row of a rectangle", "0 <= row < m; 0 <= k < n", "row*n + k < m*n"},
    {"tile of a matrix", "0 <= by < n/16; 0 <= bx < n/16; 0 <= tx < 16; 0 <= ty < 16; n % 16 == 0; 16 <= n",
     "(by*16 + ty)*n + bx*16 + tx < n*n"},
    {"tile of a matrix, step over k",
     "0 <= by; n == 16*m; by < m; 0 <= k < m; 0 <= tx < 16; 0 <= ty < 16; 1 <= m",
     "(by*16 + ty)*n + k*16 + tx < n*n && (k*16 + ty)*n + by*16 + tx < n*n"},
    {"shared tile", "0 <= tx < 16; 0 <= ty < 16", "0 <= ty*16 + tx && ty*16 + tx < 256"},
    {"four dimensions", "0 <= b < B; 0 <= h < H; 0 <= w < W; 0 <= c < C",
     "((b*H + h)*W + w)*C + c < B*H*W*C"},
    {"window of an image",
     "0 <= ic < C; 0 <= h; 0 <= kh < K; h <= H - K; 0 <= w; 0 <= kw < K; w <= W - K; 1 <= K",
     "ic*H*W + (h + kh)*W + w + kw < C*H*W"},
    {"pooling by two", "0 <= h < H/2; 0 <= i < 2; 1 <= H", "2*h + i < H"},
    {"vector lanes", "0 <= i < n/4; 0 <= j < 4; 0 <= n", "4*i + j < n"},
    {"vector tail", "0 <= n; 0 <= u < 4; 4*(n/4) + u < n", "0 <= 4*(n/4) + u"},
    {"masked key", "0 <= i < n; 0 <= key[i]", "0 <= and(key[i], 255) && and(key[i], 255) < 256"},
    {"neighbours", "1 <= i; i + 1 < n", "0 <= i - 1 && i - 1 < n && i + 1 < n"},
    {"last element", "0 <= i < n", "0 <= n - 1 - i && n - 1 - i < n"},
    {"reduction in halves", "0 <= t < 256; t < h; 1 <= h <= 128", "t + h < 256"},
    {"difference of products", "0 <= i < n; 0 <= j < n", "i*n - j*n + n*n >= 0"},
    // Two threads do not meet.
    {"race, block of 256", "0 <= b; 0 <= b2; 0 <= t < 256; 0 <= t2 < 256; 256*b + t == 256*b2 + t2",
     "b == b2 && t == t2"},
    {"race, any block", "0 <= b; 0 <= b2; 0 <= t < D; 0 <= t2 < D; b*D + t == b2*D + t2",
     "b == b2 && t == t2"},
    {"race, rows of 1024", "0 <= r; 0 <= r2; 0 <= c < 1024; 0 <= c2 < 1024; r*1024 + c == r2*1024 + c2",
     "r == r2 && c == c2"},
    {"race, rows", "0 <= r; 0 <= r2; 0 <= c < n; 0 <= c2 < n; r*n + c == r2*n + c2", "r == r2 && c == c2"},
    {"race, output of the tiled product",
     "n == 16*m; 1 <= m; 0 <= by < m; 0 <= bx < m; 0 <= by2 < m; 0 <= bx2 < m; 0 <= tx < 16; 0 <= ty < 16; "
     "0 <= tx2 < 16; 0 <= ty2 < 16; (by*16 + ty)*n + bx*16 + tx == (by2*16 + ty2)*n + bx2*16 + tx2",
     "by == by2 && bx == bx2 && ty == ty2 && tx == tx2"},
    {"race, output of the tiled product, n % 16",
     "n % 16 == 0; 16 <= n; 0 <= by < n/16; 0 <= bx < n/16; 0 <= by2 < n/16; 0 <= bx2 < n/16; 0 <= tx < 16; "
     "0 <= ty < 16; 0 <= tx2 < 16; 0 <= ty2 < 16; (by*16 + ty)*n + bx*16 + tx == (by2*16 + ty2)*n + bx2*16 + "
     "tx2",
     "by == by2 && bx == bx2 && ty == ty2 && tx == tx2"},
    {"race, four dimensions",
     "0 <= b < B; 0 <= h < H; 0 <= w < W; 0 <= c < C; 0 <= b2 < B; 0 <= h2 < H; 0 <= w2 < W; 0 <= c2 < C; "
     "((b*H + h)*W + w)*C + c == ((b2*H + h2)*W + w2)*C + c2",
     "b == b2 && h == h2 && w == w2 && c == c2"},
    {"race, transpose", "0 <= i < W*H; 0 <= i2 < W*H; 1 <= W; 1 <= H; (i % W)*H + i/W == (i2 % W)*H + i2/W",
     "i == i2"},
    {"race, transpose 1000 by 700",
     "0 <= i < 700000; 0 <= i2 < 700000; (i % 1000)*700 + i/1000 == (i2 % 1000)*700 + i2/1000", "i == i2"},
    {"race, grid stride",
     "0 <= t < B; 0 <= t2 < B; 0 <= b < G; 0 <= b2 < G; 0 <= k; 0 <= k2; "
     "t + b*B + k*(G*B) == t2 + b2*B + k2*(G*B)",
     "t == t2 && b == b2 && k == k2"},
    {"race, grid stride by a named sum",
     "S == G*B; 0 <= t < B; 0 <= t2 < B; 0 <= b < G; 0 <= b2 < G; i == t + b*B; i2 == t2 + b2*B; 0 <= k; 0 "
     "<= k2; "
     "i + k*S == i2 + k2*S",
     "t == t2 && b == b2 && k == k2"},
    {"race, swizzle",
     "0 <= tx < 32; 0 <= ty < 32; 0 <= tx2 < 32; 0 <= ty2 < 32; ty*32 + xor(tx, ty) == ty2*32 + xor(tx2, "
     "ty2)",
     "tx == tx2 && ty == ty2"},
    {"race, Gray code", "0 <= t < 256; 0 <= t2 < 256; xor(t, t/2) == xor(t2, t2/2)", "t == t2"},
    {"race, vector part and tail", "0 <= n; 0 <= i < n/4; 0 <= j < 4; 0 <= u < 4; 4*(n/4) + u < n",
     "4*i + j != 4*(n/4) + u"},
    {"race, reduction in halves", "0 <= t < h; 0 <= t2 < h; t != t2", "t != t2 + h && t + h != t2"},
    {"race, lanes of a warp", "0 <= t < 256; 0 <= t2 < 256; t/32 == t2/32; t % 32 == t2 % 32", "t == t2"},
    {"race, tile padded by one",
     "0 <= x < 32; 0 <= y < 32; 0 <= x2 < 32; 0 <= y2 < 32; y*33 + x == y2*33 + x2", "x == x2 && y == y2"},
    // Coverage: the element belongs to a thread of the launch.
    {"coverage, tile: address",
     "0 <= i < n*n; n % 16 == 0; 16 <= n; by == (i/n)/16; ty == (i/n) % 16; bx == (i % n)/16; tx == (i % n) "
     "% 16",
     "(by*16 + ty)*n + bx*16 + tx == i"},
    {"coverage, tile: block",
     "0 <= i < n*n; n % 16 == 0; 16 <= n; by == (i/n)/16; ty == (i/n) % 16; bx == (i % n)/16; tx == (i % n) "
     "% 16",
     "by < n/16 && bx < n/16"},
    {"coverage, tile in place", "0 <= i < n*n; n % 16 == 0; 16 <= n",
     "((i/n)/16*16 + (i/n) % 16)*n + (i % n)/16*16 + (i % n) % 16 == i && (i/n)/16 < n/16 && (i % n)/16 < "
     "n/16"},
    {"coverage, grid stride", "0 <= i < n; 1 <= G; 1 <= B; k == i/(G*B); b == (i % (G*B))/B; t == i % B",
     "t + b*B + k*(G*B) == i && 0 <= b && b < G && 0 <= t && t < B && 0 <= k"},
    {"coverage, vector and tail", "0 <= i < n", "i/4 < n/4 || i - 4*(n/4) < 4"},
    {"coverage, rounded up grid", "0 <= i < n",
     "i/256 < ((n + 255)/256 > 1 ? (n + 255)/256 : 1) && i/256*256 + i % 256 == i"},
    {"coverage, rounded up grid, any block", "0 <= i < n; 1 <= B",
     "i/B < (n + B - 1)/B && i/B*B + i % B == i"},
    {"coverage, four dimensions: address", "0 <= i < N*C*H*W; 1 <= N; 1 <= C; 1 <= H; 1 <= W",
     "((i/(W*H*C)*C + (i/(W*H)) % C)*H + (i/W) % H)*W + i % W == i"},
    {"coverage, four dimensions: block", "0 <= i < N*C*H*W; 1 <= N; 1 <= C; 1 <= H; 1 <= W",
     "i/(W*H*C) < N && (i/(W*H)) % C < C && (i/W) % H < H && i % W < W"},
    {"nested division", "0 <= i; 1 <= W; 1 <= H", "(i/W)/H == i/(W*H)"},
    {"nested remainder", "0 <= i; 1 <= G; 1 <= B", "(i % (G*B)) % B == i % B"},
    {"rounded up size", "0 <= n", "(n + 255)/256*256 >= n && (n + 255)/256*256 < n + 256"},
    {"same element, same value", "i == j + 1; key[i] == 3", "key[j + 1] == 3"},
    // Facts that do not hold.
    {"no guard", "0 <= b < (n + 255)/256; 0 <= t < 256; 1 <= n <= 1000000", "256*b + t < n", false},
    {"shifted in place", "0 <= i; i + 1 < n; 0 <= i2; i2 + 1 < n; i != i2", "i != i2 + 1", false},
    {"too many rows", "0 <= r < 70000; 0 <= c < 65536", "r*65536 + c < 2147483648", false},
    {"one thread too many", "0 <= b; 0 <= b2; 0 <= t <= D; 0 <= t2 <= D; 1 <= D; b*D + t == b2*D + t2",
     "b == b2 && t == t2", false},
    {"dropped tail", "0 <= i < n", "i/4 < n/4", false},
    {"rounded up vectors", "1 <= n; 0 <= i < (n + 3)/4; 0 <= j < 4", "4*i + j < n", false},
    {"equal keys", "0 <= i < n; 0 <= i2 < n; i != i2; 0 <= key[i]; 0 <= key[i2]",
     "and(key[i], 255) != and(key[i2], 255)", false},
    {"transpose with the sides exchanged",
     "0 <= i < W*H; 0 <= i2 < W*H; 1 <= W <= 64; 1 <= H <= 64; (i % W)*W + i/W == (i2 % W)*W + i2/W",
     "i == i2", false},
    {"column beyond the row", "0 <= row < n; 0 <= k <= n; 1 <= n", "row*n + k < n*n", false},
};

} // namespace plumbline::test
