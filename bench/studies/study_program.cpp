#include "bench/studies/study_program.h"

#include <fmt/format.h>

#include <cstdio>
#include <fstream>

#include "engine/core/input_error.h"

namespace drystone::bench {

int runStudy(CLI::App& app, int argc, char** argv, const std::function<int()>& study) {
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  try {
    return study();
  } catch (const InputError& error) {
    fmt::print(stderr, "error: {}\n", error.what());
    return 3;
  }
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
