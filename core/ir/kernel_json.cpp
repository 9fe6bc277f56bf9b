// The JSON form of kernel IR. Fields with their default value are left out; source ranges are
// [file, line, column, endLine, endColumn] with the file as an index into "files".
#include "core/ir/kernel.h"

#include <algorithm>

namespace plumbline::ir {
namespace {

using Files = std::vector<std::string>;

Json rangeToJson(const SourceRange& range, Files& files) {
  auto found = std::find(files.begin(), files.end(), range.file);
  const auto index = found - files.begin();
  if (found == files.end())
    files.push_back(range.file);
  return Json::array({index, range.line, range.column, range.endLine, range.endColumn});
}

template <class Id> Json idsToJson(const std::vector<Id>& ids) {
  Json json = Json::array();
  for (Id id : ids)
    json.push_back(static_cast<int32_t>(id));
  return json;
}

Json exprToJson(const Expr& expr, Files& files) {
  Json json{
      {"kind", name(expr.kind)}, {"type", toString(expr.type)}, {"where", rangeToJson(expr.where, files)}};
  if (!expr.args.empty())
    json["args"] = idsToJson(expr.args);
  if (expr.kind == ExprKind::Unary)
    json["op"] = name(expr.unary);
  if (expr.kind == ExprKind::Binary)
    json["op"] = name(expr.binary);
  if (expr.intValue != 0)
    json["value"] = expr.intValue;
  if (expr.bits != 0)
    json["bits"] = expr.bits;
  if (!expr.text.empty())
    json["text"] = expr.text;
  if (expr.local != -1)
    json["local"] = expr.local;
  if (expr.callee != -1)
    json["callee"] = expr.callee;
  if (expr.array != -1)
    json["array"] = expr.array;
  return json;
}

Json stmtToJson(const Stmt& stmt, Files& files) {
  Json json{{"kind", name(stmt.kind)}, {"where", rangeToJson(stmt.where, files)}};
  if (stmt.local != -1)
    json["local"] = stmt.local;
  if (stmt.pointer != ExprId::None)
    json["pointer"] = static_cast<int32_t>(stmt.pointer);
  if (stmt.value != ExprId::None)
    json["value"] = static_cast<int32_t>(stmt.value);
  if (stmt.condition != ExprId::None)
    json["condition"] = static_cast<int32_t>(stmt.condition);
  if (!stmt.thenBody.empty())
    json["then"] = idsToJson(stmt.thenBody);
  if (!stmt.elseBody.empty())
    json["else"] = idsToJson(stmt.elseBody);
  if (stmt.array != -1)
    json["array"] = stmt.array;
  if (stmt.lane != 0)
    json["lane"] = stmt.lane;
  if (stmt.level != 0)
    json["level"] = stmt.level;
  if (stmt.testAfter)
    json["test_after"] = true;
  if (stmt.sync != SyncOp::None)
    json["sync"] = name(stmt.sync);
  if (!stmt.args.empty())
    json["args"] = idsToJson(stmt.args);
  if (!stmt.text.empty())
    json["text"] = stmt.text;
  return json;
}

Json arrayToJson(const ArrayVariable& array, Files& files) {
  Json json{{"name", array.name},
            {"element", name(array.element)},
            {"space", name(array.space)},
            {"extents", array.extents},
            {"where", rangeToJson(array.where, files)}};
  if (!array.cells.empty())
    json["cells"] = array.cells;
  if (array.alignment != 0)
    json["alignment"] = array.alignment;
  return json;
}

Json functionToJson(const Function& function, Files& files) {
  Json locals = Json::array();
  for (const Local& local : function.locals)
    locals.push_back(
        {{"name", local.name}, {"type", toString(local.type)}, {"where", rangeToJson(local.where, files)}});
  Json exprs = Json::array();
  for (const Expr& expr : function.exprs)
    exprs.push_back(exprToJson(expr, files));
  Json stmts = Json::array();
  for (const Stmt& stmt : function.stmts)
    stmts.push_back(stmtToJson(stmt, files));
  Json json{{"name", function.name},
            {"return_type", toString(function.returnType)},
            {"where", rangeToJson(function.where, files)},
            {"parameters", function.parameterCount},
            {"locals", std::move(locals)},
            {"exprs", std::move(exprs)},
            {"stmts", std::move(stmts)},
            {"body", idsToJson(function.body)}};
  for (const ArrayVariable& array : function.arrays)
    json["arrays"].push_back(arrayToJson(array, files));
  return json;
}

Json kernelToJson(const Kernel& kernel) {
  Json rejections = Json::array();
  for (const Rejection& rejection : kernel.rejections)
    rejections.push_back(plumbline::toJson(rejection));
  return {{"name", kernel.name},
          {"function", kernel.function},
          {"max_threads_per_block", kernel.maxThreadsPerBlock},
          {"rejections", std::move(rejections)}};
}

/// A word of the file that is not one of ours. Caught in moduleFromJson, like nlohmann's own exceptions.
struct BadName {
  std::string text;
};

template <class T> T need(std::optional<T> value, const std::string& text) {
  if (!value)
    throw BadName{text};
  return *value;
}

SourceRange rangeFromJson(const Json& json, const Files& files) {
  const auto file = json.at(0).get<size_t>();
  if (file >= files.size())
    throw BadName{"file " + std::to_string(file)};
  return {files[file], json.at(1).get<int>(), json.at(2).get<int>(), json.at(3).get<int>(),
          json.at(4).get<int>()};
}

template <class Id> std::vector<Id> idsFromJson(const Json& json, const char* key) {
  std::vector<Id> ids;
  if (auto found = json.find(key); found != json.end())
    for (const Json& id : *found)
      ids.push_back(static_cast<Id>(id.get<int32_t>()));
  return ids;
}

Type typeFromJson(const Json& json) {
  const auto text = json.get<std::string>();
  return need(typeFromString(text), text);
}

Expr exprFromJson(const Json& json, const Files& files) {
  Expr expr;
  const auto kind = json.at("kind").get<std::string>();
  expr.kind = need(exprKindFromName(kind), kind);
  expr.type = typeFromJson(json.at("type"));
  expr.where = rangeFromJson(json.at("where"), files);
  expr.args = idsFromJson<ExprId>(json, "args");
  const auto op = json.value("op", std::string());
  if (expr.kind == ExprKind::Unary)
    expr.unary = need(unaryOpFromName(op), op);
  if (expr.kind == ExprKind::Binary)
    expr.binary = need(binaryOpFromName(op), op);
  expr.intValue = json.value("value", int64_t{0});
  expr.bits = json.value("bits", uint64_t{0});
  expr.text = json.value("text", std::string());
  expr.local = json.value("local", -1);
  expr.callee = json.value("callee", -1);
  expr.array = json.value("array", -1);
  return expr;
}

Stmt stmtFromJson(const Json& json, const Files& files) {
  Stmt stmt;
  const auto kind = json.at("kind").get<std::string>();
  stmt.kind = need(stmtKindFromName(kind), kind);
  stmt.where = rangeFromJson(json.at("where"), files);
  stmt.local = json.value("local", -1);
  stmt.pointer = static_cast<ExprId>(json.value("pointer", -1));
  stmt.value = static_cast<ExprId>(json.value("value", -1));
  stmt.condition = static_cast<ExprId>(json.value("condition", -1));
  stmt.thenBody = idsFromJson<StmtId>(json, "then");
  stmt.elseBody = idsFromJson<StmtId>(json, "else");
  stmt.array = json.value("array", -1);
  stmt.lane = json.value("lane", 0);
  stmt.level = json.value("level", 0);
  stmt.testAfter = json.value("test_after", false);
  const auto sync = json.value("sync", std::string("none"));
  stmt.sync = need(syncOpFromName(sync), sync);
  stmt.args = idsFromJson<ExprId>(json, "args");
  stmt.text = json.value("text", std::string());
  return stmt;
}

ArrayVariable arrayFromJson(const Json& json, const Files& files) {
  ArrayVariable array;
  array.name = json.at("name").get<std::string>();
  const auto element = json.at("element").get<std::string>();
  array.element = need(scalarTypeFromName(element), element);
  const auto space = json.at("space").get<std::string>();
  array.space = need(arraySpaceFromName(space), space);
  array.extents = json.at("extents").get<std::vector<int64_t>>();
  array.where = rangeFromJson(json.at("where"), files);
  array.cells = json.value("cells", std::vector<uint64_t>());
  array.alignment = json.value("alignment", int64_t{0});
  return array;
}

Function functionFromJson(const Json& json, const Files& files) {
  Function function;
  function.name = json.at("name").get<std::string>();
  function.returnType = typeFromJson(json.at("return_type"));
  function.where = rangeFromJson(json.at("where"), files);
  function.parameterCount = json.at("parameters").get<int>();
  for (const Json& local : json.at("locals"))
    function.locals.push_back({local.at("name").get<std::string>(), typeFromJson(local.at("type")),
                               rangeFromJson(local.at("where"), files)});
  if (auto found = json.find("arrays"); found != json.end())
    for (const Json& array : *found)
      function.arrays.push_back(arrayFromJson(array, files));
  for (const Json& expr : json.at("exprs"))
    function.exprs.push_back(exprFromJson(expr, files));
  for (const Json& stmt : json.at("stmts"))
    function.stmts.push_back(stmtFromJson(stmt, files));
  function.body = idsFromJson<StmtId>(json, "body");
  return function;
}

Kernel kernelFromJson(const Json& json) {
  Kernel kernel;
  kernel.name = json.at("name").get<std::string>();
  kernel.function = json.at("function").get<int>();
  kernel.maxThreadsPerBlock = json.value("max_threads_per_block", 0);
  if (auto found = json.find("rejections"); found != json.end())
    for (const Json& rejection : *found)
      kernel.rejections.push_back(rejectionFromJson(rejection));
  return kernel;
}

tl::unexpected<Error> bad(const std::string& what) {
  return fail(ErrorKind::File, "kernel-json", "not a kernel module: " + what, "import the CUDA source again");
}

} // namespace

Json toJson(const Module& module) {
  Files files;
  Json functions = Json::array();
  for (const Function& function : module.functions)
    functions.push_back(functionToJson(function, files));
  Json kernels = Json::array();
  for (const Kernel& kernel : module.kernels)
    kernels.push_back(kernelToJson(kernel));
  return {
      {"schema", 1}, {"files", files}, {"functions", std::move(functions)}, {"kernels", std::move(kernels)}};
}

Expected<Module> moduleFromJson(const Json& json) {
  Module module;
  try {
    if (json.at("schema").get<int>() != 1)
      return bad("unknown schema version");
    const auto files = json.at("files").get<Files>();
    for (const Json& function : json.at("functions"))
      module.functions.push_back(functionFromJson(function, files));
    for (const Json& kernel : json.at("kernels"))
      module.kernels.push_back(kernelFromJson(kernel));
  } catch (const Json::exception& error) {
    return bad(error.what());
  } catch (const BadName& error) {
    return bad("unknown word '" + error.text + "'");
  }
  if (std::vector<std::string> problems = verify(module); !problems.empty())
    return bad(problems.front());
  return module;
}

} // namespace plumbline::ir
