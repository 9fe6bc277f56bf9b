#include "lean-bridge/server/hover.h"

#include "core/velvet/graph_line.h"
#include "core/velvet/printer.h"
#include "core/velvet/signatures.h"
#include "lean-bridge/server/hint_use.h"

namespace plumbline::server {

using velvet::Expr;

namespace {

/// The smallest typed expression around an offset.
const Expr* smallestAt(const Snapshot& snapshot, uint32_t offset) {
  const Expr* best = nullptr;
  for (const auto& [expr, type] : snapshot.typing.types)
    if (!expr->range.empty() && expr->range.begin <= offset && offset <= expr->range.end && type.known())
      if (!best || expr->range.end - expr->range.begin < best->range.end - best->range.begin)
        best = expr;
  return best;
}

/// In words what values of a type are.
std::string valueClass(const velvet::LeanType& type) {
  if (type.is("Array") && type.args.size() == 1)
    return "array of " + velvet::print(type.args[0]) + (type.args[0].is("Float32") ? " (binary32)" : "");
  if (type.is("Float32"))
    return "binary32 value: one NaN, equality is equality of bits";
  if (type.is("Nat"))
    return "natural number: subtraction stops at 0";
  if (type.is("Int"))
    return "integer without bounds: assertions say that it fits its C type";
  if (type.is("Bool"))
    return "truth value that is computed";
  if (type.is("Prop"))
    return "proposition";
  return {};
}

std::string code(const std::string& text) {
  return "```lean\n" + text + "\n```";
}

std::string paragraph(const std::string& text) {
  return text.empty() ? "" : "\n\n" + text;
}

std::string ofDeclaration(const Declaration& declaration) {
  switch (declaration.kind) {
  case DeclarationKind::Label: return code(declaration.text) + paragraph("clause " + declaration.name);
  case DeclarationKind::Theorem:
  case DeclarationKind::Definition:
  case DeclarationKind::Method:
    return code(declaration.name + " : " + declaration.type) +
           paragraph(velvet::withoutGraphLine(declaration.doc)) + paragraph(describe(declaration.kind));
  default:
    return code(declaration.name + " : " + (declaration.type.empty() ? "_" : declaration.type)) +
           paragraph(describe(declaration.kind)) + paragraph(valueClass(velvet::readType(declaration.type)));
  }
}

std::string ofHint(const Snapshot& snapshot, const method::Hint& hint) {
  const bool isMissing = importEdit(snapshot, hint).has_value();
  return code("theorem " + hint.theorem + " " + hint.statement) +
         paragraph("hint of the pool, in " + hint.module +
                   (isMissing ? ", which is not imported here" : "")) +
         paragraph(whoShowed(hint));
}

} // namespace

std::optional<HoverText> hoverAt(const Snapshot& snapshot, const DocumentIndex& index, uint32_t offset) {
  HoverText made;
  std::string nodes = graphOrigin(snapshot, offset);
  if (const Reference* reference = index.referenceAt(offset)) {
    made.range = reference->range;
    if (const Declaration* declaration = index.declarationOf(*reference)) {
      made.markdown = ofDeclaration(*declaration);
      if (declaration->kind == DeclarationKind::Definition)
        nodes = velvet::graphNodesOf(declaration->doc);
    } else if (const method::Hint* hint = poolHint(reference->name)) {
      made.markdown = ofHint(snapshot, *hint);
    } else if (const auto found = velvet::signatures().find(reference->name);
               found != velvet::signatures().end()) {
      made.markdown = code(reference->name + " : " + velvet::print(found->second.type));
    }
  }
  if (made.markdown.empty()) {
    const Expr* expr = smallestAt(snapshot, offset);
    if (!expr)
      return std::nullopt;
    const velvet::LeanType& type = snapshot.typing.types.at(expr);
    made.range = expr->range;
    made.markdown = code(velvet::print(*expr) + " : " + velvet::print(type)) + paragraph(valueClass(type));
  }
  if (const std::string origin = cudaOrigin(snapshot, offset); !origin.empty())
    made.markdown += paragraph("from " + origin);
  if (!nodes.empty())
    made.markdown += paragraph("from the graph: " + nodes);
  return made;
}

} // namespace plumbline::server
