#include "views/shell/shortcut_list.h"

#include "views/shell/actions.h"
#include "views/shell/command_palette.h"

#include <QAction>
#include <QCoreApplication>
#include <QDialogButtonBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QTreeWidget>
#include <QVBoxLayout>

namespace plumbline::views {

namespace {

QTreeWidget* tableOf(const Actions& actions) {
  auto* table = new QTreeWidget;
  table->setColumnCount(3);
  table->setHeaderLabels({QCoreApplication::translate("ShortcutList", "Where"),
                          QCoreApplication::translate("ShortcutList", "Command"),
                          QCoreApplication::translate("ShortcutList", "Keys")});
  table->setRootIsDecorated(false);
  table->setAlternatingRowColors(true);
  for (const Actions::Entry& entry : actions.entries()) {
    const QString keys = QKeySequence::listToString(entry.action->shortcuts(), QKeySequence::NativeText);
    new QTreeWidgetItem(table, {entry.category, plainText(entry.action->text()), keys});
  }
  table->setSortingEnabled(true);
  table->sortByColumn(0, Qt::AscendingOrder);
  table->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
  table->setAccessibleName(QCoreApplication::translate("ShortcutList", "Commands and their keys"));
  return table;
}

void showMatching(QTreeWidget* table, const QString& text) {
  for (int row = 0; row < table->topLevelItemCount(); ++row) {
    QTreeWidgetItem* item = table->topLevelItem(row);
    bool found = false;
    for (int column = 0; column < table->columnCount(); ++column)
      found = found || item->text(column).contains(text, Qt::CaseInsensitive);
    item->setHidden(!found);
  }
}

} // namespace

ShortcutList::ShortcutList(const Actions& actions, QWidget* parent) : QDialog(parent) {
  setWindowTitle(tr("Commands and Keys"));
  setAttribute(Qt::WA_DeleteOnClose);
  QTreeWidget* table = tableOf(actions);
  auto* filter = new QLineEdit;
  filter->setPlaceholderText(tr("Filter"));
  filter->setAccessibleName(tr("Filter commands"));
  connect(filter, &QLineEdit::textChanged, table,
          [table](const QString& text) { showMatching(table, text); });
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  auto* column = new QVBoxLayout(this);
  column->addWidget(filter);
  column->addWidget(table, 1);
  column->addWidget(buttons);
  resize(fontMetrics().averageCharWidth() * 90, fontMetrics().height() * 34);
}

AboutWindow::AboutWindow(QWidget* parent) : QDialog(parent) {
  setWindowTitle(tr("About Plumbline"));
  setAttribute(Qt::WA_DeleteOnClose);
  auto* text =
      new QLabel(tr("<h3>Plumbline %1</h3>"
                    "<p>Proves that a CUDA kernel computes the same function as its PyTorch module,<br>"
                    "or shows an input that separates them.</p>"
                    "<p>GNU General Public License, version 3.</p>")
                     .arg(QCoreApplication::applicationVersion()));
  text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  auto* column = new QVBoxLayout(this);
  column->addWidget(text);
  column->addWidget(buttons);
}

} // namespace plumbline::views
