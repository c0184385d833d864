#pragma once

#include <string>

namespace drystone::cli {

/// Sets up the log: to stderr, coloured on a terminal. `quiet` lets only errors through.
void setUpLog(bool quiet);
void logInfo(const std::string& text);
void logWarning(const std::string& text);
void logError(const std::string& text);

}  // namespace drystone::cli
