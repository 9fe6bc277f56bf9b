// The Clang headers of the importer. At most five .cpp files include this one: each costs many seconds to
// compile.
#pragma once

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"

#include "core/base/error.h"
#include "core/ir/kernel.h"

#include <optional>
#include <string>

namespace plumbline::cuda {

/// Where the shim's files stand in the compiler's in-memory file system.
inline constexpr const char* shimFolder = "/plumbline-shim/";

/// Source positions in the user's terms.
class SourceMap {
public:
  /// `mainName`: the name of the source in ranges.
  SourceMap(const clang::ASTContext& ast, std::string mainName)
      : m_sources(ast.getSourceManager()), m_options(ast.getLangOpts()), m_mainName(std::move(mainName)) {}

  /// A construct that comes out of a macro's body stands where the macro is used; an argument where it is
  /// written.
  SourceRange range(clang::SourceRange tokens) const;
  bool inShim(clang::SourceLocation location) const;
  bool inShim(const clang::Decl* decl) const { return inShim(decl->getLocation()); }
  /// Byte offset in the main file, if `location` is there.
  std::optional<unsigned> mainOffset(clang::SourceLocation location) const;
  /// The token's characters as written, through macros.
  std::string spelling(clang::SourceLocation location) const;
  /// The characters between two tokens where they are used, on one line.
  std::string text(clang::SourceRange tokens) const;

private:
  /// The same tokens as positions in a file.
  clang::SourceRange inFile(clang::SourceRange tokens) const;

  const clang::SourceManager& m_sources;
  const clang::LangOptions& m_options;
  std::string m_mainName;
};

/// A float literal without suffix and digit separators.
std::string literalDigits(std::string text);

/// The argument of the shim's annotation `prefix:...` on a declaration in the shim; empty when it has none.
std::string shimAnnotation(const SourceMap& sources, const clang::Decl* decl, llvm::StringRef prefix);

/// The IR's type for a C++ type, ignoring const; nothing for types outside the fragment. References are not
/// looked through.
std::optional<ir::Type> irType(const clang::ASTContext& ast, clang::QualType type);
std::optional<ir::ScalarType> irScalar(const clang::ASTContext& ast, clang::QualType type);

/// A built-in vector type (float4) as the pointer to it; nothing for other types.
std::optional<ir::Type> vectorType(clang::QualType type);

/// The id and the words under which a type outside the fragment is refused.
Rejection typeRejection(const SourceMap& sources, const clang::ASTContext& ast, clang::QualType type,
                        SourceRange where);

/// "scale<float>", without namespaces.
std::string displayName(const clang::FunctionDecl* function);

} // namespace plumbline::cuda
