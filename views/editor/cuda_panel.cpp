#include "views/editor/cuda_panel.h"

#include "views/editor/code_editor.h"
#include "views/editor/source_marks.h"
#include "views/style/style.h"

#include <QFileInfo>

#include <algorithm>

namespace plumbline::views {

namespace {

/// Whether the mark can be shown at a line of the text.
bool hasLine(const workbench::Mark& mark, const workbench::SourceText& text) {
  return mark.where.known() && mark.where.file == text.file;
}

} // namespace

CudaPanel::CudaPanel(const PanelContext& panelContext, QWidget* parent)
    : SourcePanel(panelContext, Language::Cuda, QStringLiteral("cuda"), tr("CUDA"), parent) {}

QString CudaPanel::emptyText() const {
  return tr(
      "No kernel is open.\nOpen a .cu file, or a .py file that loads one inline, together with its PyTorch "
      "module: Ctrl+O, or drop both files on the window.");
}

SourcePanel::Content CudaPanel::content() const {
  const workbench::SourceText& cuda = snapshot()->cuda;
  Content result;
  result.text = cuda.text;
  if (!cuda.file.empty()) {
    result.heading = QFileInfo(toQt(cuda.file)).fileName();
    if (cuda.extracted)
      result.heading += tr("   (the CUDA text inside it)");
  }
  for (const workbench::Mark& mark : snapshot()->marks)
    if (!hasLine(mark, cuda))
      result.notices << (mark.where.file.empty() ? QString()
                                                 : toQt(toString(mark.where)) + QLatin1String(": ")) +
                            markText(mark);
  if (const std::optional<Error>& error = snapshot()->error; error && cuda.text.empty())
    result.reason = toQt(toString(*error));
  return result;
}

workbench::Anchor CudaPanel::anchorAt(const SourceRange& place) const {
  workbench::Anchor result;
  if (!snapshot())
    return result;
  result.kind = workbench::Anchor::Kind::Cuda;
  result.range = place;
  result.range.file = snapshot()->cuda.file;
  return result;
}

void CudaPanel::decorate() {
  std::vector<workbench::Mark> marks;
  if (snapshot())
    std::copy_if(snapshot()->marks.begin(), snapshot()->marks.end(), std::back_inserter(marks),
                 [this](const workbench::Mark& mark) { return hasLine(mark, snapshot()->cuda); });
  editor().setMarks(marks);
}

void CudaPanel::onHighlight() {
  std::vector<SourceRange> ranges;
  for (const SourceRange& range : highlight().cuda)
    if (snapshot() && range.file == snapshot()->cuda.file)
      ranges.push_back(range);
  editor().setLinked(ranges, {});
  if (!ranges.empty() && anchor().kind != workbench::Anchor::Kind::Cuda)
    editor().reveal(ranges.front().line);
}

} // namespace plumbline::views
