#pragma once

#include "viewer/draw/view_frame.h"

namespace drystone::viewer {

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
