// The Velvet document generated from both sides. Generated lines are shaded and locked; the others can be
// edited, and what a server says about them is marked at its place.
#pragma once

#include "views/editor/source_panel.h"

#include <QPointer>

namespace plumbline::lsp {
class ProofDocument;
}

namespace plumbline::views {

class MethodHelp;

class MethodPanel : public SourcePanel {
  Q_OBJECT
public:
  explicit MethodPanel(const PanelContext& context, QWidget* parent = nullptr);
  ~MethodPanel() override;
  QString emptyText() const override;

  /// Edits go to this document, which outlives the panel; without one the text cannot be edited.
  void setProof(lsp::ProofDocument* proof);
  /// True when the user has changed the generated text.
  bool isEdited() const { return m_edited; }

protected:
  Content content() const override;
  workbench::Anchor anchorAt(const SourceRange& place) const override;
  void decorate() override;
  void onSnapshot() override;
  void onHighlight() override;

private:
  bool keepsEdits() const;
  void onEdited();
  void onProof();
  void addActions();
  void takeGenerated();
  void rescueEdits();
  void showMethod();
  std::vector<workbench::Mark> marks() const;
  /// The line of the generated text that a line of the edited text is, or 0.
  int generatedLine(int line) const;
  /// The other way round.
  int editedLine(int generated) const;

  MethodHelp* m_help;
  QPointer<lsp::ProofDocument> m_proof;
  std::string m_base;        ///< the generated text under the edits
  workbench::Request m_pair; ///< that the text belongs to
  bool m_edited = false;
  bool m_showing = false; ///< the text changes, but not by the user
};

} // namespace plumbline::views
