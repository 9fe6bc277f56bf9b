#include "views/goals/live_goals.h"

#include "lean-bridge/client/proof_document.h"
#include "views/style/style.h"

#include <QHeaderView>
#include <QLabel>
#include <QPlainTextEdit>
#include <QSplitter>
#include <QTreeWidget>
#include <QVBoxLayout>

namespace plumbline::views {

namespace {

constexpr int frameMs = 16;
constexpr size_t longestText = 100000; ///< of goals at the cursor; more would take long to lay out
constexpr int mostRows = 2000;

QLabel* lineLabel(const QString& name) {
  auto* label = new QLabel;
  label->setTextFormat(Qt::PlainText);
  label->setWordWrap(true);
  label->setContentsMargins(6, 2, 6, 2);
  label->setAccessibleName(name);
  label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  return label;
}

/// Changes since the step before, in words that need no colour.
QString hypothesisMark(const lsp::Hypothesis& hypothesis) {
  if (hypothesis.isInserted)
    return QStringLiteral("+ ");
  return hypothesis.isRemoved ? QStringLiteral("- ") : QString();
}

QString shownGoal(const lsp::InteractiveGoal& goal) {
  QString text;
  lsp::InteractiveGoal one = goal;
  if (goal.vouching) {
    QStringList engines;
    for (const std::string& engine : goal.vouching->engines)
      engines << toQt(engine);
    text += QStringLiteral("[%1%2%3]\n")
                .arg(toQt(lsp::toString(goal.vouching->state)),
                     engines.isEmpty() ? QString() : QStringLiteral(": ") + engines.join(QLatin1Char(' ')),
                     goal.vouching->remark.empty() ? QString()
                                                   : QStringLiteral("; ") + toQt(goal.vouching->remark));
  }
  for (lsp::Hypothesis& hypothesis : one.hypotheses)
    if (const QString mark = hypothesisMark(hypothesis); !mark.isEmpty() && !hypothesis.names.empty())
      hypothesis.names.front() = mark.toStdString() + hypothesis.names.front();
  return text + toQt(lsp::goalText(one));
}

workbench::CaseStatus statusOf(const lsp::CheckedGoal& goal) {
  using workbench::CaseStatus;
  if (goal.agreement == lsp::Agreement::Contradiction || goal.goal.vouching.state == lsp::GoalState::Conflict)
    return CaseStatus::Conflict;
  switch (goal.goal.vouching.state) {
  case lsp::GoalState::Closed: return CaseStatus::Closed;
  case lsp::GoalState::Witnessed: return CaseStatus::Witnessed;
  default: return CaseStatus::Open;
  }
}

} // namespace

QString answerText(const lsp::GoalsAnswer& answer) {
  using State = lsp::GoalsAnswer::State;
  QString text;
  switch (answer.state) {
  case State::NoServer: return LiveGoals::tr("not running");
  case State::Waiting: text = LiveGoals::tr("asked..."); break;
  case State::NoState: text = LiveGoals::tr("no proof at the cursor"); break;
  case State::Crashed: text = LiveGoals::tr("its worker has ended; an edit starts it again"); break;
  case State::Failed: text = LiveGoals::tr("no answer: %1").arg(toQt(answer.message)); break;
  case State::Goals:
    if (answer.goals.empty())
      text = LiveGoals::tr("no goals");
    for (const lsp::InteractiveGoal& goal : answer.goals) {
      if (static_cast<size_t>(text.size()) > longestText) {
        text += LiveGoals::tr("\n\n... and more");
        break;
      }
      text += (text.isEmpty() ? QString() : QStringLiteral("\n\n")) + shownGoal(goal);
    }
    break;
  }
  for (const lsp::InteractiveDiagnostic& message : answer.messages)
    if (!message.diagnostic.message.empty() && static_cast<size_t>(text.size()) < longestText)
      text +=
          QStringLiteral("\n\n") + toQt(message.diagnostic.message).left(static_cast<qsizetype>(longestText));
  return text;
}

LiveGoals::LiveGoals(QWidget* parent)
    : QWidget(parent), m_state(lineLabel(tr("Servers"))), m_place(new QPlainTextEdit),
      m_list(new QTreeWidget), m_axioms(lineLabel(tr("Axioms"))) {
  m_place->setReadOnly(true);
  m_place->setTabChangesFocus(true);
  m_place->setAccessibleName(tr("Goals at the cursor"));
  m_list->setAccessibleName(tr("Goals of the document"));
  m_list->setRootIsDecorated(false);
  m_list->setUniformRowHeights(true);
  m_list->setHeaderLabels({tr("Goal"), tr("Who says what")});
  m_list->header()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
  auto* parts = new QSplitter(Qt::Vertical);
  parts->addWidget(m_place);
  parts->addWidget(m_list);
  parts->setChildrenCollapsible(false);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(m_state);
  column->addWidget(parts, 1);
  column->addWidget(m_axioms);
  m_frame.setSingleShot(true);
  m_frame.setInterval(frameMs);
  connect(&m_frame, &QTimer::timeout, this, &LiveGoals::refresh);
}

void LiveGoals::setProof(lsp::ProofDocument* proof) {
  m_proof = proof;
  connect(proof, &lsp::ProofDocument::changed, this, &LiveGoals::schedule);
  connect(proof, &lsp::ProofDocument::goalsAtPlaceChanged, this, &LiveGoals::schedule);
  schedule();
}

void LiveGoals::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  schedule();
}

void LiveGoals::schedule() {
  if (isVisible() && !m_frame.isActive())
    m_frame.start();
}

QString LiveGoals::stateText() const {
  return m_state->text();
}

QString LiveGoals::placeText() const {
  return m_place->toPlainText();
}

void LiveGoals::refresh() {
  if (!m_proof)
    return;
  m_state->setText(
      tr("Engines: %1.  Lean: %2.")
          .arg(toQt(m_proof->statusOf(m_proof->plumbline())), toQt(m_proof->statusOf(m_proof->lean()))));
  showPlace();
  showList();
  QStringList axioms;
  for (const std::string& sentence : m_proof->axioms())
    axioms << toQt(sentence);
  m_axioms->setText(axioms.join(QLatin1Char('\n')));
}

void LiveGoals::showPlace() {
  QString text;
  const auto add = [&text](const QString& who, const lsp::ProofDocument::Side& side) {
    if (!side.goals)
      return;
    text += (text.isEmpty() ? QString() : QStringLiteral("\n\n")) + who + QLatin1Char('\n') +
            answerText(side.goals->answer());
  };
  if (m_proof->isOpen()) {
    add(tr("-- Engines, at the cursor:"), m_proof->plumbline());
    add(tr("-- Lean, at the cursor:"), m_proof->lean());
  }
  if (m_place->toPlainText() != text)
    m_place->setPlainText(text);
}

void LiveGoals::showList() {
  const std::vector<lsp::CheckedGoal> goals = m_proof->goals();
  const int rows = std::min(static_cast<int>(goals.size()), mostRows);
  while (m_list->topLevelItemCount() > rows)
    delete m_list->takeTopLevelItem(m_list->topLevelItemCount() - 1);
  while (m_list->topLevelItemCount() < rows)
    new QTreeWidgetItem(m_list);
  for (int row = 0; row < rows; ++row) {
    const lsp::CheckedGoal& goal = goals[static_cast<size_t>(row)];
    QTreeWidgetItem* item = m_list->topLevelItem(row);
    const workbench::CaseStatus status = statusOf(goal);
    item->setText(0, statusSymbol(status) + QLatin1Char(' ') + toQt(goal.goal.vouching.goal));
    item->setText(1, toQt(lsp::inWords(goal)));
    item->setForeground(1, statusColor(status));
    item->setToolTip(0, toQt(goal.goal.text));
  }
}

} // namespace plumbline::views
