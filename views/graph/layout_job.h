// Layouts on a thread of their own.
#pragma once

#include "views/graph/layout.h"

#include <QObject>
#include <QThread>

#include <atomic>
#include <memory>

namespace plumbline::views {

/// Computes one layout after the other; only the newest request is answered. GUI thread only. Destruction
/// waits for a running layout (layout.h bounds its time).
class LayoutJob : public QObject {
  Q_OBJECT
public:
  explicit LayoutJob(QObject* parent = nullptr);
  ~LayoutJob() override;

  /// Answered by `finished`, unless another request follows before.
  void start(LayoutInput input);
  bool running() const { return m_answered != m_asked; }

Q_SIGNALS:
  void finished(const plumbline::views::Layout& layout);

private:
  QThread m_thread;
  QObject* m_worker; ///< lives on the thread
  std::shared_ptr<std::atomic<quint64>> m_newest;
  quint64 m_asked = 0;
  quint64 m_answered = 0;
};

} // namespace plumbline::views
