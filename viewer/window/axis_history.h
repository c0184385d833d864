#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "viewer/draw/view_frame.h"
#include "viewer/session/step_sample.h"

namespace drystone::viewer {

/// The coordinates of the joints of the selected body over the steps that were shown: the newest
/// kPlottedSteps. Another body, another scene or a way back begins it anew.
class AxisHistory {
 public:
  struct Line {
    std::size_t axis = 0;  ///< into SceneView::axes
    std::vector<double> value, force;
  };

  void take(const ViewFrame& frame, BodyId body);
  const std::vector<double>& steps() const { return steps_; }
  const std::vector<Line>& lines() const { return lines_; }  ///< as long as steps()

 private:
  void begin(const ViewFrame& frame, BodyId body);

  BodyId body_;
  std::uint64_t source_ = 0;
  std::vector<double> steps_;
  std::vector<Line> lines_;
};

inline void AxisHistory::begin(const ViewFrame& frame, BodyId body) {
  body_ = body;
  source_ = frame.scene->source;
  steps_.clear();
  lines_.clear();
  for (const JointSnapshot& joint : frame.snapshot.joints) {
    if (joint.bodyA != body && joint.bodyB != body) continue;
    for (std::size_t i = 0; i < frame.axes.size(); ++i) {
      if (frame.scene->axes[i].joint == joint.id) lines_.push_back({i, {}, {}});
    }
  }
}

inline void AxisHistory::take(const ViewFrame& frame, BodyId body) {
  const auto step = static_cast<double>(frame.snapshot.step);
  const bool isBack = !steps_.empty() && step < steps_.back();
  if (body != body_ || frame.scene->source != source_ || isBack) begin(frame, body);
  if (lines_.empty() || (!steps_.empty() && step == steps_.back())) return;
  const bool isFull = steps_.size() == static_cast<std::size_t>(kPlottedSteps);
  const auto add = [&](std::vector<double>& to, double value) {
    if (isFull) to.erase(to.begin());
    to.push_back(value);
  };
  add(steps_, step);
  for (Line& line : lines_) {
    const bool isKnown = line.axis < frame.axes.size();
    const AxisState now = isKnown ? frame.axes[line.axis] : AxisState();
    add(line.value, now.value);
    add(line.force, now.force);
  }
}

}  // namespace drystone::viewer
