// A program that runs nothing on a device leaves it alone: to ask whether it can be used makes a
// context on it, which takes memory and time. Here the devices are others, which count who asks.
#include <gmock/gmock.h>

#include <CLI/CLI.hpp>

#include "apps/commands.h"
#include "apps/support/log.h"
#include "apps/support/program.h"
#include "apps/support/solver_registry.h"
#include "gpu/devices.h"

namespace drystone {
namespace gpu {
namespace {
int questions = 0;
}

// In place of those of the library.
const std::vector<Device>& devices() {
  static const std::vector<Device> none;
  return none;
}

std::string_view whyUnavailable() {
  ++questions;
  return "no device but a counter";
}

}  // namespace gpu
namespace {

using testing::HasSubstr;

struct Outcome {
  int exitCode;
  std::string out;
  int questions;
};

/// Runs a command of `drystone` in this process.
Outcome runCommand(const std::string& line) {
  CLI::App program;
  cli::setUpLog(true);
  const std::vector<cli::Command> commands = {
      cli::addRunCommand(program), cli::addSolveCommand(program), cli::addValidateCommand(program),
      cli::addListCommand(program)};
  program.parse(line);
  gpu::questions = 0;
  testing::internal::CaptureStdout();
  int exitCode = -1;
  for (const cli::Command& command : commands) {
    if (program.got_subcommand(command.app)) exitCode = cli::runReporting(command.run);
  }
  std::fflush(stdout);
  return {exitCode, testing::internal::GetCapturedStdout(), gpu::questions};
}

TEST(DeviceQuestions, RegistryNamesTraitsAndObjectsAskNothing) {
  gpu::questions = 0;
  const SolverRegistry registry = cli::makeRegistry();
  for (const std::string& name : registry.names()) {
    EXPECT_EQ(registry.create(name)->traits().summary, registry.traits(name).summary);
  }
  EXPECT_EQ(gpu::questions, 0);
  EXPECT_EQ(registry.traits("gpu-sor").unavailable(), "no device but a counter");
  EXPECT_EQ(registry.traits("sor-prox").unavailable(), "");
  EXPECT_EQ(gpu::questions, 1);
}

TEST(DeviceQuestions, ARunOnTheProcessorAsksNothing) {
  for (const char* line :
       {"run stack_10 --steps 1 --json", "run stack_10 --steps 1 --solver sor-prox --json",
        "run stack_10 --steps 1 --fallback --json", "validate stack_10", "list scenes",
        "list solvers bpp", "list solvers --settings"}) {
    const Outcome outcome = runCommand(line);
    EXPECT_EQ(outcome.exitCode, 0) << line;
    EXPECT_NE(outcome.out, "") << line;
    EXPECT_EQ(outcome.questions, 0) << line;
  }
}

TEST(DeviceQuestions, WhoWantsToKnowAsks) {
  for (const char* line : {"list solvers", "list solvers gpu-sor", "list devices"}) {
    const Outcome outcome = runCommand(line);
    EXPECT_EQ(outcome.exitCode, 0) << line;
    EXPECT_THAT(outcome.out, HasSubstr("no device but a counter")) << line;
    EXPECT_GT(outcome.questions, 0) << line;
  }
  const Outcome run = runCommand("run stack_10 --steps 1 --solver gpu-sor");
  EXPECT_EQ(run.exitCode, 5);
  EXPECT_GT(run.questions, 0);
}

}  // namespace
}  // namespace drystone
