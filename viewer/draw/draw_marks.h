#pragma once

#include "viewer/draw/draw_options.h"
#include "viewer/draw/list_writer.h"
#include "viewer/draw/view_frame.h"

namespace drystone::viewer {

/// The axis-aligned boxes of the last detection.
void drawBounds(const ViewFrame& frame, ListWriter& out);

/// A ball at the centre of mass of each dynamic body.
void drawCentersOfMass(const ViewFrame& frame, const std::shared_ptr<const TriangleMeshf>& ball,
                       ListWriter& out);

/// Box and name of the selected body.
void drawSelection(const ViewFrame& frame, const DrawOptions& options, ListWriter& out);

/// The frames of the joints, with lines from them to the centres of mass that they hold.
void drawJoints(const ViewFrame& frame, ListWriter& out);
/// Distance joints alone, as what holds two bodies together: nothing else can be seen of them.
void drawRods(const ViewFrame& frame, ListWriter& out);

}  // namespace drystone::viewer
