#include "tests/differential/kernel/sampled_launch.h"

#include <algorithm>
#include <cctype>
#include <cmath>

namespace plumbline::differential {
namespace {

using ir::ScalarType;

constexpr int64_t kMostElements = 800000;

bool contains(const std::string& text, std::initializer_list<const char*> parts) {
  return std::any_of(parts.begin(), parts.end(),
                     [&](const char* part) { return text.find(part) != std::string::npos; });
}

std::string lower(std::string text) {
  for (char& c : text)
    c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

const std::vector<double>& specials() {
  static const std::vector<double> values = {
      NAN,          INFINITY, -INFINITY, 0.0, -0.0, 1.0,   -1.0,   1e-45,  -1e-40, 1.17549435e-38,
      3.4028234e38, -3e38,    0.5,       1.5, -2.5, 1e-20, 88.723, -104.0, 1e10,   16777217.0};
  return values;
}

} // namespace

LaunchSampler::LaunchSampler(const ir::Module& module, const ir::Kernel& kernel,
                             const ir::LaunchContract* contract, uint64_t seed, int64_t ample)
    : m_module(module), m_kernel(kernel), m_function(module.functions[static_cast<size_t>(kernel.function)]),
      m_contract(contract), m_random(seed), m_ample(ample) {
  look(kernel.function);
  for (int i = 0; i < m_function.parameterCount; ++i) {
    const ir::Type type = m_function.locals[static_cast<size_t>(i)].type;
    m_integers += !type.pointer && ir::isInteger(type.scalar);
  }
}

void LaunchSampler::look(int function) {
  for (const ir::Expr& expr : m_module.functions[static_cast<size_t>(function)].exprs) {
    m_geometry.threadY |= expr.text == "threadIdx.y";
    m_geometry.threadZ |= expr.text == "threadIdx.z";
    m_geometry.blockY |= expr.text == "blockIdx.y";
    m_geometry.blockZ |= expr.text == "blockIdx.z";
    if (expr.kind == ir::ExprKind::Call)
      look(expr.callee);
  }
}

std::optional<LaunchSample> LaunchSampler::next() {
  ++m_attempt;
  LaunchSample made;
  if (m_contract && m_attempt % 4 != 0) {
    std::optional<ir::ConcreteLaunch> launch = fromContract();
    if (!launch)
      return std::nullopt;
    made.launch = std::move(*launch);
  } else {
    made.launch = guessed();
  }
  for (auto& [name, binding] : made.launch.buffers) {
    binding.role = ir::BufferRole::InOut; // both sides start with the same contents
    binding.zeroInitialised = false;
    binding.align = 256;
    const auto parameter = std::find_if(m_function.locals.begin(), m_function.locals.end(),
                                        [&](const ir::Local& local) { return local.name == name; });
    made.contents[name] = contents(parameter->type.scalar, binding.length);
  }
  return made;
}

int64_t LaunchSampler::pick(std::initializer_list<int64_t> from) {
  return from.begin()[m_random() % from.size()];
}

/// The number of elements of a tensor is the product of its sizes, as far as the wrapper looks at them.
std::map<std::string, int64_t> LaunchSampler::sizes() {
  std::map<std::string, int64_t> chosen;
  const bool tiny = m_attempt % 3 == 0;
  for (const ir::SizeSymbol& symbol : m_contract->symbols) {
    const bool alone = m_contract->symbols.size() == 1;
    const int64_t wanted = alone  ? pick({1, 33, 255, 777, 1000})
                           : tiny ? pick({1, 2, 3, 4})
                                  : pick({2, 3, 5, 8, 17, 33});
    chosen[symbol.name] = std::clamp(wanted, symbol.low, std::max(symbol.low, symbol.high));
  }
  for (const ir::SizeSymbol& symbol : m_contract->symbols) {
    const std::string suffix = ".numel";
    if (!symbol.name.ends_with(suffix))
      continue;
    const std::string sizes = symbol.name.substr(0, symbol.name.size() - suffix.size()) + ".size.";
    int64_t product = 1;
    bool any = false;
    for (const auto& [name, size] : chosen)
      if (name.starts_with(sizes)) {
        product *= size;
        any = true;
      }
    if (any && product >= symbol.low && product <= symbol.high)
      chosen[symbol.name] = product;
  }
  return chosen;
}

std::optional<ir::ConcreteLaunch> LaunchSampler::fromContract() {
  const std::map<std::string, int64_t> symbols = sizes();
  std::map<std::string, ir::ScalarValue> scalars;
  for (int i = 0; i < m_function.parameterCount; ++i) {
    const ir::Local& local = m_function.locals[static_cast<size_t>(i)];
    const ir::ScalarContract given = ir::scalarFor(*m_contract, local.name);
    if (!local.type.pointer && (given.kind == ir::ScalarContract::Kind::Free ||
                                given.kind == ir::ScalarContract::Kind::WrapperParameter))
      scalars[local.name] = scalar(local, 64);
  }
  Expected<ir::ConcreteLaunch> launch =
      ir::bindLaunch(*m_contract, m_function, symbols, scalars, m_kernel.maxThreadsPerBlock);
  if (!launch || !launch->findings.empty())
    return std::nullopt;
  int64_t blocks = 1;
  for (int64_t side : launch->grid)
    blocks *= std::min<int64_t>(side, 1000);
  int64_t elements = 0;
  for (const auto& [name, binding] : launch->buffers)
    elements += binding.length;
  return blocks > 200 || elements > kMostElements ? std::nullopt : std::optional(std::move(*launch));
}

void LaunchSampler::chooseBlock(ir::ConcreteLaunch& launch) {
  std::vector<std::array<int64_t, 3>> choices;
  if (m_geometry.threadZ)
    choices = {{8, 8, 4}, {4, 4, 4}, {16, 4, 2}};
  else if (m_geometry.threadY)
    choices = {{16, 16, 1}, {32, 8, 1}, {8, 8, 1}, {32, 32, 1}, {16, 16, 1}};
  else
    choices = {{256, 1, 1}, {128, 1, 1}, {64, 1, 1}, {32, 1, 1}, {256, 1, 1}};
  for (const ir::ArrayVariable& array : m_function.arrays)
    if (array.space == ir::ArraySpace::Shared && !array.extents.empty()) {
      const int64_t side = array.extents[0];
      if (m_geometry.threadY && side <= 32)
        choices.insert(choices.end(), {{side, side, 1}, {array.extents.back(), side, 1}, {side, side, 1}});
      else if (!m_geometry.threadY && side <= 1024)
        choices.insert(choices.end(), {{side, 1, 1}, {side, 1, 1}});
    }
  launch.block = choices[m_random() % choices.size()];
  if (m_attempt > 10) // some kernels expect one thread in each block
    launch.block = m_attempt % 2 == 0 ? std::array<int64_t, 3>{1, 1, 1} : std::array<int64_t, 3>{8, 1, 1};
  const int64_t most = m_kernel.maxThreadsPerBlock > 0 ? m_kernel.maxThreadsPerBlock : 1024;
  if (launch.block[0] * launch.block[1] * launch.block[2] > most)
    launch.block = m_geometry.threadY ? std::array<int64_t, 3>{8, 8, 1} : std::array<int64_t, 3>{32, 1, 1};
}

ir::ConcreteLaunch LaunchSampler::guessed() {
  ir::ConcreteLaunch launch;
  chooseBlock(launch);
  launch.grid = {pick({1, 2, 3}), m_geometry.blockY ? pick({1, 2, 3}) : 1,
                 m_geometry.blockZ ? pick({1, 2}) : 1};
  launch.sharedBytes = pick({16384, 16384, 49152, 8192});
  const int64_t threads = launch.block[0] * launch.block[1] * launch.block[2] * launch.grid[0];
  for (int i = 0; i < m_function.parameterCount; ++i) {
    const ir::Local& parameter = m_function.locals[static_cast<size_t>(i)];
    if (parameter.type.pointer)
      launch.buffers[parameter.name] = {m_ample, 256, ir::BufferRole::InOut, false, {}, parameter.name};
    else
      launch.scalars[parameter.name] = scalar(parameter, threads);
  }
  return launch;
}

ir::ScalarValue LaunchSampler::scalar(const ir::Local& parameter, int64_t threads) {
  if (parameter.type.scalar == ScalarType::Bool)
    return ir::ScalarValue::integer(pick({0, 1}));
  if (ir::isInteger(parameter.type.scalar))
    return ir::ScalarValue::integer(integer(lower(parameter.name), threads));
  static constexpr std::array<double, 7> values = {0.5, 1.0, -1.25, 2.0, 0.01, 1e-5, 0.1};
  const bool small = contains(lower(parameter.name), {"eps"});
  return ir::ScalarValue::floating(small ? 1e-5 : values[m_random() % values.size()]);
}

/// By the words that people use for the sizes of layers; mistaken ones only make the launch unsuitable.
int64_t LaunchSampler::integer(const std::string& name, int64_t threads) {
  if (contains(name, {"stride", "dilation", "dil"}))
    return pick({1, 1, 2});
  if (contains(name, {"pad"}))
    return pick({0, 1});
  if (contains(name, {"group"}))
    return 1;
  if (contains(name, {"kernel", "filter", "window"}))
    return pick({1, 2, 3});
  const bool total = m_integers == 1 || name == "n" ||
                     contains(name, {"numel", "total", "count", "elements"}) || name == "size" ||
                     name == "length";
  if (total && m_attempt % 3 != 0)
    return m_integers == 1 ? pick({1, 33, threads, threads - 5, 2 * threads + 3, 777})
                           : pick({7, 33, threads, threads - 5});
  return m_attempt % 2 == 0 ? pick({1, 2, 3, 4}) : pick({2, 3, 5, 8, 7});
}

std::vector<uint64_t> LaunchSampler::contents(ScalarType type, int64_t length) {
  std::vector<uint64_t> bits(static_cast<size_t>(length));
  for (uint64_t& each : bits)
    each = element(type);
  return bits;
}

/// Every other launch has few special values, so that sums do not all become NaN.
uint64_t LaunchSampler::element(ScalarType type) {
  if (type == ScalarType::Bool)
    return m_random() & 1;
  if (ir::isInteger(type))
    return m_random() % 5;
  const uint64_t drawn = m_random();
  const bool special = drawn % (m_attempt % 2 == 0 ? 16 : 4096) == 0;
  const double value = special
                           ? specials()[drawn / 4096 % specials().size()]
                           : static_cast<double>(static_cast<int64_t>(drawn >> 40) - (1 << 23)) / 4194304.0;
  const uint64_t single = std::bit_cast<uint32_t>(static_cast<float>(value));
  uint64_t bits = 0;
  ir::IeeeDomain::convert(ScalarType::F32, type, single, bits);
  return bits;
}

} // namespace plumbline::differential
