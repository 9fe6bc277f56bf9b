// What a fuzz target asserts: a violation ends the process, which libFuzzer and run_seeds report.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace plumbline::fuzz {

/// The input as text; valid as long as the input.
inline std::string_view text(const uint8_t* data, size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

/// Aborts, saying which property failed, unless it holds.
inline void check(bool holds, const char* property) {
  if (holds)
    return;
  std::fprintf(stderr, "property violated: %s\n", property);
  std::abort();
}

} // namespace plumbline::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);
