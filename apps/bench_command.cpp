#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "apps/command_line.h"
#include "apps/commands.h"
#include "apps/exit_codes.h"
#include "engine/core/near_names.h"

namespace drystone::cli {
namespace {

constexpr std::string_view kPrefix = "bench_";

std::filesystem::path folderOfProgram() {
  return std::filesystem::read_symlink("/proc/self/exe").parent_path();
}

/// Names of the studies: the programs bench_NAME beside this one.
std::vector<std::string> studies(const std::filesystem::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with(kPrefix) && access(entry.path().c_str(), X_OK) == 0) {
      names.push_back(name.substr(kPrefix.size()));
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

/// Becomes the program of the study; returns only when there is none.
int runStudy(const std::vector<std::string>& words) {
  const std::filesystem::path folder = folderOfProgram();
  const std::vector<std::string> names = studies(folder);
  if (names.empty()) {
    throw UsageError(
        "no studies were built beside this program: configure with "
        "-DDRYSTONE_BUILD_BENCHMARKS=ON, as the preset `release` does");
  }
  if (std::find(names.begin(), names.end(), words.front()) == names.end()) {
    throw UsageError(fmt::format("there is no study \"{}\"; {}", words.front(),
                                 didYouMean(words.front(), names)));
  }
  std::string program = (folder / (std::string(kPrefix) + words.front())).string();
  std::vector<std::string> arguments(words.begin() + 1, words.end());
  std::vector<char*> list = {program.data()};
  for (std::string& argument : arguments) list.push_back(argument.data());
  list.push_back(nullptr);
  execv(program.c_str(), list.data());
  throw std::system_error(errno, std::generic_category(), "cannot start " + program);
}

}  // namespace

Command addBenchCommand(CLI::App& program) {
  CLI::App* app = program.add_subcommand("bench", "Run a study of bench/ and print its tables");
  app->prefix_command();
  app->footer(
      "STUDY is the first word; what follows goes to the study.\n"
      "Example:\n"
      "  drystone bench direct --help\n");
  return {app,
          [app] {
            const std::vector<std::string> words = app->remaining();
            if (words.empty()) {
              throw UsageError(fmt::format("name a study: {}", joined(studies(folderOfProgram()))));
            }
            return runStudy(words);
          },
          ""};
}

}  // namespace drystone::cli
