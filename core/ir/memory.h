// The global memory of a run: buffers with their contents, and which threads touched each cell.
#pragma once

#include "core/ir/domain.h"
#include "core/ir/launch.h"

#include <bit>
#include <functional>
#include <map>
#include <unordered_map>

namespace plumbline::ir {

/// Who touched a cell. Threads are numbered by the order in which they run; `kNobody` is none. Two different
/// readers are enough to know whether somebody else than a given thread has read. Of kernels whose threads
/// meet or share, only the writer is noted here; interpreter_races.h has the rest.
struct CellTrace {
  static constexpr uint32_t kNobody = UINT32_MAX;
  uint32_t writer = kNobody;
  uint32_t readers[2] = {kNobody, kNobody};
  int32_t writerPlace = -1; ///< instruction, for the source range
  int32_t readerPlaces[2] = {-1, -1};
};

/// One array. Dense: every cell is stored. Sparse: a content function gives the initial value of a cell, and
/// only touched cells are stored; the length may then be up to 2^40. Cells of float type hold D::Number;
/// cells of integer type hold int64_t (as in integer_ops.h).
template <class D> class Buffer {
public:
  struct Cell {
    typename D::Number number{};
    int64_t integer = 0;
  };
  using Content = std::function<Cell(int64_t index)>;

  /// Dense, from the cells.
  Buffer(std::string name, ScalarType type, std::vector<Cell> cells)
      : m_name(std::move(name)), m_type(type), m_length(static_cast<int64_t>(cells.size())),
        m_dense(std::move(cells)), m_trace(m_dense.size()) {}
  /// Sparse.
  Buffer(std::string name, ScalarType type, int64_t length, Content content)
      : m_name(std::move(name)), m_type(type), m_length(length), m_content(std::move(content)) {}

  const std::string& name() const { return m_name; }
  ScalarType type() const { return m_type; }
  int64_t length() const { return m_length; }
  /// Bytes of an element: 2 to the power of this.
  int shift() const { return m_shift; }
  /// Bytes that the address of the first element is known to be a multiple of; as from cudaMalloc unless set.
  int64_t alignment() const { return m_alignment; }
  void setAlignment(int64_t bytes) { m_alignment = bytes; }

  /// Cells last written as another type of the same size, with that type. Such a cell holds both forms.
  bool mixed() const { return !m_writtenAs.empty(); }
  ScalarType typeOf(int64_t index) const {
    auto found = m_writtenAs.find(index);
    return found == m_writtenAs.end() ? m_type : found->second;
  }
  void setTypeOf(int64_t index, ScalarType type) {
    if (type == m_type)
      m_writtenAs.erase(index);
    else
      m_writtenAs[index] = type;
  }
  bool sparse() const { return static_cast<bool>(m_content); }

  /// Whether reading a cell that no thread has written is fine. False for memory from `empty`.
  bool initialised() const { return m_initialised; }
  void setInitialised(bool value) { m_initialised = value; }
  /// Of memory that is not initialised: the cells that were written before the run. One entry a cell.
  void setWrittenBefore(std::vector<bool> cells) { m_writtenBefore = std::move(cells); }
  /// Whether the cell has a value that may be read though no thread of this run wrote it.
  bool filled(int64_t index) const {
    return m_initialised || (static_cast<size_t>(index) < m_writtenBefore.size() &&
                             m_writtenBefore[static_cast<size_t>(index)]);
  }

  /// `index` in [0, length).
  Cell& cell(int64_t index) { return sparse() ? entry(index).cell : m_dense[static_cast<size_t>(index)]; }
  CellTrace& trace(int64_t index) {
    return sparse() ? entry(index).trace : m_trace[static_cast<size_t>(index)];
  }
  /// The present value, without storing anything.
  Cell read(int64_t index) const {
    if (!sparse())
      return m_dense[static_cast<size_t>(index)];
    auto found = m_sparse.find(index);
    return found == m_sparse.end() ? m_content(index) : found->second.cell;
  }
  bool written(int64_t index) const {
    if (!sparse())
      return m_trace[static_cast<size_t>(index)].writer != CellTrace::kNobody;
    auto found = m_sparse.find(index);
    return found != m_sparse.end() && found->second.trace.writer != CellTrace::kNobody;
  }
  /// Number of cells that some thread wrote.
  int64_t writtenCount() const {
    int64_t count = 0;
    for (const CellTrace& trace : m_trace)
      count += trace.writer != CellTrace::kNobody;
    for (const auto& [index, entry] : m_sparse)
      count += entry.trace.writer != CellTrace::kNobody;
    return count;
  }
  /// The first cell that no thread wrote, or `length`.
  int64_t firstUnwritten() const {
    int64_t index = 0;
    while (index < m_length && written(index))
      ++index;
    return index;
  }
  /// Forgets who touched what, before another run on the same contents.
  void clearTraces() {
    m_trace.assign(m_dense.size(), CellTrace{});
    for (auto& [index, entry] : m_sparse)
      entry.trace = CellTrace{};
  }

private:
  struct Entry {
    Cell cell;
    CellTrace trace;
  };
  Entry& entry(int64_t index) {
    auto found = m_sparse.find(index);
    if (found == m_sparse.end())
      found = m_sparse.emplace(index, Entry{m_content(index), {}}).first;
    return found->second;
  }

  std::string m_name;
  ScalarType m_type;
  int m_shift = std::countr_zero(static_cast<unsigned>(byteSize(m_type)));
  int64_t m_length;
  int64_t m_alignment = 256;
  std::unordered_map<int64_t, ScalarType> m_writtenAs;
  bool m_initialised = true;
  std::vector<bool> m_writtenBefore;
  std::vector<Cell> m_dense;
  std::vector<CellTrace> m_trace;
  Content m_content;
  std::unordered_map<int64_t, Entry> m_sparse;
};

/// The buffers of a run and the kernel parameters that point at their first elements. Several parameters may
/// name one buffer. Owned by the caller of the interpreter, changed by the run; one run at a time.
template <class D> class Memory {
public:
  /// Returns the number of the buffer.
  int add(Buffer<D> buffer) {
    m_buffers.push_back(std::move(buffer));
    return static_cast<int>(m_buffers.size()) - 1;
  }
  void bind(const std::string& parameter, int buffer) { m_bound[parameter] = buffer; }
  int indexOf(const std::string& parameter) const { ///< -1 when unbound
    auto found = m_bound.find(parameter);
    return found == m_bound.end() ? -1 : found->second;
  }
  Buffer<D>& operator[](int buffer) { return m_buffers[static_cast<size_t>(buffer)]; }
  const Buffer<D>& operator[](int buffer) const { return m_buffers[static_cast<size_t>(buffer)]; }
  size_t size() const { return m_buffers.size(); }

private:
  std::vector<Buffer<D>> m_buffers;
  std::map<std::string, int> m_bound;
};

} // namespace plumbline::ir
