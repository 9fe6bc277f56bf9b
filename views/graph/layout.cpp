#include "views/graph/layout.h"

#include "views/graph/dot_layout.h"
#include "views/graph/layered_layout.h"

#include <QElapsedTimer>

namespace plumbline::views {

Layout layOutBy(const LayoutInput& input, LayoutMethod method) {
  QElapsedTimer clock;
  clock.start();
  Layout layout;
  if (method == LayoutMethod::Dot)
    layout = dotLayout(input);
  if (layout.centres.size() != input.sizes.size())
    layout = layeredLayout(input);
  layout.ms = static_cast<double>(clock.nsecsElapsed()) / 1e6;
  return layout;
}

Layout layOut(const LayoutInput& input) {
  const bool small = input.sizes.size() + input.edges.size() <= dotLimit;
  return layOutBy(input, small ? LayoutMethod::Dot : LayoutMethod::Layered);
}

} // namespace plumbline::views
