#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/observe/snapshot.h"
#include "engine/step/step_report.h"
#include "viewer/draw/scene_view.h"

namespace drystone::viewer {

/// Where a coordinate of a joint is, and what acted along it in the step.
struct AxisState {
  Real value = 0;  ///< [m], [rad]
  Real rate = 0;   ///< [m/s], [rad/s]
  Real force = 0;  ///< of its motor, or of all that acts along it where it has none [N], [N m]
};

/// All that the viewer sees of one step: plain data that shares nothing that changes.
struct ViewFrame {
  std::shared_ptr<const SceneView> scene;
  WorldSnapshot snapshot;
  std::vector<AxisState> axes;  ///< [SceneView::axes]; empty: not known, as in a recording
  StepReport report;
  bool isStepDone = false;  ///< what the report is of; else nothing was solved yet
  /// The step was done, but its record is damaged: the report says nothing, `solver` is empty.
  bool isReportDamaged = false;
  std::string solver;  ///< asked for
  FrictionModel friction = FrictionModel::kCone;
  /// ‖F_c‖/ρ_c of each contact as judged (M.11) [m/s]; empty: not known, as in a recording.
  std::vector<Real> contactResidual;
  /// Color of each contact in the contact graph of its island; empty: not asked for.
  std::vector<int> contactColor;
  /// Residual by iteration of the largest island, in the unit of the solver's criterion.
  std::vector<ResidualHistory::Entry> convergence;

  /// Whether the report says how a step was solved.
  bool hasReport() const { return isStepDone && !isReportDamaged; }
};

/// Calls `visit(snapshot, index into SceneView::bodies)` for each body that the frame and its scene
/// both have. Both lists ascend by slot: one walk.
template <class Visit>
void forEachBody(const ViewFrame& frame, Visit visit) {
  const std::vector<ViewBody>& known = frame.scene->bodies;
  std::size_t i = 0;
  for (const BodySnapshot& body : frame.snapshot.bodies) {
    while (i < known.size() && known[i].id.index < body.id.index) ++i;
    if (i == known.size()) return;
    if (known[i].id == body.id) visit(body, i);
  }
}

}  // namespace drystone::viewer
