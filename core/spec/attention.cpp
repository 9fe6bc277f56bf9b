// Scaled dot-product attention: scores, their softmax over the keys, and the weighted sum of the values.
#include "core/spec/tensor_operators.h"

#include <bit>
#include <cmath>

namespace plumbline::spec {
namespace {

using ir::SizeExprPtr;
using logic::Op;
using logic::Sort;
using logic::TermId;

constexpr uint32_t quietNan = 0x7FC00000;

/// Stages: scores = query @ key^T; the largest of each row; the sum of the exponentials of each row; the
/// result. What is added to a score and the weights are terms over these.
class Attention {
public:
  explicit Attention(TensorContext& context)
      : c(context), m_query(c.tensor("query")), m_key(c.tensor("key")), m_value(c.tensor("value")),
        m_mask(c.optionalTensor("attn_mask")) {}

  void run() {
    readArguments();
    if (c.error())
      return;
    findShapes();
    if (c.error())
      return;
    foldScores();
    foldRows();
    foldValues();
  }

private:
  void readArguments() {
    m_isCausal = c.flag("is_causal");
    if (const auto dropout = c.number("dropout_p"); !dropout || dropout->value != 0)
      c.unsupported("dropout is random");
    m_isGrouped = c.flag("enable_gqa");
    if (m_isCausal && m_mask)
      c.unsupported("a mask and is_causal at once");
    for (const std::string& tensor : {m_query, m_key, m_value})
      if (c.shapeOf(tensor).size() < (m_isGrouped ? 3 : 2))
        c.unsupported("a tensor with too few dimensions");
  }

  static Shape leading(const Shape& shape) { return {shape.begin(), shape.end() - 2}; }

  /// Leading dimensions of keys or values as the queries see them: each head stands for as many neighbouring
  /// ones as there are heads of queries for it.
  Shape repeated(const std::string& tensor) {
    Shape result = leading(c.shapeOf(tensor));
    if (m_isGrouped)
      result.back() = leading(c.shapeOf(m_query)).back();
    return result;
  }

  /// How many heads of queries share a head of `tensor`.
  TermId groupSize(const std::string& tensor) {
    const TermId queries = c.term(leading(c.shapeOf(m_query)).back());
    const TermId heads = c.term(leading(c.shapeOf(tensor)).back());
    const auto known = c.terms().intValue(queries);
    const auto knownHeads = c.terms().intValue(heads);
    if (!known || !knownHeads || *knownHeads < 1 || *known % *knownHeads != 0)
      c.unsupported("grouped queries whose number of heads is no known multiple");
    return c.terms().idiv(queries, heads);
  }

  void findShapes() {
    const Shape& query = c.shapeOf(m_query);
    const Shape& key = c.shapeOf(m_key);
    const Shape& value = c.shapeOf(m_value);
    c.requireSame(query.back(), key.back(), "queries and keys have different lengths");
    c.requireSame(key[key.size() - 2], value[value.size() - 2], "there are not as many values as keys");
    const Shape scored = c.broadcastShape(leading(query), repeated(m_key));
    m_features = query.back();
    m_keys = key[key.size() - 2];
    m_rows = c.broadcastShape(scored, repeated(m_value));
    m_result = m_rows;
    m_rows.push_back(query[query.size() - 2]);
    m_result.push_back(query[query.size() - 2]);
    m_result.push_back(value.back());
    m_scores = m_rows;
    m_scores.push_back(m_keys);
    if (m_mask && c.tensorDtype("attn_mask") == torch::DType::I64)
      c.unsupported("a mask of integers");
    if (m_mask && c.shapeOf(*m_mask).size() < 2)
      c.unsupported("a mask with fewer than two dimensions");
    else if (m_mask && !c.error() && !sameShape(c.broadcastShape(m_scores, c.shapeOf(*m_mask)), m_scores))
      c.unsupported("a mask that is larger than the scores");
  }

  /// The element of an operand whose last two coordinates are given, for a row of the scores.
  TermId operand(const std::string& tensor, const Index& row, TermId first, TermId second) {
    const bool isGrouped = m_isGrouped && tensor != m_query;
    const Shape own = leading(c.shapeOf(tensor));
    Index index = c.stretched(isGrouped ? repeated(tensor) : own, Index(row.begin(), row.end() - 1));
    if (isGrouped)
      index.back() = c.terms().idiv(index.back(), groupSize(tensor));
    index.push_back(first);
    index.push_back(second);
    return c.f32At(tensor, index);
  }

  void foldScores() {
    const Index to = c.coordinates(m_scores);
    const Index row(to.begin(), to.end() - 1);
    const TermId term =
        c.mul(operand(m_query, row, row.back(), c.step()), operand(m_key, row, to.back(), c.step()));
    m_scoreStage = c.fold("scores", {m_scores, FoldKind::Sum, c.term(m_features), term});
    m_scale = scale();
  }

  /// By default the Python float 1 / sqrt(features): a constant where the number of features is known.
  TermId scale() {
    if (!c.isNone("scale")) {
      const auto given = c.number("scale");
      return given ? c.constant(*given) : c.constant(1);
    }
    auto& terms = c.terms();
    if (const auto features = terms.intValue(c.term(m_features)); features && *features > 0)
      return c.constant(1 / std::sqrt(static_cast<double>(*features)));
    const TermId root = terms.unary(Op::FSqrt, terms.intToFloat(Sort::F64, c.term(m_features)));
    return terms.convert(Sort::F32,
                         terms.binary(Op::FDiv, terms.f64Bits(std::bit_cast<uint64_t>(1.0)), root));
  }

  /// A key of a row of queries.
  struct Score {
    TermId value{}; ///< what is added included
    TermId isKept{};
  };

  /// ATen adds -inf where a truth mask or the causal one is false. Such a key weighs exactly 0 unless its
  /// score is NaN or +inf, so that it can be left out of the folds, and the real reading never meets -inf.
  Score score(const Index& row, TermId key) {
    Index index = row;
    index.push_back(key);
    const TermId plain = c.mul(c.at(m_scoreStage, index), m_scale);
    TermId isSeen = c.terms().boolean(true);
    if (m_isCausal) {
      isSeen = c.terms().ile(key, row.back());
    } else if (m_mask) {
      const TermId mask = c.at(*m_mask, c.stretched(c.shapeOf(*m_mask), index));
      if (c.terms()[mask].sort == Sort::F32)
        return {c.add(plain, mask), isSeen};
      isSeen = mask;
    }
    const TermId isBelowInfinity = c.less(plain, c.constant(HUGE_VAL));
    return {c.ite(isSeen, plain, c.terms().f32Bits(quietNan)),
            c.terms().lor(isSeen, c.terms().lnot(isBelowInfinity))};
  }

  TermId exponential(const Index& row, TermId value) {
    return c.opaque("aten.exp", {c.sub(value, c.at(m_largestStage, row))});
  }

  void foldRows() {
    const Index row = c.coordinates(m_rows);
    const Score each = score(row, c.step());
    m_largestStage = c.fold("max", {m_rows, FoldKind::Maximum, c.term(m_keys), each.value, each.isKept});
    m_sumStage =
        c.fold("sum", {m_rows, FoldKind::Sum, c.term(m_keys), exponential(row, each.value), each.isKept});
  }

  /// A row whose scores are all -inf has weights 0, not NaN.
  void foldValues() {
    const Index to = c.coordinates(m_result);
    const Index row(to.begin(), to.end() - 1);
    const Score each = score(row, c.step());
    const TermId share = c.ite(each.isKept, exponential(row, each.value), c.constant(0));
    const TermId isEmpty = c.equal(c.at(m_largestStage, row), c.constant(-HUGE_VAL));
    const TermId weight = c.ite(isEmpty, c.constant(0), c.div(share, c.at(m_sumStage, row)));
    const TermId term = c.mul(weight, operand(m_value, row, c.step(), to.back()));
    c.resultFold(0, {m_result, FoldKind::Sum, c.term(m_keys), term});
  }

  TensorContext& c;
  std::string m_query;
  std::string m_key;
  std::string m_value;
  std::optional<std::string> m_mask;
  bool m_isCausal = false;
  bool m_isGrouped = false;
  SizeExprPtr m_features;
  SizeExprPtr m_keys;
  Shape m_rows; ///< of the queries: batch and position
  Shape m_scores;
  Shape m_result;
  TermId m_scale{};
  std::string m_scoreStage;
  std::string m_largestStage;
  std::string m_sumStage;
};

void scaledDotProductAttention(TensorContext& c) {
  Attention(c).run();
}

constexpr TensorOperator table[] = {{"aten.scaled_dot_product_attention.default", scaledDotProductAttention}};

} // namespace

std::span<const TensorOperator> attentionOperators() {
  return table;
}

} // namespace plumbline::spec
