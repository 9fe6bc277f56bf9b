#include "core/vc/ptx_thread.h"

#include "core/vc/int_normal.h"

#include <array>
#include <charconv>
#include <map>

namespace plumbline::vc {

using cuda::PtxFunction;
using cuda::PtxInstruction;
using logic::Op;
using logic::Sort;
using logic::TermId;
using logic::TermStore;

namespace {

constexpr size_t maxSteps = 200'000;
constexpr int maxForks = 64;
constexpr size_t maxTerms = 2'000'000;

/// Thrown inside this file only.
struct NotUnderstood {
  std::string what;
};

/// What a register holds.
struct Register {
  enum class Kind : uint8_t { Unknown, Scalar, Address };
  Kind kind = Kind::Unknown;
  TermId term{};      ///< Scalar: any sort. Address: the offset in bytes
  std::string buffer; ///< Address; of Unknown: why
};

using Registers = std::map<std::string, Register>;
/// By buffer and index in canonical form.
using Cells = std::map<std::pair<std::string, TermId>, Register>;

bool dependsOnFloats(const TermStore& store, TermId term) {
  const std::vector<TermId> terms = store.postOrder(term);
  return std::any_of(terms.begin(), terms.end(),
                     [&](TermId id) { return store[id].sort == Sort::F32 || store[id].sort == Sort::F64; });
}

/// The condition with what is about integers alone taken to hold: a store that is not reached has no value.
TermId withoutIntegers(TermStore& store, TermId condition) {
  if (!dependsOnFloats(store, condition))
    return store.boolean(true);
  if (store[condition].op != Op::And)
    return condition;
  const TermId a = store[condition].args[0];
  const TermId b = store[condition].args[1];
  return store.land(withoutIntegers(store, a), withoutIntegers(store, b));
}

/// What a cell holds after a store under a condition: what it held before, where floats forbid the store.
TermId writtenIf(TermStore& store, TermId condition, TermId value, const std::string& buffer, TermId index) {
  return store.ite(withoutIntegers(store, condition), value, store.load(store[value].sort, buffer, index));
}

/// An opcode in parts: "setp", {"lt", "and", "f32"}.
struct Opcode {
  std::string root;
  std::vector<std::string> parts;

  explicit Opcode(const std::string& text) {
    size_t begin = 0;
    while (begin <= text.size()) {
      const size_t dot = std::min(text.find('.', begin), text.size());
      if (begin == 0)
        root = text.substr(0, dot);
      else
        parts.push_back(text.substr(begin, dot - begin));
      begin = dot + 1;
    }
  }
  /// Exactly these parts.
  bool is(std::initializer_list<std::string_view> wanted) const {
    return std::equal(parts.begin(), parts.end(), wanted.begin(), wanted.end());
  }
  std::string_view type() const {
    return parts.empty() ? std::string_view() : std::string_view(parts.back());
  }
  bool onFloats() const { return type() == "f32" || type() == "f64"; }
  bool onIntegers() const {
    return type().size() == 3 && (type()[0] == 's' || type()[0] == 'u' || type()[0] == 'b') &&
           type() != "b16" && type() != "s16" && type() != "u16";
  }
};

class PtxExecutor {
public:
  PtxExecutor(TermStore& store, const PtxFunction& kernel, const std::vector<ParameterBinding>& parameters,
              const ThreadGeometry& geometry)
      : m_store(store), m_kernel(kernel), m_parameters(parameters), m_geometry(geometry) {}

  std::vector<CellValue> run() {
    std::vector<CellValue> result;
    for (const auto& [cell, value] : from(0, {}, {})) {
      if (value.kind != Register::Kind::Scalar)
        throw NotUnderstood{value.buffer};
      result.push_back({cell.first, cell.second, value.term});
    }
    return result;
  }

private:
  // --- Control ---

  /// The cells at the end of the thread, when it goes on at instruction `at`.
  Cells from(size_t at, Registers registers, Cells cells) {
    for (; at < m_kernel.body.size(); ++at) {
      const PtxInstruction& instruction = m_kernel.body[at];
      if (++m_steps > maxSteps || m_store.size() > maxTerms)
        throw NotUnderstood{"the kernel has too many paths"};
      const Opcode opcode(instruction.opcode);
      const bool ends = opcode.root == "ret" || opcode.root == "exit";
      if (opcode.root != "bra" && !ends) {
        if (!instruction.guard.empty())
          throw NotUnderstood{describe(instruction)};
        execute(instruction, opcode, registers, cells);
        continue;
      }
      const size_t target = ends ? m_kernel.body.size() : targetOf(instruction, at);
      if (instruction.guard.empty()) {
        at = target - 1; // the loop adds one
        continue;
      }
      return fork(instruction, target, at + 1, registers, cells);
    }
    return cells;
  }

  size_t targetOf(const PtxInstruction& instruction, size_t at) {
    const auto label = m_kernel.labels.find(instruction.operands.empty() ? "" : instruction.operands[0]);
    if (label == m_kernel.labels.end() || label->second <= at)
      throw NotUnderstood{label == m_kernel.labels.end() ? describe(instruction) : "a loop"};
    return label->second;
  }

  Cells fork(const PtxInstruction& instruction, size_t taken, size_t next, const Registers& registers,
             const Cells& cells) {
    if (m_forks >= maxForks)
      throw NotUnderstood{"branches nested too deeply"};
    const bool negated = instruction.guard.starts_with("!");
    const Register condition = read(registers, instruction.guard.substr(negated ? 1 : 0));
    ++m_forks;
    const Cells whenTrue = from(negated ? next : taken, registers, cells);
    const Cells whenFalse = from(negated ? taken : next, registers, cells);
    --m_forks;
    return merge(condition, whenTrue, whenFalse);
  }

  Cells merge(const Register& condition, const Cells& whenTrue, const Cells& whenFalse) {
    Cells result;
    for (const auto& [cell, value] : whenTrue) {
      const auto other = whenFalse.find(cell);
      result[cell] = other == whenFalse.end() ? onlyIf(condition, true, cell, value)
                                              : choose(condition, value, other->second);
    }
    for (const auto& [cell, value] : whenFalse)
      if (!whenTrue.contains(cell))
        result[cell] = onlyIf(condition, false, cell, value);
    return result;
  }

  /// A cell that is written on one side only. Whether integers allow the store is not asked.
  Register onlyIf(const Register& condition, bool holds, const Cells::key_type& cell, const Register& value) {
    if (value.kind != Register::Kind::Scalar)
      return value;
    if (condition.kind != Register::Kind::Scalar || m_store[condition.term].sort != Sort::Bool)
      return condition.kind == Register::Kind::Unknown ? condition
                                                       : unknown("a condition that is no truth value");
    const TermId when = holds ? condition.term : m_store.lnot(condition.term);
    return scalar(writtenIf(m_store, when, value.term, cell.first, cell.second));
  }

  Register choose(const Register& condition, const Register& a, const Register& b) {
    if (a.kind == b.kind && a.term == b.term && a.buffer == b.buffer)
      return a;
    if (a.kind != Register::Kind::Scalar || b.kind != Register::Kind::Scalar)
      return a.kind == Register::Kind::Unknown ? a : unknown("an address that depends on a condition");
    if (condition.kind != Register::Kind::Scalar)
      return condition;
    if (m_store[condition.term].sort != Sort::Bool || m_store[a.term].sort != m_store[b.term].sort)
      return unknown("values of several types");
    return scalar(m_store.ite(condition.term, a.term, b.term));
  }

  // --- Registers ---

  static std::string describe(const PtxInstruction& instruction) {
    return instruction.opcode + " (PTX line " + std::to_string(instruction.ptxLine) + ")";
  }
  static Register unknown(std::string why) { return {Register::Kind::Unknown, {}, std::move(why)}; }
  static Register scalar(TermId term) { return {Register::Kind::Scalar, term, {}}; }

  static Register read(const Registers& registers, const std::string& name) {
    const auto found = registers.find(name);
    return found == registers.end() ? unknown("register " + name + " without a value") : found->second;
  }

  /// A register or an immediate, of the given sort.
  Register operand(const Registers& registers, const std::string& text, Sort sort) {
    if (text.starts_with("%"))
      return special(text, registers);
    if (text.starts_with("0f") || text.starts_with("0F") || text.starts_with("0d") || text.starts_with("0D"))
      return floatImmediate(text, sort);
    const bool isHex = text.starts_with("0x") || text.starts_with("0X");
    int64_t value = 0;
    const char* begin = text.data() + (isHex ? 2 : 0);
    const auto [end, code] = std::from_chars(begin, text.data() + text.size(), value, isHex ? 16 : 10);
    if (code != std::errc() || end != text.data() + text.size() || sort != Sort::Int)
      return unknown("operand " + text);
    return scalar(m_store.integer(value));
  }

  Register floatImmediate(const std::string& text, Sort sort) {
    uint64_t bits = 0;
    const auto [end, code] = std::from_chars(text.data() + 2, text.data() + text.size(), bits, 16);
    const bool isSingle = text[1] == 'f' || text[1] == 'F';
    if (code != std::errc() || end != text.data() + text.size() || text.size() != (isSingle ? 10U : 18U) ||
        sort != (isSingle ? Sort::F32 : Sort::F64))
      return unknown("operand " + text);
    return scalar(isSingle ? m_store.f32Bits(static_cast<uint32_t>(bits)) : m_store.f64Bits(bits));
  }

  Register special(const std::string& text, const Registers& registers) {
    const size_t dot = text.find('.');
    if (dot == std::string::npos)
      return text == "%WARP_SZ" ? scalar(m_store.integer(32)) : read(registers, text);
    const size_t axis = dot + 2 == text.size() ? static_cast<size_t>(text[dot + 1] - 'x') : 3;
    const std::string object = text.substr(0, dot);
    if (axis >= 3)
      return unknown("register " + text);
    const std::string suffix = text.substr(dot);
    if (object == "%tid")
      return scalar(m_store.var(Sort::Int, "threadIdx" + suffix));
    if (object == "%ctaid")
      return scalar(m_store.var(Sort::Int, "blockIdx" + suffix));
    if (object == "%ntid")
      return scalar(m_geometry.blockDim[axis]);
    if (object == "%nctaid")
      return scalar(m_geometry.gridDim[axis]);
    return unknown("register " + text);
  }

  // --- Instructions ---

  void execute(const PtxInstruction& instruction, const Opcode& opcode, Registers& registers, Cells& cells) {
    if (opcode.root == "st")
      return storeTo(instruction, opcode, registers, cells);
    static constexpr std::array<std::string_view, 8> meetings = {"bar",  "barrier", "atom", "red",
                                                                 "call", "shfl",    "vote", "membar"};
    if (std::find(meetings.begin(), meetings.end(), opcode.root) != meetings.end() ||
        instruction.operands.empty())
      throw NotUnderstood{describe(instruction)};
    registers[instruction.operands[0]] = value(instruction, opcode, registers, cells);
  }

  Register value(const PtxInstruction& instruction, const Opcode& opcode, const Registers& registers,
                 const Cells& cells) {
    if (opcode.root == "ld")
      return load(instruction, opcode, registers, cells);
    if (opcode.root == "mov" || (opcode.root == "cvta" && opcode.is({"to", "global", "u64"})))
      return move(instruction, opcode, registers);
    // An operand that is not known makes the result unknown, and says why.
    std::vector<Register> arguments;
    for (size_t i = 1; i < instruction.operands.size(); ++i) {
      arguments.push_back(operand(registers, instruction.operands[i], immediateSort(opcode)));
      if (arguments.back().kind == Register::Kind::Unknown)
        return arguments.back();
    }
    if (opcode.root == "add" && opcode.type() == "s64" && arguments.size() == 2)
      if (const auto address = addressSum(arguments[0], arguments[1]))
        return *address;
    std::vector<TermId> terms;
    for (const Register& argument : arguments) {
      if (argument.kind != Register::Kind::Scalar)
        return unknown("arithmetic on an address: " + describe(instruction));
      terms.push_back(argument.term);
    }
    if (const auto result = scalarValue(opcode, terms))
      return scalar(*result);
    return unknown(describe(instruction));
  }

  /// The sort of an immediate operand: the type that the operation reads.
  static Sort immediateSort(const Opcode& opcode) {
    if (opcode.type() == "f32")
      return Sort::F32;
    return opcode.type() == "f64" ? Sort::F64 : Sort::Int;
  }

  Register move(const PtxInstruction& instruction, const Opcode& opcode, const Registers& registers) {
    if (instruction.operands.size() != 2)
      return unknown(describe(instruction));
    Register source = operand(registers, instruction.operands[1], immediateSort(opcode));
    if (opcode.root == "cvta" || source.kind != Register::Kind::Scalar)
      return source;
    // mov.b32 %r1, %f1 reads the bits of a float.
    const Sort sort = m_store[source.term].sort;
    const bool isFloat = sort == Sort::F32 || sort == Sort::F64;
    return isFloat == opcode.onFloats() ? source : unknown("the bits of a float: " + describe(instruction));
  }

  std::optional<Register> addressSum(const Register& a, const Register& b) {
    const bool first = a.kind == Register::Kind::Address;
    if (first == (b.kind == Register::Kind::Address))
      return std::nullopt;
    const Register& address = first ? a : b;
    const Register& offset = first ? b : a;
    if (m_store[offset.term].sort != Sort::Int)
      return std::nullopt;
    return Register{Register::Kind::Address, m_store.iadd(address.term, offset.term), address.buffer};
  }

  /// "[%rd4+8]" as register and offset.
  std::optional<Register> address(const Registers& registers, const std::string& text) {
    if (text.size() < 3 || text.front() != '[' || text.back() != ']')
      return std::nullopt;
    const std::string inner = text.substr(1, text.size() - 2);
    const size_t sign = inner.find_first_of("+-");
    Register base = read(registers, inner.substr(0, sign));
    if (base.kind != Register::Kind::Address)
      return std::nullopt;
    if (sign != std::string::npos) {
      // PTX writes a negative offset as "+-8".
      const size_t number = sign + (inner[sign] == '+' ? 1 : 0);
      const Register offset = operand(registers, inner.substr(number), Sort::Int);
      if (offset.kind != Register::Kind::Scalar)
        return std::nullopt;
      base.term = m_store.iadd(base.term, offset.term);
    }
    return base;
  }

  /// The element that an address of bytes stands for, in canonical form.
  std::optional<TermId> element(TermId bytes, int64_t size) {
    const std::optional<Polynomial> polynomial = polynomialOf(m_store, bytes);
    if (!polynomial)
      return std::nullopt;
    Polynomial result;
    for (const auto& [monomial, coefficient] : polynomial->terms) {
      if (coefficient % size != 0)
        return std::nullopt;
      result.terms[monomial] = coefficient / size;
    }
    return toTerm(m_store, result);
  }

  const ParameterBinding* binding(const std::string& buffer) const {
    for (const ParameterBinding& parameter : m_parameters)
      if (parameter.buffer == buffer)
        return &parameter;
    return nullptr;
  }

  Register load(const PtxInstruction& instruction, const Opcode& opcode, const Registers& registers,
                const Cells& cells) {
    if (instruction.operands.size() != 2 || opcode.parts.size() < 2)
      return unknown(describe(instruction));
    if (opcode.parts[0] == "param")
      return parameter(instruction, opcode);
    const bool isPlain = opcode.is({"global", "f32"}) || opcode.is({"global", "nc", "f32"}) ||
                         opcode.is({"global", "f64"}) || opcode.is({"global", "nc", "f64"});
    const std::optional<Register> from = isPlain ? address(registers, instruction.operands[1]) : std::nullopt;
    const Sort sort = immediateSort(opcode);
    const std::optional<TermId> index = from ? element(from->term, sort == Sort::F32 ? 4 : 8) : std::nullopt;
    if (!index)
      return unknown(describe(instruction));
    if (const auto written = cells.find({from->buffer, *index}); written != cells.end())
      return written->second;
    const ParameterBinding* bound = binding(from->buffer);
    if (bound == nullptr)
      return unknown(describe(instruction));
    if (bound->zeroInitialised)
      return scalar(sort == Sort::F32 ? m_store.f32Bits(0) : m_store.f64Bits(0));
    return scalar(m_store.load(sort, from->buffer, *index));
  }

  Register parameter(const PtxInstruction& instruction, const Opcode& opcode) {
    const std::string& text = instruction.operands[1];
    for (size_t i = 0; i < m_parameters.size(); ++i) {
      if (text != "[" + m_kernel.parameters[i].name + "]" || opcode.type() != m_kernel.parameters[i].type)
        continue;
      if (!m_parameters[i].buffer.empty())
        return {Register::Kind::Address, m_store.integer(0), m_parameters[i].buffer};
      const Sort sort = m_store[m_parameters[i].scalar].sort;
      const bool fits = opcode.onFloats() ? sort == immediateSort(opcode) : sort == Sort::Int;
      return fits ? scalar(m_parameters[i].scalar) : unknown(describe(instruction));
    }
    return unknown(describe(instruction));
  }

  void storeTo(const PtxInstruction& instruction, const Opcode& opcode, Registers& registers, Cells& cells) {
    const bool isPlain = opcode.is({"global", "f32"}) || opcode.is({"global", "f64"});
    const std::optional<Register> to = isPlain && instruction.operands.size() == 2
                                           ? address(registers, instruction.operands[0])
                                           : std::nullopt;
    const Sort sort = immediateSort(opcode);
    const std::optional<TermId> index = to ? element(to->term, sort == Sort::F32 ? 4 : 8) : std::nullopt;
    if (!index)
      throw NotUnderstood{describe(instruction)};
    Register stored = operand(registers, instruction.operands[1], sort);
    if (stored.kind == Register::Kind::Scalar && m_store[stored.term].sort != sort)
      stored = unknown(describe(instruction));
    cells[{to->buffer, *index}] = std::move(stored);
  }

  // --- Arithmetic ---

  bool haveSort(const std::vector<TermId>& arguments, Sort sort, size_t count) const {
    return arguments.size() == count && std::all_of(arguments.begin(), arguments.end(),
                                                    [&](TermId id) { return m_store[id].sort == sort; });
  }

  std::optional<TermId> scalarValue(const Opcode& opcode, const std::vector<TermId>& arguments) {
    if (opcode.root == "setp")
      return comparison(opcode, arguments);
    if (opcode.root == "selp")
      return selection(arguments);
    if (opcode.root == "cvt")
      return conversion(opcode, arguments);
    if (opcode.type() == "pred")
      return logical(opcode, arguments);
    if (opcode.onFloats())
      return floatValue(opcode, arguments);
    return opcode.onIntegers() ? integerValue(opcode, arguments) : std::nullopt;
  }

  /// Only forms that round to nearest and keep subnormals have a meaning here.
  std::optional<TermId> floatValue(const Opcode& opcode, const std::vector<TermId>& arguments) {
    const Sort sort = immediateSort(opcode);
    const bool bare = opcode.parts.size() == 1;
    const bool rounded = opcode.parts.size() == 2 && opcode.parts[0] == "rn";
    const bool approximate = opcode.parts.size() == 2 && opcode.parts[0] == "approx";
    if (haveSort(arguments, sort, 2)) {
      const TermId a = arguments[0];
      const TermId b = arguments[1];
      if ((bare || rounded) && opcode.root == "add")
        return m_store.binary(Op::FAdd, a, b);
      if ((bare || rounded) && opcode.root == "sub")
        return m_store.binary(Op::FSub, a, b);
      if ((bare || rounded) && opcode.root == "mul")
        return m_store.binary(Op::FMul, a, b);
      if (rounded && opcode.root == "div")
        return m_store.binary(Op::FDiv, a, b);
      if (bare && opcode.root == "max")
        return m_store.ptxMax(a, b);
      if (bare && opcode.root == "min")
        return m_store.ptxMin(a, b);
      return std::nullopt;
    }
    if (haveSort(arguments, sort, 3))
      return rounded && opcode.root == "fma"
                 ? std::optional(m_store.fma(arguments[0], arguments[1], arguments[2]))
                 : std::nullopt;
    if (!haveSort(arguments, sort, 1))
      return std::nullopt;
    if (bare && opcode.root == "neg")
      return m_store.unary(Op::FNeg, arguments[0]);
    if (bare && opcode.root == "abs")
      return m_store.unary(Op::FAbs, arguments[0]);
    if (rounded && opcode.root == "sqrt")
      return m_store.unary(Op::FSqrt, arguments[0]);
    if (rounded && opcode.root == "rcp")
      return m_store.binary(
          Op::FDiv, sort == Sort::F32 ? m_store.f32Bits(0x3f800000) : m_store.f64Bits(0x3ff0000000000000),
          arguments[0]);
    if (approximate && sort == Sort::F32 && opcode.root == "rsqrt") // what CUDA defines rsqrtf to be
      return m_store.opaque(Sort::F32, "rsqrtf", arguments);
    return std::nullopt;
  }

  std::optional<TermId> integerValue(const Opcode& opcode, const std::vector<TermId>& arguments) {
    const size_t count = arguments.size();
    if (!haveSort(arguments, Sort::Int, count) || count == 0)
      return std::nullopt;
    const TermId a = arguments[0];
    if (count == 1)
      return opcode.root == "neg" && opcode.parts.size() == 1
                 ? std::optional(m_store.isub(m_store.integer(0), a))
                 : std::nullopt;
    const TermId b = arguments[1];
    const bool bare = opcode.parts.size() == 1;
    const bool product = opcode.parts.size() == 2 && (opcode.parts[0] == "lo" || opcode.parts[0] == "wide");
    if (count == 3)
      return product && opcode.root == "mad" ? std::optional(m_store.iadd(m_store.imul(a, b), arguments[2]))
                                             : std::nullopt;
    if (product && opcode.root == "mul")
      return m_store.imul(a, b);
    if (!bare)
      return std::nullopt;
    if (opcode.root == "add")
      return m_store.iadd(a, b);
    if (opcode.root == "sub")
      return m_store.isub(a, b);
    if (opcode.root == "div" || opcode.root == "rem")
      return opcode.root == "div" ? m_store.idiv(a, b) : m_store.irem(a, b);
    if (opcode.root == "min" || opcode.root == "max")
      return m_store.ite(m_store.ilt(a, b), opcode.root == "min" ? a : b, opcode.root == "min" ? b : a);
    const std::optional<int64_t> constant = m_store.intValue(b);
    if (opcode.root == "shl" && constant && *constant >= 0 && *constant < 62)
      return m_store.imul(a, m_store.integer(int64_t{1} << *constant));
    if (opcode.root == "shr" && opcode.type()[0] == 'u' && constant && *constant >= 0 && *constant < 62)
      return m_store.idiv(a, m_store.integer(int64_t{1} << *constant));
    if (opcode.root == "and" && constant && *constant > 0 && *constant < (int64_t{1} << 61) &&
        ((*constant + 1) & *constant) == 0)
      return m_store.irem(a, m_store.integer(*constant + 1));
    return std::nullopt;
  }

  std::optional<TermId> conversion(const Opcode& opcode, const std::vector<TermId>& arguments) {
    if (arguments.size() != 1)
      return std::nullopt;
    const TermId a = arguments[0];
    const Sort sort = m_store[a].sort;
    if (sort == Sort::F32 && opcode.is({"f64", "f32"}))
      return m_store.convert(Sort::F64, a);
    if (sort == Sort::F64 && opcode.is({"rn", "f32", "f64"}))
      return m_store.convert(Sort::F32, a);
    if (sort == Sort::Int && (opcode.is({"rn", "f32", "s32"}) || opcode.is({"rn", "f32", "s64"})))
      return m_store.intToFloat(Sort::F32, a);
    if (sort == Sort::Int && (opcode.is({"rn", "f64", "s32"}) || opcode.is({"rn", "f64", "s64"})))
      return m_store.intToFloat(Sort::F64, a);
    if ((sort == Sort::F32 && opcode.is({"rzi", "s32", "f32"})) ||
        (sort == Sort::F64 && opcode.is({"rzi", "s32", "f64"})))
      return m_store.floatToInt(a, 32, true);
    const bool widens = opcode.is({"s64", "s32"}) || opcode.is({"u64", "u32"}) || opcode.is({"s64", "u32"});
    const bool narrows = opcode.is({"u32", "u64"}) || opcode.is({"s32", "s64"});
    return sort == Sort::Int && (widens || narrows) ? std::optional(a) : std::nullopt;
  }

  std::optional<TermId> logical(const Opcode& opcode, const std::vector<TermId>& arguments) {
    if (haveSort(arguments, Sort::Bool, 2) && opcode.root == "and")
      return m_store.land(arguments[0], arguments[1]);
    if (haveSort(arguments, Sort::Bool, 2) && opcode.root == "or")
      return m_store.lor(arguments[0], arguments[1]);
    if (haveSort(arguments, Sort::Bool, 1) && opcode.root == "not")
      return m_store.lnot(arguments[0]);
    return std::nullopt;
  }

  std::optional<TermId> selection(const std::vector<TermId>& arguments) {
    if (arguments.size() != 3 || m_store[arguments[2]].sort != Sort::Bool ||
        m_store[arguments[0]].sort != m_store[arguments[1]].sort)
      return std::nullopt;
    return m_store.ite(arguments[2], arguments[0], arguments[1]);
  }

  std::optional<TermId> comparison(const Opcode& opcode, const std::vector<TermId>& arguments) {
    if (opcode.parts.size() < 2 || arguments.size() < 2)
      return std::nullopt;
    const TermId a = arguments[0];
    const TermId b = arguments[1];
    const Sort sort = m_store[a].sort;
    if (sort != m_store[b].sort || sort == Sort::Bool || (sort == Sort::Int) == opcode.onFloats())
      return std::nullopt;
    const std::optional<TermId> result =
        sort == Sort::Int ? integerComparison(opcode.parts[0], a, b) : floatComparison(opcode.parts[0], a, b);
    if (!result || (opcode.parts.size() == 2 && arguments.size() == 2))
      return result;
    if (opcode.parts.size() != 3 || arguments.size() != 3 || m_store[arguments[2]].sort != Sort::Bool)
      return std::nullopt;
    if (opcode.parts[1] == "and")
      return m_store.land(*result, arguments[2]);
    return opcode.parts[1] == "or" ? std::optional(m_store.lor(*result, arguments[2])) : std::nullopt;
  }

  std::optional<TermId> integerComparison(const std::string& how, TermId a, TermId b) {
    if (how == "lt" || how == "lo")
      return m_store.ilt(a, b);
    if (how == "le" || how == "ls")
      return m_store.ile(a, b);
    if (how == "gt" || how == "hi")
      return m_store.ilt(b, a);
    if (how == "ge" || how == "hs")
      return m_store.ile(b, a);
    if (how == "eq")
      return m_store.ieq(a, b);
    return how == "ne" ? std::optional(m_store.lnot(m_store.ieq(a, b))) : std::nullopt;
  }

  /// The forms with u hold for NaN as well: each is the negation of the opposite one.
  std::optional<TermId> floatComparison(const std::string& how, TermId a, TermId b) {
    if (how == "lt")
      return m_store.binary(Op::FLt, a, b);
    if (how == "le")
      return m_store.binary(Op::FLe, a, b);
    if (how == "gt")
      return m_store.binary(Op::FLt, b, a);
    if (how == "ge")
      return m_store.binary(Op::FLe, b, a);
    if (how == "eq")
      return m_store.binary(Op::FEq, a, b);
    if (how == "neu")
      return m_store.lnot(m_store.binary(Op::FEq, a, b));
    if (how == "ltu")
      return m_store.lnot(m_store.binary(Op::FLe, b, a));
    if (how == "leu")
      return m_store.lnot(m_store.binary(Op::FLt, b, a));
    if (how == "gtu")
      return m_store.lnot(m_store.binary(Op::FLe, a, b));
    if (how == "geu")
      return m_store.lnot(m_store.binary(Op::FLt, a, b));
    const TermId nan = m_store.lor(m_store.unary(Op::FIsNan, a), m_store.unary(Op::FIsNan, b));
    if (how == "equ")
      return m_store.lor(nan, m_store.binary(Op::FEq, a, b));
    if (how == "ne")
      return m_store.land(m_store.lnot(nan), m_store.lnot(m_store.binary(Op::FEq, a, b)));
    if (how == "nan")
      return a == b ? m_store.unary(Op::FIsNan, a) : nan;
    if (how == "num")
      return m_store.lnot(a == b ? m_store.unary(Op::FIsNan, a) : nan);
    return std::nullopt;
  }

  TermStore& m_store;
  const PtxFunction& m_kernel;
  const std::vector<ParameterBinding>& m_parameters;
  const ThreadGeometry& m_geometry;
  size_t m_steps = 0;
  int m_forks = 0;
};

} // namespace

Expected<std::vector<CellValue>> executePtx(TermStore& store, const PtxFunction& kernel,
                                            const std::vector<ParameterBinding>& parameters,
                                            const ThreadGeometry& geometry) {
  try {
    if (kernel.parameters.size() != parameters.size())
      throw NotUnderstood{"a parameter list of another length"};
    return PtxExecutor(store, kernel, parameters, geometry).run();
  } catch (NotUnderstood& problem) {
    return fail(ErrorKind::Rejected, "ptx-not-understood", "the compiled kernel uses " + problem.what,
                "read the instructions: plumbline import cuda FILE --ptx");
  }
}

std::vector<CellValue> cellValues(TermStore& store, const SymbolicThread& thread) {
  std::vector<CellValue> result;
  for (const ThreadStore& stored : thread.stores) {
    const TermId index = normaliseIntegers(store, stored.index);
    const auto same = std::find_if(result.begin(), result.end(), [&](const CellValue& cell) {
      return cell.buffer == stored.buffer && cell.index == index;
    });
    if (same == result.end())
      result.push_back(
          {stored.buffer, index, writtenIf(store, stored.guard, stored.value, stored.buffer, index)});
    else
      same->value = store.ite(withoutIntegers(store, stored.guard), stored.value, same->value);
  }
  return result;
}

} // namespace plumbline::vc
