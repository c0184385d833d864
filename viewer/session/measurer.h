#pragma once

#include <vector>

#include "engine/world/world.h"
#include "solvers/problem/judge.h"
#include "solvers/prox/coloring.h"
#include "viewer/draw/view_frame.h"
#include "viewer/session/simulation.h"

namespace drystone::viewer {

/// Measures the contacts of a world's last step for its frame. Keeps its work space.
class Measurer {
 public:
  /// Fills residuals and colors of the frame as asked for; what is not asked for becomes empty. The
  /// snapshot of the frame must be of the world's last step.
  void measure(const World& world, const Measure& asked, ViewFrame& frame);

 private:
  void measureIslands(const World& world, const Measure& asked);

  std::vector<Real> residual_;   // by block, islands one after the other
  std::vector<int> color_;       // likewise
  std::vector<int> firstBlock_;  // [islands]
  JudgeWorkspace judge_;
  Coloring coloring_;
  SweepPlan plan_;
};

}  // namespace drystone::viewer
