#include "apps/support/memory_limit.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <string>
#include <string_view>

#include "apps/support/program.h"

namespace drystone::cli {
namespace {

/// Made before memory ends. Never changed while other threads run.
std::string limitMessage;
std::terminate_handler handlerBefore = nullptr;

/// Whether an exception that nothing caught is one of memory.
bool endsForMemory() {
  const std::exception_ptr current = std::current_exception();
  if (!current) return false;
  try {
    std::rethrow_exception(current);
  } catch (const std::bad_alloc&) {
    return true;
  } catch (...) {
    return false;
  }
}

[[noreturn]] void endProgram() {
  if (endsForMemory()) {
    // No stream and no log: these may ask for memory.
    for (const std::string_view part :
         {std::string_view("error: "), std::string_view(limitMessage), std::string_view("\n")}) {
      if (write(STDERR_FILENO, part.data(), part.size()) < 0) break;
    }
    _exit(kInvalidInput);
  }
  if (handlerBefore != nullptr) handlerBefore();
  std::abort();
}

/// Whole MiB or GiB, rewritten to bytes.
CLI::Validator memorySize() {
  return CLI::Validator(
      [](std::string& text) -> std::string {
        std::int64_t number = 0;
        const char* last = text.data() + text.size();
        const auto [end, error] = std::from_chars(text.data(), last, number);
        const std::string_view unit(end, static_cast<std::size_t>(last - end));
        const int shift = unit == "M" ? 20 : 30;
        constexpr std::int64_t kMost = std::int64_t{1} << 50;
        if (error != std::errc() || (unit != "M" && unit != "G") || number < 0 ||
            number > (kMost >> shift) || (number << shift) < kLeastMemory) {
          return fmt::format(
              "must be a whole number with M (MiB) or G (GiB), as in 512M or 4G, from {}M to "
              "1048576G; got '{}'",
              kLeastMemory >> 20, text);
        }
        text = fmt::format("{}", number << shift);
        return "";
      },
      "");
}

}  // namespace

void addMemoryLimit(CLI::App& app) {
  app.add_option_function<std::int64_t>(
         "--max-memory", &limitMemory,
         "Most memory that the program takes, as 512M or 4G; a file that needs more ends it with "
         "exit code 3")
      ->type_name("SIZE")
      ->transform(memorySize());
}

void limitMemory(std::int64_t bytes) {
  // Not of addresses (RLIMIT_AS): drivers and the heaps of threads reserve far more than they use.
  rlimit limit = {};
  if (getrlimit(RLIMIT_DATA, &limit) == 0) {
    limit.rlim_cur = std::min(static_cast<rlim_t>(bytes), limit.rlim_max);
  }
  if (setrlimit(RLIMIT_DATA, &limit) != 0) {
    throw UsageError(fmt::format("--max-memory: the system refuses: {}", std::strerror(errno)));
  }
  limitMessage = fmt::format(
      "memory: more than the {} MiB of --max-memory would be needed; give more, or a smaller input",
      bytes >> 20);
  if (handlerBefore == nullptr) handlerBefore = std::set_terminate(&endProgram);
}

const char* memoryLimitMessage() { return limitMessage.empty() ? nullptr : limitMessage.c_str(); }

}  // namespace drystone::cli
