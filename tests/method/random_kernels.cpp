#include "tests/method/random_kernels.h"

#include <random>

namespace plumbline::method_test {
namespace {

/// A loop or switch around the statement being made, for the jumps that may leave it.
struct Around {
  bool isLoop = true;
  bool isUniform = false;
  bool isStep = true; ///< `continue` still counts
};

class Maker {
public:
  explicit Maker(uint64_t seed) : m_random(seed * 7919 + 1), m_seed(seed) {}

  RandomMethodKernel run() {
    static constexpr std::array<std::array<int, 3>, 6> shapes{
        {{1, 1, 1}, {4, 1, 1}, {7, 1, 1}, {4, 2, 1}, {2, 2, 2}, {16, 1, 1}}};
    const std::array<int, 3> block = shapes[pick(shapes.size())];
    m_threads = block[0] * block[1] * block[2];
    m_hasBarriers = chance(70);
    const std::string name = "k" + std::to_string(m_seed);
    std::string text = "__global__ void " + name + "(const float* x, float* y, int n) {\n";
    const std::string threads = std::to_string(m_threads);
    text +=
        "  __shared__ float s[" + threads + "];\n  float w[4] = {1.0f, -2.0f, 0.5f};\n  int q[3] = {1};\n";
    text += "  int t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;\n";
    text += "  int i = blockIdx.x * " + threads + " + t;\n";
    text += "  int u0 = n % 5;\n  int u1 = blockIdx.x % 3;\n";
    text += "  int a0 = t % 4, a1 = i % 7, a2 = 3;\n";
    text += "  float v0 = i < n ? x[i] : 0.0f, v1 = 2.0f, v2 = t;\n";
    if (m_hasBarriers)
      text += blockList(3, 2);
    m_mayReturn = true;
    text += threadList(3, 1);
    text += "  if (i < n) y[i] = v0 + v1 * 0.5f - v2 + a0 + a1 * 10 + a2 * 100 + w[1] + q[2] + u0;\n}\n";
    KernelCase kernel;
    kernel.name = name;
    kernel.file = "random.cu";
    kernel.launch = Json::parse(R"json({"symbols": {"n": [1, 1000]},
      "buffers": {"x": {"len": "n", "role": "input"}, "y": {"len": "n", "role": "output"}}})json");
    kernel.launch["block"] = block;
    kernel.launch["grid"] = Json::array({"ceil(n / " + threads + ")", 1, 1});
    kernel.launch["sizes"] = Json::array({Json{{"n", 1}}, Json{{"n", 2 * m_threads + 1}}, Json{{"n", 19}}});
    return {std::move(text), std::move(kernel)};
  }

private:
  size_t pick(size_t count) { return m_random() % count; }
  bool chance(int percent) { return static_cast<int>(m_random() % 100) < percent; }
  template <class... T> std::string one(T... options) {
    const std::array<std::string, sizeof...(T)> all{options...};
    return all[pick(all.size())];
  }
  std::string indent() const {
    return std::string(2 + 2 * m_around.size() + 2 * static_cast<size_t>(m_ifs), ' ');
  }
  std::string line(const std::string& text) const { return indent() + text + "\n"; }

  // --- Expressions ---

  std::string number() { return std::to_string(pick(9)); }
  std::string intName() { return one("a0", "a1", "a2", "u0", "u1", "t"); }
  /// Between -100 and 100 when its names are.
  std::string integer() {
    switch (pick(5)) {
    case 0: return number();
    case 1: return "q[(" + intName() + " % 3 + 3) % 3]";
    case 2: return "(" + intName() + " * " + intName() + " + " + number() + ") % 50";
    case 3: return "(" + intName() + " - " + number() + ") / " + std::to_string(1 + pick(4));
    default: return intName();
    }
  }
  std::string real() {
    switch (pick(6)) {
    case 0: return one("v0", "v1", "v2") + " * 0.5f";
    case 1: return one("v0", "v1") + " + " + one("v1", "v2", "1.25f");
    case 2: return "x[((" + intName() + " + i) % n + n) % n]";
    case 3: return "w[(" + intName() + " % 4 + 4) % 4] - " + one("v0", "v2");
    case 4: return condition() + " ? " + one("v0", "-3.0f") + " : " + one("v2", "v1");
    default: return "fmaxf(" + one("v0", "v1") + ", " + integer() + ")";
    }
  }
  std::string condition() {
    switch (pick(5)) {
    case 0: return one("v0", "v1", "v2") + one(" < ", " >= ") + one("v0", "1.0f", "v2");
    case 1: return integer() + one(" < ", " <= ", " > ", " == ", " != ") + integer();
    case 2: return "(" + integer() + " > 1 && " + one("v0", "v1") + " < 4.0f)";
    case 3: return "(t % 2 == 0 || " + integer() + " == 2)";
    default: return "!(" + integer() + " > " + number() + ")";
    }
  }
  /// The same for all threads.
  std::string uniformCondition() {
    return one("u0", "u1", "n % 4", "u0 + u1") + one(" < ", " > ", " == ", " != ") + number();
  }

  // --- Statements of one thread ---

  std::string threadList(int depth, int least) {
    std::string text;
    const size_t count = static_cast<size_t>(least) + pick(4);
    for (size_t i = 0; i < count; ++i)
      text += threadStatement(depth);
    return text;
  }

  std::string threadStatement(int depth) {
    switch (pick(depth > 0 ? 12 : 6)) {
    case 0:
    case 1: return line(one("v0", "v1", "v2") + " = " + real() + ";");
    case 2: return line(one("a0", "a1", "a2") + " = " + integer() + ";");
    case 3: return line("w[(" + integer() + " % 4 + 4) % 4] = " + real() + ";");
    case 4: return line("q[" + std::to_string(pick(3)) + "] = (" + integer() + ") % 90;");
    case 5: return jump(false);
    case 6:
    case 7: return branch(depth, condition(), false);
    case 8: return choice(depth);
    default: return loop(depth, false);
    }
  }

  std::string branch(int depth, const std::string& condition, bool block) {
    std::string text = line("if (" + condition + ") {");
    ++m_ifs;
    text += block ? blockList(depth - 1, 1) : threadList(depth - 1, 1);
    --m_ifs;
    if (!chance(50))
      return text + line("}");
    text += line("} else {");
    ++m_ifs;
    text += block ? blockList(depth - 1, 1) : threadList(depth - 1, 1);
    --m_ifs;
    return text + line("}");
  }

  std::string choice(int depth) {
    std::string text = line("switch ((" + integer() + " % 3 + 3) % 3) {");
    m_around.push_back({false, false, false});
    for (const char* label : {"case 0:", "case 1:", "default:"}) {
      text += line(std::string(label) + " {");
      ++m_ifs;
      text += threadList(depth - 1, 1);
      if (chance(60))
        text += line("break;");
      --m_ifs;
      text += line("}");
    }
    m_around.pop_back();
    return text + line("}");
  }

  /// A jump under a condition, out of the innermost loop or switch, or out of the kernel.
  std::string jump(bool block) {
    if (m_mayReturn && chance(25))
      return line("if (" + condition() + ") {") + line("  if (i < n) y[i] = " + real() + ";") +
             line("  return;") + line("}");
    if (m_around.empty() || (m_around.back().isUniform && !block))
      return {};
    const std::string test = block ? uniformCondition() : condition();
    const bool goesOn = chance(50) && continues();
    return line("if (" + test + ") " + (goesOn ? "continue;" : "break;"));
  }

  /// `continue` speaks of the innermost loop, which must count before the next turn.
  bool continues() const {
    for (size_t i = m_around.size(); i-- > 0;)
      if (m_around[i].isLoop)
        return m_around[i].isStep && (!m_around[i].isUniform || i + 1 == m_around.size());
    return false;
  }

  // --- Loops ---

  std::string loop(int depth, bool block) {
    const std::string k = "k" + std::to_string(m_next++);
    const std::string limit = block ? one("u0 % 3", "3", "u1 + 1") : one("a0 % 4", "a1 % 3 + 2", "3", "u0");
    std::string head;
    std::string tail = "}";
    Around around{true, block, true};
    std::string counts;
    switch (pick(7)) {
    case 0: head = "for (int " + k + " = 0; " + k + " < " + limitOf(limit, k) + "; ++" + k + ") {"; break;
    case 1: head = "for (int " + k + " = -1; " + k + " <= 4; " + k + " += 2) {"; break;
    case 2: head = "for (int " + k + " = 5; " + k + " > 1; " + k + "--) {"; break;
    case 3: head = "for (int " + k + " = 9; " + k + " > 0; " + k + " /= 2) {"; break;
    case 4: head = "for (int " + k + " = 1; " + k + " < 9; " + k + " *= 3) {"; break;
    case 5:
      head = "int " + k + " = 0;\n" + indent() + "while (" + k + " < 3) {";
      counts = k + "++;";
      break;
    default:
      head = "int " + k + " = 2;\n" + indent() + "do {";
      counts = k + " -= 1;";
      tail = "} while (" + k + " > 0);";
      break;
    }
    std::string text = m_prelude + line(head);
    m_prelude.clear();
    const bool first = chance(50);
    around.isStep = counts.empty() || first;
    m_around.push_back(around);
    if (!counts.empty() && first)
      text += line(counts);
    text += block ? blockList(depth - 1, 1) : threadList(depth - 1, 1);
    if (!counts.empty() && !first)
      text += line(counts);
    m_around.pop_back();
    return text + line(tail);
  }

  /// The loop may change what its limit is made of: a variable of its own keeps it.
  std::string limitOf(const std::string& limit, const std::string& k) {
    m_prelude = line("const int limit_" + k + " = " + limit + ";");
    return "limit_" + k;
  }

  // --- Statements of the block ---

  std::string blockList(int depth, int least) {
    std::string text;
    const size_t count = static_cast<size_t>(least) + pick(3);
    for (size_t i = 0; i < count; ++i)
      text += blockStatement(depth);
    return text;
  }

  std::string blockStatement(int depth) {
    switch (pick(depth > 0 ? 9 : 5)) {
    case 0:
    case 1: return exchange();
    case 2:
    case 6: return threadStatement(depth);
    case 3: return line(one("u0 = (u0 * 2 + 1) % 7;", "u1 = (u1 + u0) % 4;", "u0 = n % 3 + u1;"));
    case 4: return jump(true);
    case 5: return branch(depth, uniformCondition(), true);
    default: return loop(depth, true);
    }
  }

  std::string exchange() {
    const std::string threads = std::to_string(m_threads);
    return line("__syncthreads();") + line("s[t] = " + real() + ";") + line("__syncthreads();") +
           line(one("v0", "v1", "v2") + " = " + one("v0", "v1") + " + s[(t + " + number() + ") % " + threads +
                "];");
  }

  std::mt19937_64 m_random;
  uint64_t m_seed;
  int m_threads = 1;
  bool m_hasBarriers = false;
  bool m_mayReturn = false;
  int m_next = 0;
  int m_ifs = 0;
  std::string m_prelude;
  std::vector<Around> m_around;
};

} // namespace

RandomMethodKernel randomKernel(uint64_t seed) {
  return Maker(seed).run();
}

} // namespace plumbline::method_test
