#include "tests/mutation/oracle.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <csetjmp>
#include <csignal>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <random>
#include <thread>

namespace plumbline::mutation {
namespace {

constexpr uint64_t inputSeed = 20240911;
constexpr uint32_t poisonBits = 0xDEADBEEF;

/// Values at which float code turns: signs, limits, subnormals, and the constants of the bases with their
/// neighbours.
const std::vector<uint32_t>& specialPatterns() {
  static const std::vector<uint32_t> patterns = [] {
    std::vector<uint32_t> result = {0x7FC00000, 0xFFC00001, 0x7F800000, 0xFF800000, 0x00000001, 0x80000001,
                                    0x007FFFFF, 0x807FFFFF, 0x00800000, 0x80800000, 0x7F7FFFFF, 0xFF7FFFFF};
    for (const float value : {0.0f, 0.01f, 0.5f, 1.0f, 2.0f, 3.0f, 6.0f, 7.0f, 12.0f, 100.0f, 1e-30f, 1e20f})
      for (const uint32_t sign : {0u, 0x80000000u})
        for (const int step : {0, 1, -1})
          if (value != 0 || step == 0)
            result.push_back((std::bit_cast<uint32_t>(value) + static_cast<uint32_t>(step)) | sign);
    return result;
  }();
  return patterns;
}

uint32_t randomPattern(std::mt19937_64& random) {
  const uint64_t drawn = random();
  const uint32_t low = static_cast<uint32_t>(drawn);
  switch (drawn >> 62) {
  case 0: return specialPatterns()[(drawn >> 32) % specialPatterns().size()];
  case 1: return (low & 0x807FFFFF) | (0x3E000000 + static_cast<uint32_t>(drawn >> 32 & 7) * 0x00800000);
  default: return low;
  }
}

bool same(float a, float b) {
  return std::bit_cast<uint32_t>(a) == std::bit_cast<uint32_t>(b) || (a != a && b != b);
}

std::string hex(float value) {
  char buffer[16];
  std::snprintf(buffer, sizeof buffer, "0x%08x", std::bit_cast<uint32_t>(value));
  return buffer;
}

/// Floats that start on a cache line, for whole-line vector stores.
class Floats {
public:
  explicit Floats(size_t count)
      : m_count(count),
        m_data(static_cast<float*>(std::aligned_alloc(64, (count * sizeof(float) + 63) / 64 * 64))) {
    std::fill(begin(), end(), 0.0f);
  }

  float* data() const { return m_data.get(); }
  float* begin() const { return data(); }
  float* end() const { return data() + m_count; }
  size_t size() const { return m_count; }
  float& operator[](size_t i) const { return m_data.get()[i]; }

private:
  struct Free {
    void operator()(float* data) const { std::free(data); }
  };
  size_t m_count;
  std::unique_ptr<float, Free> m_data;
};

/// The elements of one call: inputs, the mutant's output and what is allowed.
class Elements {
public:
  Elements(const Base& base, const NativeBatch& batch, int64_t rows, int64_t columns)
      : m_base(base), m_batch(batch), m_rows(rows), m_columns(columns),
        m_count(static_cast<size_t>(rows * columns)), m_row(static_cast<size_t>(columns)), m_output(m_count),
        m_first(m_count), m_second(m_count) {
    for (size_t k = 0; k < base.inputs; ++k)
      m_operands.emplace_back(m_count);
    describe();
  }

  size_t count() const { return m_count; }
  Floats& operand(size_t input) { return m_operands[input]; }
  const NativeTensor* tensors() const { return m_tensors.data(); }
  float* output() { return m_output.data(); }

  /// Gives the last input one value per column, when it is broadcast; call after the operands were set.
  void settle() {
    if (!m_base.rowBroadcast)
      return;
    Floats& last = m_operands.back();
    for (size_t c = 0; c < m_row.size(); ++c)
      m_row[c] = last[c];
    for (size_t start = 0; start < m_count; start += m_row.size())
      std::copy(m_row.begin(), m_row.end(), last.begin() + start);
  }

  void poison() { std::fill(m_output.begin(), m_output.end(), std::bit_cast<float>(poisonBits)); }

  /// The first element at which the output is not allowed.
  std::optional<size_t> firstDifference() {
    const float* operands[4] = {};
    for (size_t k = 0; k < m_operands.size(); ++k)
      operands[k] = m_operands[k].data();
    m_batch.reference()(operands, m_count, false, m_first.data());
    if (!m_batch.anyDiffers()(m_output.data(), m_first.data(), m_count))
      return std::nullopt;
    m_batch.reference()(operands, m_count, true, m_second.data());
    for (size_t i = 0; i < m_count; ++i)
      if (!same(m_output[i], m_first[i]) && !same(m_output[i], m_second[i]))
        return i;
    return std::nullopt;
  }

  std::string describe(size_t element) const {
    std::string text = "element " + std::to_string(element) + " of " + std::to_string(m_rows) + " x " +
                       std::to_string(m_columns) + ", inputs";
    for (const Floats& values : m_operands)
      text += " " + hex(values[element]);
    return text + ": module " + hex(m_first[element]) + ", mutant " + hex(m_output[element]);
  }

private:
  void describe() {
    for (size_t k = 0; k < m_base.inputs; ++k) {
      NativeTensor tensor{m_operands[k].data(), {m_rows, m_columns}, 2};
      if (m_base.rank == 1)
        tensor = {m_operands[k].data(), {static_cast<int64_t>(m_count), 1}, 1};
      if (m_base.rowBroadcast && k + 1 == m_base.inputs)
        tensor = {m_row.data(), {m_columns, 1}, 1};
      m_tensors.push_back(tensor);
    }
  }

  const Base& m_base;
  const NativeBatch& m_batch;
  int64_t m_rows;
  int64_t m_columns;
  size_t m_count;
  std::vector<Floats> m_operands;
  Floats m_row;
  Floats m_output;
  Floats m_first;
  Floats m_second;
  std::vector<NativeTensor> m_tensors;
};

// A division by zero that was noted still traps.
sigjmp_buf divisionJump;

void onDivision(int) {
  siglongjmp(divisionJump, 1);
}

/// Runs a checked entry; a trap counts as a division by zero.
void runGuarded(NativeEntry entry, NativeRun& run) {
  struct sigaction action{};
  struct sigaction old{};
  action.sa_handler = onDivision;
  sigaction(SIGFPE, &action, &old);
  if (sigsetjmp(divisionJump, 1) == 0)
    entry(run);
  else
    run.faults |= divisionByZero;
  sigaction(SIGFPE, &old, nullptr);
}

std::string faultText(uint32_t faults) {
  static const std::pair<uint32_t, const char*> names[] = {
      {outOfBounds, "out of bounds"},    {twoWriters, "two writers"},          {overflow, "overflow"},
      {illegalLaunch, "illegal launch"}, {divisionByZero, "division by zero"}, {checkFailed, "check failed"}};
  std::string text;
  for (const auto& [bit, meaning] : names)
    if (faults & bit)
      text += (text.empty() ? "" : ", ") + std::string(meaning);
  return text;
}

std::vector<std::pair<int64_t, int64_t>> shapesOf(const Base& base) {
  if (base.rank == 2)
    return {{1, 1},   {1, 2},   {2, 1},   {3, 5},   {15, 17},  {16, 16}, {17, 15}, {31, 33},
            {1, 300}, {300, 1}, {37, 53}, {64, 64}, {65, 127}, {5, 256}, {7, 257}, {33, 1030}};
  return {{1, 1},   {1, 2},    {1, 3},    {1, 31},   {1, 32},   {1, 33},   {1, 127},
          {1, 128}, {1, 129},  {1, 255},  {1, 256},  {1, 257},  {1, 511},  {1, 512},
          {1, 513}, {1, 1000}, {1, 1023}, {1, 1024}, {1, 1025}, {1, 1030}, {1, 4096}};
}

std::string shapeText(int64_t rows, int64_t columns) {
  return " at " + std::to_string(rows) + " x " + std::to_string(columns);
}

} // namespace

std::string_view name(Truth truth) {
  switch (truth) {
  case Truth::Uncompilable: return "uncompilable";
  case Truth::Misbehaving: return "misbehaving";
  case Truth::Different: return "different";
  case Truth::Equivalent: return "equivalent";
  }
  return "";
}

Judgement Oracle::judge(size_t text, const std::string& valueKey) {
  const NativeEntry checked = m_batch.checked(text);
  const NativeEntry fast = m_batch.fast(text);
  Judgement judgement;
  if (!checked || !fast)
    return judgement;
  if (std::optional<std::string> fault = runShapes(checked, judgement))
    return {Truth::Misbehaving, *fault, false};
  if (std::optional<std::string> fault = runProbes(checked))
    return {Truth::Misbehaving, *fault, false};
  if (judgement.truth == Truth::Different)
    return judgement;
  const std::string keys[] = {"text " + valueKey, "code " + m_batch.code(text)};
  for (const std::string& key : keys)
    if (const auto known = m_values.find(key); known != m_values.end())
      judgement = known->second;
  if (judgement.truth == Truth::Uncompilable)
    judgement = judgeValues(fast);
  for (const std::string& key : keys)
    m_values.emplace(key, judgement);
  return judgement;
}

/// Every thread at small sizes. Returns a fault; a wrong value makes the judgement Different.
std::optional<std::string> Oracle::runShapes(NativeEntry checked, Judgement& judgement) const {
  std::mt19937_64 random(inputSeed);
  for (const auto& [rows, columns] : shapesOf(m_base)) {
    Elements elements(m_base, m_batch, rows, columns);
    for (size_t k = 0; k < m_base.inputs; ++k)
      for (float& value : elements.operand(k))
        value = std::bit_cast<float>(randomPattern(random));
    elements.settle();
    elements.poison();
    std::vector<int64_t> writers(elements.count(), 0);
    NativeRun run;
    run.inputs = elements.tensors();
    run.output = elements.output();
    run.writers = writers.data();
    runGuarded(checked, run);
    if (run.faults != 0)
      return faultText(run.faults) + shapeText(rows, columns);
    if (!run.partial)
      for (size_t i = 0; i < writers.size(); ++i)
        if (writers[i] == 0)
          return "element " + std::to_string(i) + " is not written" + shapeText(rows, columns);
    if (judgement.truth == Truth::Different || run.partial)
      continue;
    if (const std::optional<size_t> wrong = elements.firstDifference())
      judgement = {Truth::Different, elements.describe(*wrong), false};
  }
  return std::nullopt;
}

/// Chosen blocks at large sizes, without memory: bounds, overflow and launch limits up to 2^30 elements.
std::optional<std::string> Oracle::runProbes(NativeEntry checked) const {
  std::vector<std::pair<int64_t, int64_t>> shapes = {
      {1, 1 << 20}, {1, 1000003}, {1, (1 << 29) + 77}, {1, (1 << 30) - 1}, {1, 1 << 30}};
  if (m_base.rank == 2)
    shapes = {{1000, 1 << 20}, {1 << 10, 1 << 20}, {1, 1 << 30}, {1 << 15, 1 << 15}};
  for (const auto& [rows, columns] : shapes) {
    std::vector<NativeTensor> tensors(m_base.inputs, {nullptr, {rows, columns}, 2});
    if (m_base.rank == 1)
      tensors.assign(m_base.inputs, {nullptr, {columns, 1}, 1});
    if (m_base.rowBroadcast)
      tensors.back() = {nullptr, {columns, 1}, 1};
    NativeRun run;
    run.inputs = tensors.data();
    run.probe = true;
    runGuarded(checked, run);
    if (run.faults != 0)
      return faultText(run.faults) + shapeText(rows, columns);
    std::map<int64_t, int64_t> writers;
    for (const ProbeWrite& write : run.probeWrites)
      if (const auto [at, fresh] = writers.emplace(write.index, write.thread);
          !fresh && at->second != write.thread)
        return "two writers of element " + std::to_string(write.index) + shapeText(rows, columns);
    for (const int64_t element : {int64_t{0}, rows * columns - 1})
      if (!writers.contains(element))
        return "element " + std::to_string(element) + " is not written" + shapeText(rows, columns);
  }
  return std::nullopt;
}

Judgement Oracle::judgeValues(NativeEntry fast) const {
  const bool matrix = m_base.rank == 2;
  Elements elements(m_base, m_batch, matrix ? chunkSize / chunkColumns : 1,
                    matrix ? chunkColumns : chunkSize);
  std::mt19937_64 random(inputSeed + 1);
  const std::vector<uint32_t>& special = specialPatterns();
  size_t combinations = 1;
  for (size_t k = 0; k < m_base.inputs; ++k)
    combinations *= special.size();
  const size_t specialChunks = (combinations + chunkSize - 1) / chunkSize;
  const size_t randomChunks = m_base.inputs == 1 ? 16 : m_effort.randomChunks;
  for (size_t chunk = 0; chunk < specialChunks + randomChunks; ++chunk) {
    for (size_t i = 0; i < elements.count(); ++i) {
      size_t combination = (chunk * chunkSize + i) % combinations;
      for (size_t k = 0; k < m_base.inputs; ++k) {
        const uint32_t chosen = special[combination % special.size()];
        combination /= special.size();
        elements.operand(k)[i] = std::bit_cast<float>(chunk < specialChunks ? chosen : randomPattern(random));
      }
    }
    elements.settle();
    elements.poison();
    NativeRun run;
    run.inputs = elements.tensors();
    run.output = elements.output();
    fast(run);
    if (const std::optional<size_t> wrong = elements.firstDifference())
      return {Truth::Different, elements.describe(*wrong), false};
  }
  if (m_base.inputs > 1)
    return {Truth::Equivalent, "on all that was tried", false};
  return judgeAllPatterns(fast);
}

Judgement Oracle::judgeAllPatterns(NativeEntry fast) const {
  std::atomic<uint64_t> next{0};
  std::mutex mutex;
  Judgement result{Truth::Equivalent, "on all 2^32 values", true};
  auto work = [&] {
    Elements elements(m_base, m_batch, 1, chunkSize);
    constexpr uint64_t span = 1 << 22;
    for (uint64_t start = next.fetch_add(span); start < uint64_t{1} << 32; start = next.fetch_add(span))
      for (uint64_t at = start; at < start + span; at += chunkSize) {
        float* operand = elements.operand(0).data();
        for (uint32_t i = 0; i < chunkSize; ++i)
          operand[i] = std::bit_cast<float>(static_cast<uint32_t>(at) + i);
        elements.poison();
        NativeRun run;
        run.inputs = elements.tensors();
        run.output = elements.output();
        fast(run);
        if (const std::optional<size_t> wrong = elements.firstDifference()) {
          const std::lock_guard lock(mutex);
          result = {Truth::Different, elements.describe(*wrong), false};
          next = uint64_t{1} << 32;
          return;
        }
      }
  };
  std::vector<std::jthread> threads;
  threads.reserve(m_effort.threads);
  for (size_t i = 0; i < m_effort.threads; ++i)
    threads.emplace_back(work);
  threads.clear();
  return result;
}

std::optional<std::string> Oracle::separates(size_t text, const std::vector<uint32_t>& values) const {
  const bool matrix = m_base.rank == 2;
  Elements elements(m_base, m_batch, matrix ? chunkSize / chunkColumns : 1,
                    matrix ? chunkColumns : chunkSize);
  for (size_t k = 0; k < m_base.inputs; ++k)
    std::fill(elements.operand(k).begin(), elements.operand(k).end(), std::bit_cast<float>(values[k]));
  elements.settle();
  elements.poison();
  NativeRun run;
  run.inputs = elements.tensors();
  run.output = elements.output();
  m_batch.fast(text)(run);
  const std::optional<size_t> wrong = elements.firstDifference();
  return wrong ? std::optional(elements.describe(*wrong)) : std::nullopt;
}

} // namespace plumbline::mutation
