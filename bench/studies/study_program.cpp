#include "bench/studies/study_program.h"

#include <fmt/format.h>

#include <fstream>

#include "apps/bench/bench_studies.h"
#include "apps/support/log.h"
#include "apps/support/option_checks.h"
#include "apps/support/program.h"

namespace drystone::bench {

StudyApp::StudyApp(const std::string& name)
    : CLI::App(std::string(cli::benchSummary(name)), "drystone bench " + name) {
  option_defaults()->always_capture_default();
}

void StudyApp::addCsv(std::string& folder) {
  add_option("--csv", folder, "folder for the data of the plots")
      ->type_name("DIR")
      ->transform(cli::notEmpty());
}

CLI::Option* StudyApp::addWords(const std::string& name, std::vector<std::string>& values,
                                const std::string& type, const std::string& help) {
  // Without the empty list as the default in the help.
  return add_option(name, values, help)
      ->type_name(type)
      ->transform(cli::notEmpty())
      ->default_str("");
}

void StudyApp::addRepeatable(const std::string& name, std::vector<std::string>& values,
                             const std::string& type, const std::string& help) {
  addWords(name, values, type, help)->allow_extra_args(false);
}

int runStudy(StudyApp& app, int argc, char** argv, const std::function<int()>& study) {
  cli::setUpLog(false);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& help) {
    return cli::finishOutput(app.exit(help));
  } catch (const CLI::ParseError& error) {
    return cli::reportUsage(app.get_name(), cli::usageProblem(app, app.remaining(true), error));
  }
  return cli::finishOutput(cli::runReporting(study));
}

std::string machineLine() {
  std::string processor = "unknown processor";
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("model name")) continue;
    processor = line.substr(line.find(':') + 2);
    break;
  }
#if defined(__clang__)
  const std::string compiler = fmt::format("clang {}", __clang_major__);
#else
  const std::string compiler = fmt::format("g++ {}.{}", __GNUC__, __GNUC_MINOR__);
#endif
  return fmt::format("{}, {}, {}", processor, DRYSTONE_BUILD_TYPE, compiler);
}

}  // namespace drystone::bench
