#pragma once

#include <stdexcept>
#include <string>

namespace drystone::cli {

/// Exit codes of the program. Scripts depend on them: docs/cli.md lists them.
enum ExitCode : int {
  kDone = 0,
  kCheckFailed = 1,     ///< a comparison that was asked for came out different
  kUsage = 2,           ///< unknown option, name or setting; output that cannot be written
  kInvalidInput = 3,    ///< a scene or problem file is missing or wrong
  kSolverFailure = 4,   ///< `--strict` and a tolerance missed, or a solve ended under policy `stop`
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

}  // namespace drystone::cli
