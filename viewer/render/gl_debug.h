#pragma once

#include <string>

namespace drystone::viewer {

/// Has the driver report errors to takeGlErrors() in words, where the current context is one for
/// debugging and the driver can (KHR_debug).
void collectDebugMessages();

/// glGetError until it is quiet, and what the driver said on this thread; one a line.
std::string takeGlErrors();

}  // namespace drystone::viewer
