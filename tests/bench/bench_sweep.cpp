// plumbline-bench-sweep [ROUNDS]: throughput of plumbline-sweep against the same chunked loop in C++
// (native_*.cpp, built with -O3 -march=native -ffp-contract=off). Both cover all 2^32 patterns on the same
// number of threads; they are run in turn, so that a busy machine slows both. The sweep's figure includes its
// compilation and the pipe. Exit status 1 when a median ratio is below 0.75.
#include "core/engine/sweep.h"
#include "tests/bench/native_leaves.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <functional>
#include <thread>

namespace {

using namespace plumbline;
using logic::Op;
using logic::Sort;
using logic::TermId;

constexpr double requiredRatio = 0.75;

struct Leaf {
  const char* name;
  TermId left;
  TermId right;
  bench::NativeLeaf native;
};

/// The terms of native_left.cpp and native_right.cpp.
class LeafTerms {
public:
  logic::TermStore store;

  std::vector<Leaf> leaves() {
    return {{"leaky relu", leaky(false), leaky(true), {bench::leakyLeft, bench::leakyRight}},
            {"polynomial, div, sqrt",
             rationalLeft(),
             rationalRight(),
             {bench::rationalLeft, bench::rationalRight}},
            {"double products", doubles(false), doubles(true), {bench::doubleLeft, bench::doubleRight}}};
  }

private:
  TermId f(float value) { return store.f32Bits(std::bit_cast<uint32_t>(value)); }
  TermId d(double value) { return store.f64Bits(std::bit_cast<uint64_t>(value)); }
  TermId add(TermId a, TermId b) { return store.binary(Op::FAdd, a, b); }
  TermId mul(TermId a, TermId b) { return store.binary(Op::FMul, a, b); }
  TermId div(TermId a, TermId b) { return store.binary(Op::FDiv, a, b); }
  TermId root(TermId a) { return store.unary(Op::FSqrt, a); }

  TermId leaky(bool swapped) {
    const TermId scaled = swapped ? mul(f(0.01F), x) : mul(x, f(0.01F));
    return store.ite(store.binary(Op::FLt, x, f(0)), scaled, x);
  }
  TermId rationalLeft() {
    const TermId polynomial = add(mul(add(mul(add(mul(f(0.5F), x), f(3)), x), f(0.1F)), x), f(7));
    return add(div(polynomial, add(mul(x, x), f(1))), root(add(mul(x, x), f(0.3F))));
  }
  TermId rationalRight() {
    const TermId polynomial = add(f(7), mul(x, add(f(0.1F), mul(x, add(f(3), mul(x, f(0.5F)))))));
    return add(root(add(f(0.3F), mul(x, x))), div(polynomial, add(f(1), mul(x, x))));
  }
  TermId doubles(bool swapped) {
    const TermId wide = store.convert(Sort::F64, x);
    const TermId sum =
        swapped ? add(mul(d(3.7), wide), mul(d(0.01), wide)) : add(mul(wide, d(0.01)), mul(wide, d(3.7)));
    return store.convert(Sort::F32, sum);
  }

  TermId x = store.var(Sort::F32, "x");
};

/// The scheduling of plumbline-sweep: blocks of 2^20 patterns in ascending order, chunks of 4096.
double nativeSeconds(const bench::NativeLeaf& leaf, unsigned threads) {
  constexpr uint64_t block = uint64_t{1} << 20;
  constexpr uint32_t chunk = 4096;
  const auto start = std::chrono::steady_clock::now();
  std::atomic<uint64_t> next = 0;
  std::atomic<uint32_t> found = 0;
  {
    std::vector<std::jthread> workers;
    workers.reserve(threads);
    for (unsigned i = 0; i < threads; ++i)
      workers.emplace_back([&] {
        alignas(64) float buffer[chunk];
        for (uint64_t first = next.fetch_add(block); first < engine::allPatterns;
             first = next.fetch_add(block))
          for (uint64_t at = first; at < first + block; at += chunk) {
            leaf.left(static_cast<uint32_t>(at), chunk, buffer);
            found |= leaf.right(static_cast<uint32_t>(at), chunk, buffer);
          }
      });
  }
  if (found != 0)
    std::printf("unexpected: the native loops differ\n");
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double sweepSeconds(engine::Sweeper& sweeper, const engine::SweepTask& task) {
  const auto start = std::chrono::steady_clock::now();
  const auto result = sweeper.run(task, StopToken());
  if (!result) {
    std::fprintf(stderr, "%s\n", toString(result.error()).c_str());
    std::exit(4);
  }
  if (!result->complete())
    std::printf("unexpected: the sweep found a difference\n");
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

/// Prints one row; the median of the paired ratios native time / sweep time.
double benchLeaf(engine::Sweeper& sweeper, const Leaf& leaf, LeafTerms& terms, int rounds, unsigned threads) {
  const engine::SweepTask task{&terms.store, leaf.left, {leaf.right},        terms.store.boolean(true),
                               "x",          0,         engine::allPatterns, threads};
  std::vector<double> ratios;
  std::vector<double> sweeps;
  std::vector<double> natives;
  for (int round = 0; round < rounds; ++round) {
    // Alternately first, so that neither always meets a warmer or a cooler processor.
    if (round % 2 == 0)
      sweeps.push_back(sweepSeconds(sweeper, task));
    natives.push_back(nativeSeconds(leaf.native, threads));
    if (round % 2 == 1)
      sweeps.push_back(sweepSeconds(sweeper, task));
    ratios.push_back(natives.back() / sweeps.back());
  }
  const double patterns = static_cast<double>(engine::allPatterns);
  std::printf("%-22s ratio %.2f  (%.2f .. %.2f)   sweep %.2fe9 values/s   native %.2fe9 values/s\n",
              leaf.name, median(ratios), *std::min_element(ratios.begin(), ratios.end()),
              *std::max_element(ratios.begin(), ratios.end()), patterns / median(sweeps) / 1e9,
              patterns / median(natives) / 1e9);
  std::fflush(stdout);
  return median(ratios);
}

} // namespace

int main(int argc, char** argv) {
  int rounds = 5;
  if (argc > 1 &&
      (std::from_chars(argv[1], argv[1] + std::strlen(argv[1]), rounds).ec != std::errc() || rounds < 1)) {
    std::fprintf(stderr, "usage: plumbline-bench-sweep [ROUNDS]\n");
    return 4;
  }
  const unsigned threads = std::max(1U, std::thread::hardware_concurrency());
  std::printf("sweep throughput, %u threads, %d paired rounds; ratio 1 is the speed of the C++ loop\n",
              threads, rounds);
  LeafTerms terms;
  engine::Sweeper sweeper;
  sweeper.start();
  bool fastEnough = true;
  for (const Leaf& leaf : terms.leaves())
    fastEnough = benchLeaf(sweeper, leaf, terms, rounds, threads) >= requiredRatio && fastEnough;
  std::printf("%s\n", fastEnough ? "all medians are at least 0.75" : "a median is below 0.75");
  return fastEnough ? 0 : 1;
}
