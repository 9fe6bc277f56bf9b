// .pt2 archives: zip files that torch.export.save writes.
#pragma once

#include "core/base/json.h"

namespace plumbline::torch {

/// The exported-program document inside the archive. Errors: "file-not-found", "archive-torn" (not a zip, cut
/// off, member missing), "archive-version" (another schema major).
Expected<Json> readExportArchive(const std::string& path);

} // namespace plumbline::torch
