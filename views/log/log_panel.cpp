#include "views/log/log_panel.h"

#include "views/models/log_model.h"
#include "views/models/row_filter.h"
#include "views/shell/actions.h"
#include "views/shell/journal.h"
#include "views/style/empty_state.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLineEdit>
#include <QScrollBar>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>

namespace plumbline::views {

LogPanel::LogPanel(const PanelContext& context, QWidget* parent)
    : Panel(context, parent), m_log(new LogModel(context.journal, this)), m_rows(new RowFilter(this)),
      m_view(new QTreeView), m_words(new QLineEdit) {
  m_rows->setSourceModel(m_log);
  makeView();
  makeActions();
  auto* content = new QWidget;
  auto* column = new QVBoxLayout(content);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(2);
  column->addWidget(makeBar());
  column->addWidget(m_view, 1);
  m_pages = new EmptyState(content);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(m_pages);
  setFocusProxy(m_view);
  showState();
}

void LogPanel::makeView() {
  m_view->setModel(m_rows);
  m_view->setRootIsDecorated(false);
  m_view->setUniformRowHeights(true);
  m_view->setSelectionMode(QAbstractItemView::ExtendedSelection);
  m_view->setAccessibleName(tr("Log"));
  m_view->header()->setStretchLastSection(true);
  // Whoever scrolls away from the end reads; whoever is there follows.
  QScrollBar* bar = m_view->verticalScrollBar();
  connect(bar, &QScrollBar::valueChanged, this,
          [this, bar](int value) { m_follows = value >= bar->maximum(); });
  connect(bar, &QScrollBar::rangeChanged, this, [this, bar](int, int maximum) {
    if (m_follows)
      bar->setValue(maximum);
  });
  connect(m_log, &QAbstractItemModel::rowsRemoved, this, &LogPanel::showState);
  connect(m_log, &QAbstractItemModel::rowsInserted, this, &LogPanel::showState);
}

void LogPanel::makeActions() {
  const QString category = tr("Log");
  Actions& actions = context().actions;
  actions.add(m_view,
              {QStringLiteral("log-copy"),
               tr("Copy Lines"),
               category,
               {QKeySequence::Copy},
               tr("Copy the selected lines, or all of them")},
              [this] { copy(); });
  actions.add(this, {QStringLiteral("log-clear"), tr("Clear Log"), category, {}, tr("Forget all lines")},
              [this] { context().journal.clear(); });
  actions.add(this,
              {QStringLiteral("log-filter"),
               tr("Filter Log"),
               category,
               {QKeySequence::Find},
               tr("Show lines with these words")},
              [this] {
                m_words->setFocus(Qt::ShortcutFocusReason);
                m_words->selectAll();
              });
}

QWidget* LogPanel::makeBar() {
  m_words->setPlaceholderText(tr("Filter log"));
  m_words->setClearButtonEnabled(true);
  m_words->setAccessibleName(tr("Filter log"));
  connect(m_words, &QLineEdit::textChanged, m_rows, &RowFilter::setWords);
  auto* bar = new QWidget;
  auto* row = new QHBoxLayout(bar);
  row->setContentsMargins(4, 2, 4, 0);
  row->addWidget(m_words, 1);
  for (const char* id : {"log-copy", "log-clear"}) {
    auto* button = new QToolButton;
    QAction* action = context().actions.find(QString::fromLatin1(id));
    button->setDefaultAction(action);
    button->setAccessibleName(action->text());
    row->addWidget(button);
  }
  return bar;
}

QString LogPanel::emptyText() const {
  return tr("Nothing has happened yet: Ctrl+O opens a model and a kernel");
}

void LogPanel::showState() {
  m_pages->setText(m_log->rowCount() == 0 ? emptyText() : QString());
}

void LogPanel::onAppearance() {
  const QFontMetrics metrics(QApplication::font());
  m_view->header()->resizeSection(LogModel::Time,
                                  metrics.horizontalAdvance(QStringLiteral("00:00:00.000")) + 20);
  m_view->header()->resizeSection(LogModel::Level,
                                  metrics.horizontalAdvance(QStringLiteral("⚠ warning")) + 20);
}

void LogPanel::copy() {
  std::vector<int> rows;
  for (const QModelIndex& index : m_view->selectionModel()->selectedRows())
    rows.push_back(m_rows->mapToSource(index).row());
  if (rows.empty())
    for (int row = 0; row < m_rows->rowCount(); ++row)
      rows.push_back(m_rows->mapToSource(m_rows->index(row, 0)).row());
  std::sort(rows.begin(), rows.end());
  QStringList lines;
  for (int row : rows)
    lines << m_log->line(row);
  QGuiApplication::clipboard()->setText(lines.join(QLatin1Char('\n')));
}

} // namespace plumbline::views
