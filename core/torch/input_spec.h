// Inputs described on the command line: NAME=f32[4096,1024].
#pragma once

#include "core/torch/graph.h"

namespace plumbline::torch {

/// Shape and dtype of one input of a TorchScript module, which does not know them itself.
struct InputSpec {
  std::string name;
  DType dtype = DType::F32;
  std::vector<int64_t> shape;
};

/// Reads "x=f32[4096,1024]"; a scalar tensor is "x=f32[]". dtypes: f16, bf16, f32, f64, i8, i16, i32, i64,
/// u8, bool. Error: "input-spec".
Expected<InputSpec> parseInputSpec(const std::string& text);

} // namespace plumbline::torch
