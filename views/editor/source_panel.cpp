#include "views/editor/source_panel.h"

#include "views/editor/code_editor.h"
#include "views/editor/find_bar.h"
#include "views/shell/actions.h"
#include "views/style/empty_state.h"
#include "views/style/style.h"

#include <QLabel>
#include <QVBoxLayout>

namespace plumbline::views {

namespace {

QLabel* line(QWidget* parent) {
  auto* label = new QLabel(parent);
  label->setTextFormat(Qt::PlainText);
  label->setWordWrap(true);
  label->setContentsMargins(6, 3, 6, 3);
  label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  return label;
}

} // namespace

SourcePanel::SourcePanel(const PanelContext& panelContext, Language language, const QString& id,
                         const QString& category, QWidget* parent)
    : Panel(panelContext, parent), m_heading(line(this)), m_notices(line(this)),
      m_editor(new CodeEditor(language)) {
  auto* content = new QWidget;
  auto* column = new QVBoxLayout(content);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  m_find = new FindBar(*m_editor, content);
  m_editor->setAccessibleName(category);
  column->addWidget(m_editor, 1);
  column->addWidget(m_find);
  m_pages = new EmptyState(content, this);
  auto* all = new QVBoxLayout(this);
  all->setContentsMargins(0, 0, 0, 0);
  all->setSpacing(0);
  all->addWidget(m_heading);
  all->addWidget(m_notices);
  all->addWidget(m_pages, 1);
  m_notices->setAccessibleName(tr("%1: notices").arg(category));
  setFocusProxy(m_editor);
  connect(m_editor, &CodeEditor::caretMoved, this,
          [this](const SourceRange& place) { Q_EMIT selected(anchorAt(place)); });
  addActions(id, category);
}

void SourcePanel::addActions(const QString& id, const QString& category) {
  Actions& actions = context().actions;
  actions.add(this,
              {id + QLatin1String("-find"), tr("Find in %1").arg(category), category, {QKeySequence::Find}},
              [this] { m_find->open(); });
  actions.add(this,
              {id + QLatin1String("-find-next"),
               tr("Find Next in %1").arg(category),
               category,
               {QKeySequence(Qt::Key_F3)}},
              [this] { m_find->findNext(true); });
  actions.add(this,
              {id + QLatin1String("-find-previous"),
               tr("Find Previous in %1").arg(category),
               category,
               {QKeySequence(Qt::SHIFT | Qt::Key_F3)}},
              [this] { m_find->findNext(false); });
}

void SourcePanel::onSnapshot() {
  const Content shown = snapshot() ? content() : Content{};
  m_reason = shown.reason;
  m_headingText = shown.heading;
  m_notices->setText(shown.notices.join(QLatin1Char('\n')));
  m_notices->setVisible(!shown.notices.isEmpty());
  if (shown.text != m_shown) {
    m_shown = shown.text;
    m_editor->setSource(m_shown, true);
  }
  decorate();
  m_find->refresh();
  updateHeading();
  updateHint();
}

void SourcePanel::updateHint() {
  QString hint;
  if (m_shown.empty())
    hint = !m_reason.isEmpty() ? m_reason : busyTask().isEmpty() ? emptyText() : tr("Reading the files…");
  m_pages->setText(hint);
}

void SourcePanel::onStatus() {
  updateHeading();
  updateHint();
}

void SourcePanel::updateHeading() {
  QString text = m_headingText;
  if (stale() && !text.isEmpty())
    text += tr("   ● changed on disk: this is the older text");
  m_heading->setText(text);
  m_heading->setVisible(!text.isEmpty());
}

void SourcePanel::onAppearance() {
  m_editor->applyLook();
  QPalette palette;
  palette.setColor(QPalette::WindowText, problemText());
  m_notices->setPalette(palette);
}

} // namespace plumbline::views
