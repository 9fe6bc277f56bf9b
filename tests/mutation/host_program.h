// Makes a whole CUDA file, wrapper included, into C++ for the host: each mutant's text becomes the body of a
// struct that derives from host::Program. With HOST_CHECKED, memory and launches are checked; without,
// kernels run as plain loops that the compiler can vectorise.
#pragma once

#include "tests/differential/kernel/host_cuda.h"
#include "tests/mutation/native_run.h"

#include <array>

#undef __global__
#undef __device__
#define __global__ inline __attribute__((always_inline))
#define __device__

struct dim3 {
  unsigned x = 1, y = 1, z = 1;
  constexpr dim3(unsigned first, unsigned second = 1, unsigned third = 1) : x(first), y(second), z(third) {}
};

namespace host {

using namespace plumbline::mutation;

inline thread_local NativeRun* current = nullptr;

#ifdef HOST_CHECKED

constexpr float poison = -6.2598534e18f;

inline void note(uint32_t fault) {
  current->faults |= fault;
}

/// A buffer of the launch. Only the output can be written.
struct Buffer {
  float* data = nullptr;
  int64_t length = 0;
  bool isOutput = false;
};

struct Input : Buffer {
  Input(Buffer buffer) : Buffer(buffer) {}
  float operator[](int64_t index) const {
    if (index < 0 || index >= length) {
      note(outOfBounds);
      return poison;
    }
    return data ? data[index] : 1.0f;
  }
};

inline thread_local int64_t currentThread = 0;

struct Output : Buffer {
  Output(Buffer buffer) : Buffer(buffer) {}

  struct Cell {
    const Output& buffer;
    int64_t index;
    operator float() const { return Input(buffer)[index]; }
    void operator=(float value) const { buffer.store(index, value); }
  };
  Cell operator[](int64_t index) const { return {*this, index}; }

  void store(int64_t index, float value) const {
    if (index < 0 || index >= length)
      return note(outOfBounds);
    if (!isOutput)
      return;
    if (current->probe)
      return current->probeWrites.push_back({index, currentThread});
    int64_t& writer = current->writers[index];
    if (writer != 0 && writer != currentThread + 1)
      note(twoWriters);
    writer = currentThread + 1;
    data[index] = value;
  }
};

#else

using Input = const float* __restrict__;
using Output = float* __restrict__;

#endif

struct Program {
  HostCoordinates threadIdx, blockIdx, blockDim, gridDim;

  void setLaunch(dim3 grid, dim3 block) {
    gridDim = {grid.x, grid.y, grid.z};
    blockDim = {block.x, block.y, block.z};
  }
};

#ifdef HOST_CHECKED

/// Steps through the threads of a launch: all of them, or those of chosen blocks when there are too many.
class Launch {
public:
  Launch(Program& program, dim3 grid, dim3 block) : m_program(program) {
    const uint64_t threads = uint64_t(block.x) * block.y * block.z;
    const bool legal = grid.x >= 1 && grid.x <= 0x7FFFFFFF && grid.y >= 1 && grid.y <= 65535 && grid.z >= 1 &&
                       grid.z <= 65535 && threads >= 1 && threads <= 1024 && block.z <= 64;
    if (!legal) {
      note(illegalLaunch);
      return;
    }
    program.setLaunch(grid, block);
    m_threads = int64_t(threads);
    m_blocks = int64_t(grid.x) * grid.y * grid.z;
    m_all = !current->probe && m_blocks <= (int64_t{1} << 22) / m_threads;
    if (!m_all)
      choose();
  }

  bool next() {
    if (m_threads == 0)
      return false;
    if (++m_thread == m_threads) {
      m_thread = 0;
      ++m_position;
      if (!m_all)
        addPartners();
    }
    if (m_position >= (m_all ? m_blocks : int64_t(m_chosen.size())))
      return false;
    place(m_all ? m_position : m_chosen[size_t(m_position)]);
    return true;
  }

private:
  void place(int64_t block) {
    currentThread = block * m_threads + m_thread;
    m_program.blockIdx = {unsigned(block % m_program.gridDim.x),
                          unsigned(block / m_program.gridDim.x % m_program.gridDim.y),
                          unsigned(block / m_program.gridDim.x / m_program.gridDim.y)};
    m_program.threadIdx = {unsigned(m_thread % m_program.blockDim.x),
                           unsigned(m_thread / m_program.blockDim.x % m_program.blockDim.y),
                           unsigned(m_thread / m_program.blockDim.x / m_program.blockDim.y)};
  }

  void add(int64_t block) {
    if (block < 0 || block >= m_blocks || m_chosen.size() > 100)
      return;
    for (const int64_t known : m_chosen)
      if (known == block)
        return;
    m_chosen.push_back(block);
  }

  void choose() {
    current->partial = true;
    for (const int64_t block : {int64_t{0}, int64_t{1}, m_blocks / 2, m_blocks - 2, m_blocks - 1})
      add(block);
    // The block of the last element, in a grid of columns and rows.
    const NativeTensor& shape = current->inputs[0];
    if (shape.rank == 2)
      add((shape.sizes[0] - 1) / m_program.blockDim.y * m_program.gridDim.x +
          (shape.sizes[1] - 1) / m_program.blockDim.x);
    const int64_t needed = current->inputs[0].numel() / m_threads;
    for (int64_t offset = -2; offset <= 2; ++offset)
      add(needed + offset);
    // Blocks at which 32-bit products of block and thread numbers change sign or wrap.
    for (const int64_t power : {int64_t{1} << 30, int64_t{1} << 31, int64_t{1} << 32})
      for (int64_t offset = -1; offset <= 1; ++offset)
        add(power / m_threads + offset);
  }

  /// The blocks that would normally write what was written, so that two writers of an element meet.
  void addPartners() {
    const size_t count = current->probeWrites.size();
    for (size_t i = m_seenWrites; i < count; i += 37)
      add(current->probeWrites[i].index / m_threads);
    m_seenWrites = count;
  }

  Program& m_program;
  int64_t m_threads = 0;
  int64_t m_blocks = 0;
  bool m_all = true;
  std::vector<int64_t> m_chosen;
  int64_t m_position = 0;
  int64_t m_thread = -1;
  size_t m_seenWrites = 0;
};

#define HOST_GRID(...) for (host::Launch launchOfMutant(*this, __VA_ARGS__); launchOfMutant.next();)

#else

#define HOST_GRID(...)                                                                                       \
  setLaunch(__VA_ARGS__);                                                                                    \
  for (blockIdx.z = 0; blockIdx.z < gridDim.z; ++blockIdx.z)                                                 \
    for (blockIdx.y = 0; blockIdx.y < gridDim.y; ++blockIdx.y)                                               \
      for (blockIdx.x = 0; blockIdx.x < gridDim.x; ++blockIdx.x)                                             \
        for (threadIdx.z = 0; threadIdx.z < blockDim.z; ++threadIdx.z)                                       \
          for (threadIdx.y = 0; threadIdx.y < blockDim.y; ++threadIdx.y)                                     \
            for (threadIdx.x = 0; threadIdx.x < blockDim.x; ++threadIdx.x)

#endif

} // namespace host

namespace torch {

struct Tensor {
  plumbline::mutation::NativeTensor native;
  bool isOutput = false;

  int64_t numel() const { return native.numel(); }
  int64_t size(int dimension) const { return native.sizes[dimension]; }
  std::array<int64_t, 2> sizes() const { return {native.sizes[0], native.rank == 2 ? native.sizes[1] : 1}; }
  bool is_contiguous() const { return true; }
#ifdef HOST_CHECKED
  template <class T> host::Buffer data_ptr() const { return {native.data, numel(), isOutput}; }
#else
  template <class T> float* data_ptr() const { return native.data; }
#endif
};

inline Tensor empty_like(const Tensor& like) {
  Tensor made = like;
  made.native.data = host::current->output;
  made.isOutput = true;
  return made;
}

} // namespace torch

#ifdef HOST_CHECKED
#define TORCH_CHECK(condition, ...)                                                                          \
  if (!(condition))                                                                                          \
  host::note(plumbline::mutation::checkFailed)

// The handlers of -fsanitize-minimal-runtime.
extern "C" inline __attribute__((used)) void __ubsan_handle_add_overflow_minimal() {
  host::note(plumbline::mutation::overflow);
}
extern "C" inline __attribute__((used)) void __ubsan_handle_sub_overflow_minimal() {
  host::note(plumbline::mutation::overflow);
}
extern "C" inline __attribute__((used)) void __ubsan_handle_mul_overflow_minimal() {
  host::note(plumbline::mutation::overflow);
}
extern "C" inline __attribute__((used)) void __ubsan_handle_negate_overflow_minimal() {
  host::note(plumbline::mutation::overflow);
}
extern "C" inline __attribute__((used)) void __ubsan_handle_divrem_overflow_minimal() {
  host::note(plumbline::mutation::divisionByZero);
}
#else
#define TORCH_CHECK(...)
#endif

namespace host {

/// The `index`-th argument of a wrapper. A fast build knows the sizes, so that loops have constant bounds.
template <int Rank, int Rows, int Columns> torch::Tensor argument(const NativeRun& run, int index) {
  torch::Tensor made{run.inputs[index], false};
#ifndef HOST_CHECKED
  made.native.rank = Rank;
  made.native.sizes[0] = Rows;
  made.native.sizes[1] = Columns;
#endif
  return made;
}

} // namespace host
