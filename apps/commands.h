#pragma once

#include <functional>
#include <string>

namespace CLI {
class App;
}

namespace drystone::cli {

/// A command of the program: its options are in `app`; `run` does it once they were parsed and
/// returns the exit code. `needs` is what to say when the command stands without its argument.
struct Command {
  CLI::App* app = nullptr;
  std::function<int()> run;
  std::string needs;
};

Command addRunCommand(CLI::App& program);
Command addSweepCommand(CLI::App& program);
Command addSolveCommand(CLI::App& program);
Command addReplayCommand(CLI::App& program);
Command addRenderCommand(CLI::App& program);
Command addValidateCommand(CLI::App& program);
/// Whether a scene stands, by limit analysis.
Command addVerdictCommand(CLI::App& program);
/// What forces make a motion, by inverse dynamics.
Command addInverseCommand(CLI::App& program);
/// Exact derivatives of what comes after some steps.
Command addDeriveCommand(CLI::App& program);
Command addExportCommand(CLI::App& program);
Command addImportCommand(CLI::App& program);
Command addViewCommand(CLI::App& program);
Command addBenchCommand(CLI::App& program);
/// Lists the commands of `program` too, whatever they are.
Command addListCommand(CLI::App& program);

}  // namespace drystone::cli
