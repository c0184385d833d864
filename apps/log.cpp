#include "apps/log.h"

#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

namespace drystone::cli {

void setUpLog(bool quiet) {
  static const std::shared_ptr<spdlog::logger> logger = spdlog::stderr_color_mt("drystone");
  logger->set_pattern("%^%l%$: %v");
  logger->set_level(quiet ? spdlog::level::err : spdlog::level::info);
  spdlog::set_default_logger(logger);
}

// The text is an argument, never the format: it may hold braces of a user's file.
void logInfo(const std::string& text) { spdlog::info("{}", text); }
void logWarning(const std::string& text) { spdlog::warn("{}", text); }
void logError(const std::string& text) { spdlog::error("{}", text); }

}  // namespace drystone::cli
