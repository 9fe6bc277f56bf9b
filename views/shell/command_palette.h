// Every action by typing a part of its name.
#pragma once

#include <QFrame>

class QLineEdit;
class QListWidget;

namespace plumbline::views {

class Actions;

/// A field and a list above the window's content. Enter runs what is selected, Escape goes back to where the
/// focus was. GUI thread only.
class CommandPalette : public QFrame {
  Q_OBJECT
public:
  CommandPalette(const Actions& actions, QWidget* window);

  void open();

protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

private:
  void fill();
  void run();
  void leave();
  void place();

  const Actions& m_actions;
  QLineEdit* m_field;
  QListWidget* m_list;
  QWidget* m_focusBefore = nullptr;
};

/// Text of an action without its mnemonic and dots: "Open".
QString plainText(const QString& actionText);

} // namespace plumbline::views
