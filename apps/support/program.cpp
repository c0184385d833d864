#include "apps/support/program.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <new>
#include <string_view>
#include <system_error>
#include <utility>

#include "apps/support/log.h"
#include "apps/support/memory_limit.h"
#include "core/build_text.h"
#include "core/input_error.h"
#include "core/wording.h"
#include "gpu/devices.h"

namespace drystone::cli {

namespace {

/// What options are called elsewhere, and here.
constexpr std::pair<std::string_view, std::string_view> kOtherNames[] = {
    {"--seconds", "--time"}, {"--duration", "--time"}, {"--timestep", "--dt"},
    {"--time-step", "--dt"}, {"--cores", "--threads"}, {"--jobs", "--threads"}};

/// What to take in the place of an option that there is not, with `didYouMean` for the rest. Empty:
/// none is near, and there are too many to list, which `--help` does better.
std::string nearOptions(const std::string& option, const std::vector<std::string>& names) {
  for (const auto& [other, ours] : kOtherNames) {
    if (option == other && std::ranges::find(names, ours) != names.end()) {
      return fmt::format("; did you mean \"{}\"?", ours);
    }
  }
  constexpr std::size_t kListed = 8;
  if (names.size() > kListed && nearNames(option, names).empty()) return "";
  return "; " + didYouMean(option, names);
}

/// What a command takes beside options, as its help calls it: "SCENE".
std::string positionals(const CLI::App& command) {
  std::string text;
  for (const CLI::Option* option : command.get_options()) {
    if (!option->get_positional()) continue;
    text += (text.empty() ? "" : " ") + option->get_type_name();
  }
  return text.empty() ? "nothing else" : text;
}

}  // namespace

std::string usageProblem(const CLI::App& command, const std::vector<std::string>& left,
                         const CLI::ParseError& error) {
  // An unknown option can show up as another error (its value is then taken for a positional), so
  // what is left over is looked at first.
  for (const std::string& word : left) {
    if (!word.starts_with("-")) continue;
    std::vector<std::string> names;
    for (const CLI::Option* option : command.get_options()) {
      for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    }
    const std::string option = word.substr(0, word.find('='));
    return fmt::format("there is no option {}{}", option, nearOptions(option, names));
  }
  const std::string problem = error.what();
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr && !left.empty()) {
    return fmt::format("'{}' is a word too many: {} takes no more than its options and {}",
                       left.front(), command.get_name(), positionals(command));
  }
  constexpr std::string_view kExcludes = " excludes ";
  if (const std::size_t at = problem.find(kExcludes); at != std::string::npos) {
    return fmt::format("{} and {} exclude each other: leave one of them out", problem.substr(0, at),
                       problem.substr(at + kExcludes.size()));
  }
  return problem;
}

int reportUsage(const std::string& program, const std::string& problem) {
  logErrorLines(problem);
  fmt::print(stderr, "`{} --help` shows how it is used\n", program);
  return kUsage;
}

namespace {

/// Memory ended. With --max-memory the input is to blame, else the machine.
int reportMemory() {
  const char* limit = memoryLimitMessage();
  logError(limit != nullptr ? limit : "out of memory");
  return limit != nullptr ? kInvalidInput : kInternalError;
}

}  // namespace

int runReporting(const std::function<int()>& work) {
  try {
    return work();
  } catch (const UsageError& error) {
    logErrorLines(error.what());
    return kUsage;
  } catch (const NoDeviceError& error) {
    logErrorLines(error.what());
    return kNoDevice;
  } catch (const gpu::MissingBlasError& error) {
    logErrorLines(error.what());
    return kNoDevice;
  } catch (const InputError& error) {
    logErrorLines(error.what());
    return kInvalidInput;
  } catch (const std::bad_alloc&) {
    return reportMemory();
  } catch (const std::system_error& error) {
    // A thread whose stack found no room.
    if (memoryLimitMessage() != nullptr &&
        error.code() == std::errc::resource_unavailable_try_again) {
      return reportMemory();
    }
    // fmt::print throws where stdout does not take what no longer fits its buffer.
    const bool ofPrint = std::string_view(error.what()).starts_with("cannot write to file");
    logErrorLines(ofPrint ? "cannot write the output: " + error.code().message() : error.what());
    return kInternalError;
  } catch (const std::exception& error) {
    logErrorLines(error.what());
    return kInternalError;
  }
}

int finishOutput(int code) {
  // Most output is small enough to fail only here: a full disk must not pass for success.
  // std::cout, where CLI11 prints help, goes through stdout. A write that failed earlier was
  // reported when it is why `code` is kInternalError.
  const bool flushed = std::fflush(stdout) == 0;
  const int problem = flushed ? 0 : errno;
  if ((flushed && std::ferror(stdout) == 0) || code == kInternalError) return code;
  logError(fmt::format("cannot write the output{}{}", problem == 0 ? "" : ": ",
                       problem == 0 ? "" : std::strerror(problem)));
  return kInternalError;
}

std::string versionText() { return DRYSTONE_VERSION; }

std::string buildText() { return drystone::buildText(DRYSTONE_BUILD_TYPE, DRYSTONE_PROCESSOR); }

}  // namespace drystone::cli
