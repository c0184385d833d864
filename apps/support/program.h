#pragma once

#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace drystone::cli {

// What `drystone` and the studies of bench/ have in common as programs: exit codes, messages, ends.

/// Exit codes of the program. Scripts depend on them: docs/cli.md lists them.
enum ExitCode : int {
  kDone = 0,
  kCheckFailed = 1,  ///< a comparison came out different, a scene falls, or no forces make a motion
  kUsage = 2,        ///< unknown option, name or setting; output that cannot be written
  kInvalidInput = 3,    ///< a scene or problem file is missing or wrong
  kSolverFailure = 4,   ///< `--strict` and a tolerance missed, or a step ended the run by itself
  kNoDevice = 5,        ///< a device, display, program or part of drystone is missing
  kInternalError = 70,  ///< a bug, or a machine out of memory or disk
  kInterrupted = 130,   ///< ended early by SIGINT or SIGTERM, with the report so far
};

/// What is wrong is on the command line: exit code 2.
class UsageError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A solver or command needs what is not here (kNoDevice): exit code 5.
class NoDeviceError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

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

/// While it lives, the first SIGINT or SIGTERM only asks the program to end at the next step; a
/// second one kills it as usual. At most one object at a time.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  bool requested() const;
};

/// Version of the program, as `--version` prints it.
std::string versionText();
/// What decides the bits of a result beside the source: build type, compiler, target.
std::string buildText();

}  // namespace drystone::cli
