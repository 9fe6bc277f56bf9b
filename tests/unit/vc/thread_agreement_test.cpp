// Symbolic execution against the interpreter, thread by thread at random places: where no obligation is
// violated the two leave the same memory, and whatever the interpreter finds wrong violates an obligation.
#include "core/f32/soft_float.h"
#include "core/ir/interpreter.h"
#include "core/logic/eval.h"
#include "tests/unit/vc/thread_fixture.h"

#include <random>

namespace plumbline::vc::test {
namespace {

using logic::Value;

constexpr int64_t length = 24;

/// Every kernel has the parameters (const float* x, float* y, int n, float s).
const std::string macros = R"(
#define SIGNATURE (const float* x, float* y, int n, float s)
#define GLOBAL int i = blockIdx.x * blockDim.x + threadIdx.x
)";

const std::string kernels = macros + R"(
__device__ float pick(float v, int n) {
  if (v != v) return -1.0f;
  if (n > 3) { if (v > 1.0f) return v; }
  else return v * 0.5f;
  return 2.0f;
}
__device__ void put(float* y, int i, float v) { if (v < 0.0f) return; y[i] = v; }
__device__ int wrap(int i, int n) { return n > 0 ? i % n : i; }
__global__ void guarded SIGNATURE { GLOBAL; if (i < n) y[i] = x[i] * s; }
__global__ void early SIGNATURE { GLOBAL; if (i >= n) return; float v = x[i]; if (v < s) { y[i] = s; return; } y[i] = v; }
__global__ void nested SIGNATURE {
  GLOBAL; float v = 0.0f; int k = i;
  if (i < n) { if (x[i] > s) { v = x[i]; } else { v = s; k = i / 2; if (k == 3) return; } } else if (i == n + 1) v = 7.0f;
  if (k < 20) y[k] = v;
}
__global__ void helpers SIGNATURE { GLOBAL; if (i < n) y[i] = pick(x[i], n) + pick(s, i); }
__global__ void effects SIGNATURE { GLOBAL; if (i < n) put(y, i, x[i]); put(y, wrap(i, n), s); }
__global__ void twice SIGNATURE { GLOBAL; if (i < n) { y[i] = x[i]; y[i] = y[i] * s; if (s > 0.0f) y[i] += x[i]; } }
__global__ void aliased SIGNATURE { GLOBAL; if (i < n) { y[i] = x[i]; y[i] = y[n - 1] + y[i]; } }
__global__ void uninitialised SIGNATURE { GLOBAL; float v; if (s > 0.0f) v = x[0]; if (i < n) y[i] = v; }
__global__ void maybe SIGNATURE { GLOBAL; int k; if (i < n) k = i; else if (n == 5) k = 2; if (i < n || n == 5) y[k] = s; }
__global__ void products SIGNATURE { GLOBAL; int k = i * n; int m = k * n; if (m >= 0 && m < 24) y[m] = x[k]; }
__global__ void quotients SIGNATURE { GLOBAL; int k = i / n; int m = (i - 7) % n; if (k < 24) y[k] = x[k]; if (m >= 0) y[m] = s; }
__global__ void shifts SIGNATURE { GLOBAL; int k = (i << 2) + (i & 3) - (n >> 1); if (k >= 0 && k < 24) y[k] = x[i & 7]; }
__global__ void wraps SIGNATURE { unsigned i = blockIdx.x * blockDim.x + threadIdx.x; unsigned k = i - n; if (k < 24u) y[k] = x[k]; }
__global__ void truncates SIGNATURE { GLOBAL; int k = (int)s; if (i < n) y[i] = x[k]; }
__global__ void narrows SIGNATURE { GLOBAL; short h = (short)n; signed char c = (signed char)i; if (h == n && c < 24) y[c] = x[h]; }
__global__ void circuits SIGNATURE { GLOBAL; if (i < n && x[i] > s) y[i] = 1.0f; if (n == 0 || i / n == 0) y[0] = s; y[1] = i < 24 ? x[i] : s; }
__global__ void pointers SIGNATURE { GLOBAL; const float* p = x + i; float* q = y; q += 2; if (i < n) *(q + i) = p[-1] + *p; }
__global__ void doubles SIGNATURE { GLOBAL; double d = s; d = d * 0.01 + x[0] / 3.0; if (i < n) y[i] = (float)d; }
__global__ void functions SIGNATURE { GLOBAL; if (i < n) y[i] = fmaf(x[i], s, fminf(x[0], fabsf(s))) - fmaxf(x[i], sqrtf(s)); }
__global__ void bools SIGNATURE { GLOBAL; bool a = x[0] > s; bool b = i < n; if (a != b) y[0] = (float)a; if (!(a && !b)) y[1] = a == b; }
__global__ void integers SIGNATURE { GLOBAL; int k = max(min(i, n), -abs(n)); long long w = (long long)i * n; if (w < 24) y[(int)w] = k; }
__global__ void planes SIGNATURE {
  int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z * blockDim.z + threadIdx.z;
  if (c < n && r < 3) y[(z * 3 + r) * n + c] = x[r * n + c] + (float)(gridDim.x + blockDim.z);
}
)";

/// What one thread is run on.
struct Sample {
  ir::ThreadId thread;
  std::array<int64_t, 3> block{};
  std::array<int64_t, 3> grid{};
  int64_t n = 0;
  uint32_t s = 0;
  std::vector<uint64_t> x;
  std::vector<uint64_t> y;
};

class Sampler {
public:
  explicit Sampler(uint32_t seed) : m_random(seed) {}

  Sample next() {
    static constexpr int64_t counts[] = {0,  1,  2,  3,  5,   8,     20,        23,
                                         24, 25, -1, -3, -24, 70000, INT32_MAX, INT32_MIN};
    Sample sample;
    for (size_t axis = 0; axis < 3; ++axis) {
      sample.block[axis] = pick({1, 1, 2, 4, 8});
      sample.grid[axis] = pick({1, 1, 2, 3, axis == 0 ? 400000000 : 60000});
      sample.thread.thread[axis] = below(sample.block[axis]);
      sample.thread.block[axis] = below(std::min<int64_t>(sample.grid[axis], below(8) == 0 ? INT32_MAX : 4));
    }
    sample.n = below(3) == 0 ? counts[below(std::ssize(counts))] : below(length + 2);
    sample.s = bits();
    for (int64_t i = 0; i < length; ++i) {
      sample.x.push_back(bits());
      sample.y.push_back(bits());
    }
    return sample;
  }

private:
  int64_t below(int64_t count) { return std::uniform_int_distribution<int64_t>(0, count - 1)(m_random); }
  int64_t pick(std::initializer_list<int64_t> values) { return values.begin()[below(std::ssize(values))]; }
  uint32_t bits() {
    static constexpr uint32_t special[] = {0,          0x80000000, 0x3f800000, 0xbf800000,
                                           0x40400000, 0x3f000001, 0x7f800000, 0xff800000,
                                           0x7fc00000, 1,          0x7f7fffff, 0xc1200000};
    return below(4) == 0 ? static_cast<uint32_t>(m_random()) : special[below(std::ssize(special))];
  }
  std::mt19937 m_random;
};

using Cells = std::vector<uint64_t>;

/// What the interpreter does with the thread.
struct Concrete {
  std::vector<ir::RunFinding> findings;
  Cells y;
  std::vector<bool> written;
};

Concrete interpret(const ir::Module& module, const ir::Kernel& kernel, const Sample& sample, bool readable) {
  ir::ConcreteLaunch launch;
  launch.grid = sample.grid;
  launch.block = sample.block;
  launch.buffers["x"] = {length, 4, ir::BufferRole::Input, false, "x", "x"};
  launch.buffers["y"] = {length, 4,   readable ? ir::BufferRole::InOut : ir::BufferRole::Output,
                         false,  "y", "y"};
  launch.scalars["n"] = ir::ScalarValue::integer(sample.n);
  launch.scalars["s"] = {ir::ScalarType::F32, sample.s, {}};
  auto memory = ir::makeMemory(launch, functionOf(module, kernel), {{"x", sample.x}, {"y", sample.y}});
  const auto interpreter = ir::Interpreter<ir::IeeeDomain>::make(module, kernel.function);
  Concrete result;
  if (!memory || !interpreter) {
    ADD_FAILURE() << toString(memory ? interpreter.error() : memory.error());
    return result;
  }
  const std::vector<ir::ThreadId> threads{sample.thread};
  const auto run = interpreter->runThreads(launch, *memory, threads);
  if (!run) {
    ADD_FAILURE() << toString(run.error());
    return result;
  }
  result.findings = run->findings;
  const auto& buffer = (*memory)[memory->indexOf("y")];
  result.y = ir::bitsOf(buffer);
  for (int64_t i = 0; i < length; ++i)
    result.written.push_back(buffer.written(i));
  return result;
}

/// The terms of a symbolic thread at a sample.
class Evaluator {
public:
  Evaluator(const logic::TermStore& store, const Sample& sample) : m_store(store) {
    m_values["n"] = Value::integer(sample.n);
    m_values["s"] = Value::f32(sample.s);
    m_values["length"] = Value::integer(length);
    const char* axes[] = {"x", "y", "z"};
    for (size_t axis = 0; axis < 3; ++axis) {
      m_values[std::string("threadIdx.") + axes[axis]] = Value::integer(sample.thread.thread[axis]);
      m_values[std::string("blockIdx.") + axes[axis]] = Value::integer(sample.thread.block[axis]);
      m_values[std::string("blockDim.") + axes[axis]] = Value::integer(sample.block[axis]);
      m_values[std::string("gridDim.") + axes[axis]] = Value::integer(sample.grid[axis]);
    }
    m_callbacks.load = [&sample](std::string_view buffer, int64_t index) -> Expected<uint64_t> {
      // A load is a total function in the terms; guards may mention one that the thread does not execute.
      if (index < 0 || index >= length)
        return uint64_t{0x7f123456};
      return (buffer == "x" ? sample.x : sample.y)[static_cast<size_t>(index)];
    };
  }

  Expected<Value> operator()(logic::TermId term) const {
    return logic::CompiledTerm(m_store, term).evaluate(m_values, m_callbacks);
  }
  bool holds(logic::TermId term) const {
    const Expected<Value> value = (*this)(term);
    EXPECT_TRUE(value) << value.error().id << ": " << m_store.print(term);
    return value && value->bits != 0;
  }

private:
  const logic::TermStore& m_store;
  std::map<std::string, Value> m_values;
  logic::Callbacks m_callbacks;
};

/// The first violated obligation in the order in which they arose; later ones may have no value then.
const Obligation* firstViolated(const SymbolicThread& thread, const Evaluator& at) {
  for (const Obligation& obligation : thread.obligations)
    if (at.holds(obligation.guard) && !at.holds(obligation.holds))
      return &obligation;
  return nullptr;
}

void expectSameMemory(const SymbolicThread& thread, const Evaluator& at, const Sample& sample,
                      const Concrete& concrete) {
  Cells y = sample.y;
  std::vector<bool> written(static_cast<size_t>(length), false);
  for (const ThreadStore& store : thread.stores) {
    if (!at.holds(store.guard))
      continue;
    const Expected<Value> index = at(store.index);
    const Expected<Value> value = at(store.value);
    ASSERT_TRUE(index && value);
    ASSERT_EQ(store.buffer, "y");
    ASSERT_TRUE(index->asInteger() >= 0 && index->asInteger() < length);
    y[static_cast<size_t>(index->asInteger())] = value->bits;
    written[static_cast<size_t>(index->asInteger())] = true;
  }
  EXPECT_EQ(written, concrete.written);
  for (size_t i = 0; i < y.size(); ++i)
    EXPECT_TRUE(
        f32::Soft<f32::Binary32>::same(static_cast<uint32_t>(y[i]), static_cast<uint32_t>(concrete.y[i])))
        << "y[" << i << "]: " << std::hex << y[i] << " and " << concrete.y[i];
}

std::string describe(const Sample& sample) {
  const auto text = [](const std::array<int64_t, 3>& v) {
    return "(" + std::to_string(v[0]) + "," + std::to_string(v[1]) + "," + std::to_string(v[2]) + ")";
  };
  return "block " + text(sample.thread.block) + " of " + text(sample.grid) + ", thread " +
         text(sample.thread.thread) + " of " + text(sample.block) + ", n = " + std::to_string(sample.n) +
         ", s bits " + std::to_string(sample.s);
}

/// How many samples were compared in full, and how many violated an obligation.
struct Counts {
  int compared = 0;
  int violated = 0;
  int found = 0;
};

Counts compare(const ir::Module& module, const ir::Kernel& kernel, bool readable) {
  Execution execution(module, kernel);
  execution.parameters["y"].initialReadable = readable;
  const Expected<SymbolicThread> thread = execution.run();
  Counts counts;
  if (!thread) {
    ADD_FAILURE() << toString(thread.error());
    return counts;
  }
  Sampler sampler(static_cast<uint32_t>(kernel.function) * 2 + (readable ? 1 : 0));
  for (int round = 0; round < 400 && !testing::Test::HasFailure(); ++round) {
    const Sample sample = sampler.next();
    SCOPED_TRACE(kernel.name + ": " + describe(sample));
    const Evaluator at(execution.store, sample);
    const Concrete concrete = interpret(module, kernel, sample, readable);
    const Obligation* violated = firstViolated(*thread, at);
    counts.found += concrete.findings.empty() ? 0 : 1;
    if (violated != nullptr) {
      ++counts.violated;
      continue;
    }
    ++counts.compared;
    EXPECT_TRUE(concrete.findings.empty()) << ir::print(concrete.findings[0]);
    expectSameMemory(*thread, at, sample, concrete);
  }
  return counts;
}

TEST(ThreadAgreement, TermsAndInterpreterLeaveTheSameMemory) {
  const ir::Module module = import(kernels);
  ASSERT_EQ(module.kernels.size(), 22u);
  Counts all;
  for (const ir::Kernel& kernel : module.kernels) {
    const Counts counts = compare(module, kernel, true);
    EXPECT_GT(counts.compared, 20) << kernel.name;
    all.violated += counts.violated;
    all.found += counts.found;
  }
  EXPECT_GT(all.violated, 500);
  EXPECT_GT(all.found, 300);
}

TEST(ThreadAgreement, ReadsOfAnEmptyOutputViolateAnObligation) {
  const ir::Module module = import(macros + R"(
__global__ void read SIGNATURE { GLOBAL; if (i < n) { if (s > 0.0f) y[i] = x[i]; y[i] = y[i] + 1.0f; } }
__global__ void after SIGNATURE { GLOBAL; if (i < n) { y[i] = x[i]; y[i] = y[i] + 1.0f; } }
)");
  for (const ir::Kernel& kernel : module.kernels) {
    const Counts counts = compare(module, kernel, false);
    EXPECT_GT(counts.compared, 20) << kernel.name;
    EXPECT_EQ(counts.found > 20, kernel.name == "read") << counts.found;
  }
}

} // namespace
} // namespace plumbline::vc::test
