#include "viewer/draw/scene_view.h"

#include <algorithm>

namespace drystone::viewer {

const ViewBody* SceneView::find(BodyId body) const {
  const auto at = std::ranges::lower_bound(bodies, body.index, {},
                                           [](const ViewBody& known) { return known.id.index; });
  return at != bodies.end() && at->id == body ? &*at : nullptr;
}

}  // namespace drystone::viewer
