#include "core/base/error.h"

namespace plumbline {

std::string toString(const SourceRange& range) {
  if (!range.known())
    return range.file;
  return range.file + ":" + std::to_string(range.line) + ":" + std::to_string(range.column);
}

std::string toString(const Error& error) {
  std::string text;
  if (error.where && !error.where->file.empty())
    text += toString(*error.where) + ": ";
  text += error.message + " [" + error.id + "]";
  for (const Rejection& rejection : error.rejections)
    text += "\n  " + toString(rejection.where) + ": " + rejection.construct + " [" + rejection.id + "]";
  if (!error.next.empty())
    text += "\n  next: " + error.next;
  return text;
}

} // namespace plumbline
