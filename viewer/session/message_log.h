#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "engine/step/step_report.h"
#include "viewer/draw/scene_view.h"
#include "viewer/session/simulation.h"

namespace drystone::viewer {

/// Lines for the window's log, from any thread. Holds the last kMostLines that nobody took.
class MessageLog {
 public:
  static constexpr std::size_t kMostLines = 1000;

  void info(std::string text) { add(LogLine::Kind::kInfo, std::move(text)); }
  void warning(std::string text) { add(LogLine::Kind::kWarning, std::move(text)); }
  void error(std::string text) { add(LogLine::Kind::kError, std::move(text)); }
  /// The lines since the last call; says how many were dropped, if any.
  std::vector<LogLine> take();

 private:
  void add(LogLine::Kind kind, std::string text);

  std::mutex mutex_;
  std::vector<LogLine> lines_;
  std::int64_t dropped_ = 0;
};

/// Lets something that happens in every step be said once a second.
class RateLimit {
 public:
  /// How often it has happened since it was last said, this time included; 0: say nothing yet.
  int occurrences(std::chrono::steady_clock::time_point now);

 private:
  std::chrono::steady_clock::time_point last_{};
  int count_ = 0;
  bool said_ = false;
};

/// Writes into the log what of a step its user should know.
class StepMessages {
 public:
  explicit StepMessages(MessageLog& log) : log_(log) {}
  /// `failure`: why the step failed, as WorldObserver::failure().
  void afterStep(const StepReport& report, const SceneView& scene, Real tolerance,
                 const std::string& failure);

 private:
  MessageLog& log_;
  RateLimit missed_, apart_, overlapped_, fellBack_;
};

}  // namespace drystone::viewer
