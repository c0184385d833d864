// Shapes whose kind and numbers the bytes of an input choose.

#include <memory>

#include "tests/fuzz/world_calls.h"

namespace drystone::fuzz {
namespace {

Shape plainShape(FuzzInput& in, int kind) {
  switch (kind) {
    case 0:
      return Sphere{in.positive()};
    case 1:
      return Box{in.vector().cwiseAbs()};
    case 2: {
      const Real radius = in.positive();
      return Capsule{radius, in.positive()};
    }
    case 3: {
      const Real radius = in.positive();
      return Cylinder{radius, in.positive()};
    }
    case 4: {
      const Real radius = in.positive();
      return Cone{radius, in.positive()};
    }
    default:
      return Ellipsoid{in.vector().cwiseAbs()};
  }
}

std::vector<Vec3> pointsOf(FuzzInput& in, int count) {
  std::vector<Vec3> points;
  for (int i = 0; i < count; ++i) points.push_back(in.vector());
  return points;
}

TriangleMesh meshOf(FuzzInput& in) {
  auto data = std::make_shared<MeshData>();
  data->vertices = pointsOf(in, 3 + in.below(6));
  for (int triangles = 1 + in.below(6); triangles > 0; --triangles) {
    // By few bytes a corner that there is not.
    const int count = static_cast<int>(data->vertices.size());
    const int first = in.byte(), second = in.byte(), third = in.byte();
    data->triangles.push_back({first % (count + (first == 255)), second % count, third % count});
  }
  return {std::move(data)};
}

Heightfield heightfieldOf(FuzzInput& in) {
  auto data = std::make_shared<HeightfieldData>();
  data->columns = 1 + in.below(4);
  data->rows = 2 + in.below(3);
  data->spacingX = in.positive();
  data->spacingY = in.positive();
  const int heights = data->columns * data->rows + (in.byte() == 255);
  for (int i = 0; i < heights; ++i) data->heights.push_back(in.real());
  return {std::move(data)};
}

}  // namespace

Shape shapeOf(FuzzInput& in) {
  // Those that are most in use have several numbers.
  const int kind = in.below(16);
  switch (kind) {
    case 6:
      return Plane{};
    case 7:
      return makeHull(pointsOf(in, 4 + in.below(9)));
    case 8:
      return meshOf(in);
    case 9:
      return heightfieldOf(in);
    case 10: {
      Compound compound;
      for (int children = in.below(4); children > 0; --children) {
        const Pose pose = poseOf(in);
        compound.children.push_back({plainShape(in, in.below(6)), pose});
      }
      return compound;
    }
    default:
      return kind < 6 ? plainShape(in, kind) : plainShape(in, kind & 1);
  }
}

}  // namespace drystone::fuzz
