#include "lean-bridge/server/folding.h"

namespace plumbline::server {
namespace {

class Folding {
public:
  explicit Folding(const Snapshot& snapshot) : m_snapshot(snapshot) {}

  Json run() {
    for (const velvet::Item& item : m_snapshot.parsed.document.items) {
      add(velvet::rangeOf(item), std::holds_alternative<velvet::Comment>(item) ? "comment" : "region");
      if (const auto* method = std::get_if<velvet::Method>(&item))
        block(method->body);
    }
    return std::move(m_ranges);
  }

private:
  void add(velvet::TextRange range, const char* kind) {
    const lsp::Range lines = m_snapshot.range(range);
    if (lines.start.line < lines.end.line)
      m_ranges.push_back({{"startLine", lines.start.line}, {"endLine", lines.end.line}, {"kind", kind}});
  }

  void block(const std::vector<velvet::Stmt>& body) {
    for (const velvet::Stmt& stmt : body) {
      if (stmt.kind == velvet::StmtKind::While || stmt.kind == velvet::StmtKind::If ||
          stmt.kind == velvet::StmtKind::Opaque)
        add(stmt.range, "region");
      block(stmt.body);
      block(stmt.otherwise);
    }
  }

  const Snapshot& m_snapshot;
  Json m_ranges = Json::array();
};

} // namespace

Json foldingRanges(const Snapshot& snapshot) {
  return Folding(snapshot).run();
}

} // namespace plumbline::server
