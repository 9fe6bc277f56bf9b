// The bundled pool of hints (resources/hints.json) in a document.
#pragma once

#include "core/method/hint_pool.h"
#include "lean-bridge/server/snapshot.h"

namespace plumbline::server {

/// Read once; empty when the file cannot be read: then no hint of the pool is offered.
const std::vector<method::Hint>& hintPool();

/// By Lean's name ("Plumbline.f32_mul_comm"); null: none.
const method::Hint* poolHint(std::string_view theorem);

/// Hints whose operators and functions of binary32 all occur in the document, in the pool's order.
std::vector<const method::Hint*> fittingHints(const Snapshot& snapshot);

/// Adds the import that a hint needs; nothing when the document has it.
std::optional<lsp::TextEdit> importEdit(const Snapshot& snapshot, const method::Hint& hint);

/// Who showed that it holds, on what it rests, in one sentence.
std::string whoShowed(const method::Hint& hint);

/// Whether an offset stands between the brackets of `grind [..]` or `velvet_vcgen [..]`.
bool isInHintList(std::string_view text, uint32_t offset);

} // namespace plumbline::server
