#include "lean-bridge/protocol/tagged_text.h"

#include <algorithm>
#include <array>

namespace plumbline::lsp {
namespace {

struct DiffName {
  const char* name;
  DiffTag tag;
};
constexpr std::array diffNames = {
    DiffName{"wasChanged", DiffTag::WasChanged},   DiffName{"willChange", DiffTag::WillChange},
    DiffName{"wasDeleted", DiffTag::WasDeleted},   DiffName{"willDelete", DiffTag::WillDelete},
    DiffName{"wasInserted", DiffTag::WasInserted}, DiffName{"willInsert", DiffTag::WillInsert}};

DiffTag diffFrom(const std::string& name) {
  for (const DiffName& row : diffNames)
    if (name == row.name)
      return row.tag;
  return DiffTag::None;
}

const char* diffName(DiffTag tag) {
  for (const DiffName& row : diffNames)
    if (tag == row.tag)
      return row.name;
  return nullptr;
}

/// Cuts at the start of a character.
std::string_view cutTo(std::string_view text, size_t bytes) {
  if (text.size() <= bytes)
    return text;
  while (bytes > 0 && (static_cast<unsigned char>(text[bytes]) & 0xC0U) == 0x80U)
    --bytes;
  return text.substr(0, bytes);
}

const Json& elementOf(const Json& array, size_t index) {
  static const Json none = nullptr;
  return array.is_array() && index < array.size() ? array[index] : none;
}

int indentOf(const Json& trace) {
  return std::clamp(intAt(trace, "indent").value_or(0), 0, 200);
}

} // namespace

void TaggedTextReader::readCode(const Json& json) {
  m_steps.push_back({Step::Kind::Code, &json});
  run();
}

void TaggedTextReader::readMessage(const Json& json) {
  m_steps.push_back({Step::Kind::Message, &json});
  run();
}

bool TaggedTextReader::full() {
  CodeWithInfos& code = m_message.code;
  if (code.text.size() < maximalCodeBytes && code.parts.size() < maximalCodeParts)
    return false;
  code.truncated = true;
  return true;
}

void TaggedTextReader::append(std::string_view text) {
  std::string& out = m_message.code.text;
  const std::string_view fits = cutTo(text, maximalCodeBytes - std::min(maximalCodeBytes, out.size()));
  out.append(fits);
  m_message.code.truncated = m_message.code.truncated || fits.size() < text.size();
}

void TaggedTextReader::openPart(const Json& tag) {
  Subexpression part;
  part.begin = part.end = m_message.code.text.size();
  part.info = rpcRefFromJson(memberOf(tag, "info"), m_format);
  part.position = stringAt(tag, "subexprPos");
  part.diff = diffFrom(stringAt(tag, "diffStatus"));
  m_steps.push_back({Step::Kind::ClosePart, nullptr, m_message.code.parts.size()});
  m_message.code.parts.push_back(std::move(part));
}

void TaggedTextReader::run() {
  while (!m_steps.empty()) {
    const Step step = std::move(m_steps.back());
    m_steps.pop_back();
    if (step.kind == Step::Kind::ClosePart)
      m_message.code.parts[step.part].end = m_message.code.text.size();
    else if (!full())
      visit(step);
  }
}

void TaggedTextReader::visit(const Step& step) {
  switch (step.kind) {
  case Step::Kind::Code:
  case Step::Kind::Message: return visitTagged(*step.json, step.kind == Step::Kind::Message, step.indent);
  case Step::Kind::Text: return append(step.text);
  case Step::Kind::Lazy:
    if (const std::optional<RpcRef> ref = rpcRefFromJson(*step.json, m_format))
      m_message.lazy.push_back({m_message.code.text.size(), *ref, step.indent});
    return;
  case Step::Kind::ClosePart: return;
  }
}

void TaggedTextReader::visitTagged(const Json& node, bool message, int indent) {
  const Step::Kind kind = message ? Step::Kind::Message : Step::Kind::Code;
  if (const Json& text = memberOf(node, "text"); text.is_string())
    return append(text.get_ref<const std::string&>());
  if (const Json& list = memberOf(node, "append"); list.is_array()) {
    for (size_t i = list.size(); i-- > 0;)
      m_steps.push_back({kind, &list[i], 0, indent});
    return;
  }
  if (const Json& tag = memberOf(node, "tag"); tag.is_array())
    visitTag(elementOf(tag, 0), elementOf(tag, 1), message, indent);
}

void TaggedTextReader::visitTag(const Json& tag, const Json& inner, bool message, int indent) {
  if (!message) {
    openPart(tag);
    m_steps.push_back({Step::Kind::Code, &inner, 0, indent});
    return;
  }
  // The content of an embed stands in the tag; the text beside it is empty.
  if (const Json& code = memberOf(tag, "expr"); !code.is_null())
    m_steps.push_back({Step::Kind::Code, &code, 0, indent});
  else if (const Json& goal = memberOf(tag, "goal"); goal.is_object())
    append(goalText(interactiveGoalFromJson(goal, m_format)));
  else if (const Json& widget = memberOf(tag, "widget"); widget.is_object())
    m_steps.push_back({Step::Kind::Message, &memberOf(widget, "alt"), 0, indent});
  else if (const Json& trace = memberOf(tag, "trace"); trace.is_object())
    visitTrace(trace);
  else
    m_steps.push_back({Step::Kind::Message, &inner, 0, indent});
}

void TaggedTextReader::visitTrace(const Json& trace) {
  const int indent = indentOf(trace);
  append(std::string(static_cast<size_t>(indent), ' ') + "[" + stringAt(trace, "cls") + "] ");
  const Json& children = memberOf(trace, "children");
  if (const Json& strict = memberOf(children, "strict"); strict.is_array()) {
    for (size_t i = strict.size(); i-- > 0;) {
      m_steps.push_back({Step::Kind::Message, &strict[i], 0, indent});
      m_steps.push_back({Step::Kind::Text, nullptr, 0, 0, "\n"});
    }
  } else if (const Json& lazy = memberOf(children, "lazy"); lazy.is_object()) {
    m_steps.push_back({Step::Kind::Lazy, &lazy, 0, indent});
  }
  m_steps.push_back({Step::Kind::Message, &memberOf(trace, "msg"), 0, indent});
}

CodeWithInfos codeFromJson(const Json& json, RpcFormat format) {
  TaggedTextReader reader(format);
  reader.readCode(json);
  return reader.take().code;
}

InteractiveMessage messageFromJson(const Json& json, RpcFormat format) {
  TaggedTextReader reader(format);
  if (json.is_string())
    return {{json.get<std::string>(), {}, false}, {}};
  reader.readMessage(json);
  return reader.take();
}

Json messageJson(const std::string& text) {
  return Json{{"text", text}};
}

Json toJson(const CodeWithInfos& code, RpcFormat format) {
  struct Open {
    const Subexpression* part; // null: the whole text
    size_t end;
    Json items = Json::array();
  };
  std::vector<Open> open{{nullptr, code.text.size()}};
  size_t at = 0;
  const auto textTo = [&](size_t end) {
    if (end > at)
      open.back().items.push_back(Json{{"text", code.text.substr(at, end - at)}});
    at = std::max(at, end);
  };
  const auto content = [](Json&& items) {
    if (items.empty())
      return Json{{"text", ""}};
    return items.size() == 1 ? Json(std::move(items[0])) : Json{{"append", std::move(items)}};
  };
  const auto close = [&] {
    textTo(open.back().end);
    const Open done = std::move(open.back());
    open.pop_back();
    Json tag{{"info", done.part->info ? toJson(*done.part->info, format) : Json(nullptr)},
             {"subexprPos", done.part->position}};
    if (const char* name = diffName(done.part->diff))
      tag["diffStatus"] = name;
    open.back().items.push_back(Json{{"tag", Json::array({std::move(tag), content(Json(done.items))})}});
  };
  for (const Subexpression& part : code.parts) {
    while (open.size() > 1 && open.back().end < part.end)
      close();
    textTo(part.begin);
    open.push_back({&part, std::min(part.end, open.back().end)});
  }
  while (open.size() > 1)
    close();
  textTo(code.text.size());
  return content(std::move(open.front().items));
}

} // namespace plumbline::lsp
