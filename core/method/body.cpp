#include "core/method/body.h"

#include "core/method/body_writer.h"

namespace plumbline::method {

/// Twice: which exits need a flag shows while the statements are written.
BodyText bodyText(const BodyParts& parts, Environment& environment) {
  Environment names = environment; // whose names the attempt uses up
  BodyWriter attempt(parts, names, nullptr);
  attempt.run();
  return BodyWriter(parts, environment, &attempt.asked()).run();
}

} // namespace plumbline::method
