#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

namespace drystone::bench {

struct StudyOptions;

/// The command line of bench_NAME, which users know as `drystone bench NAME`.
class StudyApp : public CLI::App {
 public:
  explicit StudyApp(const std::string& name);

  /// --csv; to be checked by checkCsvFolder() before the work.
  void addCsv(std::string& folder);
  /// An option that takes one value each time it is given; `type` as help shows it: "SCENE".
  void addRepeatable(const std::string& name, std::vector<std::string>& values,
                     const std::string& type, const std::string& help);
  /// An option that takes as many words as there are.
  CLI::Option* addWords(const std::string& name, std::vector<std::string>& values,
                        const std::string& type, const std::string& help);
};

/// Parses the arguments and runs the study. Messages and exit codes as those of `drystone`.
int runStudy(StudyApp& app, int argc, char** argv, const std::function<int()>& study);

/// One of several studies of a program.
struct Study {
  std::string name;
  std::string summary;              ///< one line
  std::vector<std::string> scenes;  ///< that --scene chooses from; empty: it has none
  std::function<void()> run;
  bool mustBeNamed = false;  ///< takes more than a machine may have: left out where none are named
};

/// A program of several studies: adds the choice of studies and scenes, --repeats and --csv to its
/// options, checks all arguments, then runs what was chosen, in the order of the list. With --scene
/// these are the studies that have one of the scenes. `require` is called between the two, and
/// throws NoDeviceError where what every study needs is not here.
int runStudies(
    StudyApp& app, int argc, char** argv, StudyOptions& options, const std::vector<Study>& studies,
    const std::string& headline, const std::function<void()>& require = [] {});

/// "PROCESSOR, BUILD TYPE, COMPILER", for the head of a table.
std::string machineLine();

}  // namespace drystone::bench
