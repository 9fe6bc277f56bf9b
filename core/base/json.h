// The JSON type used everywhere, and reading it without exceptions.
#pragma once

#include "core/base/error.h"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string_view>

namespace plumbline {

/// Keeps the order of insertion, so printed objects are deterministic.
using Json = nlohmann::ordered_json;

/// Parses JSON text. The bare tokens Infinity, -Infinity and NaN that PyTorch's exporter writes are read as
/// the strings "Infinity", "-Infinity" and "NaN". Errors: id "json-syntax" with the byte offset. `name` is
/// for messages.
Expected<Json> parseJson(std::string_view text, const std::string& name);

/// Indented text with a final newline, for people and files. Bytes that are no UTF-8 are replaced.
std::string prettyJson(const Json& json);

/// Reads a whole file. Errors: "file-not-found", "file-unreadable".
Expected<std::string> readFile(const std::filesystem::path& path);

/// Writes a whole file (through a temporary and a rename). Errors: "file-unwritable".
Expected<void> writeFile(const std::filesystem::path& path, std::string_view content);

Json toJson(const SourceRange& range);
Json toJson(const Rejection& rejection);
SourceRange sourceRangeFromJson(const Json& json);
Rejection rejectionFromJson(const Json& json);

} // namespace plumbline
