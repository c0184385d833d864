// Bounds of motors that have none of their own.
#include <algorithm>
#include <cmath>

#include <optional>
#include <span>

#include "engine/model/joint_coordinates.h"
#include "engine/step/rows.h"

namespace drystone {
namespace {

/// How much more a motor without a cap may do than bring all of its island up by 1 m or 1 rad a
/// step within one step, and bear all loads. Gears may make the island so much heavier. What it
/// presses against yields, with the default stabilisation, by 5e-7 of the island's mass [kg] as a
/// length [m], or of its inertia [kg m²] as an angle [rad].
constexpr Real kMostOfIsland = 100;

/// What the bodies of an island weigh, and bear together with its joints, about any point.
struct Lump {
  Real mass = 0;               ///< [kg]
  Vec3 centre = Vec3::Zero();  ///< [m]
  Real inertia = 0;            ///< about the centre, of any axis at most [kg m²]
  Real force = 0;              ///< sum of the sizes of applied loads [N]
  Real torque = 0;             ///< likewise about the centre [N m]

  /// Largest impulse of a force that an unblocked motor may need in h [N s].
  Real alone(Real h) const { return mass / h + h * force; }
  /// Likewise of a torque about a point [N m s].
  Real about(const Vec3& point, Real h) const {
    const Real arm = (point - centre).norm();
    return (inertia + mass * arm * arm) / h + h * (torque + arm * force);
  }
};

Lump lumpOf(const BodyStore& bodies, const StepMotion& motion, const Vec3& gravity,
            const Islands& islands, int island) {
  const auto members = std::span(islands.bodies)
                           .subspan(islands.bodyStart[island],
                                    islands.bodyStart[island + 1] - islands.bodyStart[island]);
  Lump lump;
  for (const int body : members) {
    lump.mass += bodies.mass[body];
    lump.centre += bodies.mass[body] * bodies.position[body];
  }
  lump.centre /= lump.mass;
  for (const int body : members) {
    const Real arm = (bodies.position[body] - lump.centre).norm();
    const Real force = motion.load[body].head<3>().norm() +
                       bodies.mass[body] * bodies.gravityOf(body, gravity).norm();
    lump.inertia += bodies.moments[body].maxCoeff() + bodies.mass[body] * arm * arm;
    lump.force += force;
    lump.torque += motion.load[body].tail<3>().norm() + arm * force;
  }
  return lump;
}

// A coordinate of a gear may be either kind.
bool turns(const Joint& joint, int coordinate) {
  return joint.geometry == JointGeometry::kGear || isAngle(joint.geometry, coordinate);
}
bool slides(const Joint& joint, int coordinate) {
  return joint.geometry == JointGeometry::kGear || !isAngle(joint.geometry, coordinate);
}

Vec3 originOf(const BodyStore& bodies, const Joint& joint) {
  return bodies.position[joint.bodyB] + bodies.rotation[joint.bodyB] * joint.frameB.position;
}

/// Bound of the impulse of a motor on a coordinate.
Real capOf(const BodyStore& bodies, const Joint& joint, int coordinate, const Lump& lump, Real h) {
  return kMostOfIsland * ((slides(joint, coordinate) ? lump.alone(h) : 0) +
                          (turns(joint, coordinate) ? lump.about(originOf(bodies, joint), h) : 0));
}

/// Calls visit(k, i, block, row) for row i of block k of an island, for all of joints.
template <class Visit>
void forEachJointRow(const Islands& islands, const JointRowList& list, int island, Visit&& visit) {
  const int end = islands.blockStart[island + 1];
  for (int k = islands.blockStart[island]; k < end && islands.sources[k].isJoint(); ++k) {
    const StepJointBlock& block = list.blocks[islands.sources[k].index];
    for (int i = 0; i < block.rows; ++i) visit(k, i, block, list.rows[block.firstRow + i]);
  }
}

bool isMotorWithoutCap(const StepJointRow& row) {
  return roleOfKey(row.key) == JointRowRole::kMotor && row.upper == kInfinity;
}

/// Adds what springs, dampers, friction and motors with a cap may press with in an island, where
/// nothing goes faster than the fastest hard motor wants.
void addJointForces(const BodyStore& bodies, const JointStore& joints, const Islands& islands,
                    const JointRowList& list, int island, Real h, Lump& lump) {
  Real rate = 0;
  forEachJointRow(islands, list, island, [&](int, int, const auto& block, const auto& row) {
    const Joint& joint = joints[block.joint];
    if (!isMotorWithoutCap(row) || joint.axes[coordinateOfKey(row.key)].motor->servo) return;
    rate = std::max(rate, std::abs(row.bias));
  });
  forEachJointRow(islands, list, island, [&](int, int, const auto& block, const auto& row) {
    const Joint& joint = joints[block.joint];
    const JointRowRole role = roleOfKey(row.key);
    const bool presses = role == JointRowRole::kSpring || role == JointRowRole::kMotor ||
                         role == JointRowRole::kFriction;
    if (!presses || isMotorWithoutCap(row)) return;
    const Real force =
        (row.upper < kInfinity ? row.upper : (std::abs(row.bias) + rate) / row.compliance) / h;
    if (turns(joint, coordinateOfKey(row.key))) lump.torque += force;
    if (!slides(joint, coordinateOfKey(row.key))) return;
    lump.force += force;
    lump.torque += force * (originOf(bodies, joint) - lump.centre).norm();
  });
}

}  // namespace

void capMotors(const BodyStore& bodies, const JointStore& joints, const Islands& islands,
               const JointRowList& list, const StepMotion& motion, const Vec3& gravity, Real h,
               ConstraintRows& rows) {
  for (int island = 0; island < islands.count(); ++island) {
    std::optional<Lump> lump;
    forEachJointRow(islands, list, island, [&](int k, int i, const auto& block, const auto& row) {
      if (!isMotorWithoutCap(row)) return;
      if (!lump) {
        lump = lumpOf(bodies, motion, gravity, islands, island);
        addJointForces(bodies, joints, islands, list, island, h, *lump);
      }
      const Real cap = capOf(bodies, joints[block.joint], coordinateOfKey(row.key), *lump, h);
      rows.lower[rows.firstRow[k] + i] = -cap;
      rows.upper[rows.firstRow[k] + i] = cap;
    });
  }
}

}  // namespace drystone
