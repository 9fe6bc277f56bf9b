// Both sides step by step.
#pragma once

#include "core/workbench/selection.h"

#include <QWidget>

#include <memory>

class QSplitter;
class QTreeView;

namespace plumbline::views {

class StepsModel;

/// Two lists beside each other, or one above the other where there is no room.
class StepsPane : public QWidget {
  Q_OBJECT
public:
  explicit StepsPane(QWidget* parent = nullptr);

  /// `index` is the program's place in the snapshot.
  void setProgram(std::shared_ptr<const workbench::StepProgram> program, int index);
  /// Moves to the first difference when it is another than before.
  void setTrace(const workbench::StepTrace& trace);
  void setHighlight(const workbench::Highlight& highlight, const workbench::Anchor& anchor);
  void restyle();

Q_SIGNALS:
  void chosen(const plumbline::workbench::Anchor& anchor);

protected:
  void resizeEvent(QResizeEvent* event) override;

private:
  struct Half {
    StepsModel* model;
    QTreeView* view;
  };
  Half makeHalf(workbench::Side side);
  void choose(workbench::Side side, int row);
  void showTrace(Half& half, std::vector<workbench::StepValue> values);

  QSplitter* m_sides;
  Half m_spec;
  Half m_kernel;
  int m_program = -1;
  bool m_quiet = false;
};

} // namespace plumbline::views
