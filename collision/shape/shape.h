#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/types.h"

namespace drystone {

constexpr Real kLargestShapeSize = 1e6;  ///< of each number of a shape [m]

class FieldVisitor;
class Hasher;
/// What the program asks of a kind of shape; each kind answers in the file of its name.
struct ShapeOperations;

/// Geometry in the shape's own frame, in metres. Shapes are values: copy them freely; the big ones
/// share their data.
struct Sphere {
  Real radius = 0.5;
  static const ShapeOperations operations;
};
struct Box {
  Vec3 halfExtents = Vec3::Constant(0.5);
  static const ShapeOperations operations;
};
/// Segment along z of length 2 halfLength, swept by a sphere.
struct Capsule {
  Real radius = 0.25;
  Real halfLength = 0.5;
  static const ShapeOperations operations;
};
/// Axis z, centred.
struct Cylinder {
  Real radius = 0.5;
  Real halfLength = 0.5;
  static const ShapeOperations operations;
};
/// Axis z, apex at +height/2, base at -height/2.
struct Cone {
  Real radius = 0.5;
  Real height = 1;
  static const ShapeOperations operations;
};
/// About the origin, its axes those of the frame.
struct Ellipsoid {
  Vec3 halfAxes = {0.5, 0.4, 0.3};
  static const ShapeOperations operations;
};
/// Half-space below z = 0; the normal is +z. Static bodies only.
struct Plane {
  static const ShapeOperations operations;
};

/// Convex polyhedron with merged planar faces, vertices counter-clockwise seen from outside.
struct HullData {
  std::vector<Vec3> vertices{};
  std::vector<std::vector<int>> faces{};
  std::vector<Vec3> faceNormals{};           ///< unit, outwards
  std::vector<std::pair<int, int>> edges{};  ///< vertex pairs, each once
  /// The two faces of each edge; the first has it from its first to its second vertex.
  std::vector<std::pair<int, int>> edgeFaces{};
};
/// Most edges of a hull: contact points are named by 13 bits of each feature's number.
constexpr int kMostHullEdges = 1 << 13;
struct ConvexHull {
  std::shared_ptr<const HullData> data{};
  static const ShapeOperations operations;
};
struct MeshData {
  std::vector<Vec3> vertices{};
  std::vector<std::array<int, 3>> triangles{};
};
/// Triangle surface, both sides solid to others. Static and kinematic bodies only.
struct TriangleMesh {
  std::shared_ptr<const MeshData> data{};
  static const ShapeOperations operations;
};
struct HeightfieldData {
  int columns = 0, rows = 0;        ///< samples along x and y, at least 2 each
  Real spacingX = 1, spacingY = 1;  ///< [m]
  std::vector<Real> heights{};      ///< [columns * rows] z at sample (column, row), x fastest [m]
};
/// Regular grid of heights centred on the origin in x and y. Static bodies only.
struct Heightfield {
  std::shared_ptr<const HeightfieldData> data{};
  static const ShapeOperations operations;
};

struct CompoundChild;
struct Compound {
  std::vector<CompoundChild> children;
  static const ShapeOperations operations;
};

using Shape = std::variant<Sphere, Box, Capsule, Cylinder, Cone, Ellipsoid, Plane, ConvexHull,
                           TriangleMesh, Heightfield, Compound>;

/// The alternatives of Shape in their order. The first of two kinds is A where their contact is
/// searched.
enum class ShapeKind : std::uint8_t {
  kSphere,
  kBox,
  kCapsule,
  kCylinder,
  kCone,
  kEllipsoid,
  kPlane,
  kHull,  ///< also a triangle of a surface, in the narrow phase
  kMesh,
  kHeightfield,
  kCompound,
};
inline ShapeKind kindOf(const Shape& shape) { return static_cast<ShapeKind>(shape.index()); }

/// One part of a compound, placed in the compound's frame. Compounds do not nest.
struct CompoundChild {
  Shape shape{};
  Pose pose{};
};

/// One shape of every kind, in the order of ShapeKind.
const std::vector<Shape>& shapeKinds();

/// Registry name of the alternative: "sphere", "box", …
std::string_view shapeName(const Shape& shape);
/// What the kind is and where its frame lies, in one line.
std::string_view shapeHelp(const Shape& shape);

/// The numbers that make a shape, as a scene gives them; none of those that hold data.
void visitFields(Shape& shape, FieldVisitor& visitor);

/// Throws InputError naming the parameter unless every size is in its range, hulls span a volume,
/// meshes have faces with valid indices, and compounds do not nest.
void checkShape(const Shape& shape);

/// Adds the kind, the fields and the data of a shape.
void addShape(Hasher& hasher, const Shape& shape);

/// True for plane, mesh and heightfield, which only static (mesh: or kinematic) bodies may carry.
bool isStaticOnly(const Shape& shape);

/// Box along the axes of a frame [m].
struct Bounds {
  Vec3 lower = Vec3::Zero(), upper = Vec3::Zero();

  bool meets(const Bounds& other) const {
    return lower.x() <= other.upper.x() && other.lower.x() <= upper.x() &&
           lower.y() <= other.upper.y() && other.lower.y() <= upper.y() &&
           lower.z() <= other.upper.z() && other.lower.z() <= upper.z();
  }
  void merge(const Bounds& other) {
    lower = lower.cwiseMin(other.lower);
    upper = upper.cwiseMax(other.upper);
  }
};

/// Smallest box of the shape in its own frame; none where it has no end, like a plane.
std::optional<Bounds> shapeBounds(const Shape& shape);
/// The box along the world's axes around a placed box. Spheres keep their size when they turn:
/// `turns` is false for them.
Bounds placedBounds(const Bounds& local, const Pose& pose, bool turns = true);
std::optional<Bounds> placedBounds(const Shape& shape, const Pose& pose);

struct MassProperties {
  Real mass = 0;                     ///< [kg]
  Vec3 centerOfMass = Vec3::Zero();  ///< in the shape's frame [m]
  Mat3 inertia = Mat3::Zero();  ///< about the centre of mass, axes of the shape's frame [kg m²]
};

/// Exact mass properties of the solid at uniform density [kg/m³]. Overlapping compound children
/// count twice. Throws InputError for shapes without volume (plane, mesh, heightfield).
MassProperties massProperties(const Shape& shape, Real density);
/// The same at the density that gives the mass [kg]: for what was weighed.
MassProperties massOf(const Shape& shape, Real mass);

/// Splits a symmetric inertia into principal moments and the rotation from principal axes to the
/// given axes. An inertia that is already diagonal keeps its axes.
struct PrincipalInertia {
  Vec3 moments = Vec3::Zero();
  Quat rotation = Quat::Identity();
};
PrincipalInertia principalInertia(const Mat3& inertia);

/// Convex hull of a point cloud with coplanar triangles merged into faces. Flat means within 1e-6
/// of the largest extent, or 1e-3 of the thickness if that is less; points that close to the hull
/// of the others may be left out. Vertices keep their order. Throws InputError when the points do
/// not span a volume, or lie beyond ±kLargestShapeSize.
ConvexHull makeHull(const std::vector<Vec3>& points);

/// Reads a Wavefront OBJ (v and f lines; polygons are split into fans). Throws InputError with the
/// path, the line and the remedy.
MeshData readObj(const std::string& path);

/// The vertices of a Wavefront OBJ, which need no faces: a point cloud for makeHull(). Throws as
/// readObj().
std::vector<Vec3> readObjVertices(const std::string& path);

/// The same in two steps: the text of a file, and what it means. `path` stands in messages only.
std::string readObjText(const std::string& path);
MeshData parseObj(std::string_view text, const std::string& path);
std::vector<Vec3> parseObjVertices(std::string_view text, const std::string& path);

}  // namespace drystone
