#pragma once

#include "viewer/scene/list_writer.h"
#include "viewer/scene/view_frame.h"

namespace drystone::viewer {

/// The frames of the joints, with lines from them to the centres of mass that they hold.
void drawJoints(const ViewFrame& frame, ListWriter& out);

}  // namespace drystone::viewer
