#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

namespace drystone::cli {

// What `drystone` and the studies of bench/ have in common as programs: messages and exit codes.

/// What to say of a command line that CLI11 refused: its own words, or, for an option that
/// `command` does not know, that option with the near ones. `left`: words that were not understood.
std::string usageProblem(const CLI::App& command, const std::vector<std::string>& left,
                         const CLI::ParseError& error);

/// Reports a usage problem and where to look; `program` as typed, "drystone run". Returns kUsage.
int reportUsage(const std::string& program, const std::string& problem);

/// Runs the work; reports what it throws and returns the exit code that belongs to it.
int runReporting(const std::function<int()>& work);

/// Writes what stdout still holds back and returns `code`, or kInternalError where that fails.
int finishOutput(int code);

}  // namespace drystone::cli
