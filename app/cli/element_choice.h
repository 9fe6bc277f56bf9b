// Which elements of a module's outputs are asked for: --at [OUTPUT:]INDEX,...
#pragma once

#include "core/base/error.h"

#include <string>
#include <vector>

namespace plumbline::cli {

/// Every element, or those named. A place has one number for each dimension, or is one row-major number.
class ElementChoice {
public:
  /// The values of the option; none means every element. Error: "usage".
  static Expected<ElementChoice> parse(const std::vector<std::string>& texts);

  bool isEverything() const { return m_places.empty(); }
  /// Error "usage" when a place names none of the outputs.
  Expected<void> checkOutputs(const std::vector<std::string>& outputs) const;
  /// Row-major indices into an output, in the order of the options. Error "usage" for a place outside of it.
  Expected<std::vector<int64_t>> indices(const std::string& output, const std::vector<int64_t>& shape) const;

private:
  struct Place {
    std::string text;
    std::string output; ///< empty: all
    std::vector<int64_t> numbers;
  };
  static Expected<int64_t> indexOf(const Place& place, const std::vector<int64_t>& shape);

  std::vector<Place> m_places;
};

} // namespace plumbline::cli
