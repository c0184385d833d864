#pragma once

#include "core/types.h"

namespace drystone::bench {

/// The collision of nine cylinders [Litven 2013, sec. 7.2] on a grid of this spacing [m]: rounds of
/// staggered projections, how many first sets are right, and the bandwidth of the contact matrix.
void studyCylinders(Real spacing);

}  // namespace drystone::bench
