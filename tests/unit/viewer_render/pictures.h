#pragma once

#include <array>

#include "viewer/render/image.h"
#include "viewer/render/offscreen.h"

namespace drystone::viewer::test {

// Small draw lists and what is measured on their pictures.

std::shared_ptr<const TriangleMeshf> unitBox();   ///< side 1, centred
std::shared_ptr<const TriangleMeshf> unitBall();  ///< diameter 1, 48 x 24 facets

inline constexpr Color kRed{0.8F, 0.1F, 0.1F, 1}, kGreen{0.1F, 0.7F, 0.2F, 1},
    kBlue{0.1F, 0.3F, 0.8F, 1};

/// A copy, scaled along the axes and then moved.
Instance copyAt(const Vec3f& place, const Color& color, const Vec3f& scale = Vec3f::Ones());

/// A list of one batch with bounds around [-2, 2]² x [0, 4].
DrawList listOf(std::shared_ptr<const TriangleMeshf> mesh, std::vector<Instance> copies);

/// Looks along +y at (0, 0, 1), z up: world x goes right, z up in the picture.
Camera frontCamera();

constexpr int kWidth = 320, kHeight = 240;

/// A renderer of that size that checks every call; its errors are a test failure.
class CheckedRenderer {
 public:
  explicit CheckedRenderer(int width = kWidth, int height = kHeight, RenderSettings settings = {});
  Image render(const DrawList& list, const Camera& camera = frontCamera());

 private:
  OffscreenRenderer renderer_;
};

struct Pixel {
  double x = 0, y = 0;  ///< from the upper left
};
/// Where a point of the world lies in the picture.
Pixel pixelOf(const Vec3f& place, const Camera& camera, int width = kWidth, int height = kHeight);

/// Red, green and blue of the pixel, 0 to 255.
std::array<int, 3> colorAt(const Image& image, const Pixel& pixel);
int brightness(const Image& image, const Pixel& pixel);  ///< sum of the three

/// What is no gray: pixels whose channels differ by more than 40. Backdrop and ground are grayer.
int countColored(const Image& image);

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
