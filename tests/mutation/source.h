// A small parser for the CUDA texts that are mutated: function bodies down to expressions, with positions. It
// knows what the bases in this folder use and is independent of the product's importer.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace plumbline::mutation {

enum class TokenKind : uint8_t { Name, Number, Mark, End };

struct Token {
  TokenKind kind = TokenKind::End;
  size_t begin = 0;
  size_t end = 0;
};

/// Comments, preprocessor lines and string literals yield no tokens.
std::vector<Token> tokenise(const std::string& text);

enum class Type : uint8_t { Unknown, Bool, Int, Float, Double, Buffer };

enum class NodeKind : uint8_t { Name, Number, Member, Index, Call, Unary, Binary, Ternary, Paren, Cast };

/// An expression. `begin` and `end` are positions in the text.
struct Node {
  NodeKind kind = NodeKind::Name;
  Type type = Type::Unknown;
  size_t begin = 0;
  size_t end = 0;
  size_t opBegin = 0; ///< the operator, or the called name
  size_t opEnd = 0;
  std::vector<size_t> children; ///< indices in Source::nodes
  bool written = false;         ///< the left side of an assignment
};

/// Where an expression stands.
enum class Place : uint8_t { Device, Guard, Host, LaunchSize, LaunchArgument };

/// A whole expression of a statement.
struct Root {
  Place place = Place::Device;
  size_t node = 0;
  size_t statementBegin = 0; ///< of the statement that the expression belongs to
  size_t statementEnd = 0;
  std::map<std::string, Type> names; ///< visible variables
};

struct Source {
  std::string text;
  std::vector<Node> nodes;
  std::vector<Root> roots;
  size_t hostBegin = 0; ///< where the wrapper starts; device code stands before it

  std::string_view at(const Node& node) const {
    return std::string_view(text).substr(node.begin, node.end - node.begin);
  }
  std::string_view op(const Node& node) const {
    return std::string_view(text).substr(node.opBegin, node.opEnd - node.opBegin);
  }
};

/// Nothing when the text uses a form that the parser does not know.
std::optional<Source> parseSource(std::string text);

} // namespace plumbline::mutation
