// Walking over TaggedText without recursion. Used by interactive.cpp only.
#pragma once

#include "lean-bridge/protocol/interactive.h"

namespace plumbline::lsp {

/// Reads code and messages into one text. Every tree is taken from an explicit stack, so depth costs memory
/// only.
class TaggedTextReader {
public:
  explicit TaggedTextReader(RpcFormat format) : m_format(format) {}

  void readCode(const Json& json);
  void readMessage(const Json& json);
  InteractiveMessage take() { return std::move(m_message); }

private:
  /// What is still to be done, the next on top. `json` is the caller's and outlives the walk.
  struct Step {
    enum class Kind { Code, Message, ClosePart, Text, Lazy };
    Kind kind;
    const Json* json = nullptr;
    size_t part = 0;
    int indent = 0;
    std::string text = {};
  };

  void run();
  void visit(const Step& step);
  void visitTagged(const Json& node, bool message, int indent);
  void visitTag(const Json& tag, const Json& inner, bool message, int indent);
  void visitTrace(const Json& trace);
  void append(std::string_view text);
  void openPart(const Json& tag);
  bool full();

  RpcFormat m_format;
  InteractiveMessage m_message;
  std::vector<Step> m_steps;
};

} // namespace plumbline::lsp
