// PTX as nvcc prints it: entries, their parameters, and their instructions with source positions. Reads the
// form, not the meaning: any opcode is an opcode.
#pragma once

#include "core/base/error.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace plumbline::cuda {

/// A `.loc` line: where the following instructions come from.
struct PtxLocation {
  int file = 0; ///< index of a `.file` line; 0: nothing is known
  int line = 0;
  int column = 0;
  bool operator==(const PtxLocation&) const = default;
};

struct PtxInstruction {
  std::string guard;  ///< "%p1", "!%p1", or empty
  std::string opcode; ///< "fma.rn.f32"
  std::vector<std::string>
      operands; ///< "%f1", "[%rd4+8]", "0f3F800000", "{%f1,%f2}" (a vector has no spaces)
  PtxLocation where;
  PtxLocation inlinedAt; ///< of the call that the code was inlined for; file 0: it was not inlined
  int ptxLine = 0;       ///< in the PTX text
};

struct PtxParameter {
  std::string name;
  std::string type;  ///< "u64", "f32"; "b8" for structures
  int64_t count = 1; ///< elements, of an array
};

/// A kernel (`.entry`) or a device function that was not inlined (`.func`).
struct PtxFunction {
  std::string symbol; ///< mangled
  bool isEntry = false;
  std::vector<PtxParameter> parameters;
  std::vector<PtxInstruction> body;
  std::map<std::string, size_t> labels; ///< index of the instruction that follows; body.size() at the end
};

struct PtxModule {
  std::string version; ///< "9.0"
  std::string target;  ///< "sm_80"
  std::map<int, std::string> files;
  std::vector<PtxFunction> functions; ///< those with a body, in the order of the text
};

/// Errors (File, with a line): "ptx-syntax"; "ptx-size" for more than 64 MiB, 4 million instructions or 200
/// levels of braces.
Expected<PtxModule> readPtx(std::string_view text);

/// The C++ name of a kernel's symbol, without result and parameters: "ns::scale<float, 4>"; the symbol itself
/// when it is none of C++.
std::string kernelName(const std::string& symbol);

} // namespace plumbline::cuda
