#include "views/goals/goals_panel.h"

#include "lean-bridge/client/proof_document.h"
#include "views/goals/live_goals.h"
#include "views/models/evidence_model.h"
#include "views/models/goals_model.h"
#include "views/models/roles.h"
#include "views/models/row_filter.h"
#include "views/shell/actions.h"
#include "views/style/empty_state.h"
#include "views/style/style.h"

#include <QAction>
#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QScopedValueRollback>
#include <QSplitter>
#include <QTabWidget>
#include <QTimer>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>

namespace plumbline::views {

namespace {

/// As many goals are unfolded at once; more would be slow and of no use.
constexpr size_t unfoldLimit = 500;

QToolButton* buttonFor(QAction* action) {
  auto* button = new QToolButton;
  button->setDefaultAction(action);
  button->setAccessibleName(action->text());
  return button;
}

} // namespace

GoalsPanel::GoalsPanel(const PanelContext& context, QWidget* parent)
    : Panel(context, parent), m_goals(new GoalsModel(this)), m_rows(new RowFilter(this)),
      m_evidence(new EvidenceModel(this)), m_tree(new QTreeView), m_evidenceView(new QTreeView),
      m_words(new QLineEdit), m_onlyOpen(new QCheckBox(tr("Only open"))), m_count(new QLabel),
      m_statement(new QPlainTextEdit) {
  m_rows->setSourceModel(m_goals);
  makeTree();
  makeActions();
  auto* content = new QSplitter(Qt::Vertical);
  auto* list = new QWidget;
  auto* column = new QVBoxLayout(list);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(2);
  column->addWidget(makeFilter());
  column->addWidget(m_tree, 1);
  content->addWidget(list);
  content->addWidget(makeDetail());
  content->setStretchFactor(0, 3);
  content->setStretchFactor(1, 2);
  content->setChildrenCollapsible(false);
  m_pages = new EmptyState(content);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(m_pages);
  setFocusProxy(m_tree);
}

void GoalsPanel::setProof(lsp::ProofDocument* proof) {
  auto* tabs = new QTabWidget;
  tabs->setDocumentMode(true);
  tabs->setAccessibleName(tr("Goals of the check or of the document"));
  tabs->addTab(m_pages, tr("Check"));
  m_live = new LiveGoals;
  m_live->setProof(proof);
  tabs->addTab(m_live, tr("Document"));
  layout()->addWidget(tabs);
  context().actions.add(this,
                        {QStringLiteral("goals-document"),
                         tr("Goals of the Document"),
                         tr("Goals"),
                         {},
                         tr("Show the goals at the cursor of the method, or those of the check again")},
                        [tabs] { tabs->setCurrentIndex(1 - tabs->currentIndex()); });
}

void GoalsPanel::makeTree() {
  m_tree->setModel(m_rows);
  m_tree->setUniformRowHeights(true);
  m_tree->setAlternatingRowColors(true);
  m_tree->setSelectionBehavior(QAbstractItemView::SelectRows);
  m_tree->setAccessibleName(tr("Goals"));
  m_tree->setSortingEnabled(true);
  m_tree->header()->setSortIndicatorClearable(true);
  m_tree->header()->setSortIndicator(-1, Qt::AscendingOrder);
  m_tree->header()->setStretchLastSection(false);
  m_tree->header()->setSectionResizeMode(GoalsModel::Goal, QHeaderView::Stretch);
  connect(m_tree->selectionModel(), &QItemSelectionModel::currentChanged, this,
          [this] { showCurrent(!m_quiet); });
  connect(m_tree, &QTreeView::clicked, this, [this] { showCurrent(true); });
}

void GoalsPanel::makeActions() {
  const QString category = tr("Goals");
  Actions& actions = context().actions;
  actions.add(this,
              {QStringLiteral("goals-filter"),
               tr("Filter Goals"),
               category,
               {QKeySequence::Find},
               tr("Show goals with these words")},
              [this] {
                m_words->setFocus(Qt::ShortcutFocusReason);
                m_words->selectAll();
              });
  actions.add(this,
              {QStringLiteral("goals-only-open"),
               tr("Only Open Goals"),
               category,
               {QKeySequence(Qt::ALT | Qt::Key_O)},
               tr("Hide goals that are settled")},
              [this] { m_onlyOpen->toggle(); });
  m_copyStatement =
      actions.add(this,
                  {QStringLiteral("goals-copy-statement"),
                   tr("Copy Statement"),
                   category,
                   {},
                   tr("Copy the statement of the selected goal")},
                  [this] { QGuiApplication::clipboard()->setText(m_statement->toPlainText()); });
  m_copyQuery = actions.add(this,
                            {QStringLiteral("goals-copy-query"),
                             tr("Copy Query"),
                             category,
                             {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C)},
                             tr("Copy the text that an engine was asked, to run it again")},
                            [this] { copyQuery(); });
}

QWidget* GoalsPanel::makeFilter() {
  m_words->setPlaceholderText(tr("Filter goals"));
  m_words->setClearButtonEnabled(true);
  m_words->setAccessibleName(tr("Filter goals"));
  m_onlyOpen->setAccessibleName(tr("Only open goals"));
  m_count->setAccessibleName(tr("Goals shown"));
  connect(m_words, &QLineEdit::textChanged, this, &GoalsPanel::filter);
  connect(m_onlyOpen, &QCheckBox::toggled, this, &GoalsPanel::filter);
  auto* bar = new QWidget;
  auto* row = new QHBoxLayout(bar);
  row->setContentsMargins(4, 2, 4, 0);
  row->addWidget(m_words, 1);
  row->addWidget(m_onlyOpen);
  row->addWidget(m_count);
  return bar;
}

QWidget* GoalsPanel::makeDetail() {
  m_statement->setReadOnly(true);
  m_statement->setAccessibleName(tr("Statement of the goal"));
  m_statement->setTabChangesFocus(true);
  m_evidenceView->setModel(m_evidence);
  m_evidenceView->setRootIsDecorated(false);
  m_evidenceView->setUniformRowHeights(true);
  m_evidenceView->setAccessibleName(tr("Evidence of the goal"));
  m_evidenceView->header()->setStretchLastSection(false);
  m_evidenceView->header()->setSectionResizeMode(EvidenceModel::Result, QHeaderView::Stretch);
  connect(m_evidenceView->selectionModel(), &QItemSelectionModel::currentChanged, this,
          [this](const QModelIndex& index) {
            m_copyQuery->setEnabled(!index.isValid() || !m_evidence->at(index.row()).text.empty());
          });
  auto* detail = new QWidget;
  auto* column = new QVBoxLayout(detail);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(2);
  column->addWidget(m_statement, 2);
  column->addWidget(m_evidenceView, 1);
  auto* row = new QHBoxLayout;
  row->setContentsMargins(4, 0, 4, 2);
  row->addStretch(1);
  row->addWidget(buttonFor(m_copyStatement));
  row->addWidget(buttonFor(m_copyQuery));
  column->addLayout(row);
  return detail;
}

QString GoalsPanel::emptyText() const {
  if (!snapshot())
    return tr("Open a model and a kernel: Ctrl+O, or drop two files");
  if (const std::optional<Error>& error = snapshot()->error)
    return tr("No goals: %1\n%2").arg(toQt(error->message), toQt(error->next));
  return busyTask().isEmpty() ? tr("No goals yet: F5 checks") : tr("No goals yet: %1").arg(busyTask());
}

void GoalsPanel::onSnapshot() {
  const QScopedValueRollback quiet(m_quiet, true);
  const bool empty = !snapshot() || snapshot()->goals.empty();
  m_pages->setText(empty ? emptyText() : QString());
  m_goals->setSnapshot(snapshot());
  if (empty)
    m_fresh = true;
  else if (std::exchange(m_fresh, false))
    selectFirst();
  filter();
  showCurrent(false);
}

void GoalsPanel::selectFirst() {
  if (snapshot()->goals.size() <= unfoldLimit)
    m_tree->expandAll();
  const std::vector<workbench::GoalRow>& goals = snapshot()->goals;
  size_t first = 0;
  for (size_t k = goals.size(); k-- > 0;)
    if (goals[k].status != workbench::CaseStatus::Closed && goals[k].status != workbench::CaseStatus::Empty)
      first = k;
  m_tree->setCurrentIndex(m_rows->mapFromSource(m_goals->indexOf(static_cast<int>(first))));
}

void GoalsPanel::onHighlight() {
  m_goals->setHighlight(highlight().goals);
  if (anchor().kind == workbench::Anchor::Kind::Goal || highlight().goals.empty())
    return;
  const QModelIndex first = m_rows->mapFromSource(m_goals->indexOf(*highlight().goals.begin()));
  if (first.isValid())
    m_tree->scrollTo(first);
}

void GoalsPanel::onStatus() {
  m_goals->setCurrent(!stale());
  m_pages->setNotice(stale() ? EmptyState::staleNotice() : QString());
  if (!m_pages->showsContent())
    m_pages->setText(emptyText());
}

void GoalsPanel::onAppearance() {
  m_statement->setFont(fixedFont());
  const QFontMetrics metrics(QApplication::font());
  // A goal stands two levels deep; the longest words are those of an earlier check.
  const QString longest = tr("was %1").arg(statusWord(workbench::CaseStatus::Witnessed));
  const int space = metrics.averageCharWidth() * 2;
  m_widths[GoalsModel::Status] = 2 * m_tree->indentation() + metrics.horizontalAdvance(longest) + space;
  m_widths[GoalsModel::Evidence] = metrics.horizontalAdvance(QLatin1Char('m')) * 9;
  m_widths[GoalsModel::Time] = metrics.horizontalAdvance(QStringLiteral("000.0 ms  "));
  for (const int column : {GoalsModel::Status, GoalsModel::Evidence, GoalsModel::Time})
    m_tree->header()->resizeSection(column, m_widths[column]);
  fitColumns();
  m_evidenceView->header()->resizeSection(EvidenceModel::Engine,
                                          metrics.horizontalAdvance(QLatin1Char('m')) * 9);
  m_evidenceView->header()->resizeSection(EvidenceModel::Artefact,
                                          metrics.horizontalAdvance(QStringLiteral("goal-00.smt2")) + 12);
  m_evidenceView->header()->resizeSection(EvidenceModel::Time,
                                          metrics.horizontalAdvance(QStringLiteral("000.0 ms  ")));
}

void GoalsPanel::resizeEvent(QResizeEvent* event) {
  Panel::resizeEvent(event);
  fitColumns();
  // Once the tree has its new height.
  QTimer::singleShot(0, m_tree, [this] { m_tree->scrollTo(m_tree->currentIndex()); });
}

void GoalsPanel::fitColumns() {
  const int room = width() - 20 * QFontMetrics(QApplication::font()).averageCharWidth();
  int used = m_widths[GoalsModel::Status];
  for (const int column : {GoalsModel::Evidence, GoalsModel::Time}) {
    used += m_widths[column];
    m_tree->setColumnHidden(column, used > room);
  }
}

void GoalsPanel::filter() {
  const QScopedValueRollback quiet(m_quiet, true);
  m_rows->setWords(m_words->text());
  m_rows->setOnlyOpen(m_onlyOpen->isChecked());
  int shown = 0;
  for (int group = 0; group < m_rows->rowCount(); ++group) {
    m_tree->setFirstColumnSpanned(group, QModelIndex(), true); // a group has a name and nothing else
    shown += m_rows->rowCount(m_rows->index(group, 0));
  }
  const int all = snapshot() ? static_cast<int>(snapshot()->goals.size()) : 0;
  m_count->setText(tr("%1 of %2").arg(shown).arg(all));
  if (m_rows->filters() && static_cast<size_t>(shown) <= unfoldLimit)
    m_tree->expandAll();
}

int GoalsPanel::currentGoal() const {
  const QModelIndex index = m_tree->currentIndex();
  return index.isValid() ? index.data(IndexRole).toInt() : -1;
}

void GoalsPanel::showCurrent(bool byUser) {
  const int goal = currentGoal();
  const bool known = snapshot() && goal >= 0 && goal < static_cast<int>(snapshot()->goals.size());
  const workbench::GoalRow row = known ? snapshot()->goals[static_cast<size_t>(goal)] : workbench::GoalRow{};
  m_statement->setPlainText(toQt(row.statement));
  m_evidence->setEvidence(row.evidence);
  m_copyStatement->setEnabled(known);
  m_copyQuery->setEnabled(
      std::any_of(row.evidence.begin(), row.evidence.end(), [](const auto& e) { return !e.text.empty(); }));
  if (!byUser || !known)
    return;
  workbench::Anchor anchor;
  anchor.kind = workbench::Anchor::Kind::Goal;
  anchor.index = goal;
  Q_EMIT selected(anchor);
}

void GoalsPanel::copyQuery() {
  const QModelIndex chosen = m_evidenceView->currentIndex();
  for (int row = 0; row < m_evidence->rowCount(); ++row) {
    const std::string& text = m_evidence->at(row).text;
    if (text.empty() || (chosen.isValid() && chosen.row() != row))
      continue;
    QGuiApplication::clipboard()->setText(toQt(text));
    return;
  }
}

} // namespace plumbline::views
