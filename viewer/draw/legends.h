#pragma once

#include <vector>

#include "viewer/draw/draw_list.h"
#include "viewer/draw/draw_options.h"
#include "viewer/draw/view_frame.h"

namespace drystone::viewer {

/// What the colors and arrows that the options ask for mean in this frame. `lengthPerImpulse`: of
/// the arrows that are drawn [m/(N s)]; 0: there are none.
std::vector<Legend> legendsOf(const ViewFrame& frame, const DrawOptions& options,
                              Real lengthPerImpulse);

}  // namespace drystone::viewer
