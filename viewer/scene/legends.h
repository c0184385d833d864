#pragma once

#include <vector>

#include "viewer/scene/draw_list.h"
#include "viewer/scene/draw_options.h"
#include "viewer/scene/view_frame.h"

namespace drystone::viewer {

/// What the colors and arrows that the options ask for mean in this frame. `lengthPerImpulse`: of
/// the arrows that are drawn [m/(N s)]; 0: there are none.
std::vector<Legend> legendsOf(const ViewFrame& frame, const DrawOptions& options,
                              Real lengthPerImpulse);

}  // namespace drystone::viewer
