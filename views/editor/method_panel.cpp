#include "views/editor/method_panel.h"

#include "views/editor/code_editor.h"
#include "views/style/style.h"

namespace plumbline::views {

MethodPanel::MethodPanel(const PanelContext& panelContext, QWidget* parent)
    : SourcePanel(panelContext, Language::Velvet, QStringLiteral("method"), tr("Method"), parent) {}

QString MethodPanel::emptyText() const {
  return tr(
      "No method yet.\nThe Velvet method is generated from the kernel and the module once both are open.");
}

SourcePanel::Content MethodPanel::content() const {
  const workbench::MethodText& method = snapshot()->method;
  Content result;
  result.text = method.text;
  result.reason = toQt(method.reason);
  if (!method.text.empty())
    result.heading = tr("Velvet 2, generated from both files; shaded lines are locked");
  return result;
}

workbench::Anchor MethodPanel::anchorAt(const SourceRange& place) const {
  workbench::Anchor result;
  result.kind = workbench::Anchor::Kind::MethodLine;
  result.index = place.line;
  return result;
}

void MethodPanel::decorate() {
  std::vector<bool> locked;
  if (snapshot())
    for (const workbench::MethodLine& line : snapshot()->method.lines)
      locked.push_back(line.locked);
  editor().setLocked(locked);
}

void MethodPanel::onHighlight() {
  editor().setLinked({}, highlight().methodLines);
  if (!highlight().methodLines.empty() && anchor().kind != workbench::Anchor::Kind::MethodLine)
    editor().reveal(*highlight().methodLines.begin());
}

} // namespace plumbline::views
