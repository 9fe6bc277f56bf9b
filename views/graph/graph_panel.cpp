#include "views/graph/graph_panel.h"

#include "views/graph/graph_view.h"
#include "views/shell/actions.h"
#include "views/style/empty_state.h"
#include "views/style/style.h"

#include <QAction>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QToolButton>

namespace plumbline::views {

namespace {

QToolButton* buttonFor(QAction* action, const QString& symbol) {
  auto* button = new QToolButton;
  button->setDefaultAction(action);
  button->setText(symbol);
  button->setAutoRaise(true);
  button->setAccessibleName(action->text());
  button->setToolTip(action->toolTip());
  return button;
}

} // namespace

GraphPanel::GraphPanel(const PanelContext& context, QWidget* parent)
    : Panel(context, parent), m_view(new GraphView), m_search(new QLineEdit), m_count(new QLabel),
      m_size(new QLabel) {
  auto* content = new QWidget;
  auto* column = new QVBoxLayout(content);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(2);
  makeActions();
  column->addWidget(makeBar());
  column->addWidget(m_view, 1);
  m_pages = new EmptyState(content);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(m_pages);
  setFocusProxy(m_view);

  connect(m_search, &QLineEdit::textChanged, this, &GraphPanel::search);
  connect(m_search, &QLineEdit::returnPressed, this, [this] { step(1); });
  connect(m_view, &GraphView::chosen, this, [this](int node) {
    workbench::Anchor anchor;
    anchor.kind = workbench::Anchor::Kind::Node;
    anchor.index = node;
    Q_EMIT selected(anchor);
  });
  connect(m_view, &GraphView::laidOut, this, [this] {
    const Layout& layout = m_view->geometryOfGraph();
    m_size->setToolTip(layout.method == LayoutMethod::Dot
                           ? tr("Placed by Graphviz dot in %1.").arg(timeText(layout.ms))
                           : tr("Placed in plain layers: the graph is too large for Graphviz dot."));
  });
}

void GraphPanel::makeActions() {
  const QString category = tr("Graph");
  Actions& actions = context().actions;
  actions.add(this,
              {QStringLiteral("graph-find"),
               tr("Find Node"),
               category,
               {QKeySequence::Find},
               tr("Search by name, operator or shape")},
              [this] {
                m_search->setFocus(Qt::ShortcutFocusReason);
                m_search->selectAll();
              });
  actions.add(this,
              {QStringLiteral("graph-find-next"),
               tr("Next Match"),
               category,
               {QKeySequence(Qt::Key_F3)},
               tr("Go to the next match")},
              [this] { step(1); });
  actions.add(this,
              {QStringLiteral("graph-find-previous"),
               tr("Previous Match"),
               category,
               {QKeySequence(Qt::SHIFT | Qt::Key_F3)},
               tr("Go to the previous match")},
              [this] { step(-1); });
  actions.add(m_view, {QStringLiteral("graph-zoom-in"), tr("Zoom In"), category, {}, tr("Zoom in (+)")},
              [this] { m_view->zoomBy(1.25); });
  actions.add(m_view, {QStringLiteral("graph-zoom-out"), tr("Zoom Out"), category, {}, tr("Zoom out (-)")},
              [this] { m_view->zoomBy(0.8); });
  actions.add(m_view,
              {QStringLiteral("graph-fit"), tr("Fit Graph"), category, {}, tr("Show the whole graph (0)")},
              [this] { m_view->fit(); });
}

QWidget* GraphPanel::makeBar() {
  m_search->setPlaceholderText(tr("Find node, operator, shape"));
  m_search->setClearButtonEnabled(true);
  m_search->setAccessibleName(tr("Find in graph"));
  m_count->setAccessibleName(tr("Matches"));
  m_size->setAccessibleName(tr("Size of the graph"));
  m_bar = new QWidget;
  auto* row = new QHBoxLayout(m_bar);
  row->setContentsMargins(4, 2, 4, 0);
  row->addWidget(m_search, 1);
  row->addWidget(m_count);
  const std::pair<const char*, const char*> buttons[] = {{"graph-find-previous", "↑"},
                                                         {"graph-find-next", "↓"},
                                                         {"graph-zoom-out", "−"},
                                                         {"graph-zoom-in", "+"},
                                                         {"graph-fit", "⤢"}};
  for (const auto& [id, symbol] : buttons)
    row->addWidget(buttonFor(context().actions.find(QString::fromLatin1(id)), QString::fromUtf8(symbol)));
  row->addWidget(m_size);
  return m_bar;
}

void GraphPanel::resizeEvent(QResizeEvent* event) {
  Panel::resizeEvent(event);
  fitBar();
}

void GraphPanel::fitBar() {
  const int own = m_size->sizeHint().width() + m_bar->layout()->spacing();
  const int others = m_bar->layout()->minimumSize().width() - (m_size->isHidden() ? 0 : own);
  m_size->setVisible(others + own <= width());
}

QString GraphPanel::emptyText() const {
  if (!snapshot())
    return tr("Open a model and a kernel: Ctrl+O, or drop two files");
  if (const std::optional<Error>& error = snapshot()->error)
    return tr("No graph: %1").arg(toQt(error->message));
  return tr("The model has no graph yet: F5 checks");
}

void GraphPanel::onSnapshot() {
  const bool empty = !snapshot() || snapshot()->graph.empty();
  m_pages->setText(empty ? emptyText() : QString());
  m_view->setSnapshot(snapshot());
  const int count = snapshot() ? static_cast<int>(snapshot()->graph.size()) : 0;
  m_size->setText(tr("%n nodes", nullptr, count));
  fitBar();
  search();
}

void GraphPanel::onHighlight() {
  m_view->setHighlight(highlight().nodes);
  if (anchor().kind != workbench::Anchor::Kind::Node && !highlight().nodes.empty())
    m_view->setCurrent(*highlight().nodes.begin());
}

void GraphPanel::onAppearance() {
  m_view->restyle();
}

void GraphPanel::search() {
  m_matches = m_view->search(m_search->text());
  showCount(0, m_matches);
}

void GraphPanel::step(int direction) {
  showCount(m_view->searchStep(direction), m_matches);
}

void GraphPanel::showCount(int at, int count) {
  if (m_search->text().trimmed().isEmpty())
    m_count->clear();
  else
    m_count->setText(count == 0 ? tr("no match") : tr("%1 of %2").arg(at + 1).arg(count));
}

} // namespace plumbline::views
