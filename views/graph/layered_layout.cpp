#include "views/graph/layered_layout.h"

#include <algorithm>
#include <numeric>

namespace plumbline::views {

namespace {

constexpr double gapAcross = 22;
constexpr double gapDown = 40;
constexpr int rounds = 4;

class Layering {
public:
  explicit Layering(const LayoutInput& input) : m_input(input), m_count(input.sizes.size()) {
    m_before.resize(m_count);
    m_after.resize(m_count);
    for (const auto& [from, to] : input.edges)
      if (exists(from) && exists(to) && from != to) {
        m_after[static_cast<size_t>(from)].push_back(static_cast<size_t>(to));
        m_before[static_cast<size_t>(to)].push_back(static_cast<size_t>(from));
      }
  }

  Layout run() {
    findLayers();
    m_x.resize(m_count);
    for (std::vector<size_t>& layer : m_layers)
      place(layer);
    for (int round = 0; round < rounds; ++round) {
      for (std::vector<size_t>& layer : m_layers)
        reorder(layer, m_before);
      for (auto layer = m_layers.rbegin(); layer != m_layers.rend(); ++layer)
        reorder(*layer, m_after);
    }
    return finish();
  }

private:
  bool exists(int node) const { return node >= 0 && node < static_cast<int>(m_count); }

  /// Kahn's order; what a cycle holds back stays in the layer that was known for it.
  void findLayers() {
    std::vector<size_t> waiting(m_count);
    std::vector<size_t> level(m_count, 0);
    std::vector<size_t> ready;
    for (size_t k = 0; k < m_count; ++k) {
      waiting[k] = m_before[k].size();
      if (waiting[k] == 0)
        ready.push_back(k);
    }
    for (size_t at = 0; at < ready.size(); ++at)
      for (size_t next : m_after[ready[at]]) {
        level[next] = std::max(level[next], level[ready[at]] + 1);
        if (--waiting[next] == 0)
          ready.push_back(next);
      }
    lowerStarts(level);
    for (size_t k = 0; k < m_count; ++k) {
      if (level[k] >= m_layers.size())
        m_layers.resize(level[k] + 1);
      m_layers[level[k]].push_back(k);
    }
  }

  /// A start (an input, a parameter) stands just above its first use, not at the top.
  void lowerStarts(std::vector<size_t>& level) const {
    for (size_t k = 0; k < m_count; ++k) {
      if (!m_before[k].empty() || m_after[k].empty())
        continue;
      size_t lowest = level[m_after[k].front()];
      for (size_t next : m_after[k])
        lowest = std::min(lowest, level[next]);
      level[k] = lowest == 0 ? 0 : lowest - 1;
    }
  }

  /// Boxes side by side in their order, the layer centred.
  void place(const std::vector<size_t>& layer) {
    double width = -gapAcross;
    for (size_t node : layer)
      width += m_input.sizes[node].width() + gapAcross;
    double x = -width / 2;
    for (size_t node : layer) {
      m_x[node] = x + m_input.sizes[node].width() / 2;
      x += m_input.sizes[node].width() + gapAcross;
    }
  }

  void reorder(std::vector<size_t>& layer, const std::vector<std::vector<size_t>>& neighbours) {
    std::vector<std::pair<double, size_t>> wanted;
    for (size_t node : layer) {
      double sum = 0;
      for (size_t other : neighbours[node])
        sum += m_x[other];
      wanted.emplace_back(
          neighbours[node].empty() ? m_x[node] : sum / static_cast<double>(neighbours[node].size()), node);
    }
    std::stable_sort(wanted.begin(), wanted.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    std::transform(wanted.begin(), wanted.end(), layer.begin(), [](const auto& pair) { return pair.second; });
    place(layer);
    towards(wanted);
  }

  /// Moves the whole layer so that it stands under what it wants on average; boxes stay disjoint.
  void towards(const std::vector<std::pair<double, size_t>>& wanted) {
    double sum = 0;
    for (const auto& [x, node] : wanted)
      sum += x - m_x[node];
    for (const auto& [x, node] : wanted)
      m_x[node] += sum / static_cast<double>(wanted.size());
  }

  Layout finish() const {
    Layout layout;
    layout.method = LayoutMethod::Layered;
    layout.centres.resize(m_count);
    double y = 0;
    for (const std::vector<size_t>& layer : m_layers) {
      double height = 0;
      for (size_t node : layer)
        height = std::max(height, m_input.sizes[node].height());
      for (size_t node : layer)
        layout.centres[node] = {m_x[node], y + height / 2};
      y += height + gapDown;
    }
    for (size_t k = 0; k < m_count; ++k)
      layout.bounds |= boxOf(layout, k);
    for (const auto& [from, to] : m_input.edges)
      layout.edges.push_back(exists(from) && exists(to)
                                 ? line(layout, static_cast<size_t>(from), static_cast<size_t>(to))
                                 : QPainterPath());
    return layout;
  }

  QRectF boxOf(const Layout& layout, size_t node) const {
    QRectF box({0, 0}, m_input.sizes[node]);
    box.moveCenter(layout.centres[node]);
    return box;
  }

  QPainterPath line(const Layout& layout, size_t from, size_t to) const {
    const QRectF start = boxOf(layout, from);
    const QRectF end = boxOf(layout, to);
    const bool down = start.bottom() <= end.top();
    QPainterPath path(QPointF(start.center().x(), down ? start.bottom() : start.top()));
    path.lineTo(end.center().x(), down ? end.top() : end.bottom());
    return path;
  }

  const LayoutInput& m_input;
  size_t m_count;
  std::vector<std::vector<size_t>> m_before;
  std::vector<std::vector<size_t>> m_after;
  std::vector<std::vector<size_t>> m_layers;
  std::vector<double> m_x;
};

} // namespace

Layout layeredLayout(const LayoutInput& input) {
  return Layering(input).run();
}

} // namespace plumbline::views
