// Integer expressions over named sizes: launch contracts, `--assume`, host checks.
// Grammar: + - * / % unary -, max(a,b), min(a,b), ceil(a / b), comparisons (< <= > >= == !=), &&,
// parentheses. Unbounded integers; '/' and '%' truncate. Names may contain dots: "x.numel", "x.size.0".
#pragma once

#include "core/base/error.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace plumbline::ir {

struct SizeExpr {
  enum class Kind : uint8_t {
    Constant,
    Symbol,
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Max,
    Min,
    CeilDiv,
    Lt,
    Le,
    Gt,
    Ge,
    Eq,
    Ne,
    And
  };
  Kind kind = Kind::Constant;
  int64_t value = 0;
  std::string symbol;
  std::vector<std::shared_ptr<const SizeExpr>> args;
};
using SizeExprPtr = std::shared_ptr<const SizeExpr>;

SizeExprPtr sizeConstant(int64_t value);
SizeExprPtr sizeSymbol(std::string name);
SizeExprPtr sizeBinary(SizeExpr::Kind kind, SizeExprPtr a, SizeExprPtr b);

/// True for comparisons and `&&`. The parser keeps numbers and conditions apart.
bool isCondition(const SizeExpr& expr);

/// At most 4096 characters. max and min with more than two arguments become nested pairs; ceil takes a
/// division. Error: "size-expression", with the column.
Expected<SizeExprPtr> parseSizeExpr(const std::string& text);
/// Text that parses to the same tree again.
std::string print(const SizeExpr& expr);
/// The names it mentions, sorted, once each.
std::vector<std::string> symbolsOf(const SizeExpr& expr);
/// Value under the given sizes; comparisons give 0 or 1, `&&` does not look at its right side when the left
/// is false. Intermediate values may leave int64, the result may not. Errors: "size-unbound", "size-overflow"
/// (the result leaves int64, or a step 128 bits), "size-division".
Expected<int64_t> evaluate(const SizeExpr& expr,
                           const std::function<std::optional<int64_t>(const std::string&)>& value);

} // namespace plumbline::ir
