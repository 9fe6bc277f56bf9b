// JSON-RPC 2.0 as the Language Server Protocol uses it: requests, answers, errors, notifications, cancelling.
#pragma once

#include "core/base/json.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace plumbline::lsp {

/// A request's name on the wire: a number or a string, never null. The two sides number their requests
/// independently, so a message is a request or an answer by its shape, never by its id.
using RequestId = std::variant<int64_t, std::string>;

Json toJson(const RequestId& id);
std::string toString(const RequestId& id);

/// The codes that a Lean server sends and understands. A Lean server stops when an answer carries any other
/// code.
enum class ErrorCode : int {
  ParseError = -32700,
  InvalidRequest = -32600,
  MethodNotFound = -32601,
  InvalidParams = -32602,
  InternalError = -32603,
  ServerNotInitialized = -32002,
  UnknownErrorCode = -32001,
  ContentModified = -32801,
  RequestCancelled = -32800,
  RpcNeedsReconnect = -32900,
  WorkerExited = -32901,
  WorkerCrashed = -32902,
};

struct ResponseError {
  int code = 0;
  std::string message;
  Json data = nullptr;

  bool is(ErrorCode other) const { return code == static_cast<int>(other); }
};

/// One message, whoever sent it.
struct Message {
  enum class Kind { Request, Notification, Result, Error };
  Kind kind = Kind::Notification;
  std::optional<RequestId>
      id;             ///< of a request or an answer; an error may have none when the request was unreadable
  std::string method; ///< of a request or a notification
  Json params = Json::object(); ///< of a request or a notification: an object or an array
  Json result;                  ///< of a result; may be null
  ResponseError error;          ///< of an error
};

/// Reads a body. Errors: "json-syntax"; "message-batch"; "message-shape" for JSON that is no message. Absent
/// and null parameters become an empty object.
Expected<Message> parseMessage(std::string_view body);

/// The id in a body that `parseMessage` refuses, when it still shows one, and whether the body seems to be an
/// answer. With it the request that waits for this answer can be told that it will not come.
struct IdHint {
  RequestId id;
  bool answer = false;
};
std::optional<IdHint> idOfUnreadable(std::string_view body);

/// Bodies, ready for `frame`. `params` must be an object or an array, or null for none (only `shutdown` and
/// `exit`).
std::string requestText(const RequestId& id, std::string_view method, const Json& params);
std::string notificationText(std::string_view method, const Json& params);
std::string resultText(const RequestId& id, const Json& result);
std::string errorText(const std::optional<RequestId>& id, ErrorCode code, std::string_view message,
                      const Json& data = nullptr);
/// `$/cancelRequest`.
std::string cancelText(const RequestId& id);
/// The id that the parameters of `$/cancelRequest` name.
std::optional<RequestId> cancelledId(const Json& params);

/// An id from its JSON, if it is one.
std::optional<RequestId> requestIdFromJson(const Json& json);

} // namespace plumbline::lsp
