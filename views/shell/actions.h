// All actions of the window in one list, from which the command palette and the list of shortcuts are made.
#pragma once

#include <QKeySequence>
#include <QList>
#include <QObject>
#include <QString>

#include <functional>
#include <vector>

class QAction;
class QWidget;

namespace plumbline::views {

/// How an action is named and reached.
struct ActionSpec {
  QString id;       ///< stable, kebab-case with the panel first: "cases-split-guard"
  QString text;     ///< for menus and the palette: "Split on Guard..."
  QString category; ///< heading in the palette: "Cases"
  QList<QKeySequence> shortcuts = {};
  QString hint = {}; ///< one sentence for tooltip and status; may be empty
};

/// The registry. GUI thread only. It owns no action: they belong to their widgets and leave the list with
/// them.
class Actions : public QObject {
  Q_OBJECT
public:
  struct Entry {
    QString id;
    QString category;
    QAction* action = nullptr;
  };

  explicit Actions(QObject* parent = nullptr) : QObject(parent) {}

  /// Makes an action of `owner`, whose shortcuts work while `owner` or a child of it has the focus (anywhere
  /// in the window when `owner` is the main window), and lists it. `run` is called in the context of `owner`.
  QAction* add(QWidget* owner, const ActionSpec& spec, std::function<void()> run);

  /// Lists an action that exists already.
  void list(const QString& id, const QString& category, QAction* action);

  const std::vector<Entry>& entries() const { return m_entries; }
  /// The action with that id, or nullptr.
  QAction* find(const QString& id) const;

private:
  std::vector<Entry> m_entries;
};

} // namespace plumbline::views
