#include "views/safety/access_picture.h"

#include "views/style/style.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <set>

namespace plumbline::views {

namespace {

constexpr int padding = 6;
constexpr int64_t around = 6;

} // namespace

AccessPicture::AccessPicture(QWidget* parent) : QWidget(parent) {
  setAccessibleName(tr("Who touches what"));
}

void AccessPicture::setFinding(const workbench::FindingView& finding) {
  m_finding = finding;
  m_rows.clear();
  m_columns.clear();
  m_cells.clear();
  std::set<int64_t> elements;
  if (!finding.array.empty())
    elements.insert(finding.element);
  for (const workbench::Touch& touch : finding.touches) {
    const QString thread = toQt(touch.thread);
    if (!m_rows.contains(thread))
      m_rows << thread;
    elements.insert(touch.index);
    Cell& cell = m_cells[{static_cast<int>(m_rows.indexOf(thread)), touch.index}];
    cell.read |= touch.kind == workbench::TouchKind::Read;
    cell.write |= touch.kind == workbench::TouchKind::Write;
    cell.atomic |= touch.kind == workbench::TouchKind::Atomic;
    if (std::find(cell.where.begin(), cell.where.end(), touch.where) == cell.where.end())
      cell.where.push_back(touch.where);
  }
  // Neighbours that nobody touches show where the array goes on.
  for (int64_t k = finding.element - 2; k <= finding.element + 2 && !elements.empty(); ++k)
    if (k >= -1 && (finding.length < 0 || k <= finding.length))
      elements.insert(k);
  for (const int64_t element : elements)
    if (std::abs(element - finding.element) <= around)
      m_columns.push_back(element);
  describe();
  updateGeometry();
  update();
}

QString AccessPicture::textOf(const Cell& cell) {
  QString text;
  if (cell.read)
    text += QLatin1Char('R');
  if (cell.write)
    text += QLatin1Char('W');
  if (cell.atomic)
    text += QLatin1Char('A');
  return text;
}

QString AccessPicture::cellText(int row, int64_t element) const {
  const auto found = m_cells.find({row, element});
  return found == m_cells.end() ? QString() : textOf(found->second);
}

/// The same in words, for who does not see the picture.
void AccessPicture::describe() {
  QStringList sentences;
  for (const auto& [place, cell] : m_cells)
    sentences << tr("%1: %2 of %3[%4]")
                     .arg(m_rows[place.first], textOf(cell), toQt(m_finding.array))
                     .arg(place.second);
  setAccessibleDescription(sentences.join(QLatin1String("; ")));
}

bool AccessPicture::outside(int64_t element) const {
  return element < 0 || (m_finding.length >= 0 && element >= m_finding.length);
}

int AccessPicture::labelWidth() const {
  int width = fontMetrics().horizontalAdvance(toQt(m_finding.array));
  for (const QString& row : m_rows)
    width = std::max(width, fontMetrics().horizontalAdvance(row));
  return width + 2 * padding;
}

int AccessPicture::cellWidth() const {
  int width = fontMetrics().horizontalAdvance(QLatin1String("RWA"));
  for (const int64_t element : m_columns)
    width = std::max(width, fontMetrics().horizontalAdvance(QString::number(element)));
  return width + 2 * padding;
}

int AccessPicture::rowHeight() const {
  return fontMetrics().height() + padding;
}

QSize AccessPicture::sizeHint() const {
  if (m_rows.isEmpty())
    return {0, 0};
  return {labelWidth() + cellWidth() * static_cast<int>(m_columns.size()) + 1,
          rowHeight() * (static_cast<int>(m_rows.size()) + 1) + 1};
}

QRect AccessPicture::cellRect(int row, int column) const {
  return {labelWidth() + column * cellWidth(), (row + 1) * rowHeight(), cellWidth(), rowHeight()};
}

const AccessPicture::Cell* AccessPicture::cellAt(QPoint position) const {
  if (position.x() < labelWidth() || position.y() < rowHeight())
    return nullptr;
  const auto column = static_cast<size_t>((position.x() - labelWidth()) / cellWidth());
  const int row = position.y() / rowHeight() - 1;
  if (column >= m_columns.size())
    return nullptr;
  const auto found = m_cells.find({row, m_columns[column]});
  return found == m_cells.end() ? nullptr : &found->second;
}

void AccessPicture::paintHeader(QPainter& painter) const {
  const QRect corner(0, 0, labelWidth() - padding, rowHeight());
  painter.setPen(palette().color(QPalette::Text));
  painter.drawText(corner.adjusted(padding, 0, 0, 0), Qt::AlignVCenter | Qt::AlignLeft,
                   toQt(m_finding.array));
  for (size_t k = 0; k < m_columns.size(); ++k) {
    const QRect rect = cellRect(-1, static_cast<int>(k));
    const bool meant = m_columns[k] == m_finding.element;
    QFont font = painter.font();
    font.setBold(meant);
    painter.save();
    painter.setFont(font);
    painter.setPen(meant                   ? problemText()
                   : outside(m_columns[k]) ? faintText()
                                           : palette().color(QPalette::Text));
    painter.drawText(rect, Qt::AlignCenter, QString::number(m_columns[k]));
    painter.restore();
  }
}

void AccessPicture::paintRow(QPainter& painter, int row) const {
  painter.setPen(palette().color(QPalette::Text));
  painter.drawText(QRect(padding, (row + 1) * rowHeight(), labelWidth() - padding, rowHeight()),
                   Qt::AlignVCenter | Qt::AlignLeft, m_rows[row]);
  for (size_t k = 0; k < m_columns.size(); ++k) {
    const QRect rect = cellRect(row, static_cast<int>(k));
    const auto found = m_cells.find({row, m_columns[k]});
    const bool meant = m_columns[k] == m_finding.element;
    if (outside(m_columns[k]))
      painter.fillRect(rect, QBrush(faintText(), Qt::BDiagPattern));
    if (found != m_cells.end()) {
      const Cell& cell = found->second;
      painter.fillRect(rect.adjusted(1, 1, 0, 0),
                       statusFill(cell.write || cell.atomic ? workbench::CaseStatus::Witnessed
                                                            : workbench::CaseStatus::Open));
      painter.setPen(palette().color(QPalette::Text));
      painter.drawText(rect, Qt::AlignCenter, textOf(cell));
    }
    painter.setPen(meant ? problemText() : faintText());
    painter.drawRect(rect);
  }
}

void AccessPicture::paintEvent(QPaintEvent*) {
  if (m_rows.isEmpty())
    return;
  QPainter painter(this);
  paintHeader(painter);
  for (int row = 0; row < m_rows.size(); ++row)
    paintRow(painter, row);
}

void AccessPicture::mousePressEvent(QMouseEvent* press) {
  if (const Cell* cell = cellAt(press->position().toPoint()))
    Q_EMIT placeChosen(cell->where.front());
}

bool AccessPicture::event(QEvent* happened) {
  if (happened->type() != QEvent::ToolTip)
    return QWidget::event(happened);
  const auto* help = static_cast<QHelpEvent*>(happened);
  QStringList lines;
  if (const Cell* cell = cellAt(help->pos()))
    for (const SourceRange& where : cell->where)
      lines << tr("%1 at %2").arg(textOf(*cell), toQt(toString(where)));
  QToolTip::showText(help->globalPos(), lines.join(QLatin1Char('\n')), this);
  return true;
}

} // namespace plumbline::views
