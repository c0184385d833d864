#pragma once

#include <string>
#include <vector>

namespace drystone::cli {

/// Sets up the log: to stderr, coloured on a terminal. `quiet` lets only errors through.
void setUpLog(bool quiet);
void logInfo(const std::string& text);
void logWarning(const std::string& text);
void logWarnings(const std::vector<std::string>& texts);
void logError(const std::string& text);
/// Each line as an error of its own. One that starts with its place in a scene file
/// (`FILE:line:column /pointer: what`) stands as it is, so that editors and scripts find the place.
/// So does one that starts with `hint: `, which says what to do about the error before it.
void logErrorLines(const std::string& text);

}  // namespace drystone::cli
