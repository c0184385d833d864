#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "apps/commands.h"
#include "apps/support/command_line.h"
#include "apps/support/log.h"
#include "apps/support/program.h"
#include "core/wording.h"

namespace drystone::cli {
namespace {

std::vector<std::string> commandNames(const CLI::App& program) {
  std::vector<std::string> names;
  for (const CLI::App* command : program.get_subcommands({})) names.push_back(command->get_name());
  return names;
}

std::string noCommand(const std::string& name, const std::vector<std::string>& names) {
  return fmt::format("there is no command '{}'; {}", name, didYouMean(name, names));
}

/// As usageProblem() of the command that was asked for; the program itself may lack its command.
std::string problemOf(const CLI::App& program, const std::vector<Command>& commands,
                      const CLI::ParseError& error) {
  const std::vector<CLI::App*> parsed = program.get_subcommands();
  const std::vector<std::string> left = program.remaining(true);
  const bool hasOption = std::any_of(left.begin(), left.end(),
                                     [](const std::string& word) { return word.starts_with("-"); });
  if (!parsed.empty() && !hasOption && dynamic_cast<const CLI::RequiredError*>(&error) != nullptr) {
    for (const Command& command : commands) {
      if (command.app == parsed.front()) return command.needs;
    }
  }
  if (!parsed.empty() || hasOption) {
    return usageProblem(parsed.empty() ? program : *parsed.front(), left, error);
  }
  if (left.empty()) return fmt::format("a command is needed: {}", joined(commandNames(program)));
  return noCommand(left.front(), commandNames(program));
}

int runCommand(const CLI::App& program, const std::vector<Command>& commands) {
  for (const Command& command : commands) {
    if (program.got_subcommand(command.app)) return runReporting(command.run);
  }
  return kUsage;
}

int runProgram(int argc, char** argv) {
  CLI::App program("Rigid-body physics with pluggable, certified contact solvers", "drystone");
  program.set_version_flag("--version",
                           fmt::format("drystone {} ({})", versionText(), buildText()));
  program.require_subcommand(1);
  program.footer(
      "Example:\n"
      "  drystone list scenes\n"
      "  drystone run stack_10\n"
      "  drystone help run\n"
      "Exit codes: 0 done, 1 check failed, 2 usage, 3 invalid input, 4 solver failure,\n"
      "5 missing device, display, program or part of drystone, 70 internal error, 130 interrupted");
  const std::vector<Command> commands = {
      addRunCommand(program),     addSweepCommand(program),    addSolveCommand(program),
      addReplayCommand(program),  addRenderCommand(program),   addViewCommand(program),
      addExportCommand(program),  addValidateCommand(program), addVerdictCommand(program),
      addInverseCommand(program), addDeriveCommand(program),   addImportCommand(program),
      addBenchCommand(program),   addListCommand(program)};
  setUpLog(false);
  std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
  if (!words.empty() && words[0] == "help") {
    std::rotate(words.begin(), words.begin() + 1, words.end());
    words.back() = "--help";
    const std::vector<std::string> names = commandNames(program);
    if (words.size() > 1 && std::ranges::find(names, words[0]) == names.end()) {
      return reportUsage("drystone", noCommand(words[0], names));
    }
  }
  std::ranges::reverse(words);  // as it takes them
  try {
    program.parse(std::move(words));
  } catch (const CLI::Success& help) {
    return program.exit(help);
  } catch (const CLI::ParseError& error) {
    const std::vector<CLI::App*> parsed = program.get_subcommands();
    return reportUsage(parsed.empty() ? "drystone" : "drystone " + parsed.front()->get_name(),
                       problemOf(program, commands, error));
  }
  return runCommand(program, commands);
}

}  // namespace
}  // namespace drystone::cli

int main(int argc, char** argv) {
  return drystone::cli::finishOutput(drystone::cli::runProgram(argc, argv));
}
