#include "core/base/error.h"

#include <gtest/gtest.h>

namespace plumbline {
namespace {

TEST(Errors, TextSaysWhereWhatAndWhatNext) {
  Error error{ErrorKind::Rejected, "outside-fragment", "the kernel uses something unknown",
              "write it otherwise"};
  error.where = SourceRange{"k.cu", 2, 7, 2, 9};
  error.rejections = {{"inline-asm", "asm", {"k.cu", 4, 1, 4, 4}}};
  EXPECT_EQ(toString(error), "k.cu:2:7: the kernel uses something unknown [outside-fragment]\n"
                             "  k.cu:4:1: asm [inline-asm]\n"
                             "  next: write it otherwise");
}

TEST(Errors, UnknownLineIsLeftOut) {
  EXPECT_EQ(toString(SourceRange{"k.cu", 0, 0, 0, 0}), "k.cu");
}

TEST(Errors, FailMakesTheOtherAlternative) {
  const Expected<int> result = fail(ErrorKind::Usage, "bad-option", "no such option");
  ASSERT_FALSE(result.has_value());
  EXPECT_EQ(result.error().kind, ErrorKind::Usage);
  EXPECT_EQ(toString(result.error()), "no such option [bad-option]");
}

TEST(Errors, AVerdictOfNothingIsInternal) {
  EXPECT_EQ(Error{}.kind, ErrorKind::Internal);
}

} // namespace
} // namespace plumbline
