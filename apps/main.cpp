#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "apps/build_info.h"
#include "apps/command_line.h"
#include "apps/commands.h"
#include "apps/exit_codes.h"
#include "apps/log.h"
#include "engine/core/input_error.h"
#include "engine/core/near_names.h"

namespace drystone::cli {
namespace {

std::vector<std::string> commandNames(const CLI::App& program) {
  std::vector<std::string> names;
  for (const CLI::App* command : program.get_subcommands({})) names.push_back(command->get_name());
  return names;
}

/// What to say of a command line that CLI11 refused: its own words, or, for a name that it does not
/// know, that name with the near ones. An unknown option can show up as another error (its value is
/// then taken for a positional), so what is left over is looked at first.
std::string usageProblem(const CLI::App& program, const std::vector<Command>& commands,
                         const CLI::ParseError& error) {
  const std::vector<CLI::App*> parsed = program.get_subcommands();
  const std::vector<std::string> left = program.remaining(true);
  for (const std::string& word : left) {
    if (!word.starts_with("-")) continue;
    std::vector<std::string> names;
    const CLI::App& command = parsed.empty() ? program : *parsed.front();
    for (const CLI::Option* option : command.get_options()) {
      for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    }
    const std::string option = word.substr(0, word.find('='));
    return fmt::format("there is no option {}; {}", option, didYouMean(option, names));
  }
  if (parsed.empty() && !left.empty()) {
    return fmt::format("there is no command '{}'; {}", left.front(),
                       didYouMean(left.front(), commandNames(program)));
  }
  if (parsed.empty()) return fmt::format("a command is needed: {}", joined(commandNames(program)));
  if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr) {
    for (const Command& command : commands) {
      if (command.app == parsed.front()) return command.needs;
    }
  }
  return error.what();
}

int reportUsage(const CLI::App& program, const std::vector<Command>& commands,
                const CLI::ParseError& error) {
  logErrorLines(usageProblem(program, commands, error));
  const std::vector<CLI::App*> parsed = program.get_subcommands();
  fmt::print(stderr, "`drystone {}--help` shows how it is used\n",
             parsed.empty() ? "" : parsed.front()->get_name() + " ");
  return kUsage;
}

int runCommand(const CLI::App& program, const std::vector<Command>& commands) {
  try {
    for (const Command& command : commands) {
      if (program.got_subcommand(command.app)) return command.run();
    }
    return kUsage;
  } catch (const UsageError& error) {
    logErrorLines(error.what());
    return kUsage;
  } catch (const NoDeviceError& error) {
    logErrorLines(error.what());
    return kNoDevice;
  } catch (const InputError& error) {
    logErrorLines(error.what());
    return kInvalidInput;
  } catch (const std::bad_alloc&) {
    logError("out of memory");
    return kInternalError;
  } catch (const std::system_error& error) {
    // fmt::print throws where stdout does not take what no longer fits its buffer.
    const bool ofPrint = std::string_view(error.what()).starts_with("cannot write to file");
    logErrorLines(ofPrint ? "cannot write the output: " + error.code().message() : error.what());
    return kInternalError;
  } catch (const std::exception& error) {
    logErrorLines(error.what());
    return kInternalError;
  }
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
      "Exit codes: 0 done, 1 check failed, 2 usage, 3 invalid input, 4 solver failure,\n"
      "5 no device, 70 internal error, 130 interrupted");
  const std::vector<Command> commands = {addRunCommand(program),    addSolveCommand(program),
                                         addReplayCommand(program), addRenderCommand(program),
                                         addViewCommand(program),   addValidateCommand(program),
                                         addBenchCommand(program),  addListCommand(program)};
  setUpLog(false);
  try {
    program.parse(argc, argv);
  } catch (const CLI::Success& help) {
    return program.exit(help);
  } catch (const CLI::ParseError& error) {
    return reportUsage(program, commands, error);
  }
  return runCommand(program, commands);
}

/// Writes what stdout still holds back. Most output is small enough to fail only here: a full disk
/// must not pass for success. std::cout, where CLI11 prints help, goes through stdout. A write that
/// failed earlier was reported when it is why `code` is kInternalError.
int finishOutput(int code) {
  const bool flushed = std::fflush(stdout) == 0;
  const int problem = flushed ? 0 : errno;
  if ((flushed && std::ferror(stdout) == 0) || code == kInternalError) return code;
  logError(fmt::format("cannot write the output{}{}", problem == 0 ? "" : ": ",
                       problem == 0 ? "" : std::strerror(problem)));
  return kInternalError;
}

}  // namespace
}  // namespace drystone::cli

int main(int argc, char** argv) {
  return drystone::cli::finishOutput(drystone::cli::runProgram(argc, argv));
}
