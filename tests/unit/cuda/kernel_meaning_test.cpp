// The same text compiled natively and imported, run on the same values: the interpreter's bits are the
// machine's.
#include "core/ir/interpreter.h"
#include "tests/unit/cuda/import_fixture.h"

#include <bit>
#include <cmath>

namespace plumbline::cuda::test {
namespace {

/// A function of two floats, an int and an unsigned, as text and as native code. Only what both dialects
/// share.
struct Row {
  const char* text;
  float (*native)(float a, float b, int i, unsigned u);
};

using std::signbit;

// The rows are written for both compilers: their style is not the point.
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Weverything"
#define ROW(...)                                                                                             \
  {#__VA_ARGS__, [](float a, float b, int i, unsigned u) -> float {                                          \
     (void)a, (void)b, (void)i, (void)u;                                                                     \
     __VA_ARGS__                                                                                             \
   }}

const Row rows[] = {
    ROW(return a + b;),
    ROW(return a - b * 2;),
    ROW(return a * 0.01;),
    ROW(return a * 0.01f;),
    ROW(return (float)((double)a / 3.0);),
    ROW(return a > 0 ? a : 0.f;),
    ROW(return a < b ? a : b;),
    ROW(return -a;),
    ROW(return !(a < b) ? 1.0f : -0.0f;),
    ROW(return a == b || a != a;),
    ROW(return a >= 0.0f && b <= 1.0f ? a : b;),
    ROW(float v = a; v += b; v *= 0.1; v -= 1; v /= 3; return v;),
    ROW(float v = a; if (v > 1.0f) v = 1.0f; else if (v < -1.0f) v = -1.0f; return v;),
    ROW(if (a > b) return a; return b + 1e-3f;),
    ROW(int j = i * 3 - 7; j /= 2; j %= 5; return j;),
    ROW(return i / 2 + i % 3;),
    ROW(return u / 2 + u % 3;),
    ROW(return (i & 0xff) ^ (i | 3);),
    ROW(return (u << 3) + (u >> 1);),
    ROW(return i >> 1;),
    ROW(unsigned v = u - 1u; return v > u ? 1.f : 0.f;),
    ROW(return i < u ? 1.f : 2.f;),
    ROW(signed char c = i; c += 3; return c;),
    ROW(unsigned char c = i; c++; return c;),
    ROW(short s = i; s--; return s * 2;),
    ROW(bool t = i; return t + t;),
    ROW(long long w = (long long)i * i; return w / 3;),
    ROW(return (float)i + static_cast<float>(u) + float(i > 0);),
    ROW(return sizeof(float) * i;),
    ROW(double d = a; d = d * d - b; return d;),
    ROW(float v; v = a; v = v * v; return v;),
    ROW(float v, w; v = w = a; return v + w;),
    ROW(float v = a; ++v; v++; --v; return v;),
    ROW(const float k = 0x1.8p-3f; return a * k + 1'000.5f;),
    ROW(return 'a' + i;),
    ROW(return ~i + -i;),
    ROW(float v = a; {
      float v = b;
      v += 1;
    } return v;),
    ROW(if (int j = 2; i > j) return a; return b;),
    ROW(if constexpr (sizeof(int) == 4) return a; else return b;),
    ROW(int j{}; float v{a}; return v + j;),
    ROW(return floorf(a) + ceilf(b);),
    ROW(return truncf(a) - rintf(b);),
    ROW(return roundf(a) * nearbyintf(b);),
    ROW(return floor((double)a) + round((double)b);),
    ROW(return fmodf(a, b);),
    ROW(return remainderf(a, b);),
    ROW(return a <= b || a > b ? fdimf(a, b) : 0.0f;),
    ROW(return b == b ? copysignf(a, b) : a;),
    ROW(return a == a && signbit(a) ? b : -b;),
};
#undef ROW
#pragma clang diagnostic pop

const float floats[] = {0.0F,   -0.0F, 1.0F,     -1.0F,  0.5F, 3.0F,      -2.75F,    1e-40F,
                        100.7F, 3e38F, INFINITY, -3e38F, NAN,  -INFINITY, 0.333333F, 1e-3F};
const int integers[] = {0, 1, -1, 2, 7, -8, 100, 255, -30000, 40000};

/// One thread calls the function on the given values.
std::string program(const std::string& body) {
  return "__device__ float f(float a, float b, int i, unsigned u) { " + body + " }\n" +
         "__global__ void k(const float* a, const float* b, const int* i, const unsigned* u, float* y, int "
         "n) {\n"
         "  int t = blockIdx.x * blockDim.x + threadIdx.x;\n"
         "  if (t < n) y[t] = f(a[t], b[t], i[t], u[t]);\n}\n";
}

struct Inputs {
  std::vector<uint64_t> a, b, i, u;
};

/// Every pair of floats, with the integers going round beside them.
Inputs allInputs() {
  Inputs inputs;
  size_t count = 0;
  for (float a : floats)
    for (float b : floats) {
      inputs.a.push_back(std::bit_cast<uint32_t>(a));
      inputs.b.push_back(std::bit_cast<uint32_t>(b));
      const int integer = integers[count++ % std::size(integers)];
      inputs.i.push_back(static_cast<uint32_t>(integer));
      inputs.u.push_back(static_cast<uint32_t>(integer) * 3U);
    }
  return inputs;
}

ir::ConcreteLaunch launchFor(int64_t count) {
  ir::ConcreteLaunch launch;
  launch.grid = {(count + 63) / 64, 1, 1};
  launch.block = {64, 1, 1};
  for (const char* name : {"a", "b", "i", "u", "y"})
    launch.buffers[name] = {
        count, 4, std::string(name) == "y" ? ir::BufferRole::Output : ir::BufferRole::Input, false, {}, name};
  launch.scalars = {{"n", ir::ScalarValue::integer(count)}};
  return launch;
}

/// The interpreter's output for an imported program; empty after a failure.
std::vector<uint64_t> interpreted(const std::string& source, const Inputs& inputs) {
  const ImportedCuda imported = import(source);
  if (imported.module.kernels.size() != 1 || imported.module.kernels[0].function < 0) {
    ADD_FAILURE() << (imported.module.kernels.empty() ? "no kernel"
                                                      : describe(imported.module.kernels[0].rejections));
    return {};
  }
  const int function = imported.module.kernels[0].function;
  const ir::ConcreteLaunch launch = launchFor(static_cast<int64_t>(inputs.a.size()));
  auto memory = ir::makeMemory(launch, imported.module.functions[static_cast<size_t>(function)],
                               {{"a", inputs.a}, {"b", inputs.b}, {"i", inputs.i}, {"u", inputs.u}});
  auto interpreter = ir::Interpreter<ir::IeeeDomain>::make(imported.module, function);
  if (!memory || !interpreter) {
    ADD_FAILURE() << (memory ? toString(interpreter.error()) : toString(memory.error()));
    return {};
  }
  const auto result = interpreter->run(launch, *memory);
  if (!result) {
    ADD_FAILURE() << toString(result.error());
    return {};
  }
  return ir::bitsOf((*memory)[memory->indexOf("y")]);
}

uint32_t canonical(float value) {
  return std::isnan(value) ? 0x7fc00000U : std::bit_cast<uint32_t>(value);
}

TEST(KernelMeaning, IsThatOfTheSameTextCompiledNatively) {
  const Inputs inputs = allInputs();
  for (const Row& row : rows) {
    SCOPED_TRACE(row.text);
    const std::vector<uint64_t> output = interpreted(program(row.text), inputs);
    ASSERT_EQ(output.size(), inputs.a.size());
    for (size_t t = 0; t < output.size(); ++t) {
      const auto a = std::bit_cast<float>(static_cast<uint32_t>(inputs.a[t]));
      const auto b = std::bit_cast<float>(static_cast<uint32_t>(inputs.b[t]));
      const auto i = static_cast<int>(static_cast<uint32_t>(inputs.i[t]));
      const float expected = row.native(a, b, i, static_cast<unsigned>(inputs.u[t]));
      ASSERT_EQ(output[t], canonical(expected)) << "a=" << a << " b=" << b << " i=" << i;
    }
  }
}

} // namespace
} // namespace plumbline::cuda::test
