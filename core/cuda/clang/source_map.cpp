// Positions, the shim's annotations, types and names: what every reader of the AST needs.
#include "core/cuda/clang/ast.h"

#include <algorithm>

namespace plumbline::cuda {

// --- positions ---

namespace {

/// Where the last character of a construct stands: a macro's argument where it is written, a macro's body at
/// its use.
clang::SourceLocation fileEnd(const clang::SourceManager& sources, clang::SourceLocation location) {
  while (location.isMacroID())
    location = sources.isMacroArgExpansion(location) ? sources.getImmediateSpellingLoc(location)
                                                     : sources.getImmediateExpansionRange(location).getEnd();
  return location;
}

} // namespace

clang::SourceRange SourceMap::inFile(clang::SourceRange tokens) const {
  const clang::SourceRange written(m_sources.getFileLoc(tokens.getBegin()),
                                   fileEnd(m_sources, tokens.getEnd()));
  const bool ordered = m_sources.getFileID(written.getBegin()) == m_sources.getFileID(written.getEnd()) &&
                       written.getBegin() <= written.getEnd();
  if (ordered)
    return written;
  const clang::SourceLocation begin = m_sources.getExpansionLoc(tokens.getBegin());
  return {begin, std::max(begin, m_sources.getExpansionRange(tokens.getEnd()).getEnd())};
}

SourceRange SourceMap::range(clang::SourceRange tokens) const {
  if (tokens.isInvalid())
    return {m_mainName, 0, 0, 0, 0};
  const clang::SourceRange written = inFile(tokens);
  const clang::SourceLocation begin = written.getBegin();
  clang::SourceLocation end = clang::Lexer::getLocForEndOfToken(written.getEnd(), 0, m_sources, m_options);
  if (end.isInvalid())
    end = begin;
  SourceRange result;
  const clang::FileID file = m_sources.getFileID(begin);
  result.file = m_mainName;
  if (file != m_sources.getMainFileID())
    result.file = m_sources.getFilename(begin).str();
  // Line numbers of the text itself: #line directives are not followed.
  result.line = static_cast<int>(m_sources.getExpansionLineNumber(begin));
  result.column = static_cast<int>(m_sources.getExpansionColumnNumber(begin));
  result.endLine = static_cast<int>(m_sources.getExpansionLineNumber(end));
  result.endColumn = static_cast<int>(m_sources.getExpansionColumnNumber(end));
  return result;
}

bool SourceMap::inShim(clang::SourceLocation location) const {
  return m_sources.getFilename(m_sources.getExpansionLoc(location)).starts_with(shimFolder);
}

std::optional<unsigned> SourceMap::mainOffset(clang::SourceLocation location) const {
  const auto [file, offset] = m_sources.getDecomposedLoc(m_sources.getFileLoc(location));
  if (file != m_sources.getMainFileID())
    return std::nullopt;
  return offset;
}

std::string SourceMap::spelling(clang::SourceLocation location) const {
  llvm::SmallString<32> buffer;
  bool invalid = false;
  const llvm::StringRef text =
      clang::Lexer::getSpelling(m_sources.getSpellingLoc(location), buffer, m_sources, m_options, &invalid);
  return invalid ? std::string() : text.str();
}

std::string SourceMap::text(clang::SourceRange tokens) const {
  const std::string text =
      clang::Lexer::getSourceText(clang::CharSourceRange::getTokenRange(inFile(tokens)), m_sources, m_options)
          .str();
  std::string line;
  for (char c : text)
    if (const bool space = c == ' ' || c == '\n' || c == '\t' || c == '\r';
        !space || (!line.empty() && line.back() != ' '))
      line.push_back(space ? ' ' : c);
  return line;
}

std::string literalDigits(std::string text) {
  std::erase(text, '\'');
  const bool hex = text.starts_with("0x") || text.starts_with("0X");
  const std::string suffixes = hex && text.find_first_of("pP") == std::string::npos ? "" : "fFlL";
  while (!text.empty() && suffixes.find(text.back()) != std::string::npos)
    text.pop_back();
  return text;
}

std::string shimAnnotation(const SourceMap& sources, const clang::Decl* decl, llvm::StringRef prefix) {
  if (!sources.inShim(decl))
    return {};
  for (const auto* attribute : decl->specific_attrs<clang::AnnotateAttr>())
    if (attribute->getAnnotation().starts_with(prefix))
      return attribute->getAnnotation().drop_front(prefix.size()).str();
  return {};
}

// --- types ---

std::optional<ir::ScalarType> irScalar(const clang::ASTContext& ast, clang::QualType type) {
  if (type.isNull() || type->isDependentType() || type.isVolatileQualified())
    return std::nullopt;
  const auto* builtin = type.getCanonicalType()->getAs<clang::BuiltinType>();
  if (!builtin)
    return std::nullopt;
  using ir::ScalarType;
  switch (builtin->getKind()) {
  case clang::BuiltinType::Void: return ScalarType::Void;
  case clang::BuiltinType::Bool: return ScalarType::Bool;
  case clang::BuiltinType::Char_S:
  case clang::BuiltinType::SChar: return ScalarType::I8;
  case clang::BuiltinType::Char_U:
  case clang::BuiltinType::UChar: return ScalarType::U8;
  case clang::BuiltinType::Short: return ScalarType::I16;
  case clang::BuiltinType::UShort: return ScalarType::U16;
  case clang::BuiltinType::Int: return ScalarType::I32;
  case clang::BuiltinType::UInt: return ScalarType::U32;
  case clang::BuiltinType::Long: return ast.getTypeSize(type) == 64 ? ScalarType::I64 : ScalarType::I32;
  case clang::BuiltinType::ULong: return ast.getTypeSize(type) == 64 ? ScalarType::U64 : ScalarType::U32;
  case clang::BuiltinType::LongLong: return ScalarType::I64;
  case clang::BuiltinType::ULongLong: return ScalarType::U64;
  case clang::BuiltinType::Float: return ScalarType::F32;
  case clang::BuiltinType::Double: return ScalarType::F64;
  case clang::BuiltinType::Float16: return ScalarType::F16;
  case clang::BuiltinType::BFloat16: return ScalarType::BF16;
  default: return std::nullopt;
  }
}

std::optional<ir::Type> vectorType(clang::QualType type) {
  const auto* record = type.isNull() || type.isVolatileQualified() ? nullptr : type->getAsRecordDecl();
  if (!record || !record->getDefinition() || record->field_empty())
    return std::nullopt;
  const bool annotated =
      llvm::any_of(record->specific_attrs<clang::AnnotateAttr>(),
                   [](const auto* attribute) { return attribute->getAnnotation() == "vector:"; });
  const std::optional<ir::ScalarType> scalar =
      irScalar(record->getASTContext(), record->field_begin()->getType());
  if (!annotated || !scalar)
    return std::nullopt;
  const auto lanes = std::distance(record->field_begin(), record->field_end());
  return ir::Type{*scalar, true, static_cast<uint8_t>(lanes)};
}

std::optional<ir::Type> irType(const clang::ASTContext& ast, clang::QualType type) {
  if (type.isNull() || type->isDependentType() || type.isVolatileQualified())
    return std::nullopt;
  if (const auto* pointer = type.getCanonicalType()->getAs<clang::PointerType>()) {
    if (const std::optional<ir::Type> vector = vectorType(pointer->getPointeeType()))
      return vector;
    const std::optional<ir::ScalarType> pointee = irScalar(ast, pointer->getPointeeType());
    if (!pointee || *pointee == ir::ScalarType::Void)
      return std::nullopt;
    return ir::Type{*pointee, true};
  }
  const std::optional<ir::ScalarType> scalar = irScalar(ast, type);
  return scalar ? std::optional(ir::Type{*scalar, false}) : std::nullopt;
}

namespace {

/// A record's own id (vector types, sixteen-bit floats, ...), else "struct-type".
std::string recordId(const SourceMap& sources, const clang::RecordDecl* record) {
  if (const auto* cxx = llvm::dyn_cast<clang::CXXRecordDecl>(record); cxx && cxx->isLambda())
    return "lambda";
  const std::string named = shimAnnotation(sources, record, "rejects:");
  return named.empty() ? "struct-type" : named;
}

std::string typeId(const SourceMap& sources, clang::QualType type) {
  if (type.isVolatileQualified())
    return "volatile";
  if (type->isReferenceType())
    return "reference";
  if (type->isArrayType())
    return "local-array";
  if (const auto* record = type->getAsRecordDecl())
    return recordId(sources, record);
  if (type->isFunctionPointerType() || type->isMemberPointerType())
    return "function-pointer";
  if (const auto* pointer = type->getAs<clang::PointerType>()) {
    const clang::QualType pointee = pointer->getPointeeType();
    if (pointee->isPointerType())
      return "pointer-to-pointer";
    return pointee->isVoidType() ? "void-pointer" : typeId(sources, pointee);
  }
  if (type->isVectorType())
    return "vector-type";
  return "unsupported-type";
}

} // namespace

Rejection typeRejection(const SourceMap& sources, const clang::ASTContext& ast, clang::QualType type,
                        SourceRange where) {
  return {typeId(sources, type), "type '" + type.getAsString(ast.getPrintingPolicy()) + "'",
          std::move(where)};
}

std::string displayName(const clang::FunctionDecl* function) {
  std::string name;
  llvm::raw_string_ostream out(name);
  clang::PrintingPolicy policy = function->getASTContext().getPrintingPolicy();
  policy.SuppressTagKeyword = true;
  function->getNameForDiagnostic(out, policy, false);
  return name;
}

} // namespace plumbline::cuda
