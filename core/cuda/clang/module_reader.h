// From the AST of one source to an answer: which kernels there are, what each reaches, which wrappers launch
// them.
#pragma once

#include "core/cuda/clang/answer.h"
#include "core/cuda/clang/ast.h"
#include "core/cuda/clang/source_notes.h"

namespace plumbline::cuda {

void readModule(clang::ASTContext& ast, const SourceMap& sources, const SourceNotes& notes, Answer& answer);

} // namespace plumbline::cuda
