// Loads, stores and atomic operations of a run, with everything that can be wrong about them.
#pragma once

#include "core/ir/interpreter_arrays.h"
#include "core/ir/interpreter_races.h"
#include "core/ir/interpreter_state.h"

namespace plumbline::ir {

template <class D> class MemoryUnit {
public:
  using Cell = typename Buffer<D>::Cell;
  using Instruction = bytecode::Instruction;

  /// `clocks`: null when no thread meets another or shares anything; then the notes in the buffers are enough
  /// to find races. `copies`: threads whose own arrays are kept at a time.
  MemoryUnit(RunState<D>& run, BlockClocks* clocks, size_t copies)
      : m_run(run), m_buffers(static_cast<int32_t>(run.memory.size())), m_clocks(clocks) {
    for (const ArrayVariable& array : run.program.arrays)
      addArray(array, copies);
    for (int32_t i = 0; clocks && i < m_buffers; ++i)
      m_trackers.emplace_back(run.memory[i].length(), run.memory[i].sparse());
    for (size_t i = 0; clocks && i < m_arrays.size(); ++i)
      m_trackers.emplace_back(tracked(m_arrays[i]) ? m_arrays[i].units() : 0, false);
  }

  /// Shared arrays have no contents when a block starts.
  void startBlock() {
    for (size_t i = 0; i < m_arrays.size(); ++i) {
      if (m_arrays[i].array().space != ArraySpace::Shared)
        continue;
      m_arrays[i].forget(0);
      if (m_clocks)
        m_trackers[static_cast<size_t>(m_buffers) + i].clear();
    }
  }

  /// The thread whose own arrays are meant from now on.
  void select(size_t copy) { m_copy = copy; }
  void startThread() {
    for (size_t i = 0; i < m_arrays.size(); ++i)
      forget(static_cast<int32_t>(i));
  }
  void forget(int32_t array) {
    ArrayMemory<D>& memory = m_arrays[static_cast<size_t>(array)];
    if (memory.array().space == ArraySpace::Thread)
      memory.forget(m_copy);
  }
  int32_t numberOf(int32_t array) const { return m_buffers + array; }

  /// False ends the thread. `out` may be the register that holds `pointer`.
  [[gnu::always_inline]] bool load(const Instruction& i, const Value<D>& pointer, Value<D>& out) {
    if (pointer.buffer >= m_buffers)
      return loadSlowly(i, pointer, out);
    Buffer<D>& buffer = m_run.memory[pointer.buffer];
    if (buffer.type() != i.type || buffer.mixed())
      return loadSlowly(i, pointer, out);
    const int64_t index = (pointer.word + i.c) >> buffer.shift();
    if (index < 0 || index >= buffer.length() || !aligned(pointer, i.b, buffer.alignment()))
      return complainAddress(i, pointer, i.b, i.c);
    const Cell& cell = buffer.cell(index);
    if (isNumber(i.type))
      out.number = cell.number;
    else
      out.word = cell.integer;
    noteRead(i, pointer.buffer, buffer, index);
    return true;
  }

  [[gnu::always_inline]] bool store(const Instruction& i, const Value<D>& pointer, const Value<D>& value) {
    if (pointer.buffer >= m_buffers)
      return storeSlowly(i, pointer, value);
    Buffer<D>& buffer = m_run.memory[pointer.buffer];
    if (buffer.type() != i.type || buffer.mixed())
      return storeSlowly(i, pointer, value);
    const int64_t index = (pointer.word + i.c) >> buffer.shift();
    if (index < 0 || index >= buffer.length() || !aligned(pointer, i.dst, buffer.alignment()))
      return complainAddress(i, pointer, i.dst, i.c);
    Cell& cell = buffer.cell(index);
    if (isNumber(i.type))
      cell.number = value.number;
    else
      cell.integer = value.word;
    noteWrite(i, pointer.buffer, buffer, index);
    return true;
  }

  /// `change` makes the new value from the old one; false ends the thread.
  template <class Change> bool atomic(const Instruction& i, const Value<D>& pointer, Change change) {
    const int32_t align = byteSize(i.type);
    Cell old;
    if (!fits(i, pointer, align, 0))
      return false;
    const bool known = readCell(i, pointer, 0, old); // before the note that it is written
    noteAccess(i, pointer, 0, AccessKind::Atomic);
    if (!known)
      return false;
    Cell fresh = old;
    return change(old, fresh) && writeCell(i, pointer, 0, fresh);
  }

private:
  static constexpr const char* kReadFirst = " is read before it is written";

  static bool tracked(const ArrayMemory<D>& array) { return array.array().space == ArraySpace::Shared; }

  void addArray(const ArrayVariable& array, size_t copies) {
    const int64_t element = byteSize(array.element);
    const int64_t bytes = array.extents.empty() ? m_run.launch.sharedBytes : array.length() * element;
    const int64_t smallest = m_run.program.smallestCastAccess;
    m_arrays.emplace_back(array, bytes, smallest > 0 ? smallest : element,
                          array.space == ArraySpace::Thread ? copies : 1);
  }

  ArrayMemory<D>& arrayOf(const Value<D>& pointer) {
    return m_arrays[static_cast<size_t>(pointer.buffer - m_buffers)];
  }
  size_t copyOf(const ArrayMemory<D>& array) const {
    return array.array().space == ArraySpace::Thread ? m_copy : 0;
  }

  // ---- addresses

  static bool aligned(const Value<D>& pointer, int32_t needed, int64_t known) {
    return (pointer.word & (needed - 1)) == 0 && needed <= known;
  }

  /// Whether the access lies inside its memory at an address that its type allows; else a finding.
  bool fits(const Instruction& i, const Value<D>& pointer, int32_t align, int32_t lane) {
    const bool array = pointer.buffer >= m_buffers;
    const int64_t bytes = array
                              ? arrayOf(pointer).bytes()
                              : m_run.memory[pointer.buffer].length() << m_run.memory[pointer.buffer].shift();
    const int64_t known = array ? arrayOf(pointer).alignment() : m_run.memory[pointer.buffer].alignment();
    const int64_t offset = pointer.word + lane;
    if (offset >= 0 && offset <= bytes - byteSize(i.type) && aligned(pointer, align, known))
      return true;
    return complainAddress(i, pointer, align, lane);
  }

  /// The element of the declared type that the offset lies in.
  int64_t elementOf(const Value<D>& pointer, int64_t offset) {
    const int64_t size = pointer.buffer >= m_buffers ? byteSize(arrayOf(pointer).array().element)
                                                     : byteSize(m_run.memory[pointer.buffer].type());
    return offset >= 0 ? offset / size : -((-offset + size - 1) / size);
  }

  [[gnu::noinline]] bool complainAddress(const Instruction& i, const Value<D>& pointer, int32_t align,
                                         int32_t lane) {
    const bool array = pointer.buffer >= m_buffers;
    const int64_t size = array ? byteSize(arrayOf(pointer).array().element)
                               : int64_t{1} << m_run.memory[pointer.buffer].shift();
    const int64_t bytes = array ? arrayOf(pointer).bytes() : m_run.memory[pointer.buffer].length() * size;
    const int64_t known = array ? arrayOf(pointer).alignment() : m_run.memory[pointer.buffer].alignment();
    const int64_t offset = pointer.word + lane;
    const int64_t index = elementOf(pointer, offset);
    const std::string& name = m_run.nameOf(pointer.buffer);
    const std::string element = name + "[" + std::to_string(index) + "]";
    if (offset < 0 || offset > bytes - byteSize(i.type)) {
      const std::string extent =
          bytes % size == 0 ? std::to_string(bytes / size) + " elements" : std::to_string(bytes) + " bytes";
      return m_run.complain(FindingKind::OutOfBounds, i.place, element + " is outside its " + extent,
                            pointer.buffer, index);
    }
    const std::string asked =
        " is accessed at an address that must be a multiple of " + std::to_string(align);
    return m_run.complain(FindingKind::Misaligned, i.place,
                          align > known
                              ? element + asked + ", but " + name + " begins at a multiple of " +
                                    std::to_string(known) + " only"
                              : element + asked + ", at byte " + std::to_string(pointer.word) + " of " + name,
                          pointer.buffer, index);
  }

  // ---- arrays, and memory read as another type

  [[gnu::noinline]] bool loadSlowly(const Instruction& i, const Value<D>& pointer, Value<D>& out) {
    Cell cell;
    if (!fits(i, pointer, i.b, i.c))
      return false;
    noteAccess(i, pointer, i.c, AccessKind::Read); // also where there is no value: the access takes place
    if (!readCell(i, pointer, i.c, cell))
      return false;
    if (isNumber(i.type))
      out.number = cell.number;
    else
      out.word = cell.integer;
    return true;
  }

  [[gnu::noinline]] bool storeSlowly(const Instruction& i, const Value<D>& pointer, const Value<D>& value) {
    Cell cell;
    if (isNumber(i.type))
      cell.number = value.number;
    else
      cell.integer = value.word;
    if (!fits(i, pointer, i.dst, i.c))
      return false;
    noteAccess(i, pointer, i.c, AccessKind::Write);
    return writeCell(i, pointer, i.c, cell);
  }

  bool complainCell(FindingKind kind, const Instruction& i, const Value<D>& pointer, int64_t offset,
                    const std::string& what) {
    const int64_t index = elementOf(pointer, offset);
    return m_run.complain(kind, i.place,
                          m_run.nameOf(pointer.buffer) + "[" + std::to_string(index) + "]" + what,
                          pointer.buffer, index);
  }

  bool readCell(const Instruction& i, const Value<D>& pointer, int32_t lane, Cell& out) {
    const int64_t offset = pointer.word + lane;
    const char* problem = nullptr;
    if (pointer.buffer >= m_buffers) {
      ArrayMemory<D>& array = arrayOf(pointer);
      const auto found = array.read(copyOf(array), offset, i.type, out, problem);
      if (found == ArrayMemory<D>::Found::Nothing)
        return complainCell(FindingKind::UninitialisedRead, i, pointer, offset, kReadFirst);
    } else {
      Buffer<D>& buffer = m_run.memory[pointer.buffer];
      if (byteSize(buffer.type()) != byteSize(i.type))
        return complainSize(i, pointer, offset);
      const int64_t index = offset >> buffer.shift();
      if (!buffer.filled(index) && buffer.trace(index).writer == CellTrace::kNobody)
        complainCell(FindingKind::UninitialisedRead, i, pointer, offset, kReadFirst);
      problem = reinterpret<D>(buffer.typeOf(index), i.type, buffer.cell(index), out);
    }
    return !problem || complainCell(FindingKind::Undefined, i, pointer, offset, std::string(": ") + problem);
  }

  bool complainSize(const Instruction& i, const Value<D>& pointer, int64_t offset) {
    return complainCell(FindingKind::Undefined, i, pointer, offset,
                        ": an access of another size than its elements");
  }

  bool writeCell(const Instruction& i, const Value<D>& pointer, int32_t lane, const Cell& value) {
    const int64_t offset = pointer.word + lane;
    if (pointer.buffer >= m_buffers) {
      ArrayMemory<D>& array = arrayOf(pointer);
      if (array.array().space == ArraySpace::Constant)
        return complainCell(FindingKind::Undefined, i, pointer, offset, ": a constant array is written");
      array.write(copyOf(array), offset, i.type, value);
      return true;
    }
    Buffer<D>& buffer = m_run.memory[pointer.buffer];
    if (byteSize(buffer.type()) != byteSize(i.type))
      return complainSize(i, pointer, offset);
    const int64_t index = offset >> buffer.shift();
    Cell both = value;
    if (const char* problem = alsoAs(i.type, buffer.type(), value, both))
      return complainCell(FindingKind::Undefined, i, pointer, offset, std::string(": ") + problem);
    buffer.cell(index) = both;
    buffer.setTypeOf(index, i.type);
    return true;
  }

  /// Adds the form that the value has as the buffer's own type, for who reads the buffer after the run.
  static const char* alsoAs(ScalarType written, ScalarType own, const Cell& value, Cell& both) {
    if (isNumber(written) == isNumber(own))
      return nullptr;
    if (isNumber(own))
      return numberFromBits(D{}, own, value.integer, both.number) ? nullptr : unknownBits(D{});
    if constexpr (std::is_same_v<D, IeeeDomain>)
      both.integer = wrapTo(own, static_cast<int64_t>(value.number)); // a NaN's payload cannot be read back
    else
      return unknownBits(D{});
    return nullptr;
  }

  // ---- races

  [[gnu::always_inline]] void noteRead(const Instruction& i, int32_t number, Buffer<D>& buffer,
                                       int64_t index) {
    CellTrace& trace = buffer.trace(index);
    if (trace.writer == CellTrace::kNobody && !buffer.filled(index))
      m_run.complain(FindingKind::UninitialisedRead, i.place,
                     buffer.name() + "[" + std::to_string(index) + "]" + kReadFirst, number, index);
    noteRaceOfRead(i, number, trace, index);
  }

  [[gnu::always_inline]] void noteRaceOfRead(const Instruction& i, int32_t number, CellTrace& trace,
                                             int64_t index) {
    if (m_run.watched)
      watch(i, number, index, AccessKind::Read);
    if (m_clocks)
      return track(i, number, index, AccessKind::Read);
    if (trace.writer != CellTrace::kNobody && trace.writer != m_run.thread)
      race(i, number, index, trace.writer, trace.writerPlace, sameBlock(trace.writer));
    noteReader(trace, i.place);
  }

  void noteReader(CellTrace& trace, int32_t place) {
    for (int k = 0; k < 2; ++k) {
      if (trace.readers[k] == m_run.thread)
        return;
      if (trace.readers[k] == CellTrace::kNobody) {
        trace.readers[k] = m_run.thread;
        trace.readerPlaces[k] = place;
        return;
      }
    }
  }

  [[gnu::always_inline]] void noteWrite(const Instruction& i, int32_t number, Buffer<D>& buffer,
                                        int64_t index) {
    CellTrace& trace = buffer.trace(index);
    const AccessKind kind = i.op == bytecode::Op::Atomic ? AccessKind::Atomic : AccessKind::Write;
    if (m_run.watched)
      watch(i, number, index, kind);
    if (m_clocks) {
      track(i, number, index, kind);
    } else {
      if (trace.writer != CellTrace::kNobody && trace.writer != m_run.thread)
        race(i, number, index, trace.writer, trace.writerPlace, sameBlock(trace.writer));
      for (int k = 0; k < 2; ++k)
        if (trace.readers[k] != CellTrace::kNobody && trace.readers[k] != m_run.thread) {
          race(i, number, index, trace.readers[k], trace.readerPlaces[k], sameBlock(trace.readers[k]));
          break;
        }
    }
    trace.writer = m_run.thread;
    trace.writerPlace = i.place;
  }

  bool sameBlock(uint32_t other) const {
    return m_run.log.name(other).block == m_run.log.name(m_run.thread).block;
  }

  /// Races and completeness, for an access inside its memory.
  void noteAccess(const Instruction& i, const Value<D>& pointer, int32_t lane, AccessKind kind) {
    const int64_t offset = pointer.word + lane;
    if (pointer.buffer < m_buffers) {
      Buffer<D>& buffer = m_run.memory[pointer.buffer];
      const int64_t index = offset >> buffer.shift();
      if (kind == AccessKind::Read)
        noteRaceOfRead(i, pointer.buffer, buffer.trace(index), index);
      else
        noteWrite(i, pointer.buffer, buffer, index);
      return;
    }
    const ArrayMemory<D>& array = arrayOf(pointer);
    if (m_run.watched && tracked(array))
      watch(i, pointer.buffer, elementOf(pointer, offset), kind);
    if (m_clocks && tracked(array))
      for (int64_t k = 0; k < array.unitsOf(i.type); ++k)
        track(i, pointer.buffer, array.unitOf(offset) + k, kind);
  }

  [[gnu::noinline]] void watch(const Instruction& i, int32_t number, int64_t index, AccessKind kind) {
    m_run.options.onAccess({m_run.log.name(m_run.thread), m_run.nameOf(number), index,
                            kind != AccessKind::Read, kind == AccessKind::Atomic, m_run.log.where(i.place)});
  }

  [[gnu::noinline]] void track(const Instruction& i, int32_t number, int64_t cell, AccessKind kind) {
    const TracedAccess made{m_run.thread, m_clocks->now(m_run.thread), i.place};
    const RacesFound found = m_trackers[static_cast<size_t>(number)].access(cell, kind, made, *m_clocks);
    if (!found.any())
      return;
    const int64_t index = elementOfCell(number, cell);
    if (found.inBlock.known())
      race(i, number, index, found.inBlock.thread, found.inBlock.place, true);
    if (found.inGrid.known())
      race(i, number, index, found.inGrid.thread, found.inGrid.place, false);
    if (found.unorderedAtomic.known() && dependsOnOrder(i))
      noteOrder(i, number, index, found.unorderedAtomic);
  }

  /// Rounded sums depend on their order; exact ones do not. The last of several exchanges is always a choice.
  static bool dependsOnOrder(const Instruction& i) {
    const auto op = static_cast<SyncOp>(i.sub);
    return isNumber(i.type) && (op == SyncOp::AtomicExchange || std::is_same_v<D, IeeeDomain>);
  }

  int64_t elementOfCell(int32_t number, int64_t cell) {
    if (number < m_buffers)
      return cell;
    const ArrayMemory<D>& array = m_arrays[static_cast<size_t>(number - m_buffers)];
    return cell * array.unit() / byteSize(array.array().element);
  }

  [[gnu::noinline]] void race(const Instruction& i, int32_t number, int64_t index, uint32_t other,
                              int32_t otherPlace, bool block) {
    RunFinding* made =
        m_run.log.add(block ? FindingKind::RaceBlock : FindingKind::RaceGrid, i.place, number, m_run.thread);
    if (!made)
      return;
    made->buffer = m_run.nameOf(number);
    made->index = index;
    made->hasOther = true;
    made->otherThread = m_run.log.name(other);
    made->otherWhere = m_run.log.where(otherPlace);
    made->message = "two threads of " + std::string(block ? "one block" : "different blocks") + " touch " +
                    made->buffer + "[" + std::to_string(index) + "] and one writes it";
  }

  void noteOrder(const Instruction& i, int32_t number, int64_t index, const TracedAccess& other) {
    OrderDependence made;
    made.buffer = m_run.nameOf(number);
    made.index = index;
    made.otherThread = m_run.log.name(other.thread);
    made.otherWhere = m_run.log.where(other.place);
    m_run.log.addOrder(i.place, number, m_run.thread, made);
  }

  RunState<D>& m_run;
  int32_t m_buffers;
  BlockClocks* m_clocks;
  size_t m_copy = 0;
  std::vector<ArrayMemory<D>> m_arrays;
  std::vector<RaceTracker> m_trackers; ///< of the buffers, then of the arrays
};

} // namespace plumbline::ir
