#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>

namespace drystone::bench {

/// Parses the arguments and runs the study. Exit codes as those of `drystone`: 2 for a usage error,
/// 3 for bad input, each with a message.
int runStudy(CLI::App& app, int argc, char** argv, const std::function<int()>& study);

/// "PROCESSOR, BUILD TYPE, COMPILER", for the head of a table.
std::string machineLine();

}  // namespace drystone::bench
