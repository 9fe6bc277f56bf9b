#include "core/engine/smt_model.h"

#include <gtest/gtest.h>

namespace plumbline::engine {
namespace {

using logic::Sort;

SmtQuery queryOf(std::vector<Sort> sorts, SmtReading reading) {
  SmtQuery query;
  query.reading = reading;
  for (const Sort sort : sorts)
    query.variables.push_back({logic::TermId{}, sort, "v" + std::to_string(query.variables.size())});
  return query;
}

/// The single value of one answer, or the error's id.
std::string read(const std::string& value, Sort sort, SmtReading reading = SmtReading::Ieee) {
  const auto model = parseModel("((v0 " + value + "))", queryOf({sort}, reading));
  if (!model)
    return model.error().id;
  EXPECT_EQ(model->size(), 1U);
  if (!model->front().rational.empty())
    return model->front().rational;
  char text[24];
  std::snprintf(text, sizeof text, "%llx", static_cast<unsigned long long>(model->front().payload));
  return text;
}

TEST(SmtModel, Floats) {
  EXPECT_EQ(read("(fp #b1 #b01111111 #b00000000000000000000001)", Sort::F32), "bf800001");
  EXPECT_EQ(read("(fp #b0 #x7f #b10000000000000000000000)", Sort::F32), "3fc00000");
  EXPECT_EQ(read("(fp #b0 #b11111111 #b00000000000000000000001)", Sort::F32), "7fc00000");
  EXPECT_EQ(read("(_ +oo 8 24)", Sort::F32), "7f800000");
  EXPECT_EQ(read("(_ -oo 8 24)", Sort::F32), "ff800000");
  EXPECT_EQ(read("(_ NaN 8 24)", Sort::F32), "7fc00000");
  EXPECT_EQ(read("(_ +zero 8 24)", Sort::F32), "0");
  EXPECT_EQ(read("(_ -zero 8 24)", Sort::F32), "80000000");
  EXPECT_EQ(read("(_ -zero 11 53)", Sort::F64), "8000000000000000");
  EXPECT_EQ(read("(fp #b0 #b01111111111 #x8000000000000)", Sort::F64), "3ff8000000000000");
}

TEST(SmtModel, IntegersAndTruth) {
  EXPECT_EQ(read("42", Sort::Int), "2a");
  EXPECT_EQ(read("(- 1)", Sort::Int), "ffffffffffffffff");
  EXPECT_EQ(read("(- 9223372036854775808)", Sort::Int), "8000000000000000");
  EXPECT_EQ(read("9223372036854775808", Sort::Int), "model-int-range");
  EXPECT_EQ(read("true", Sort::Bool), "1");
  EXPECT_EQ(read("false", Sort::Bool), "0");
}

TEST(SmtModel, Rationals) {
  const auto real = [](const std::string& value) { return read(value, Sort::F32, SmtReading::Real); };
  EXPECT_EQ(real("(/ 1 3)"), "1/3");
  EXPECT_EQ(real("(- (/ 2.0 6.0))"), "-1/3");
  EXPECT_EQ(real("(/ (- 1) 3)"), "-1/3");
  EXPECT_EQ(real("0.25"), "1/4");
  EXPECT_EQ(real("(- 7.0)"), "-7");
  EXPECT_EQ(real("(/ 1 0)"), "model-unreadable");
  EXPECT_EQ(real("(root-obj (+ (^ x 2) (- 2)) 2)"), "model-unreadable");
}

TEST(SmtModel, MalformedAnswersAreNamed) {
  for (const char* value : {"", "(fp #b1 #b1 #b1)", "(fp #b2 #b01111111 #b00000000000000000000001)",
                            "(_ NaN 11 53)", "(_ weird 8 24)", "1.0", "(fp)", "((((", "()", "|x", "true"})
    EXPECT_EQ(read(value, Sort::F32), "model-unreadable") << value;
  const SmtQuery two = queryOf({Sort::Bool, Sort::Bool}, SmtReading::Ieee);
  EXPECT_FALSE(parseModel("((v0 true))", two));
  EXPECT_FALSE(parseModel("(error \"no model\")", two));
  EXPECT_FALSE(parseModel(std::string(100000, '('), two));
  const auto model = parseModel("((|a b| true)\n (v1 false))", two);
  ASSERT_TRUE(model);
  EXPECT_EQ((*model)[0].payload, 1U);
  EXPECT_EQ((*model)[1].payload, 0U);
}

} // namespace
} // namespace plumbline::engine
