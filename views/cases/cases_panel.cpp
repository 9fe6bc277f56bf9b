#include "views/cases/cases_panel.h"

#include "views/cases/case_commands.h"
#include "views/cases/case_session.h"
#include "views/cases/matrix_pane.h"
#include "views/models/cases_model.h"
#include "views/shell/actions.h"
#include "views/style/empty_state.h"
#include "views/style/style.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QResizeEvent>
#include <QScopedValueRollback>
#include <QSplitter>
#include <QToolButton>
#include <QTreeView>
#include <QUndoStack>
#include <QVBoxLayout>

#include <algorithm>

namespace plumbline::views {

using workbench::CasePath;
using workbench::SplitOn;

namespace {

constexpr int tellDelay = 30; ///< ms
/// Characters of the width from which tree and matrix stand beside each other.
constexpr int sideBySide = 185;
constexpr size_t unfoldLimit = 200;

} // namespace

CasesPanel::CasesPanel(const PanelContext& context, QWidget* parent)
    : Panel(context, parent), m_cases(new CasesModel(this)),
      m_session(new CaseSession(context.bench, *m_cases, this)), m_sides(new QSplitter(Qt::Vertical)),
      m_tree(new QTreeView), m_detail(new QLabel), m_work(new QLabel), m_splitMenu(new QMenu(this)) {
  makeTree();
  makeActions();
  makeTreeActions();
  m_sides->addWidget(makeTreeSide());
  m_matrix = new MatrixPane(*m_cases, buttonFor("cases-matrix"));
  m_sides->addWidget(m_matrix);
  m_sides->setStretchFactor(0, 4);
  m_sides->setStretchFactor(1, 5);
  m_sides->setChildrenCollapsible(false);
  m_pages = new EmptyState(m_sides);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(m_pages);
  setFocusProxy(m_tree);

  m_tell.setSingleShot(true);
  m_tell.setInterval(tellDelay);
  connect(&m_tell, &QTimer::timeout, this, &CasesPanel::tellForest);
  connect(m_session, &CaseSession::changed, this, &CasesPanel::onChanged);
  connect(m_session, &CaseSession::cellChanged, m_matrix, &MatrixPane::setCell);
  connect(m_session, &CaseSession::pendingChanged, this, &CasesPanel::enableActions);
  connect(m_matrix, &MatrixPane::cellChosen, this, &CasesPanel::openCell);
  connect(m_matrix, &MatrixPane::variableChanged, this, &CasesPanel::enableActions);
  connect(m_splitMenu, &QMenu::aboutToShow, this, &CasesPanel::fillSplitMenu);
}

void CasesPanel::makeTree() {
  m_tree->setModel(m_cases);
  m_tree->setUniformRowHeights(true);
  m_tree->setAlternatingRowColors(true);
  m_tree->setAccessibleName(tr("Cases"));
  m_tree->setContextMenuPolicy(Qt::ActionsContextMenu);
  m_tree->header()->setStretchLastSection(false);
  m_tree->header()->setSectionResizeMode(CasesModel::Case, QHeaderView::Stretch);
  connect(m_tree->selectionModel(), &QItemSelectionModel::currentChanged, this,
          [this] { showCurrent(!m_quiet); });
  connect(m_tree, &QTreeView::clicked, this, [this] { showCurrent(true); });
  connect(m_tree, &QTreeView::activated, this, &CasesPanel::settleCurrent);
}

void CasesPanel::makeActions() {
  const QString category = tr("Cases");
  Actions& actions = context().actions;
  actions.add(this,
              {QStringLiteral("cases-settle"),
               tr("Settle"),
               category,
               {QKeySequence(Qt::Key_E)},
               tr("Ask the engines about the case (also Return in the tree)")},
              [this] { settleCurrent(); });
  actions.add(this,
              {QStringLiteral("cases-settle-all"),
               tr("Settle All Open"),
               category,
               {QKeySequence(Qt::SHIFT | Qt::Key_E)},
               tr("Ask the engines about every open case")},
              [this] { m_session->settleAllOpen(); });
  actions.add(this,
              {QStringLiteral("cases-matrix"),
               tr("Fill Matrix"),
               category,
               {QKeySequence(Qt::Key_M)},
               tr("Ask the engines about every cell")},
              [this] { m_session->settleMatrix(m_matrix->goal(), m_matrix->variable()); });
  actions.add(this,
              {QStringLiteral("cases-cancel"),
               tr("Cancel Cases"),
               category,
               {QKeySequence(Qt::Key_Escape)},
               tr("End all work on cases")},
              [this] { m_session->cancel(); });
  actions.add(this,
              {QStringLiteral("cases-witness"),
               tr("Show Witness of Case"),
               category,
               {QKeySequence(Qt::Key_W)},
               tr("Show the values that separate the sides here")},
              [this] { showWitness(); });
  actions.add(this,
              {QStringLiteral("cases-copy"),
               tr("Copy Record of Case"),
               category,
               {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C)},
               tr("Copy the query or record that settled the case")},
              [this] {
                if (const int node = currentNode(); node >= 0)
                  QGuiApplication::clipboard()->setText(toQt(m_cases->node(node).result.text));
              });
}

void CasesPanel::makeTreeActions() {
  const QString category = tr("Cases");
  Actions& actions = context().actions;
  actions.add(m_tree,
              {QStringLiteral("cases-split"),
               tr("Split..."),
               category,
               {QKeySequence(Qt::Key_S)},
               tr("Split the case on a guard or by classes")},
              [this] { openSplitMenu(); });
  actions.add(m_tree,
              {QStringLiteral("cases-split-guard"),
               tr("Split on Next Guard"),
               category,
               {QKeySequence(Qt::Key_G)},
               tr("Split on the first guard that the case is not cut by")},
              [this] { splitNext(true); });
  actions.add(m_tree,
              {QStringLiteral("cases-split-class"),
               tr("Split by Class"),
               category,
               {QKeySequence(Qt::Key_C)},
               tr("Split by the classes of the next value")},
              [this] { splitNext(false); });

  actions.add(m_tree,
              {QStringLiteral("cases-join"),
               tr("Join"),
               category,
               {QKeySequence(Qt::Key_J), QKeySequence(Qt::Key_Backspace)},
               tr("Take the cuts of the case away")},
              [this] { joinCurrent(); });
}

QToolButton* CasesPanel::buttonFor(const char* id) const {
  auto* button = new QToolButton;
  QAction* action = context().actions.find(QString::fromLatin1(id));
  button->setDefaultAction(action);
  button->setAccessibleName(action->text());
  return button;
}

QWidget* CasesPanel::makeBar() {
  auto* bar = new QWidget;
  auto* row = new QHBoxLayout(bar);
  row->setContentsMargins(4, 2, 4, 0);
  row->setSpacing(2);
  QToolButton* split = buttonFor("cases-split");
  split->setMenu(m_splitMenu);
  split->setPopupMode(QToolButton::MenuButtonPopup);
  row->addWidget(split);
  for (const char* id : {"cases-settle", "cases-settle-all", "cases-join", "cases-witness", "cases-cancel"})
    row->addWidget(buttonFor(id));
  row->addStretch(1);
  m_work->setAccessibleName(tr("Cases under work"));
  row->addWidget(m_work);
  return bar;
}

QWidget* CasesPanel::makeTreeSide() {
  m_detail->setWordWrap(true);
  m_detail->setTextFormat(Qt::PlainText);
  m_detail->setMargin(4);
  m_detail->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  m_detail->setAccessibleName(tr("Selected case"));
  auto* side = new QWidget;
  auto* column = new QVBoxLayout(side);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(2);
  column->addWidget(makeBar());
  column->addWidget(m_tree, 1);
  column->addWidget(m_detail);
  return side;
}

QString CasesPanel::emptyText() const {
  if (!snapshot())
    return tr("Open a model and a kernel: Ctrl+O, or drop two files");
  const std::vector<std::string>& readings = snapshot()->request.readings;
  if (std::find(readings.begin(), readings.end(), "ieee") == readings.end())
    return tr("Cases are for the ieee reading");
  if (const std::optional<Error>& error = snapshot()->error)
    return tr("No cases: %1\n%2").arg(toQt(error->message), toQt(error->next));
  if (!busyTask().isEmpty())
    return tr("No cases yet: %1").arg(busyTask());
  return snapshot()->goals.empty() ? tr("No cases yet: F5 checks") : tr("No goal of this pair can be split");
}

void CasesPanel::onSnapshot() {
  const QScopedValueRollback quiet(m_quiet, true);
  const bool fresh = m_cases->goals().empty();
  m_session->setSnapshot(snapshot());
  const bool empty = m_cases->goals().empty();
  m_pages->setText(empty ? emptyText() : QString());
  if (fresh && !empty) {
    if (m_cases->forest().nodes.size() <= unfoldLimit)
      m_tree->expandAll();
    setCurrentNode(0);
  }
  const int shown = currentNode() < 0 ? 0 : m_cases->node(currentNode()).goal;
  m_matrix->setGoal(empty ? -1 : shown);
  showCurrent(false);
  fillUnknownMatrix();
}

/// A matrix that nobody has computed is worth the second that it takes; Esc ends it.
void CasesPanel::fillUnknownMatrix() {
  const int goal = m_matrix->goal();
  const int variable = m_matrix->variable();
  if (!m_fillsMatrix || goal < 0 || variable < 0 || stale() ||
      workbench::findMatrix(m_cases->forest(), goal, variable) != nullptr)
    return;
  m_session->settleMatrix(goal, variable);
}

void CasesPanel::onHighlight() {
  using Kind = workbench::Anchor::Kind;
  const QScopedValueRollback quiet(m_quiet, true);
  if (anchor().kind != Kind::Goal || highlight().goals.empty() || !snapshot())
    return;
  const int goal = anchor().index;
  const int caseGoal = goal >= 0 && goal < static_cast<int>(snapshot()->goals.size())
                           ? snapshot()->goals[static_cast<size_t>(goal)].caseGoal
                           : -1;
  const bool other = currentNode() < 0 || m_cases->node(currentNode()).goal != caseGoal;
  if (caseGoal >= 0 && other)
    setCurrentNode(caseGoal); // the roots come first
}

void CasesPanel::onStatus() {
  m_cases->setCurrent(!stale());
  m_matrix->setCurrent(!stale());
  m_pages->setNotice(stale() ? EmptyState::staleNotice() : QString());
  if (!m_pages->showsContent())
    m_pages->setText(emptyText());
  showCurrent(false);
}

void CasesPanel::onAppearance() {
  m_matrix->restyle();
  arrangeSides();
  const QFontMetrics metrics(QApplication::font());
  m_tree->header()->resizeSection(CasesModel::Status,
                                  metrics.horizontalAdvance(QStringLiteral("✘ witnessed")) + 24);
  m_tree->header()->resizeSection(CasesModel::Engine, metrics.horizontalAdvance(QLatin1Char('m')) * 8);
  m_tree->header()->resizeSection(CasesModel::Time, metrics.horizontalAdvance(QStringLiteral("000.0 ms  ")));
}

void CasesPanel::resizeEvent(QResizeEvent* event) {
  Panel::resizeEvent(event);
  arrangeSides();
}

void CasesPanel::arrangeSides() {
  const bool wide = width() >= sideBySide * QFontMetrics(QApplication::font()).averageCharWidth();
  m_sides->setOrientation(wide ? Qt::Horizontal : Qt::Vertical);
}

int CasesPanel::currentNode() const {
  return m_cases->nodeAt(m_tree->currentIndex());
}

void CasesPanel::setCurrentNode(int node) {
  const QModelIndex index = m_cases->indexOf(node);
  m_tree->setCurrentIndex(index);
  m_tree->scrollTo(index);
}

void CasesPanel::showCurrent(bool byUser) {
  const int node = currentNode();
  enableActions();
  if (node < 0) {
    m_detail->clear();
    return;
  }
  m_last = addressOf(m_session->scene(), node);
  m_detail->setText(m_cases->indexOf(node).data(Qt::ToolTipRole).toString());
  const int goal = m_cases->node(node).goal;
  if (goal != m_matrix->goal())
    m_matrix->setGoal(goal);
  if (!byUser)
    return;
  tellForest(); // the anchor speaks of nodes of this forest
  workbench::Anchor anchor;
  anchor.kind = workbench::Anchor::Kind::Case;
  anchor.index = node;
  Q_EMIT selected(anchor);
}

void CasesPanel::onChanged() {
  m_untold = true;
  if (!m_tell.isActive())
    m_tell.start();
  if (currentNode() < 0 && !m_last.goal.empty()) {
    const QScopedValueRollback quiet(m_quiet, true);
    while (findCase(m_session->scene(), m_last) < 0 && !m_last.conditions.empty())
      m_last.conditions.pop_back(); // the case has been joined away
    setCurrentNode(findCase(m_session->scene(), m_last));
  }
  showCurrent(false);
}

void CasesPanel::tellForest() {
  if (!std::exchange(m_untold, false))
    return;
  m_tell.stop();
  Q_EMIT casesChanged(m_cases->forest());
}

void CasesPanel::enableActions() {
  const int node = currentNode();
  const bool usable = node >= 0 && !stale();
  const bool leaf = node >= 0 && m_cases->node(node).children.empty();
  const bool canSplit =
      leaf &&
      !possibleSplits(m_cases->goals()[static_cast<size_t>(m_cases->node(node).goal)], m_cases->node(node))
           .empty();
  const Actions& actions = context().actions;
  auto enable = [&](const char* id, bool on) { actions.find(QString::fromLatin1(id))->setEnabled(on); };
  enable("cases-split", canSplit);
  enable("cases-split-guard", canSplit);
  enable("cases-split-class", canSplit);
  enable("cases-settle", usable);
  enable("cases-settle-all", usable);
  enable("cases-join", node >= 0 && !leaf);
  enable("cases-witness", node >= 0 && !m_cases->node(node).result.witness.empty());
  enable("cases-copy", node >= 0 && !m_cases->node(node).result.text.empty());
  enable("cases-cancel", m_session->pending() > 0);
  if (m_matrix == nullptr)
    return;
  const bool working = m_session->matrixPending(m_matrix->goal(), m_matrix->variable());
  enable("cases-matrix", usable && !working && m_matrix->variable() >= 0);
  m_matrix->setWorking(working);
  m_work->setText(m_session->pending() > 0 ? tr("%n working", nullptr, m_session->pending()) : QString());
}

void CasesPanel::fillSplitMenu() {
  m_splitMenu->clear();
  const int node = currentNode();
  if (node < 0 || !m_cases->node(node).children.empty())
    return;
  const workbench::CaseGoal& goal = m_cases->goals()[static_cast<size_t>(m_cases->node(node).goal)];
  for (const SplitOn& on : possibleSplits(goal, m_cases->node(node))) {
    const NamedCondition name = named(goal, on);
    QString text =
        name.isGuard ? tr("On %1").arg(toQt(name.what)) : tr("By class of %1").arg(toQt(name.what));
    text.replace(QLatin1Char('&'), QStringLiteral("&&"));
    m_splitMenu->addAction(text, this, [this, on] { splitOn(on); });
  }
}

void CasesPanel::openSplitMenu() {
  fillSplitMenu();
  if (m_splitMenu->isEmpty())
    return;
  const QRect row = m_tree->visualRect(m_tree->currentIndex());
  m_splitMenu->popup(m_tree->viewport()->mapToGlobal(row.bottomLeft()));
  m_splitMenu->setActiveAction(m_splitMenu->actions().first());
}

void CasesPanel::splitOn(const SplitOn& on) {
  const int node = currentNode();
  const workbench::CaseGoal& goal = m_cases->goals()[static_cast<size_t>(m_cases->node(node).goal)];
  context().undo.push(new SplitCommand(m_session, {addressOf(m_session->scene(), node), named(goal, on)}));
  m_tree->expand(m_cases->indexOf(node));
}

void CasesPanel::splitNext(bool guard) {
  const int node = currentNode();
  if (node < 0 || !m_cases->node(node).children.empty())
    return;
  const std::vector<SplitOn> possible =
      possibleSplits(m_cases->goals()[static_cast<size_t>(m_cases->node(node).goal)], m_cases->node(node));
  const auto first = std::find_if(possible.begin(), possible.end(),
                                  [&](const SplitOn& on) { return (on.guard >= 0) == guard; });
  if (first != possible.end())
    splitOn(*first);
  else
    say(guard ? tr("The case is cut by every guard already.")
              : tr("The case is cut by the class of every value already."));
}

void CasesPanel::joinCurrent() {
  if (const int node = currentNode(); node >= 0 && !m_cases->node(node).children.empty())
    context().undo.push(new JoinCommand(m_session, node));
}

void CasesPanel::settleCurrent() {
  if (const int node = currentNode(); node >= 0 && !stale())
    m_session->settle(node);
}

void CasesPanel::showWitness() {
  if (const int node = currentNode(); node >= 0 && !m_cases->node(node).result.witness.empty())
    Q_EMIT valuesChosen(m_cases->node(node).goal, m_cases->node(node).result.witness);
}

void CasesPanel::openCell(const CasePath& conditions, const workbench::MatrixCell* cell) {
  const int goal = m_matrix->goal();
  const std::vector<uint32_t> witness = cell == nullptr ? std::vector<uint32_t>{} : cell->result.witness;
  const int node = reach(goal, conditions);
  {
    const QScopedValueRollback quiet(m_quiet, true);
    setCurrentNode(node);
  }
  showCurrent(true);
  if (m_cases->node(node).path.size() < conditions.size())
    say(tr("The tree is cut in another way here: join this case to see the cell in it."));
  if (!witness.empty())
    Q_EMIT valuesChosen(goal, witness);
}

int CasesPanel::reach(int goal, const CasePath& conditions) {
  int node = nearest(m_session->scene(), goal, conditions);
  QUndoStack& undo = context().undo;
  const workbench::CaseGoal& names = m_cases->goals()[static_cast<size_t>(goal)];
  bool began = false;
  while (m_cases->node(node).children.empty() && m_cases->node(node).path.size() < conditions.size()) {
    const CasePath& path = m_cases->node(node).path;
    const auto next =
        std::find_if(conditions.begin(), conditions.end(), [&](const workbench::CaseCondition& condition) {
          return std::find(path.begin(), path.end(), condition) == path.end();
        });
    if (!std::exchange(began, true))
      undo.beginMacro(tr("Show cell as case"));
    undo.push(new SplitCommand(
        m_session, {addressOf(m_session->scene(), node), named(names, {next->guard, next->variable})}));
    const int deeper = nearest(m_session->scene(), goal, conditions);
    if (deeper == node)
      break;
    node = deeper;
  }
  if (began)
    undo.endMacro();
  return node;
}

void CasesPanel::say(const QString& message) {
  m_detail->setText(message);
}

} // namespace plumbline::views
