// How tightly Lean's operators bind: one table for the printer and the parser.
#pragma once

#include "core/velvet/expr.h"

#include <array>

namespace plumbline::velvet {

/// Lean's levels. An argument of an application needs `maxLevel`.
constexpr int maxLevel = 1024;
constexpr int applicationLevel = 1023;
constexpr int notLevel = 40;    ///< of what ¬ and ! take
constexpr int negateLevel = 75; ///< of -, and of what it takes

struct Infix {
  const char* text;
  int level;
  int left;  ///< least level of the left operand that needs no parentheses
  int right; ///< of the right one
};

/// By BinaryOp.
inline constexpr std::array<Infix, 21> infixTable{{
    {"↔", 20, 21, 21},  {"→", 25, 26, 25},  {"∨", 30, 31, 30},  {"∧", 35, 36, 35},  {"||", 30, 30, 31},
    {"&&", 35, 35, 36}, {"=", 50, 51, 51},  {"≠", 50, 51, 51},  {"≤", 50, 51, 51},  {"<", 50, 51, 51},
    {"≥", 50, 51, 51},  {">", 50, 51, 51},  {"==", 50, 51, 51}, {"!=", 50, 51, 51}, {"+", 65, 65, 66},
    {"-", 65, 65, 66},  {"++", 65, 65, 66}, {"*", 70, 70, 71},  {"/", 70, 70, 71},  {"%", 70, 70, 71},
    {"^", 75, 76, 75},
}};

inline const Infix& infix(BinaryOp op) {
  return infixTable[static_cast<size_t>(op)];
}

} // namespace plumbline::velvet
