// Values for people.
#pragma once

#include "core/logic/eval.h"
#include "core/session/verdict.h"

namespace plumbline::workbench {

/// "0x7fc00000 (nan)", "0x3f800000 (1)": the bits and the shortest decimal that reads back.
std::string bitsText(uint32_t bits);
/// The same for "0x..." text; anything else as it is.
std::string bitsText(const std::string& hex);
/// "true", "12", or bits of a float.
std::string valueText(const logic::Value& value);
/// "[3]: 0x7fc00000 (nan), ..." - at most eight elements.
std::string tensorText(const session::WitnessTensor& tensor);

} // namespace plumbline::workbench
