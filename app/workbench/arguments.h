// Command line of the window.
#pragma once

#include "core/base/error.h"
#include "core/workbench/snapshot.h"
#include "views/shell/appearance.h"

#include <QString>
#include <QStringList>

#include <optional>

namespace plumbline::app {

struct WorkbenchArguments {
  std::optional<workbench::Request> request; ///< nothing: the start page
  QString screenshot;                        ///< file to write once the check has ended
  QString screenshotPanels;                  ///< folder for pictures of every panel
  std::optional<views::Theme> theme;
  std::optional<int> scale; ///< per cent
  bool help = false;
  bool version = false;
};

/// Text of --help.
QString usage();

/// `words` without the program's name. Errors: kind Usage, id "usage"; "no-such-sample" when a single word is
/// neither.
Expected<WorkbenchArguments> parseArguments(const QStringList& words);

} // namespace plumbline::app
