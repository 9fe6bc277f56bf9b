// Read before every source, in place of the CUDA toolkit's, the C++ library's and PyTorch's headers:
// declarations only. An annotation says what a declaration means to the importer:
//   means:ROW      the row of core/ir/intrinsics.def
//   expands:NAME   a fixed expression (core/cuda/clang/expression_calls.cpp)
//   rejects:ID     outside the accepted fragment, under that id of core/cuda/REJECTIONS.md
//   sync:NAME      threads meet: an operation of core/ir/kernel.h (cuda_threads.h)
//   vector:        a built-in vector type (cuda_vectors.h)
//   host:NAME      understood by the reader of launch contracts
#pragma once

#define PLUMBLINE_MEANS(row) __attribute__((annotate("means:" row)))
#define PLUMBLINE_EXPANDS(name) __attribute__((annotate("expands:" name)))
#define PLUMBLINE_REJECTS(id) __attribute__((annotate("rejects:" id)))
#define PLUMBLINE_HOST(name) __attribute__((annotate("host:" name)))

#include "cuda_types.h"

#include "cuda_math.h"

#include "cuda_threads.h"

#include "cuda_vectors.h"

#include "cuda_half.h"

#include "cuda_rejected.h"

#include "std.h"

#include "cublas.h"

#include "torch.h"
