#include "views/graph/layout_job.h"

namespace plumbline::views {

LayoutJob::LayoutJob(QObject* parent)
    : QObject(parent), m_worker(new QObject), m_newest(std::make_shared<std::atomic<quint64>>(0)) {
  m_worker->moveToThread(&m_thread);
  connect(&m_thread, &QThread::finished, m_worker, &QObject::deleteLater);
  m_thread.setObjectName(QStringLiteral("graph layout"));
}

LayoutJob::~LayoutJob() {
  ++*m_newest;
  m_thread.quit();
  m_thread.wait();
  if (!m_thread.isFinished())
    delete m_worker; // the thread was never started
}

void LayoutJob::start(LayoutInput input) {
  m_thread.start();
  const quint64 number = ++m_asked;
  *m_newest = number;
  QMetaObject::invokeMethod(m_worker, [this, number, newest = m_newest, input = std::move(input)] {
    if (*newest != number)
      return;
    Layout layout = layOut(input);
    QMetaObject::invokeMethod(this, [this, number, layout = std::move(layout)] {
      if (number != m_asked)
        return;
      m_answered = number;
      Q_EMIT finished(layout);
    });
  });
}

} // namespace plumbline::views
