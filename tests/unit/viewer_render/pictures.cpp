#include "tests/unit/viewer_render/pictures.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

namespace drystone::viewer::test {
namespace {

constexpr int kCell = 4;         // [pixels]
constexpr double kOff = 16;      // of 255: plain to see
constexpr double kMostMean = 1;  // of 255
constexpr double kMostShare = 0.005;

/// Mean of a channel over a cell.
double cellMean(const Image& image, int column, int row, int channel) {
  int sum = 0;
  for (int y = kCell * row; y < kCell * (row + 1); ++y) {
    for (int x = kCell * column; x < kCell * (column + 1); ++x) {
      sum += image.pixels[static_cast<std::size_t>(3 * (y * image.width + x) + channel)];
    }
  }
  return static_cast<double>(sum) / (kCell * kCell);
}

}  // namespace

std::shared_ptr<const TriangleMeshf> unitBox() {
  auto mesh = std::make_shared<TriangleMeshf>();
  for (int axis = 0; axis < 3; ++axis) {
    for (float sign : {-1.0F, 1.0F}) {
      Vec3f normal = Vec3f::Zero(), u = Vec3f::Zero();
      normal[axis] = sign;
      u[(axis + 1) % 3] = 1;
      const Vec3f v = normal.cross(u);
      const auto first = static_cast<std::uint32_t>(mesh->positions.size());
      for (const Vec3f& corner : {Vec3f(-u - v), Vec3f(u - v), Vec3f(u + v), Vec3f(v - u)}) {
        mesh->positions.emplace_back(0.5F * (normal + corner));
        mesh->normals.push_back(normal);
      }
      for (std::uint32_t i : {0U, 1U, 2U, 0U, 2U, 3U}) mesh->indices.push_back(first + i);
    }
  }
  return mesh;
}

std::shared_ptr<const TriangleMeshf> unitBall() {
  constexpr std::uint32_t kAround = 48, kDown = 24;
  auto mesh = std::make_shared<TriangleMeshf>();
  for (std::uint32_t i = 0; i <= kDown; ++i) {
    for (std::uint32_t j = 0; j <= kAround; ++j) {
      const float polar = std::numbers::pi_v<float> * static_cast<float>(i) / kDown;
      const float turn = 2 * std::numbers::pi_v<float> * static_cast<float>(j) / kAround;
      const Vec3f n(std::sin(polar) * std::cos(turn), std::sin(polar) * std::sin(turn),
                    std::cos(polar));
      mesh->positions.emplace_back(0.5F * n);
      mesh->normals.push_back(n);
    }
  }
  for (std::uint32_t i = 0; i < kDown; ++i) {
    for (std::uint32_t j = 0; j < kAround; ++j) {
      const std::uint32_t a = i * (kAround + 1) + j, b = a + kAround + 1;
      for (std::uint32_t k : {a, b, b + 1, a, b + 1, a + 1}) mesh->indices.push_back(k);
    }
  }
  return mesh;
}

Instance copyAt(const Vec3f& place, const Color& color, const Vec3f& scale) {
  Instance copy;
  for (int axis = 0; axis < 3; ++axis) {
    copy.transform[5 * axis] = scale[axis];
    copy.transform[4 * axis + 3] = place[axis];
  }
  copy.color[0] = color.red;
  copy.color[1] = color.green;
  copy.color[2] = color.blue;
  copy.color[3] = color.alpha;
  return copy;
}

DrawList listOf(std::shared_ptr<const TriangleMeshf> mesh, std::vector<Instance> copies) {
  DrawList list;
  list.batches.push_back({std::move(mesh), std::move(copies)});
  list.boundsLower = {-2, -2, 0};
  list.boundsUpper = {2, 2, 4};
  return list;
}

Camera frontCamera() {
  Camera camera;
  camera.position = {0, -10, 1};
  camera.target = {0, 0, 1};
  camera.fieldOfView = 0.5;
  return camera;
}

CheckedRenderer::CheckedRenderer(int width, int height, RenderSettings settings)
    : renderer_(width, height, (settings.debug = true, settings)) {}

Image CheckedRenderer::render(const DrawList& list, const Camera& camera) {
  Image image = renderer_.render(list, camera);
  EXPECT_EQ(renderer_.takeErrors(), "");
  return image;
}

Pixel pixelOf(const Vec3f& place, const Camera& camera, int width, int height) {
  const Eigen::Vector4f clip =
      camera.projectionMatrix(static_cast<Real>(width) / height, {-2, -2, 0}, {2, 2, 4}) *
      camera.viewMatrix() * place.homogeneous();
  return {(0.5 + 0.5 * clip.x() / clip.w()) * width, (0.5 - 0.5 * clip.y() / clip.w()) * height};
}

std::array<int, 3> colorAt(const Image& image, const Pixel& pixel) {
  const int x = std::clamp(static_cast<int>(pixel.x), 0, image.width - 1);
  const int y = std::clamp(static_cast<int>(pixel.y), 0, image.height - 1);
  const auto at = static_cast<std::size_t>(3 * (y * image.width + x));
  return {image.pixels[at], image.pixels[at + 1], image.pixels[at + 2]};
}

int brightness(const Image& image, const Pixel& pixel) {
  const std::array<int, 3> color = colorAt(image, pixel);
  return color[0] + color[1] + color[2];
}

int countColored(const Image& image) {
  int count = 0;
  for (std::size_t i = 0; i < image.pixels.size(); i += 3) {
    const auto [low, high] =
        std::minmax({image.pixels[i], image.pixels[i + 1], image.pixels[i + 2]});
    if (high - low > 40) ++count;
  }
  return count;
}

Difference differenceOf(const Image& a, const Image& b) {
  if (a.width != b.width || a.height != b.height) {
    throw std::invalid_argument("pictures of two sizes");
  }
  Difference difference;
  const int columns = a.width / kCell, rows = a.height / kCell;
  for (int row = 0; row < rows; ++row) {
    for (int column = 0; column < columns; ++column) {
      double worst = 0;
      for (int channel = 0; channel < 3; ++channel) {
        const double off =
            std::abs(cellMean(a, column, row, channel) - cellMean(b, column, row, channel));
        difference.mean += off / (3.0 * columns * rows);
        worst = std::max(worst, off);
      }
      if (worst > kOff) difference.shareOff += 1.0 / (columns * rows);
    }
  }
  return difference;
}

bool looksTheSame(const Difference& difference) {
  return difference.mean <= kMostMean && difference.shareOff <= kMostShare;
}

}  // namespace drystone::viewer::test
