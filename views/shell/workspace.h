// The panels of an open pair, dockable.
#pragma once

#include <QMainWindow>

#include <map>

namespace plumbline::views {

class Panel;

/// Where a panel belongs, in the order of the keys Alt+1 to Alt+8.
enum class PanelSlot : uint8_t { Graph, Cuda, Method, Goals, Cases, Witness, Log, Safety };
inline constexpr int panelSlotCount = 8;
QString title(PanelSlot slot); ///< "Graph", in the user's language
QString id(PanelSlot slot);    ///< "graph"

/// GUI thread only. Owns the panels given to it.
class Workspace : public QMainWindow {
  Q_OBJECT
public:
  explicit Workspace(QWidget* parent = nullptr);

  void setPanel(PanelSlot slot, Panel* panel);
  Panel* panel(PanelSlot slot) const; ///< nullptr when none was set
  QDockWidget* dock(PanelSlot slot) const;

  /// Shows the panel in front of others and gives it the focus.
  void focusPanel(PanelSlot slot);
  /// The same without the focus.
  void raisePanel(PanelSlot slot);

  /// Three columns: graph; sources; goals above cases and witness. Every panel is reachable.
  void applyDefaultLayout();
  /// The font of the application has changed.
  void applyLook();
  QByteArray saveLayout() const;
  /// False, and the default layout, when the text is no layout or shows no panel.
  bool restoreLayout(const QByteArray& text);

protected:
  void showEvent(QShowEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

private:
  void applyDefaultSizes();

  std::map<PanelSlot, QDockWidget*> m_docks;
  std::map<PanelSlot, Panel*> m_panels;
  bool m_defaultSizes = true; ///< the user has not changed the layout: columns follow the window
};

} // namespace plumbline::views
