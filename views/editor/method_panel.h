// The Velvet document generated from both sides; generated lines are shaded.
#pragma once

#include "views/editor/source_panel.h"

namespace plumbline::views {

class MethodPanel : public SourcePanel {
  Q_OBJECT
public:
  explicit MethodPanel(const PanelContext& context, QWidget* parent = nullptr);
  QString emptyText() const override;

protected:
  Content content() const override;
  workbench::Anchor anchorAt(const SourceRange& place) const override;
  void decorate() override;
  void onHighlight() override;
};

} // namespace plumbline::views
