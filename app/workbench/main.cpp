// plumbline-workbench: the window.
#include "app/workbench/arguments.h"
#include "app/workbench/jobs.h"
#include "app/workbench/panels.h"
#include "app/workbench/screenshots.h"
#include "views/shell/main_window.h"
#include "views/shell/open_page.h"

#include <QApplication>
#include <QSettings>

#include <csignal>
#include <cstdio>

namespace {

using namespace plumbline;

constexpr int cannotStatus = 4;

int cannot(const Error& error) {
  std::fprintf(stderr, "%s\n", toString(error).c_str());
  return cannotStatus;
}

bool wantsPictures(const app::WorkbenchArguments& arguments) {
  return !arguments.screenshot.isEmpty() || !arguments.screenshotPanels.isEmpty();
}

/// What stands in the way before a window exists; Qt itself would only abort without a display.
std::optional<Error> obstacle(const app::WorkbenchArguments& arguments) {
  if (wantsPictures(arguments) && arguments.request)
    if (const QString problem = views::problemOf(*arguments.request); !problem.isEmpty())
      return Error{ErrorKind::File, "file-not-found", problem.toStdString(), "name two files that exist"};
  const bool display = qEnvironmentVariableIsSet("DISPLAY") || qEnvironmentVariableIsSet("WAYLAND_DISPLAY");
  if (display || qEnvironmentVariableIsSet("QT_QPA_PLATFORM"))
    return std::nullopt;
  if (!wantsPictures(arguments))
    return Error{ErrorKind::Tool, "no-display", "there is no display to open a window on",
                 "log in graphically, or use --screenshot FILE, which needs none"};
  qputenv("QT_QPA_PLATFORM", "offscreen");
  return std::nullopt;
}

/// --help and errors need no display, so they are dealt with before Qt looks for one.
QStringList wordsOf(int argc, char** argv) {
  QStringList words;
  for (int k = 1; k < argc; ++k)
    words << QString::fromLocal8Bit(argv[k]);
  return words;
}

/// The offscreen platform says of every window that it cannot pass on size hints; nobody needs to read that.
void printMessage(QtMsgType, const QMessageLogContext&, const QString& message) {
  if (!message.contains(QLatin1String("propagateSizeHints")))
    std::fprintf(stderr, "%s\n", qPrintable(message));
}

int run(const app::WorkbenchArguments& arguments) {
  // Pictures show the program as it is delivered, whatever the user has set.
  std::unique_ptr<QSettings> settings;
  if (!wantsPictures(arguments))
    settings = std::make_unique<QSettings>();
  views::Appearance appearance;
  if (settings) {
    const QString theme = settings->value(QStringLiteral("window/theme")).toString();
    appearance.setTheme(views::themeFromName(theme).value_or(views::Theme::System));
    appearance.setZoom(settings->value(QStringLiteral("window/zoom"), 100).toInt());
  }
  if (arguments.theme)
    appearance.setTheme(*arguments.theme);
  if (arguments.scale)
    appearance.setZoom(*arguments.scale);
  app::Jobs jobs;
  views::MainWindow window(jobs, appearance, settings.get());
  app::fillWindow(window, settings.get());
  window.begin();
  window.show();
  if (arguments.request)
    window.openPair(*arguments.request);
  app::Screenshots screenshots(window, appearance);
  if (!arguments.screenshot.isEmpty())
    screenshots.takeWindow(arguments.screenshot);
  else if (!arguments.screenshotPanels.isEmpty())
    screenshots.takePanels(arguments.screenshotPanels);
  return QApplication::exec();
}

} // namespace

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN); // a child that dies is an error value, not our end
  const auto arguments = app::parseArguments(wordsOf(argc, argv));
  if (!arguments)
    return cannot(arguments.error());
  if (arguments->help || arguments->version) {
    std::fputs(arguments->help ? qPrintable(app::usage()) : "plumbline-workbench " PLUMBLINE_VERSION "\n",
               stdout);
    return 0;
  }
  if (const auto error = obstacle(*arguments))
    return cannot(*error);
  qInstallMessageHandler(printMessage);
  QApplication application(argc, argv);
  QApplication::setOrganizationName(QStringLiteral("plumbline"));
  QApplication::setApplicationName(QStringLiteral("plumbline-workbench"));
  QApplication::setApplicationVersion(QStringLiteral(PLUMBLINE_VERSION));
  return run(*arguments);
}
