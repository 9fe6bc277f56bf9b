// The array variables of a kernel during a run: cells that know which type was last written.
#pragma once

#include "core/ir/interpreter_bits.h"

namespace plumbline::ir {

/// A unit of an array. A value that is larger than a unit stands in its first one; the others are its parts.
template <class D> struct ArrayCell {
  typename Buffer<D>::Cell value{};
  ScalarType type = ScalarType::Void; ///< Void: nothing was written
  uint8_t part = 0;                   ///< position in a value; kLost: what is left of an overwritten one
  static constexpr uint8_t kLost = 255;
};

/// One array, `copies` times (once a thread, or once).
template <class D> class ArrayMemory {
public:
  using Cell = typename Buffer<D>::Cell;

  /// `unit`: bytes of the smallest access; a power of two.
  ArrayMemory(const ArrayVariable& array, int64_t bytes, int64_t unit, size_t copies)
      : m_array(array), m_bytes(bytes), m_unit(unit), m_units((bytes + unit - 1) / unit),
        m_cells(static_cast<size_t>(m_units) * copies) {
    // The dynamic shared memory of a block starts at a multiple of 16, as every CUDA device has it.
    const int64_t usual = array.extents.empty() ? 16 : byteSize(array.element);
    m_alignment = std::max(array.alignment, usual);
    for (size_t i = 0; i < array.cells.size(); ++i)
      setConstant(static_cast<int64_t>(i), array.cells[i]);
  }

  const ArrayVariable& array() const { return m_array; }
  int64_t bytes() const { return m_bytes; }
  int64_t alignment() const { return m_alignment; }
  int64_t unit() const { return m_unit; }
  int64_t units() const { return m_units; }
  int64_t unitOf(int64_t offset) const { return offset / m_unit; }
  int64_t unitsOf(ScalarType type) const { return std::max<int64_t>(1, byteSize(type) / m_unit); }

  /// The copy has no contents any more.
  void forget(size_t copy) {
    const auto first = m_cells.begin() + static_cast<int64_t>(copy) * m_units;
    std::fill(first, first + m_units, ArrayCell<D>{});
  }

  enum class Found : uint8_t { Value, Nothing, Problem };

  /// The value at an aligned offset inside the array.
  Found read(size_t copy, int64_t offset, ScalarType type, Cell& out, const char*& problem) const {
    const ArrayCell<D>* cell = at(copy, offset);
    if (cell->type == type && cell->part == 0) {
      out = cell->value;
      return Found::Value;
    }
    const int64_t count = unitsOf(type);
    for (int64_t i = 0; i < count; ++i)
      if (cell[i].type == ScalarType::Void)
        return Found::Nothing;
    if (cell->part != 0 || byteSize(cell->type) != byteSize(type)) {
      problem = "what was written there is a value of another size";
      return Found::Problem;
    }
    problem = reinterpret<D>(cell->type, type, cell->value, out);
    return problem ? Found::Problem : Found::Value;
  }

  void write(size_t copy, int64_t offset, ScalarType type, const Cell& value) {
    ArrayCell<D>* cell = at(copy, offset);
    const int64_t count = unitsOf(type);
    if (m_unit < 8)
      for (int64_t i = 0; i < count; ++i)
        lose(copy, unitOf(offset) + i);
    cell->value = value;
    for (int64_t i = 0; i < count; ++i) {
      cell[i].type = type;
      cell[i].part = static_cast<uint8_t>(i);
    }
  }

private:
  ArrayCell<D>* at(size_t copy, int64_t offset) {
    return m_cells.data() + static_cast<int64_t>(copy) * m_units + unitOf(offset);
  }
  const ArrayCell<D>* at(size_t copy, int64_t offset) const {
    return m_cells.data() + static_cast<int64_t>(copy) * m_units + unitOf(offset);
  }

  /// The value that covers the unit is about to be overwritten, perhaps in part.
  void lose(size_t copy, int64_t unit) {
    ArrayCell<D>* cells = m_cells.data() + static_cast<int64_t>(copy) * m_units;
    const ArrayCell<D> old = cells[unit];
    if (old.type == ScalarType::Void || old.part == ArrayCell<D>::kLost)
      return;
    const int64_t count = unitsOf(old.type);
    if (count == 1)
      return;
    for (int64_t i = 0; i < count; ++i)
      cells[unit - old.part + i].part = ArrayCell<D>::kLost;
  }

  void setConstant(int64_t index, uint64_t bits) {
    Cell cell;
    const ScalarType type = m_array.element;
    if (isAnyFloat(type))
      D::literal(type, bits, {}, cell.number);
    else
      cell.integer = wrapTo(type, static_cast<int64_t>(bits));
    write(0, index * byteSize(type), type, cell);
  }

  const ArrayVariable& m_array;
  int64_t m_bytes;
  int64_t m_unit;
  int64_t m_units;
  int64_t m_alignment = 1;
  std::vector<ArrayCell<D>> m_cells;
};

} // namespace plumbline::ir
