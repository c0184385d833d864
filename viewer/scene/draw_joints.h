#pragma once

#include "viewer/scene/draw_options.h"
#include "viewer/scene/list_writer.h"
#include "viewer/scene/scene_layout.h"

namespace drystone::viewer {

/// The frames of the joints, with lines from them to the centres of mass that they hold.
void drawJoints(const ViewFrame& frame, const SceneLayout& layout, ListWriter& out);

}  // namespace drystone::viewer
