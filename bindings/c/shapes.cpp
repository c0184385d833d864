// Shapes and materials for C.

#include "bindings/c/boundary.h"

namespace drystone::c {
namespace {

/// A function that makes a shape: what `make` gives is checked, so that a bad size is named here.
template <class Make>
drystone_error giveShape(drystone_shape** shape, Make&& make) {
  return guarded([&] {
    given(shape, "shape");
    auto made = std::unique_ptr<drystone_shape>(new drystone_shape{make()});
    checkShape(made->shape);
    *shape = made.release();
  });
}

/// Points of three numbers each.
std::vector<Vec3> pointsOf(const double* numbers, std::size_t count, const char* name) {
  given(numbers, name);
  requireFinite({numbers, 3 * count}, name);
  std::vector<Vec3> points;
  for (std::size_t i = 0; i < count; ++i) points.emplace_back(numbers + 3 * i);
  return points;
}

}  // namespace

extern "C" {

drystone_error drystone_shape_sphere(double radius, drystone_shape** shape) {
  return giveShape(shape, [&] { return Shape(Sphere{radius}); });
}

drystone_error drystone_shape_box(const double half_extents[3], drystone_shape** shape) {
  return giveShape(shape, [&] { return Shape(Box{vectorOf(half_extents, "half_extents")}); });
}

drystone_error drystone_shape_capsule(double radius, double half_length, drystone_shape** shape) {
  return giveShape(shape, [&] { return Shape(Capsule{radius, half_length}); });
}

drystone_error drystone_shape_cylinder(double radius, double half_length, drystone_shape** shape) {
  return giveShape(shape, [&] { return Shape(Cylinder{radius, half_length}); });
}

drystone_error drystone_shape_cone(double radius, double height, drystone_shape** shape) {
  return giveShape(shape, [&] { return Shape(Cone{radius, height}); });
}

drystone_error drystone_shape_ellipsoid(const double half_axes[3], drystone_shape** shape) {
  return giveShape(shape, [&] { return Shape(Ellipsoid{vectorOf(half_axes, "half_axes")}); });
}

drystone_error drystone_shape_plane(drystone_shape** shape) {
  return giveShape(shape, [] { return Shape(Plane{}); });
}

drystone_error drystone_shape_hull(const double* points, size_t point_count,
                                   drystone_shape** shape) {
  return giveShape(shape, [&] { return Shape(makeHull(pointsOf(points, point_count, "points"))); });
}

drystone_error drystone_shape_mesh(const double* vertices, size_t vertex_count,
                                   const int* triangles, size_t triangle_count,
                                   drystone_shape** shape) {
  return giveShape(shape, [&] {
    MeshData mesh{.vertices = pointsOf(vertices, vertex_count, "vertices")};
    given(triangles, "triangles");
    for (size_t i = 0; i < triangle_count; ++i) {
      const int* corners = triangles + 3 * i;
      mesh.triangles.push_back({corners[0], corners[1], corners[2]});
    }
    return Shape(TriangleMesh{std::make_shared<const MeshData>(std::move(mesh))});
  });
}

drystone_error drystone_shape_heightfield(const double* heights, int columns, int rows,
                                          double spacing_x, double spacing_y,
                                          drystone_shape** shape) {
  return giveShape(shape, [&] {
    if (columns < 2 || rows < 2) throw InputError("columns and rows must be at least 2 each");
    const std::size_t count = static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows);
    const auto numbers = spanOf(heights, count, "heights");
    requireFinite(numbers, "heights");
    return Shape(Heightfield{std::make_shared<const HeightfieldData>(
        HeightfieldData{.columns = columns,
                        .rows = rows,
                        .spacingX = spacing_x,
                        .spacingY = spacing_y,
                        .heights = {numbers.begin(), numbers.end()}})});
  });
}

drystone_error drystone_shape_compound(const drystone_shape* const* children,
                                       const drystone_pose* poses, size_t count,
                                       drystone_shape** shape) {
  return giveShape(shape, [&] {
    given(children, "children");
    given(poses, "poses");
    Compound compound;
    for (size_t i = 0; i < count; ++i) {
      compound.children.push_back(
          {given(children[i], "children").shape, poseOf(poses + i, "poses")});
    }
    return Shape(std::move(compound));
  });
}

drystone_error drystone_shape_from_text(const char* json, drystone_shape** shape) {
  return giveShape(shape, [&] { return readShapeText(textOf(json, "json")); });
}

drystone_error drystone_shape_destroy(drystone_shape* shape) {
  return guarded([&] { delete shape; });
}

drystone_error drystone_world_add_material(drystone_world* world, const char* name,
                                           const char* json, int* material) {
  return guarded([&] {
    const MaterialId id = addMaterial(keyedOf(world), textOf(name, "name"), textOf(json, "json"));
    if (material != nullptr) *material = id;
  });
}

}  // extern "C"

}  // namespace drystone::c
