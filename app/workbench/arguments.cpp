#include "app/workbench/arguments.h"

#include "core/session/verdict.h"
#include "core/workbench/project.h"

#include <algorithm>

namespace plumbline::app {

using views::Appearance;

namespace {

/// Reads the words one by one; the first problem is kept.
class Reader {
public:
  explicit Reader(const QStringList& words) : m_words(words) {}

  Expected<WorkbenchArguments> read() {
    while (m_next < m_words.size() && !m_error)
      readWord(m_words[m_next++]);
    if (!m_error)
      finish();
    if (m_error)
      return fail(*m_error);
    return std::move(m_result);
  }

private:
  void problem(const QString& message) {
    if (!m_error)
      m_error = Error{ErrorKind::Usage, "usage", message.toStdString(),
                      "plumbline-workbench --help lists the options"};
  }

  QString value(const QString& option) {
    if (m_next < m_words.size())
      return m_words[m_next++];
    problem(QStringLiteral("%1 needs a value").arg(option));
    return {};
  }

  void readWord(const QString& word) {
    if (word == QLatin1String("--reading"))
      addReading(value(word));
    else if (word == QLatin1String("--assume"))
      m_request.assume.push_back(value(word).toStdString());
    else if (word == QLatin1String("--mode"))
      setMode(value(word));
    else if (word == QLatin1String("--kernel"))
      m_request.kernelName = value(word).toStdString();
    else if (word == QLatin1String("--launch"))
      m_request.launchFile = value(word).toStdString();
    else if (word == QLatin1String("--screenshot"))
      m_result.screenshot = value(word);
    else if (word == QLatin1String("--screenshot-panels"))
      m_result.screenshotPanels = value(word);
    else if (word == QLatin1String("--theme"))
      setTheme(value(word));
    else if (word == QLatin1String("--scale"))
      setScale(value(word));
    else if (word == QLatin1String("--help") || word == QLatin1String("-h"))
      m_result.help = true;
    else if (word == QLatin1String("--version"))
      m_result.version = true;
    else if (word.startsWith(QLatin1Char('-')) && word.size() > 1)
      problem(QStringLiteral("there is no option %1").arg(word));
    else
      m_files << word;
  }

  void addReading(const QString& reading) {
    if (!session::readingFromName(reading.toStdString()))
      problem(QStringLiteral("--reading is ieee, real, device:torch-cuda or device:nvcc-sm_80, not '%1'")
                  .arg(reading));
    m_readings.push_back(reading.toStdString());
  }
  void setMode(const QString& mode) {
    if (mode != QLatin1String("train") && mode != QLatin1String("eval"))
      problem(QStringLiteral("--mode is train or eval, not '%1'").arg(mode));
    m_request.mode = mode.toStdString();
  }
  void setTheme(const QString& name) {
    m_result.theme = views::themeFromName(name);
    if (!m_result.theme)
      problem(QStringLiteral("--theme is light, dark or system, not '%1'").arg(name));
  }
  void setScale(const QString& text) {
    bool ok = false;
    const int percent = text.toInt(&ok);
    if (!ok || percent < Appearance::smallestZoom || percent > Appearance::largestZoom)
      problem(QStringLiteral("--scale is a number from %1 to %2, not '%3'")
                  .arg(Appearance::smallestZoom)
                  .arg(Appearance::largestZoom)
                  .arg(text));
    m_result.scale = percent;
  }

  void finish() {
    if (!m_readings.empty())
      m_request.readings = m_readings;
    if (m_files.size() == 2) {
      m_request.model = m_files[0].toStdString();
      m_request.kernel = m_files[1].toStdString();
      m_result.request = m_request;
    } else if (m_files.size() == 1) {
      setSample(m_files[0]);
    } else if (m_files.size() > 2) {
      problem(QStringLiteral("expected MODEL KERNEL or a sample, not %1 names").arg(m_files.size()));
    } else if (!(m_request == workbench::Request{})) {
      problem(QStringLiteral("options of a check need MODEL KERNEL or a sample"));
    }
  }

  void setSample(const QString& name) {
    const std::vector<workbench::Sample> samples = workbench::bundledSamples();
    const auto found = std::find_if(samples.begin(), samples.end(),
                                    [&](const workbench::Sample& s) { return s.name == name.toStdString(); });
    if (found == samples.end()) {
      m_error =
          Error{ErrorKind::Usage, "no-such-sample",
                "'" + name.toStdString() +
                    (samples.empty() ? "' cannot be found: the samples are not installed beside the program"
                                     : "' is no bundled sample, and a pair needs two files"),
                samples.empty() ? "give MODEL and KERNEL"
                                : "give MODEL and KERNEL, or choose a sample on the start page"};
      return;
    }
    m_request.model = found->model;
    m_request.kernel = found->kernel;
    if (m_readings.empty())
      m_request.readings = {"ieee", "real"};
    m_result.request = m_request;
  }

  const QStringList& m_words;
  qsizetype m_next = 0;
  QStringList m_files;
  std::vector<std::string> m_readings;
  workbench::Request m_request;
  WorkbenchArguments m_result;
  std::optional<Error> m_error;
};

} // namespace

QString usage() {
  return QStringLiteral(R"(usage: plumbline-workbench [MODEL KERNEL | SAMPLE] [OPTIONS]

Opens the workbench window; with a pair or the name of a bundled sample, opens and checks it.

  --reading READING     what to prove: ieee, real or device:torch-cuda; may be repeated (ieee)
  --assume CONDITION    a hypothesis on sizes or values; may be repeated
  --mode train|eval     mode of the module (train)
  --kernel NAME         which kernel of the file
  --launch FILE         how it is launched, when the file has no host code
  --theme light|dark|system
  --scale PERCENT       size of the text, %1 to %2
  --screenshot FILE     writes the window as a PNG once the check has ended, and exits
  --screenshot-panels FOLDER
                        the same for every panel and the start page, light and dark, at 100 and 200 per cent
  --help, --version

Pictures need no display. Exit status: 0, or 4 when something named above cannot be done.
)")
      .arg(Appearance::smallestZoom)
      .arg(Appearance::largestZoom);
}

Expected<WorkbenchArguments> parseArguments(const QStringList& words) {
  return Reader(words).read();
}

} // namespace plumbline::app
