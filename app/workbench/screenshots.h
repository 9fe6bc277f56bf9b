// Pictures of the window, for documents and for looking at every panel.
#pragma once

#include <QObject>
#include <QString>

namespace plumbline::views {
class Appearance;
class MainWindow;
} // namespace plumbline::views

namespace plumbline::app {

/// Waits until no check runs, writes, and quits the application with 0, or with 4 and a line on stderr.
class Screenshots : public QObject {
  Q_OBJECT
public:
  Screenshots(views::MainWindow& window, views::Appearance& appearance, QObject* parent = nullptr);

  void takeWindow(const QString& file);
  /// Every panel and the start page, both themes, 100 and 200 per cent: FOLDER/graph-light-100.png and so on.
  void takePanels(const QString& folder);

private:
  void prepare();
  void whenQuiet(std::function<void()> then);
  bool saveWindow(const QString& file);
  bool savePanels(const QString& folder);
  void finish(bool written, const QString& target);

  views::MainWindow& m_window;
  views::Appearance& m_appearance;
};

} // namespace plumbline::app
