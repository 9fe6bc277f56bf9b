// Small questions about lists.
#pragma once

#include <algorithm>

namespace plumbline::gate::vercors {

template <class List, class Item> bool contains(const List& list, const Item& item) {
  return std::ranges::find(list, item) != std::ranges::end(list);
}

} // namespace plumbline::gate::vercors
