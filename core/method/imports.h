// Which modules of lean/ a document needs.
#pragma once

#include "core/ir/kernel.h"
#include "core/velvet/syntax.h"

#include <set>
#include <string>

namespace plumbline::method {

/// Modules that declare the names of Plumbline's that the document uses, "Plumbline.Integers".
std::set<std::string> usedModules(const velvet::Document& document);

/// Modules with lemmas about operations that both the kernel and the spec of the document use.
std::set<std::string> lemmaModules(const velvet::Document& document, const ir::Module& module, int function);

/// The document's import items, in order: Velvet first when `method`.
std::vector<velvet::Item> importItems(const std::set<std::string>& modules, bool method);

} // namespace plumbline::method
