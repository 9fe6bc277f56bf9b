// Array variables: of a thread, shared by a block, constant. Arrays of arrays are flattened row by row.
#include "core/cuda/clang/function_translator.h"

#include <algorithm>

namespace plumbline::cuda {

using ir::ArraySpace;
using ir::ExprId;
using ir::ScalarType;
using ir::Type;

namespace {

/// More stores than this are not written out for an initialiser.
constexpr int64_t longestInitialiser = 4096;
/// Kernel IR has no longer arrays, and none without elements.
constexpr int64_t mostElements = int64_t{1} << 28;
/// The dynamic shared memory of a launch starts at such a multiple (CUDA aligns it for every type).
constexpr int64_t dynamicAlignment = 16;

/// Scalars in one element of `type`, which may be an array.
int64_t elementCount(const clang::ASTContext& ast, clang::QualType type) {
  int64_t count = 1;
  while (const clang::ConstantArrayType* array = ast.getAsConstantArrayType(type)) {
    count =
        std::min(count, mostElements) * static_cast<int64_t>(array->getSize().getLimitedValue(UINT32_MAX));
    type = array->getElementType();
  }
  return count;
}

clang::QualType leafOf(const clang::ASTContext& ast, clang::QualType type) {
  while (const clang::ArrayType* array = ast.getAsArrayType(type))
    type = array->getElementType();
  return type;
}

std::optional<uint64_t> bitsOf(const clang::APValue& value) {
  if (value.isInt())
    return value.getInt().isSigned() ? static_cast<uint64_t>(value.getInt().getSExtValue())
                                     : value.getInt().getZExtValue();
  if (value.isFloat())
    return value.getFloat().bitcastToAPInt().getZExtValue();
  return std::nullopt;
}

/// False when an element is no number.
bool flatten(const clang::APValue& value, std::vector<uint64_t>& cells) {
  if (!value.isArray()) {
    const std::optional<uint64_t> bits = bitsOf(value);
    cells.push_back(bits.value_or(0));
    return bits.has_value();
  }
  for (unsigned i = 0; i < value.getArraySize(); ++i) {
    const bool given = i < value.getArrayInitializedElts();
    if ((!given && !value.hasArrayFiller()) || cells.size() > longestInitialiser)
      return false;
    if (!flatten(given ? value.getArrayInitializedElt(i) : value.getArrayFiller(), cells))
      return false;
  }
  return true;
}

} // namespace

FunctionTranslator::Place FunctionTranslator::subscript(const clang::ArraySubscriptExpr* expr) {
  ExprId base = value(expr->getBase());
  if (ordered(expr->getBase(), expr->getIdx()))
    base = materialise(base, where(expr));
  ExprId index = value(expr->getIdx());
  if (index == ExprId::None || base == ExprId::None)
    return {};
  if (const int64_t count = elementCount(m_ast, expr->getType()); expr->getType()->isArrayType()) {
    const SourceRange at = where(expr->getIdx());
    index = m_builder.binary(ir::BinaryOp::Mul, m_builder.cast(index, ScalarType::I64, at),
                             m_builder.intLiteral(count, ScalarType::I64, at), at);
  }
  return {-1, m_builder.pointerAdd(base, index, where(expr)), ExprId::None};
}

/// Declares an array or a shared variable of a function; false for every other variable.
bool FunctionTranslator::arrayVariable(const clang::VarDecl* variable) {
  const bool shared = variable->hasAttr<clang::CUDASharedAttr>();
  if (!shared && (!variable->getType()->isArrayType() || variable->hasGlobalStorage()))
    return false;
  checkAttributes(variable);
  const SourceRange at = m_sources.range(variable->getSourceRange());
  const auto known = m_arrays.find(variable);
  const int array = known != m_arrays.end() && shared
                        ? known->second
                        : addArray(variable, shared ? ArraySpace::Shared : ArraySpace::Thread);
  if (array < 0) {
    m_refused.insert(variable);
    return true;
  }
  m_places[variable] = arrayPlace(array, variable, at);
  if (shared) {
    m_arrays[variable] = array;
    return true;
  }
  if (!m_breakables.empty())
    m_builder.declareArray(array, at);
  if (const clang::Expr* initial = variable->getInit();
      initial && !llvm::isa<clang::CXXConstructExpr>(initial)) {
    if (elementCount(m_ast, variable->getType()) > longestInitialiser) {
      reject("local-array", "initialiser of more than 4096 elements", at);
      return true;
    }
    int64_t element = 0;
    initialise(m_places[variable], variable->getType(), initial, element, initial);
  }
  return true;
}

/// -1 when the type is refused. Dynamic shared memory has one array, whatever its names and types.
int FunctionTranslator::addArray(const clang::VarDecl* variable, ArraySpace space) {
  const SourceRange at = m_sources.range(variable->getSourceRange());
  const clang::QualType type = leafOf(m_ast, variable->getType());
  const std::optional<Type> vector = vectorType(type);
  const std::optional<ScalarType> scalar = vector ? vector->scalar : irScalar(m_ast, type);
  if (!scalar || *scalar == ScalarType::Void) {
    rejectType(type, at);
    return -1;
  }
  ir::ArrayVariable array{variable->getNameAsString(), *scalar, space, {}, at};
  if (vector)
    array.alignment = ir::byteAlignment(*vector);
  if (variable->getType()->isIncompleteArrayType()) {
    for (size_t i = 0; i < m_function.arrays.size(); ++i)
      if (m_function.arrays[i].extents.empty())
        return static_cast<int>(i);
    array.alignment = dynamicAlignment;
  } else {
    clang::QualType level = variable->getType();
    while (const clang::ConstantArrayType* each = m_ast.getAsConstantArrayType(level)) {
      array.extents.push_back(static_cast<int64_t>(each->getSize().getLimitedValue(UINT32_MAX)));
      level = each->getElementType();
    }
    if (level->isArrayType() || (array.extents.empty() && variable->getType()->isArrayType())) {
      reject("local-array", "array whose length is no constant", at);
      return -1;
    }
    const int64_t count = elementCount(m_ast, variable->getType());
    if (count < 1 || count > mostElements / 4) {
      reject("local-array", "array without elements, or with more than 2^26", at);
      return -1;
    }
    if (array.extents.empty())
      array.extents.push_back(1);
    if (vector)
      array.extents.push_back(vector->lanes);
  }
  if (array.alignment == ir::byteSize(*scalar))
    array.alignment = 0;
  m_function.arrays.push_back(std::move(array));
  return static_cast<int>(m_function.arrays.size()) - 1;
}

FunctionTranslator::Place FunctionTranslator::arrayPlace(int array, const clang::VarDecl* variable,
                                                         const SourceRange& at) {
  const clang::QualType type = leafOf(m_ast, variable->getType());
  const std::optional<Type> vector = vectorType(type);
  const Type pointer = vector ? *vector : Type{irScalar(m_ast, type).value_or(ScalarType::Void), true};
  return {-1, m_builder.pointerCast(m_builder.array(array, at), pointer, at), ExprId::None};
}

/// Stores the elements of an initialiser, one after the other; what it leaves out is zero.
void FunctionTranslator::initialise(const Place& first, clang::QualType type, const clang::Expr* value,
                                    int64_t& element, const clang::Expr* at) {
  if (const clang::ConstantArrayType* array = m_ast.getAsConstantArrayType(type)) {
    const auto* list = value ? llvm::dyn_cast<clang::InitListExpr>(value) : nullptr;
    if (value && !list && !llvm::isa<clang::ImplicitValueInitExpr>(value)) {
      reject("local-array", "initialiser of an array that is no list", at);
      return;
    }
    for (uint64_t i = 0; i < array->getSize().getZExtValue(); ++i) {
      const clang::Expr* part = nullptr;
      if (list && i < list->getNumInits())
        part = list->getInit(static_cast<unsigned>(i));
      else if (list && list->hasArrayFiller())
        part = list->getArrayFiller();
      initialise(first, array->getElementType(), part, element, part ? part : at);
    }
    return;
  }
  const SourceRange place = where(at);
  Place target = first;
  target.pointer =
      m_builder.pointerAdd(first.pointer, m_builder.intLiteral(element++, ScalarType::I32, place), place);
  if (type->isRecordType()) {
    if (const auto* list = value ? llvm::dyn_cast<clang::InitListExpr>(value) : nullptr)
      return initialiseRecord(target, type, list);
    if (value && !llvm::isa<clang::ImplicitValueInitExpr>(value))
      return copyRecord(target, recordValue(value, true), type, at);
    return initialiseRecord(target, type, nullptr);
  }
  const std::optional<ScalarType> scalar = irScalar(m_ast, type);
  if (!scalar) {
    rejectType(type, place);
    return;
  }
  const ExprId stored = value ? this->value(value) : m_builder.zero(*scalar, place);
  m_builder.store(target.pointer, stored, place);
}

/// An array outside the function whose contents the source fixes.
std::optional<FunctionTranslator::Place> FunctionTranslator::constantArray(const clang::VarDecl* variable,
                                                                           const clang::Expr* at) {
  if (!variable->getType()->isArrayType() || !variable->hasGlobalStorage() ||
      variable->hasAttr<clang::CUDASharedAttr>())
    return std::nullopt;
  if (const auto known = m_arrays.find(variable); known != m_arrays.end())
    return arrayPlace(known->second, variable, where(at));
  const clang::QualType leaf = leafOf(m_ast, variable->getType());
  if ((!variable->isConstexpr() && !leaf.isConstQualified()) || !irScalar(m_ast, leaf))
    return std::nullopt;
  const clang::Expr* initial = variable->getAnyInitializer();
  const clang::APValue* value = initial && !initial->isValueDependent() ? variable->evaluateValue() : nullptr;
  std::vector<uint64_t> cells;
  if (!value || !flatten(*value, cells))
    return std::nullopt;
  const int array = addArray(variable, ArraySpace::Constant);
  if (array < 0 ||
      static_cast<int64_t>(cells.size()) != m_function.arrays[static_cast<size_t>(array)].length())
    return std::nullopt;
  m_function.arrays[static_cast<size_t>(array)].cells = std::move(cells);
  m_arrays[variable] = array;
  return arrayPlace(array, variable, where(at));
}

} // namespace plumbline::cuda
