// plumbline-sweep: answers sweep requests (protocol.h) until its standard input ends. To cancel, kill it.
#include "app/sweep/protocol.h"

#include <iostream>

namespace {

using plumbline::Error;
using plumbline::Expected;
using plumbline::Json;

void print(const Json& json) {
  std::cout << json.dump() << std::endl;
}

void printError(const Json& id, const Error& error) {
  print({{"id", id}, {"error", {{"id", error.id}, {"message", error.message}, {"next", error.next}}}});
}

Expected<Json> handle(plumbline::sweep::Jit& jit, const Json& json, const Json& id) {
  auto request = plumbline::sweep::readRequest(json);
  if (!request)
    return plumbline::fail(request.error());
  return plumbline::sweep::answer(jit, *request,
                                  [&](uint64_t checkedTo) { print({{"id", id}, {"progress", checkedTo}}); });
}

void handleLine(plumbline::sweep::Jit& jit, const std::string& line) {
  const Expected<Json> json = plumbline::parseJson(line, "the request");
  if (!json)
    return printError(nullptr, json.error());
  const Json id = json->is_object() && json->contains("id") ? (*json)["id"] : Json();
  Expected<Json> result = handle(jit, *json, id);
  if (!result)
    return printError(id, result.error());
  Json reply{{"id", id}};
  reply.update(*result);
  print(reply);
}

} // namespace

int main() {
  auto jit = plumbline::sweep::Jit::create();
  if (!jit) {
    std::cerr << toString(jit.error()) << '\n';
    return 4;
  }
  for (std::string line; std::getline(std::cin, line);)
    handleLine(**jit, line);
  return 0;
}
