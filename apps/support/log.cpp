#include "apps/support/log.h"

#include <fmt/format.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <string_view>

namespace drystone::cli {
namespace {

/// `:12:29 ` at the colon.
bool isLineAndColumn(std::string_view text) {
  for (const char end : {':', ' '}) {
    text.remove_prefix(1);
    const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
    text.remove_prefix(digits);
    if (digits == 0 || !text.starts_with(end)) return false;
  }
  return true;
}

/// A file with line and column, or with the option that the value came from, before the rest.
bool startsWithPlace(std::string_view line) {
  const std::size_t option = line.find(": --set ");
  if (option != std::string_view::npos && line.find(" /", option) != std::string_view::npos) {
    return true;
  }
  std::size_t colon = line.find(':');
  while (colon != std::string_view::npos && !isLineAndColumn(line.substr(colon))) {
    colon = line.find(':', colon + 1);
  }
  return colon != std::string_view::npos;
}

}  // namespace

void setUpLog(bool quiet) {
  static const std::shared_ptr<spdlog::logger> logger = spdlog::stderr_color_mt("drystone");
  logger->set_pattern("%^%l%$: %v");
  logger->set_level(quiet ? spdlog::level::err : spdlog::level::info);
  spdlog::set_default_logger(logger);
}

// The text is an argument, never the format: it may hold braces of a user's file.
void logInfo(const std::string& text) { spdlog::info("{}", text); }
void logWarning(const std::string& text) { spdlog::warn("{}", text); }
void logWarnings(const std::vector<std::string>& texts) {
  for (const std::string& text : texts) logWarning(text);
}
void logError(const std::string& text) { spdlog::error("{}", text); }

void logErrorLines(const std::string& text) {
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    const std::string line = text.substr(start, end - start);
    if (startsWithPlace(line) || line.starts_with("hint: ")) {
      fmt::print(stderr, "{}\n", line);
    } else if (!line.empty()) {
      logError(line);
    }
    start = end + 1;
  }
}

}  // namespace drystone::cli
