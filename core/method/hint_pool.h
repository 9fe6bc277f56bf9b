// The lemmas of lean/ that a document may use as hints: resources/hints.json.
#pragma once

#include "core/base/json.h"

#include <filesystem>

namespace plumbline::method {

struct Hint {
  std::string name;      ///< "f32_mul_comm"
  std::string theorem;   ///< Lean's name: "Plumbline.f32_mul_comm"
  std::string module;    ///< that declares it: "Plumbline.Lemmas.MulComm"
  std::string statement; ///< "(a b : Float32) : a * b = b * a"
  std::string
      attributes;      ///< what the module gives it: "grind ="; empty: none, so name it in the solve command
  std::string engines; ///< who showed that it holds: "z3 cvc5", "sweep"
  std::vector<std::string> axioms; ///< besides Lean's own: "native evaluation"
  std::string checked;             ///< "not checked by Lean", or when it was
  Json formula;                    ///< the statement as a term (resources/schema/term.schema.json)
};

/// Where the pool is: below share/ of the installation, else in the source tree this was built from.
std::filesystem::path hintPoolFile();

/// Errors: "file-not-found", "json-syntax", "hint-pool" for another form.
Expected<std::vector<Hint>> readHintPool(const std::filesystem::path& file = hintPoolFile());

} // namespace plumbline::method
