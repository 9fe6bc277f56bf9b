#include "views/shell/story_list.h"

#include "views/style/style.h"

#include <QEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QStyledItemDelegate>

#include <algorithm>

namespace plumbline::views {

namespace {

enum StoryRole { SentenceRole = Qt::UserRole, NoteRole };
constexpr int margin = 6;

/// A path has no places to wrap at: it is cut in the middle.
QString fitting(const QString& sentence, const QFontMetrics& metrics, int width) {
  return sentence.contains(QLatin1Char(' ')) ? sentence
                                             : metrics.elidedText(sentence, Qt::ElideMiddle, width);
}

/// Paints the name in bold, a note at the right, and the sentence below.
class StoryDelegate : public QStyledItemDelegate {
public:
  using QStyledItemDelegate::QStyledItemDelegate;

  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    const auto* list = qobject_cast<const QListWidget*>(option.widget);
    const int width = (list != nullptr ? list->viewport()->width() : option.rect.width());
    const QFontMetrics metrics(option.font);
    const QString sentence = fitting(index.data(SentenceRole).toString(), metrics, width - 2 * margin);
    int height = metrics.height() + 2 * margin;
    if (!sentence.isEmpty())
      height +=
          metrics
              .boundingRect(QRect(0, 0, std::max(width - 2 * margin, 40), 10000), Qt::TextWordWrap, sentence)
              .height();
    return {std::min(width, 200), height};
  }

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    QStyleOptionViewItem box = option;
    initStyleOption(&box, index);
    box.text.clear();
    box.widget->style()->drawControl(QStyle::CE_ItemViewItem, &box, painter, box.widget);
    const bool selected = (option.state & QStyle::State_Selected) != 0;
    const QColor text = option.palette.color(selected ? QPalette::HighlightedText : QPalette::Text);
    const QColor faint = selected ? text : faintText();
    const QRect inner = option.rect.adjusted(margin, margin, -margin, -margin);
    painter->save();
    painter->setPen(faint);
    painter->drawText(inner, Qt::AlignRight | Qt::AlignTop, index.data(NoteRole).toString());
    QFont bold = option.font;
    bold.setBold(true);
    painter->setFont(bold);
    painter->setPen(text);
    painter->drawText(inner, Qt::AlignLeft | Qt::AlignTop, index.data(Qt::DisplayRole).toString());
    painter->setFont(option.font);
    painter->setPen(faint);
    const QFontMetrics metrics(option.font);
    painter->drawText(inner.adjusted(0, metrics.height(), 0, 0), Qt::TextWordWrap,
                      fitting(index.data(SentenceRole).toString(), metrics, inner.width()));
    painter->restore();
  }
};

} // namespace

StoryList::StoryList(QWidget* parent) : QListWidget(parent) {
  setItemDelegate(new StoryDelegate(this));
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setVerticalScrollMode(ScrollPerPixel);
  setMouseTracking(true);
  connect(this, &QListWidget::itemClicked, this, [this](QListWidgetItem* item) { Q_EMIT chosen(row(item)); });
}

void StoryList::addStory(const QString& storyName, const QString& sentence, const QString& note) {
  auto* item = new QListWidgetItem(storyName, this);
  item->setData(SentenceRole, sentence);
  item->setData(NoteRole, note);
  item->setData(Qt::AccessibleTextRole,
                storyName + QLatin1String(". ") + sentence + QLatin1String(" ") + note);
}

void StoryList::resizeEvent(QResizeEvent* event) {
  QListWidget::resizeEvent(event);
  scheduleDelayedItemsLayout();
}

void StoryList::changeEvent(QEvent* event) {
  QListWidget::changeEvent(event);
  if (event->type() == QEvent::FontChange)
    scheduleDelayedItemsLayout();
}

void StoryList::keyPressEvent(QKeyEvent* event) {
  if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) && currentItem() != nullptr)
    Q_EMIT chosen(currentRow());
  else
    QListWidget::keyPressEvent(event);
}

} // namespace plumbline::views
