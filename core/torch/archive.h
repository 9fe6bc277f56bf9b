// .pt2 archives: zip files that torch.export.save writes.
#pragma once

#include "core/base/json.h"

namespace plumbline::torch {

/// The exported-program document inside the archive: of PyTorch 2.6 (serialized_exported_program.json) or of
/// the later layout (models/NAME.json). Errors: "file-not-found", "archive-torn" (not a zip, cut off, member
/// missing), "archive-version" (another schema major or archive version), "archive-models" (several
/// programs).
Expected<Json> readExportArchive(const std::string& path);

} // namespace plumbline::torch
