#include "views/shell/file_watch.h"

#include <QFile>
#include <QFileInfo>

#include <sys/stat.h>

namespace plumbline::views {

FileWatch::FileWatch(QObject* parent) : QObject(parent) {
  m_quiet.setSingleShot(true);
  m_quiet.setInterval(debounceMs);
  connect(&m_watcher, &QFileSystemWatcher::fileChanged, this, &FileWatch::look);
  connect(&m_watcher, &QFileSystemWatcher::directoryChanged, this, &FileWatch::look);
  connect(&m_quiet, &QTimer::timeout, this, &FileWatch::settled);
}

FileWatch::Stamp FileWatch::stampOf(const QString& file) {
  struct stat info{};
  if (::stat(QFile::encodeName(file).constData(), &info) != 0)
    return {};
  constexpr qint64 second = 1'000'000'000;
  return {info.st_size, info.st_mtim.tv_sec * second + info.st_mtim.tv_nsec, info.st_ino};
}

void FileWatch::watch(const QStringList& files) {
  m_quiet.stop();
  m_stamps.clear();
  if (const QStringList old = m_watcher.files() + m_watcher.directories(); !old.isEmpty())
    m_watcher.removePaths(old);
  for (const QString& file : files)
    if (!file.isEmpty())
      m_stamps.insert(file, stampOf(file));
  addPaths();
}

void FileWatch::addPaths() {
  // The folder tells of a rename onto the file, after which the file itself is watched no longer.
  for (auto it = m_stamps.keyBegin(); it != m_stamps.keyEnd(); ++it) {
    const QString folder = QFileInfo(*it).absolutePath();
    if (!m_watcher.directories().contains(folder) && QFileInfo::exists(folder))
      m_watcher.addPath(folder);
    if (!m_watcher.files().contains(*it) && QFileInfo::exists(*it))
      m_watcher.addPath(*it);
  }
}

bool FileWatch::look() {
  bool any = false;
  for (auto it = m_stamps.begin(); it != m_stamps.end(); ++it) {
    const Stamp now = stampOf(it.key());
    if (now == it.value())
      continue;
    it.value() = now;
    any = true;
    Q_EMIT changed(it.key());
  }
  addPaths();
  if (any)
    m_quiet.start();
  return any;
}

} // namespace plumbline::views
