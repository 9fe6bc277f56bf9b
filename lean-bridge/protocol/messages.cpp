#include "lean-bridge/protocol/messages.h"

#include <charconv>
#include <limits>

namespace plumbline::lsp {
namespace {

tl::unexpected<Error> noMessage(const std::string& what) {
  return fail(ErrorKind::Tool, "message-shape", "a message " + what,
              "the other side does not speak JSON-RPC 2.0");
}

std::string dump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json envelope() {
  return Json{{"jsonrpc", "2.0"}};
}

std::string textOf(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

Expected<Message> callFrom(Json& json, std::optional<RequestId> id) {
  Message message;
  message.kind = id ? Message::Kind::Request : Message::Kind::Notification;
  message.id = std::move(id);
  message.method = json["method"].get<std::string>();
  if (const auto params = json.find("params"); params != json.end() && !params->is_null()) {
    if (!params->is_structured())
      return noMessage("has parameters that are neither an object nor an array");
    message.params = std::move(*params);
  }
  return message;
}

Expected<Message> answerFrom(Json& json, std::optional<RequestId> id) {
  Message message;
  message.id = std::move(id);
  if (const auto error = json.find("error"); error != json.end() && !error->is_null()) {
    if (!error->is_object())
      return noMessage("has an error that is no object");
    message.kind = Message::Kind::Error;
    const auto code = error->find("code");
    message.error.code = code != error->end() && code->is_number_integer() ? code->get<int>() : 0;
    message.error.message = textOf(*error, "message");
    if (const auto data = error->find("data"); data != error->end())
      message.error.data = std::move(*data);
    return message;
  }
  if (!message.id)
    return noMessage("has neither a method nor an id");
  message.kind = Message::Kind::Result;
  if (const auto result = json.find("result"); result != json.end())
    message.result = std::move(*result);
  else
    return noMessage("has an id, but neither a method, a result nor an error");
  return message;
}

/// Goes over JSON text that need not be well formed and looks at the keys of the outermost object.
class OuterKeys {
public:
  explicit OuterKeys(std::string_view text) : m_text(text) {}

  std::optional<IdHint> find() {
    std::optional<RequestId> id;
    bool method = false;
    int depth = 0;
    while (m_at < m_text.size()) {
      const char c = m_text[m_at];
      if (c == '"') {
        const std::string_view word = quoted();
        if (depth != 1 || !follows(':'))
          continue;
        method = method || word == "method";
        if (word == "id")
          id = value();
        continue;
      }
      depth += c == '{' || c == '[' ? 1 : c == '}' || c == ']' ? -1 : 0;
      ++m_at;
    }
    if (!id)
      return std::nullopt;
    return IdHint{*id, !method};
  }

private:
  std::string_view quoted() {
    const size_t begin = ++m_at;
    while (m_at < m_text.size() && m_text[m_at] != '"')
      m_at += m_text[m_at] == '\\' ? 2 : 1;
    const size_t end = std::min(m_at, m_text.size());
    m_at = end + 1;
    return m_text.substr(begin, end - begin);
  }

  void spaces() {
    while (m_at < m_text.size() &&
           (m_text[m_at] == ' ' || m_text[m_at] == '\n' || m_text[m_at] == '\r' || m_text[m_at] == '\t'))
      ++m_at;
  }

  bool follows(char wanted) {
    spaces();
    if (m_at >= m_text.size() || m_text[m_at] != wanted)
      return false;
    ++m_at;
    spaces();
    return true;
  }

  std::optional<RequestId> value() {
    if (m_at < m_text.size() && m_text[m_at] == '"')
      return RequestId(std::string(quoted()));
    int64_t number = 0;
    const char* begin = m_text.data() + m_at;
    const auto [last, code] = std::from_chars(begin, m_text.data() + m_text.size(), number);
    if (code != std::errc())
      return std::nullopt;
    m_at += static_cast<size_t>(last - begin);
    return RequestId(number);
  }

  std::string_view m_text;
  size_t m_at = 0;
};

} // namespace

Json toJson(const RequestId& id) {
  return std::visit([](const auto& value) { return Json(value); }, id);
}

std::string toString(const RequestId& id) {
  return std::holds_alternative<int64_t>(id) ? std::to_string(std::get<int64_t>(id))
                                             : std::get<std::string>(id);
}

std::optional<RequestId> requestIdFromJson(const Json& json) {
  if (json.is_string())
    return RequestId(json.get<std::string>());
  if (json.is_number_unsigned() &&
      json.get<uint64_t>() > static_cast<uint64_t>(std::numeric_limits<int64_t>::max()))
    return std::nullopt;
  if (json.is_number_integer())
    return RequestId(json.get<int64_t>());
  return std::nullopt;
}

Expected<Message> parseMessage(std::string_view body) {
  Expected<Json> parsed = parseJson(body, "a message");
  if (!parsed)
    return fail(std::move(parsed.error()));
  if (parsed->is_array())
    return fail(ErrorKind::Tool, "message-batch", "a message is a batch", "send one message a frame");
  if (!parsed->is_object())
    return noMessage("is no object");
  std::optional<RequestId> id;
  if (const auto found = parsed->find("id"); found != parsed->end() && !found->is_null()) {
    id = requestIdFromJson(*found);
    if (!id)
      return noMessage("has an id that is neither a whole number nor a string");
  }
  if (const auto method = parsed->find("method"); method != parsed->end()) {
    if (!method->is_string())
      return noMessage("has a method that is no string");
    return callFrom(*parsed, std::move(id));
  }
  return answerFrom(*parsed, std::move(id));
}

std::optional<IdHint> idOfUnreadable(std::string_view body) {
  return OuterKeys(body).find();
}

std::string requestText(const RequestId& id, std::string_view method, const Json& params) {
  Json json = envelope();
  json["id"] = toJson(id);
  json["method"] = method;
  if (!params.is_null())
    json["params"] = params;
  return dump(json);
}

std::string notificationText(std::string_view method, const Json& params) {
  Json json = envelope();
  json["method"] = method;
  if (!params.is_null())
    json["params"] = params;
  return dump(json);
}

std::string resultText(const RequestId& id, const Json& result) {
  Json json = envelope();
  json["id"] = toJson(id);
  json["result"] = result;
  return dump(json);
}

std::string errorText(const std::optional<RequestId>& id, ErrorCode code, std::string_view message,
                      const Json& data) {
  Json json = envelope();
  json["id"] = id ? toJson(*id) : Json(nullptr);
  json["error"] = Json{{"code", static_cast<int>(code)}, {"message", message}};
  if (!data.is_null())
    json["error"]["data"] = data;
  return dump(json);
}

std::string cancelText(const RequestId& id) {
  return notificationText("$/cancelRequest", Json{{"id", toJson(id)}});
}

std::optional<RequestId> cancelledId(const Json& params) {
  const auto found = params.is_object() ? params.find("id") : params.end();
  return found != params.end() ? requestIdFromJson(*found) : std::nullopt;
}

} // namespace plumbline::lsp
