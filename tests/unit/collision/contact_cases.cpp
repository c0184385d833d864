#include "tests/unit/collision/contact_cases.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <sstream>

#include "collision/analytic/certificate.h"
#include "tests/support/constants.h"
#include "tests/unit/collision/collision_fixture.h"

namespace drystone::certify {
namespace {

enum class Form { kStout, kThin, kLong, kFine };
constexpr std::array<Real, 13> kLeans = {0,   1e-7, 1e-4, 0.01, 0.1, 0.5, 0.9,
                                         1.1, 2,    3,    4.9,  5.1, 6};  // [degrees]
/// Relative to the thickness of the thinner shape.
constexpr std::array<Real, 12> kGaps = {0,   1e-7,  1e-5,  1e-4,  1e-3,  0.01,
                                        0.1, -1e-6, -1e-4, -1e-3, -0.01, -0.1};

template <std::size_t kCount>
Real pick(const std::array<Real, kCount>& from, Random& random) {
  return from[static_cast<std::size_t>(random.uniform() * kCount)];
}

Vec3 randomDirection(Random& random) {
  const Real z = random.uniform(-1, 1), angle = random.uniform(0, 2 * test::kPi);
  const Real radius = std::sqrt(1 - z * z);
  return {radius * std::cos(angle), radius * std::sin(angle), z};
}

Quat anyTurn(Random& random) {
  return Quat(Eigen::AngleAxis<Real>(random.uniform(0, 2 * test::kPi), randomDirection(random)));
}

Shape makeRoughBox(const Vec3& half, Random& random) {
  std::vector<Vec3> points = boxCorners(half);
  for (Vec3& point : points) point *= random.uniform(0.5, 1);
  return makeHull(points);
}

Shape makeShapeOf(Kind kind, Form form, Random& random) {
  Vec3 size;
  for (Real& x : size) x = random.uniform(0.2, 1);
  if (form == Form::kThin) size[static_cast<int>(random.uniform() * 3)] = 0.01;
  if (form == Form::kLong) size[static_cast<int>(random.uniform() * 3)] = 20;
  switch (kind) {
    case Kind::kSphere:
      return Sphere{size.x()};
    case Kind::kBox:
      return Box{size};
    case Kind::kCapsule:
      return Capsule{size.x(), size.y()};
    case Kind::kCylinder:
      return Cylinder{size.x(), size.y()};
    case Kind::kCone:
      return Cone{size.x(), 2 * size.y()};
    case Kind::kHull:
      if (form == Form::kFine) return makeInscribedPrism({size.x(), size.y()}, 90);
      return random.uniform() < 0.3 ? Shape(makeHull(boxCorners(size)))
                                    : makeRoughBox(size, random);
    case Kind::kEllipsoid:
      return Ellipsoid{size};
    case Kind::kPlane:
      return Plane{};
    case Kind::kTriangle:
      break;
  }
  MeshData mesh;
  mesh.vertices = {{0, 0, 0}, {2 * size.x(), 0, 0}, {random.uniform(-1, 1), 2 * size.y(), 0}};
  mesh.triangles = {{0, 1, 2}};
  return TriangleMesh{std::make_shared<const MeshData>(std::move(mesh))};
}

Form formOf(Random& random) {
  const Real draw = random.uniform();
  return draw < 0.8    ? Form::kStout
         : draw < 0.87 ? Form::kThin
         : draw < 0.94 ? Form::kLong
                       : Form::kFine;
}

/// One of the 24 turns that take the axes to axes.
Quat axisTurn(Random& random) {
  Quat turn = Quat::Identity();
  for (int axis = 0; axis < 3; ++axis) {
    const int quarters = static_cast<int>(random.uniform() * 4);
    turn = turnAbout(Vec3::Unit(axis), 0.5 * test::kPi * quarters) * turn;
  }
  return turn;
}

/// B's turn against A.
Quat relativeTurn(int family, ContactCase& made, Random& random) {
  switch (family) {
    case 0:
      made.family = "any";
      return anyTurn(random);
    case 1:
      made.family = "any, near";
      return anyTurn(random);
    case 2:
      made.family = "leaning faces";
      made.degrees = pick(kLeans, random);
      return turnAbout(random.uniform() < 0.5 ? Vec3::Unit(static_cast<int>(random.uniform() * 3))
                                              : randomDirection(random),
                       made.degrees * test::kPi / 180) *
             axisTurn(random);
    case 3:
      made.family = "edge on edge";
      return axisTurn(random) *
             turnAbout(Vec3::Unit(static_cast<int>(random.uniform() * 3)), 0.25 * test::kPi) *
             axisTurn(random);
    default:
      made.family = "corner on corner";
      return Quat::FromTwoVectors(Vec3(1, 1, 1), Vec3::UnitX()) * axisTurn(random);
  }
}

/// Moves B along the normal of the contacts found until the slab across it has the given width.
/// Whatever normal that is, it only chooses the pose.
void bringNear(Real gap, ContactCase& made) {
  const auto contacts = contactsOf(made);
  if (contacts.empty()) return;
  const Vec3 normal = contacts.front().normal;
  const Real width = slabWidth(made.a, made.b, normal);
  if (std::abs(width) < 1e3) made.b.pose.position += (gap - width) * normal;
}

}  // namespace

std::string nameOf(Kind kind) {
  constexpr const char* kNames[] = {"Sphere", "Box",   "Capsule",  "Cylinder", "Cone",
                                    "Hull",   "Plane", "Triangle", "Ellipsoid"};
  return kNames[static_cast<int>(kind)];
}

std::string describe(Kind a, Kind b, int index, const ContactCase& made) {
  std::ostringstream out;
  out << nameOf(a) << " on " << nameOf(b) << ", pose " << index << " (" << made.family << ", "
      << made.degrees << " degrees)";
  return out.str();
}

ContactCase makeCase(Kind a, Kind b, int index) {
  Random random(static_cast<std::uint64_t>(index) * 64 + static_cast<std::uint64_t>(a) * 8 +
                static_cast<std::uint64_t>(b));
  random.uniform();
  ContactCase made;
  made.a.shape = makeShapeOf(a, formOf(random), random);
  made.b.shape = makeShapeOf(b, formOf(random), random);
  const int family = index % 5;
  made.b.pose.rotation = relativeTurn(family, made, random);
  const bool hasHalfSpace = isHalfSpace(made.a) || isHalfSpace(made.b);
  const Vec3 towards = family < 2 || random.uniform() < 0.5
                           ? randomDirection(random)
                           : Vec3(axisTurn(random) * Vec3::UnitX());
  const Real reach = hasHalfSpace ? 1
                                  : towards.dot(farthestPoint(made.a, towards)) -
                                        towards.dot(farthestPoint(made.b, -towards));
  made.b.pose.position = random.uniform(family < 2 ? 0.3 : 0.9, 1.4) * reach * towards;
  if (random.uniform() < 0.5) {
    const Quat turn = anyTurn(random);
    const Vec3 move = 10 * randomDirection(random);
    for (PlacedConvex* placed : {&made.a, &made.b}) {
      placed->pose.position = turn * placed->pose.position + move;
      placed->pose.rotation = (turn * placed->pose.rotation).normalized();
    }
  }
  const Real thickness = thinnestOf(made.a, made.b);
  made.margin = 100;
  if (family > 0) {
    bringNear(pick(kGaps, random) * thickness, made);
    if (random.uniform() < 0.8) made.margin = 0.11 * thickness;
  }
  return made;
}

std::vector<ContactPoint> contactsOf(const ContactCase& made) {
  return drystone::contactsOf(made.a.shape, made.a.pose, made.b.shape, made.b.pose, false,
                              made.margin);
}

Shape makeInscribedPrism(const Cylinder& around, int sides) {
  std::vector<Vec3> corners;
  for (int k = 0; k < sides; ++k) {
    const Real angle = 2 * k * test::kPi / sides;
    for (const Real z : {-around.halfLength, around.halfLength}) {
      corners.emplace_back(around.radius * std::cos(angle), around.radius * std::sin(angle), z);
    }
  }
  return makeHull(corners);
}

}  // namespace drystone::certify
