// Notices when one of the compared files changes, also when an editor replaces it by a rename.
#pragma once

#include <QFileSystemWatcher>
#include <QMap>
#include <QObject>
#include <QStringList>
#include <QTimer>

namespace plumbline::views {

/// GUI thread only.
class FileWatch : public QObject {
  Q_OBJECT
public:
  /// Time without another change after which `settled` comes.
  static constexpr int debounceMs = 200;

  explicit FileWatch(QObject* parent = nullptr);

  /// Watches these files from their present state on; forgets others.
  void watch(const QStringList& files);
  /// Looks at the files now; true when one differs from its state at the last `watch` or `settled`.
  bool look();

Q_SIGNALS:
  /// A file is another one than before; at once.
  void changed(const QString& file);
  /// No further change for a while.
  void settled();

private:
  /// Enough to tell two states of a file apart.
  struct Stamp {
    qint64 size = -1; ///< -1: the file is not there
    qint64 modifiedNs = 0;
    quint64 inode = 0;
    bool operator==(const Stamp&) const = default;
  };
  static Stamp stampOf(const QString& file);
  void addPaths();

  QFileSystemWatcher m_watcher;
  QMap<QString, Stamp> m_stamps;
  QTimer m_quiet;
};

} // namespace plumbline::views
