// Filter of a list or tree by text and by being open.
#pragma once

#include <QSortFilterProxyModel>
#include <QString>

namespace plumbline::views {

/// Keeps rows whose FilterRole contains all words of the text, whatever their case; headings stay while one
/// of their rows does.
class RowFilter : public QSortFilterProxyModel {
  Q_OBJECT
public:
  explicit RowFilter(QObject* parent = nullptr);

  void setWords(const QString& words);
  void setOnlyOpen(bool onlyOpen);
  bool filters() const { return m_onlyOpen || !m_words.isEmpty(); }

protected:
  bool filterAcceptsRow(int sourceRow, const QModelIndex& sourceParent) const override;

private:
  QStringList m_words;
  bool m_onlyOpen = false;
};

} // namespace plumbline::views
