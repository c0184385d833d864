#pragma once

#include "viewer/draw/list_writer.h"
#include "viewer/draw/view_frame.h"

namespace drystone::viewer {

/// The frames of the joints, with lines from them to the centres of mass that they hold.
void drawJoints(const ViewFrame& frame, ListWriter& out);
/// Distance joints alone, as what holds two bodies together: nothing else can be seen of them.
void drawRods(const ViewFrame& frame, ListWriter& out);

}  // namespace drystone::viewer
