#include "views/graph/dot_layout.h"

#include <graphviz/cgraph.h>
#include <graphviz/gvc.h>
#include <graphviz/gvplugin.h>

#include <array>
#include <memory>
#include <mutex>
#include <string>

// The plug-in for dot is linked, so that no plug-in folder of the system is read.
extern "C" {
extern gvplugin_library_t gvplugin_dot_layout_LTX_library;
}

namespace plumbline::views {

namespace {

constexpr double pointsPerInch = 72;

GVC_t* dotContext() {
  static std::array<lt_symlist_t, 2> plugins{
      {{"gvplugin_dot_layout_LTX_library", &gvplugin_dot_layout_LTX_library}, {nullptr, nullptr}}};
  static GVC_t* const context = gvContextPlugins(plugins.data(), 0);
  return context;
}

/// Graphviz asks for strings that are not const, and does not write to them.
char* borrowed(const char* text) {
  return const_cast<char*>(text);
}

void setDefault(Agraph_t* graph, int kind, const char* name, const char* value) {
  agattr(graph, kind, borrowed(name), borrowed(value));
}

void setAttribute(void* object, const char* name, const std::string& value) {
  agsafeset(object, borrowed(name), borrowed(value.c_str()), borrowed(""));
}

class DotRun {
public:
  explicit DotRun(const LayoutInput& input) : m_input(input) {}

  Layout run() {
    const std::unique_ptr<Agraph_t, int (*)(Agraph_t*)> graph(agopen(borrowed("g"), Agdirected, nullptr),
                                                              &agclose);
    m_graph = graph.get();
    build();
    Layout layout;
    if (gvLayout(dotContext(), m_graph, "dot") == 0) {
      read(layout);
      gvFreeLayout(dotContext(), m_graph);
    }
    layout.method = LayoutMethod::Dot;
    return layout;
  }

private:
  void build() {
    setDefault(m_graph, AGRAPH, "rankdir", "TB");
    setDefault(m_graph, AGRAPH, "nodesep", "0.3");
    setDefault(m_graph, AGRAPH, "ranksep", "0.45");
    setDefault(m_graph, AGRAPH, "splines", "true");
    setDefault(m_graph, AGNODE, "shape", "box");
    setDefault(m_graph, AGNODE, "fixedsize", "true");
    setDefault(m_graph, AGNODE, "label", "");
    setDefault(m_graph, AGEDGE, "arrowhead", "none");
    for (size_t k = 0; k < m_input.sizes.size(); ++k)
      m_nodes.push_back(addNode(k));
    for (const auto& [from, to] : m_input.edges)
      m_edges.push_back(exists(from) && exists(to) ? addEdge(from, to) : nullptr);
  }

  bool exists(int node) const { return node >= 0 && node < static_cast<int>(m_nodes.size()); }

  Agnode_t* addNode(size_t k) {
    Agnode_t* node = agnode(m_graph, std::to_string(k).data(), 1);
    setAttribute(node, "width", std::to_string(m_input.sizes[k].width() / pointsPerInch));
    setAttribute(node, "height", std::to_string(m_input.sizes[k].height() / pointsPerInch));
    return node;
  }

  Agedge_t* addEdge(int from, int to) {
    return agedge(m_graph, m_nodes[static_cast<size_t>(from)], m_nodes[static_cast<size_t>(to)], nullptr, 1);
  }

  /// Graphviz's y grows upwards.
  static QPointF flipped(pointf point) { return {point.x, -point.y}; }

  void read(Layout& layout) const {
    for (size_t k = 0; k < m_nodes.size(); ++k) {
      layout.centres.push_back(flipped(ND_coord(m_nodes[k])));
      QRectF box({0, 0}, m_input.sizes[k]);
      box.moveCenter(layout.centres.back());
      layout.bounds |= box;
    }
    for (Agedge_t* edge : m_edges) {
      layout.edges.push_back(edge == nullptr ? QPainterPath() : pathOf(edge));
      layout.bounds |= layout.edges.back().boundingRect();
    }
  }

  static QPainterPath pathOf(Agedge_t* edge) {
    QPainterPath path;
    const splines* curves = ED_spl(edge);
    for (size_t k = 0; curves != nullptr && k < static_cast<size_t>(curves->size); ++k) {
      const bezier& curve = curves->list[k];
      path.moveTo(flipped(curve.list[0]));
      for (size_t p = 1; p + 2 < static_cast<size_t>(curve.size); p += 3)
        path.cubicTo(flipped(curve.list[p]), flipped(curve.list[p + 1]), flipped(curve.list[p + 2]));
    }
    return path;
  }

  const LayoutInput& m_input;
  Agraph_t* m_graph = nullptr;
  std::vector<Agnode_t*> m_nodes;
  std::vector<Agedge_t*> m_edges;
};

} // namespace

Layout dotLayout(const LayoutInput& input) {
  static std::mutex one;
  const std::lock_guard lock(one);
  return DotRun(input).run();
}

} // namespace plumbline::views
