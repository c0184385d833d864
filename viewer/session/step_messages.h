#pragma once

#include "engine/step/step_report.h"
#include "viewer/draw/scene_view.h"
#include "viewer/session/message_log.h"

namespace drystone::viewer {

/// Writes into the log what of a step its user should know.
class StepMessages {
 public:
  explicit StepMessages(MessageLog& log) : log_(log) {}
  void afterStep(const StepReport& report, const SceneView& scene, Real tolerance);

 private:
  MessageLog& log_;
  RateLimit missed_, fellBack_;
};

}  // namespace drystone::viewer
