// Values for the free variables of a compiled element or fold.
#pragma once

#include "core/logic/enclosed_value.h"
#include "core/spec/evaluate.h"

#include <type_traits>

namespace plumbline::spec {

/// A value for every free variable of a program: sizes, zero choices; the index, the step and the accumulator
/// are set by the caller. `T` is uint64_t (bits) or
/// logic::EnclosedValue.
template <class T, class Program> struct Environment {
  std::vector<T> values;
  int index = -1;
  int step = -1;
  int accumulator = -1;

  /// Error: "size-unbound".
  static Expected<Environment> make(const Program& program, const Sizes& sizes,
                                    const EvaluateOptions& options) {
    Environment result;
    for (const auto& input : program.inputs()) {
      const auto position = static_cast<int>(result.values.size());
      result.values.push_back(toValue(0));
      if (input.name == indexName)
        result.index = position;
      else if (input.name == stepName)
        result.step = position;
      else if (input.name == accumulatorName)
        result.accumulator = position;
      else if (input.sort == logic::Sort::Bool)
        result.values.back() = toValue(choice(input.name, options) ? 1 : 0);
      else if (const auto size = sizes.find(input.name); size != sizes.end())
        result.values.back() = toValue(size->second);
      else
        return fail(ErrorKind::Usage, "size-unbound", "the size '" + input.name + "' has no value",
                    "give inputs that determine it");
    }
    return result;
  }

  void setIndex(int64_t position) { set(index, position); }
  void setStep(int64_t position) { set(step, position); }
  void setAccumulator(const T& value) {
    if (accumulator >= 0)
      values[static_cast<size_t>(accumulator)] = value;
  }

  static T toValue(int64_t number) {
    if constexpr (std::is_same_v<T, logic::EnclosedValue>)
      return logic::EnclosedValue::whole(number);
    else
      return static_cast<T>(number);
  }

private:
  void set(int where, int64_t number) {
    if (where >= 0)
      values[static_cast<size_t>(where)] = toValue(number);
  }

  static bool choice(const std::string& name, const EvaluateOptions& options) {
    const auto known = options.choices.find(name);
    return known == options.choices.end() ? options.otherChoices : known->second;
  }
};

} // namespace plumbline::spec
