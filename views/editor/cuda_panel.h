// The kernel's source with findings at their lines.
#pragma once

#include "views/editor/source_panel.h"

namespace plumbline::views {

class CudaPanel : public SourcePanel {
  Q_OBJECT
public:
  explicit CudaPanel(const PanelContext& context, QWidget* parent = nullptr);
  QString emptyText() const override;

protected:
  Content content() const override;
  workbench::Anchor anchorAt(const SourceRange& place) const override;
  void decorate() override;
  void onHighlight() override;
};

} // namespace plumbline::views
