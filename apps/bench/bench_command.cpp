#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "apps/bench/bench_studies.h"
#include "apps/commands.h"
#include "apps/support/command_line.h"
#include "apps/support/program.h"

namespace drystone::cli {
namespace {

constexpr std::string_view kPrefix = "bench_";

std::filesystem::path folderOfProgram() {
  return std::filesystem::read_symlink("/proc/self/exe").parent_path();
}

bool isBuilt(const std::filesystem::path& folder, std::string_view study) {
  return access((folder / fmt::format("{}{}", kPrefix, study)).c_str(), X_OK) == 0;
}

std::vector<std::string> studyNames() {
  std::vector<std::string> names;
  for (const BenchStudy& study : kBenchStudies) names.emplace_back(study.name);
  return names;
}

/// A line for each study.
std::string studyLines() {
  const std::filesystem::path folder = folderOfProgram();
  std::string lines;
  for (const BenchStudy& study : kBenchStudies) {
    lines += fmt::format("  {:<11} {}{}\n", study.name, study.summary,
                         isBuilt(folder, study.name) ? "" : " (not built)");
  }
  return lines;
}

constexpr std::string_view kHowToBuild =
    "`cmake --preset release && cmake --build build/release` builds all studies";

/// The parser hands over the study among the words that it does not read, so its usage lacks it.
class UsageWithStudy : public CLI::Formatter {
  std::string make_usage(const CLI::App* app, std::string name) const override {
    std::string text = CLI::Formatter::make_usage(app, std::move(name));
    return text.insert(text.find_last_not_of('\n') + 1, " STUDY [ARGUMENTS]");
  }
};

/// Becomes the program of the study; returns only when there is none.
int runStudy(const std::vector<std::string>& words) {
  const std::filesystem::path folder = folderOfProgram();
  chooseName("study", words.front(), studyNames());
  if (!isBuilt(folder, words.front())) {
    throw NoDeviceError(fmt::format("the study '{}' was not built beside this program: {}",
                                    words.front(), kHowToBuild));
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
  app->formatter(std::make_shared<UsageWithStudy>());
  app->footer("");  // the callback's text would stand before that of the program
  app->footer([] {
    return fmt::format(
        "STUDY is the first word; what follows goes to the study. The studies:\n{}"
        "Example:\n"
        "  drystone bench direct --help\n",
        studyLines());
  });
  return {app,
          [app] {
            const std::vector<std::string> words = app->remaining();
            if (words.empty()) {
              throw UsageError(
                  fmt::format("name a study: {}; `drystone bench --help` says what each does",
                              joined(studyNames())));
            }
            return runStudy(words);
          },
          ""};
}

}  // namespace drystone::cli
