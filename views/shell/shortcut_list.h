// All actions with their keys, and what the program is.
#pragma once

#include <QDialog>

namespace plumbline::views {

class Actions;

/// A window beside the main one, made anew each time it is opened.
class ShortcutList : public QDialog {
  Q_OBJECT
public:
  ShortcutList(const Actions& actions, QWidget* parent);
};

/// Name, version and license.
class AboutWindow : public QDialog {
  Q_OBJECT
public:
  explicit AboutWindow(QWidget* parent);
};

} // namespace plumbline::views
