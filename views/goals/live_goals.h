// The goals of the method document as it is typed: what both servers say at the cursor, and every goal with
// who vouches for it.
#pragma once

#include <QPointer>
#include <QTimer>
#include <QWidget>

class QLabel;
class QPlainTextEdit;
class QTreeWidget;

namespace plumbline::lsp {
class ProofDocument;
struct GoalsAnswer;
} // namespace plumbline::lsp

namespace plumbline::views {

/// GUI thread only. Refreshes at most once a frame, and only while it is visible.
class LiveGoals : public QWidget {
  Q_OBJECT
public:
  explicit LiveGoals(QWidget* parent = nullptr);

  /// The document outlives the widget.
  void setProof(lsp::ProofDocument* proof);
  /// What is shown, as text; for tests and assistive technology.
  QString stateText() const;
  QString placeText() const;
  QTreeWidget& list() { return *m_list; }

protected:
  void showEvent(QShowEvent* event) override;

private:
  void schedule();
  void refresh();
  void showPlace();
  void showList();

  QPointer<lsp::ProofDocument> m_proof;
  QTimer m_frame;
  QLabel* m_state;
  QPlainTextEdit* m_place;
  QTreeWidget* m_list;
  QLabel* m_axioms;
};

/// What one server says at one place, for people.
QString answerText(const lsp::GoalsAnswer& answer);

} // namespace plumbline::views
