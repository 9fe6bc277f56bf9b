#include "lean-bridge/protocol/messages.h"

#include <gtest/gtest.h>

namespace plumbline::lsp {
namespace {

Message parsed(std::string_view body) {
  Expected<Message> message = parseMessage(body);
  EXPECT_TRUE(message.has_value()) << body;
  return message ? *message : Message{};
}

std::string errorOf(std::string_view body) {
  const Expected<Message> message = parseMessage(body);
  return message ? "" : message.error().id;
}

TEST(Messages, KindsByShapeNotById) {
  EXPECT_EQ(parsed(R"({"jsonrpc":"2.0","id":1,"method":"m"})").kind, Message::Kind::Request);
  EXPECT_EQ(parsed(R"({"jsonrpc":"2.0","id":1,"result":null})").kind, Message::Kind::Result);
  EXPECT_EQ(parsed(R"({"jsonrpc":"2.0","id":null,"method":"m"})").kind, Message::Kind::Notification);
  EXPECT_EQ(parsed(R"({"jsonrpc":"2.0","method":"m","params":[1]})").params, Json::array({1}));
  EXPECT_EQ(parsed(R"({"jsonrpc":"2.0","method":"m","params":null})").params, Json::object());
  const Message error = parsed(R"({"jsonrpc":"2.0","id":"a","error":{"code":-32900,"message":"x"}})");
  EXPECT_EQ(error.kind, Message::Kind::Error);
  EXPECT_EQ(error.id, RequestId(std::string("a")));
  EXPECT_TRUE(error.error.is(ErrorCode::RpcNeedsReconnect));
  EXPECT_FALSE(parsed(R"({"id":null,"error":{"code":-32700,"message":"x"}})").id);
}

TEST(Messages, WhatIsNoMessageIsNamed) {
  EXPECT_EQ(errorOf("{\"id\":1"), "json-syntax");
  EXPECT_EQ(errorOf("{\"method\":\"\xff\"}"), "json-syntax");
  EXPECT_EQ(errorOf(""), "json-syntax");
  EXPECT_EQ(errorOf(R"([{"method":"m"}])"), "message-batch");
  for (const char* body : {"1", "{}", R"({"id":1})", R"({"id":1.5,"method":"m"})", R"({"method":3})",
                           R"({"method":"m","params":3})", R"({"id":{},"result":1})", R"({"result":1})",
                           R"({"id":1,"error":"x"})", R"({"id":18446744073709551615,"result":1})"})
    EXPECT_EQ(errorOf(body), "message-shape") << body;
}

TEST(Messages, WrittenWithParameters) {
  EXPECT_EQ(requestText(int64_t(7), "a/b", Json::object()),
            R"({"jsonrpc":"2.0","id":7,"method":"a/b","params":{}})");
  EXPECT_EQ(notificationText("exit", nullptr), R"({"jsonrpc":"2.0","method":"exit"})");
  EXPECT_EQ(resultText(std::string("x"), nullptr), R"({"jsonrpc":"2.0","id":"x","result":null})");
  EXPECT_EQ(errorText(int64_t(1), ErrorCode::MethodNotFound, "no"),
            R"({"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no"}})");
  const Message cancel = parsed(cancelText(std::string("q")));
  EXPECT_EQ(cancel.method, "$/cancelRequest");
  EXPECT_EQ(cancelledId(cancel.params), RequestId(std::string("q")));
  EXPECT_FALSE(cancelledId(Json::array()));
}

TEST(Messages, TheIdOfAnUnreadableAnswerIsFound) {
  const std::optional<IdHint> hint = idOfUnreadable(R"({"jsonrpc":"2.0","id":12,"result":{"id":3,"x":)");
  ASSERT_TRUE(hint);
  EXPECT_EQ(hint->id, RequestId(int64_t(12)));
  EXPECT_TRUE(hint->answer);
  EXPECT_EQ(idOfUnreadable(R"({"result":[{"id":3},"\"id\":4"], "id" : "s")")->id,
            RequestId(std::string("s")));
  EXPECT_FALSE(idOfUnreadable(R"({"id":1,"method":"m","params":)")->answer);
  EXPECT_FALSE(idOfUnreadable(R"({"result":{"id":1}})"));
  EXPECT_FALSE(idOfUnreadable("\"id\":1"));
  EXPECT_FALSE(idOfUnreadable("{\"id"));
}

TEST(Messages, DeepAnswersAreRefusedAndKeepTheirId) {
  std::string deep = R"({"jsonrpc":"2.0","id":5,"result":)";
  for (int i = 0; i < 100000; ++i)
    deep += R"({"append":[)";
  EXPECT_EQ(errorOf(deep), "json-syntax");
  EXPECT_EQ(idOfUnreadable(deep)->id, RequestId(int64_t(5)));
}

} // namespace
} // namespace plumbline::lsp
