// The language server on standard input and output.
#pragma once

#include "lean-bridge/server/server.h"

namespace plumbline::server {

/// Adds a part to a server before it starts.
using Install = std::function<void(Server&)>;

/// Serves until `exit` or the end of the input; returns the exit status. 1 where the client did not ask to
/// shut down, or sent what is no frame.
int serve(int input, int output, const std::vector<Install>& parts);

} // namespace plumbline::server
