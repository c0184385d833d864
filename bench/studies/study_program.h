#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

namespace drystone::bench {

/// The command line of bench_NAME, which users know as `drystone bench NAME`.
class StudyApp : public CLI::App {
 public:
  explicit StudyApp(const std::string& name);

  /// --csv; to be checked by checkCsvFolder() before the work.
  void addCsv(std::string& folder);
  /// An option that takes one value each time it is given; `type` as help shows it: "SCENE".
  void addRepeatable(const std::string& name, std::vector<std::string>& values,
                     const std::string& type, const std::string& help);
  /// As many words as there are.
  CLI::Option* addWords(const std::string& name, std::vector<std::string>& values,
                        const std::string& type, const std::string& help);
};

/// Parses the arguments and runs the study. Messages and exit codes as those of `drystone`.
int runStudy(StudyApp& app, int argc, char** argv, const std::function<int()>& study);

/// "PROCESSOR, BUILD TYPE, COMPILER", for the head of a table.
std::string machineLine();

}  // namespace drystone::bench
