// Bounds of motors that have none of their own.
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

/// What the bodies of an island weigh and bear together, about any point.
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

Lump lumpOf(const BodyStore& bodies, const StepMotion& motion, const Islands& islands, int island) {
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
    const Real force = motion.load[body].head<3>().norm();
    lump.inertia += bodies.moments[body].maxCoeff() + bodies.mass[body] * arm * arm;
    lump.force += force;
    lump.torque += motion.load[body].tail<3>().norm() + arm * force;
  }
  return lump;
}

/// Bound of the impulse of a motor on a coordinate. A coordinate of a gear may be either kind.
Real capOf(const BodyStore& bodies, const Joint& joint, int coordinate, const Lump& lump, Real h) {
  const int body = joint.bodyB;
  const Vec3 origin = bodies.position[body] + bodies.rotation[body] * joint.frameB.position;
  const bool isGear = joint.geometry == JointGeometry::kGear;
  const bool turns = isGear || isAngle(joint.geometry, coordinate);
  const bool slides = isGear || !isAngle(joint.geometry, coordinate);
  return kMostOfIsland * ((slides ? lump.alone(h) : 0) + (turns ? lump.about(origin, h) : 0));
}

}  // namespace

void capMotors(const BodyStore& bodies, const JointStore& joints, const Islands& islands,
               const JointRowList& list, const StepMotion& motion, Real h, ConstraintRows& rows) {
  for (int island = 0; island < islands.count(); ++island) {
    std::optional<Lump> lump;
    const int end = islands.blockStart[island + 1];
    for (int k = islands.blockStart[island]; k < end && islands.sources[k].isJoint(); ++k) {
      const StepJointBlock& block = list.blocks[islands.sources[k].index];
      for (int i = 0; i < block.rows; ++i) {
        const StepJointRow& row = list.rows[block.firstRow + i];
        if (roleOfKey(row.key) != JointRowRole::kMotor || row.upper < kInfinity) continue;
        if (!lump) lump = lumpOf(bodies, motion, islands, island);
        const Real cap = capOf(bodies, joints[block.joint], coordinateOfKey(row.key), *lump, h);
        rows.lower[rows.firstRow[k] + i] = -cap;
        rows.upper[rows.firstRow[k] + i] = cap;
      }
    }
  }
}

}  // namespace drystone
