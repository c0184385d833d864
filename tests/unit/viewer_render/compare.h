#pragma once

#include "viewer/render/image.h"

namespace drystone::viewer::test {

/// How much two pictures of one size differ, after both were shrunk by 4 in either direction.
/// Drivers differ in how they place an edge within a pixel, filter a shadow and round: single
/// pixels along edges then differ by a lot although nobody sees it. Means over 4 x 4 pixels do not.
struct Difference {
  double mean = 0;      ///< of a channel, 0 to 255
  double shareOff = 0;  ///< of the cells with a channel that is off by more than 16
};
Difference differenceOf(const Image& a, const Image& b);

/// What still counts as the same picture: a tenth of what a body moved by its width makes.
bool looksTheSame(const Difference& difference);

}  // namespace drystone::viewer::test
