// The form that names what is to be compared.
#pragma once

#include "core/workbench/snapshot.h"

#include <QWidget>

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;

namespace plumbline::views {

/// A page of the window, no pop-up: what is missing or wrong is said beside the fields.
class OpenPage : public QWidget {
  Q_OBJECT
public:
  explicit OpenPage(QWidget* parent = nullptr);

  /// Fills the form; `question` is shown on top when something is to be decided.
  void setRequest(const workbench::Request& request, const QString& question);
  /// What the fields say now.
  workbench::Request request() const;
  void focusFirstEmpty();

Q_SIGNALS:
  /// Both files are there.
  void accepted(const plumbline::workbench::Request& request);
  void cancelled();

protected:
  void keyPressEvent(QKeyEvent* event) override;

private:
  void makeForm();
  QWidget* fileRow(QLineEdit* field, const QString& title, const QString& filter);
  QWidget* makeButtons();
  void browse(QLineEdit* field, const QString& title, const QString& filter);
  void swapFiles();
  void accept();
  void check();

  QLabel* m_question;
  QLineEdit* m_model;
  QLineEdit* m_kernel;
  QCheckBox* m_ieee;
  QCheckBox* m_real;
  std::vector<std::string> m_otherReadings; ///< those without a box: device:torch-cuda
  QPlainTextEdit* m_assume;
  QComboBox* m_mode;
  QLineEdit* m_kernelName;
  QLineEdit* m_launch;
  QLabel* m_problem;
  QPushButton* m_open;
};

/// Why the request cannot be opened as it stands ("there is no file ..."); empty when it can.
QString problemOf(const workbench::Request& request);

} // namespace plumbline::views
