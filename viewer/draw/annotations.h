#pragma once

#include <memory>
#include <vector>

#include "viewer/draw/draw_list.h"
#include "viewer/draw/draw_options.h"
#include "viewer/draw/list_writer.h"
#include "viewer/draw/view_frame.h"

namespace drystone::viewer {

// What is drawn to explain the bodies and contacts of a picture.

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

/// What the colors and arrows that the options ask for mean in this frame. `lengthPerImpulse`: of
/// the arrows that are drawn [m/(N s)]; 0: there are none.
std::vector<Legend> legendsOf(const ViewFrame& frame, const DrawOptions& options,
                              Real lengthPerImpulse);

}  // namespace drystone::viewer
