#include "engine/model/joint_coordinates.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/input_error.h"

namespace drystone {
namespace {

/// World placement of a joint's frame on a body.
Pose placed(const BodyStore& bodies, int body, const Pose& frame) {
  return Pose{bodies.position[body], bodies.rotation[body]} * frame;
}

Vec6 twistRow(const Vec3& linear, const Vec3& angular) {
  Vec6 row;
  row << linear, angular;
  return row;
}

/// The representative of `angle` modulo 2π that is nearest to `before`.
Real continued(Real angle, Real before) {
  return angle + 2 * M_PI * std::round((before - angle) / (2 * M_PI));
}

/// Position of B's origin in frame A. The axes turn with A, so that the rate is that of the point
/// of B against the point of A which it meets: both arms lead to B's origin.
void positions(const BodyStore& bodies, const Joint& joint, const Pose& a, const Pose& b,
               std::array<JointCoordinate, 6>& out) {
  const Vec3 between = b.position - a.position;
  const Vec3 armA = b.position - bodies.position[joint.bodyA];
  const Vec3 armB = b.position - bodies.position[joint.bodyB];
  const Mat3 axes = a.rotation.toRotationMatrix();
  for (int i = 0; i < 3; ++i) {
    const Vec3 axis = axes.col(i);
    out[i] = {axis.dot(between), twistRow(-axis, -armA.cross(axis)),
              twistRow(axis, armB.cross(axis))};
  }
}

/// Angles of R_A^T R_B = R_x(θ1) R_y(θ2) R_z(θ3). The relative angular velocity is Σ θ̇_i e_i with
/// e1 = x of A, e3 = z of B, e2 normal to both, so the rates are its products with the dual basis.
void angles(const Joint& joint, const Pose& a, const Pose& b, std::array<JointCoordinate, 6>& out) {
  const Mat3 relative = (a.rotation.conjugate() * b.rotation).toRotationMatrix();
  const Real theta[3] = {std::atan2(-relative(1, 2), relative(2, 2)),
                         std::asin(std::clamp(relative(0, 2), -1.0, 1.0)),
                         std::atan2(-relative(0, 1), relative(0, 0))};
  const Vec3 e1 = a.rotation * Vec3::UnitX();
  const Vec3 e3 = b.rotation * Vec3::UnitZ();
  const Vec3 across = e3.cross(e1);  // cos θ2 e2
  // Where θ2 nears ±90° the other two angles lose their meaning; their rates stay bounded.
  constexpr Real kLeastCosine = 1e-3;
  const Real cosine = std::max(across.norm(), kLeastCosine);
  const Vec3 e2 = across / cosine;
  const Vec3 dual[3] = {e2.cross(e3) / cosine, e2, e1.cross(e2) / cosine};
  for (int i = 0; i < 3; ++i) {
    out[3 + i] = {i == 1 ? theta[i] : continued(theta[i], joint.angle[i]),
                  twistRow(Vec3::Zero(), -dual[i]), twistRow(Vec3::Zero(), dual[i])};
  }
}

JointCoordinate distance(const BodyStore& bodies, const Joint& joint, const Pose& a,
                         const Pose& b) {
  const Vec3 between = b.position - a.position;
  const Real length = between.norm();
  // Where the two points meet every direction is as good.
  const Vec3 axis = length > 1e-12 ? Vec3(between / length) : Vec3(Vec3::UnitX());
  return {length, twistRow(-axis, -(a.position - bodies.position[joint.bodyA]).cross(axis)),
          twistRow(axis, (b.position - bodies.position[joint.bodyB]).cross(axis))};
}

/// By JointGeometry.
constexpr GeometryTraits kGeometries[] = {
    {.lengths = 3,
     .angles = 3,
     .lengthsOf = [](const Vec3& apart,
                     std::span<Real> lengths) { std::ranges::copy(apart, lengths.begin()); },
     .boundsGap = true},
    {.lengths = 1,
     .isDistance = true,
     .lengthsOf = [](const Vec3& apart, std::span<Real> lengths) { lengths[0] = apart.norm(); },
     .boundsGap = true},
    {.lengths = 1},
};

}  // namespace

const GeometryTraits& traitsOf(JointGeometry geometry) {
  return kGeometries[static_cast<std::size_t>(geometry)];
}

void jointCoordinates(const BodyStore& bodies, const JointStore& joints, const Joint& joint,
                      std::array<JointCoordinate, 6>& out) {
  if (joint.geometry == JointGeometry::kGear) {
    std::array<JointCoordinate, 6> one, two;
    jointCoordinates(bodies, joints, joints[joint.gear1], one);
    jointCoordinates(bodies, joints, joints[joint.gear2], two);
    const JointCoordinate& q1 = one[joint.gearAxis1];
    const JointCoordinate& q2 = two[joint.gearAxis2];
    const auto carried = [&](int of, const JointCoordinate& q) {
      return q.jacobianA.dot(bodies.velocity[joints[of].bodyA]);
    };
    out[0] = {q1.value + joint.gearRatio * q2.value - joint.gearStart, q1.jacobianB,
              joint.gearRatio * q2.jacobianB,
              carried(joint.gear1, q1) + joint.gearRatio * carried(joint.gear2, q2)};
    return;
  }
  const Pose a = placed(bodies, joint.bodyA, joint.frameA);
  const Pose b = placed(bodies, joint.bodyB, joint.frameB);
  if (joint.geometry == JointGeometry::kDistance) {
    out[0] = distance(bodies, joint, a, b);
  } else {
    positions(bodies, joint, a, b, out);
    angles(joint, a, b, out);
  }
}

void rememberAngles(const std::array<JointCoordinate, 6>& coordinates, Joint& joint) {
  const int first = lengthCount(joint.geometry);
  for (int i = first; i < coordinateCount(joint.geometry); ++i) {
    joint.angle[i - first] = coordinates[i].value;
  }
}

JointCoordinate coordinateOf(const BodyStore& bodies, const JointStore& joints, JointId id,
                             int coordinate) {
  const Joint& joint = joints.at(id);
  if (coordinate < 0 || coordinate >= coordinateCount(joint.geometry)) {
    throw InputError(fmt::format("joint '{}' has coordinates 0 to {}, not {}", joint.name,
                                 coordinateCount(joint.geometry) - 1, coordinate));
  }
  std::array<JointCoordinate, 6> all;
  jointCoordinates(bodies, joints, joint, all);
  return all[coordinate];
}

JointCoordinate swingCoordinate(const BodyStore& bodies, const Joint& joint) {
  const Vec3 xA = placed(bodies, joint.bodyA, joint.frameA).rotation * Vec3::UnitX();
  const Vec3 xB = placed(bodies, joint.bodyB, joint.frameB).rotation * Vec3::UnitX();
  const Vec3 across = xA.cross(xB);
  const Real sine = across.norm();
  // Straight: no direction of swing is distinguished, and the limit is far.
  const Vec3 axis = sine > 1e-9 ? Vec3(across / sine) : Vec3(xA.unitOrthogonal());
  return {std::atan2(sine, xA.dot(xB)), twistRow(Vec3::Zero(), -axis),
          twistRow(Vec3::Zero(), axis)};
}

}  // namespace drystone
