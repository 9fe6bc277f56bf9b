// Words after a backslash that stand for symbols of the method's language.
#pragma once

#include <string_view>

namespace plumbline::views {

/// The symbol, in UTF-8, of a word without its backslash; empty: the word stands for nothing.
std::string_view symbolFor(std::string_view word);

} // namespace plumbline::views
