// What the names of a document refer to.
#pragma once

#include "lean-bridge/server/snapshot.h"

namespace plumbline::server {

enum class DeclarationKind : uint8_t {
  Parameter,
  Result,
  Constant,
  Variable,
  Ghost,
  Bound,
  Definition,
  Theorem,
  Method,
  Label
};

struct Declaration {
  DeclarationKind kind = DeclarationKind::Constant;
  std::string name;
  velvet::TextRange range; ///< of the name
  velvet::TextRange scope; ///< where it may be used
  std::string type;        ///< empty: not known
  std::string text;        ///< a global one: its head; a label: its clause
  std::string doc;         ///< the comment above it
};

/// A name that stands somewhere, also at its own declaration.
struct Reference {
  velvet::TextRange range;
  int declaration = -1; ///< index; -1: the document does not declare it
  std::string name;
};

/// An application with its head and arguments, for the help with arguments.
struct Application {
  velvet::TextRange range;
  std::string function;
  std::vector<velvet::TextRange> args;
};

struct DocumentIndex {
  std::vector<Declaration> declarations;
  std::vector<Reference> references; ///< by place
  std::vector<Application> applications;

  const Reference* referenceAt(uint32_t offset) const;
  const Declaration* declarationOf(const Reference& reference) const;
};

DocumentIndex indexOf(const Snapshot& snapshot);

/// "parameter", "loop variable", ... for a person.
std::string describe(DeclarationKind kind);

/// The place in CUDA source that the comment before an offset names ("kernel.cu:6"); empty: none. Only inside
/// a method.
std::string cudaOrigin(const Snapshot& snapshot, uint32_t offset);

/// The graph nodes that the comment above the definition around an offset names ("x, relu"); empty: none.
std::string graphOrigin(const Snapshot& snapshot, uint32_t offset);

} // namespace plumbline::server
