// Whether the symbols of a document mean what they mean without it.
#pragma once

#include "core/velvet/syntax.h"

#include <string>

namespace plumbline::goals {

/// Why goals of the document may speak of something else than they seem to: it declares an instance, a
/// notation or a macro, gives a name of Lean or of Plumbline's library a meaning of its own, or has two
/// definitions that a namespace may confuse. Empty: nothing of the kind. Only Lean can judge such a document.
std::string unclearMeaning(const velvet::Document& document);

} // namespace plumbline::goals
