#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "collision/collision_world.h"
#include "core/types.h"
#include "engine/model/body.h"
#include "solvers/problem/sum_bound.h"

namespace drystone {

struct WorldParts;

/// A sensor of what contacts do to a body: of all of them, of those with one other body, or of
/// those on one part. It changes nothing of the motion.
struct ForcePlateDefinition {
  std::string name{};             ///< for tables
  BodyId body;                    ///< on which forces are measured
  std::optional<BodyId> other{};  ///< the contacts with this one alone; none: with any
  int part = -1;                  ///< child of the body's compound; -1: all of it
  /// The point that torques are about and, by its axes, the plane in which the centre of pressure
  /// is sought: z = 0. In the reference frame of the body [m].
  Pose site{};
  /// Readings in world axes; else in those of the site.
  bool inWorldAxes = false;
};

/// One contact of a plate in a step.
struct PlateContact {
  BodyId other;                 ///< that pushes
  TouchedPart part, otherPart;  ///< of the plate's body, of the other
  Vec3 point = Vec3::Zero();    ///< where it acted last, as the plate's centre of pressure [m]
  Vec3 force = Vec3::Zero();    ///< on the plate, friction included [N]
  Vec3 torque = Vec3::Zero();   ///< about the site [N m]
  int colliderA = -1, colliderB = -1;
  std::uint64_t feature = 0;  ///< with the colliders: which one it is, step for step
};

/// What a plate measured in a step: impulses of all its inner steps over the timestep. Vectors are
/// in the axes that the definition asks for.
struct ForcePlateReading {
  Vec3 force = Vec3::Zero();   ///< on the plate's body [N]
  Vec3 torque = Vec3::Zero();  ///< about the site's origin [N m]
  /// Where the force meets the plane z = 0 of the site without a torque in it: in the axes of the
  /// site and from its origin, or in the world [m]. None where nothing presses along z.
  std::optional<Vec3> center;
  /// How far force and torque may be from those of an exact solve of the same step, which is
  /// docs/sensors.md: +∞ where nothing is known.
  Real forceError = kInfinity;   ///< [N]
  Real torqueError = kInfinity;  ///< [N m]
  Real centerError = kInfinity;  ///< of `center` in the plane [m]
  /// Whether the bodies' motion alone says what force and torque are. False, for example, where a
  /// body is wedged between the plate and a wall.
  bool isSumUnique = false;
  /// Whether it says, too, how the contacts share them: no impulses on the contacts that push have
  /// the sum zero. False of a table on four legs.
  bool areSharesUnique = false;
  int rank = 0;      ///< independent wrenches among the rows of the contacts that push, at most 6
  int unknowns = 0;  ///< rows of the contacts that push
  std::vector<PlateContact> contacts;  ///< those that push, ascending by colliders and feature
};

/// A plate and what it read.
struct ForcePlate {
  ForcePlateDefinition definition;
  ForcePlateReading reading;
  bool hasReading = false;  ///< of the last step: not before one, nor after a restore

  // What the steps keep for what sleeps.
  ForcePlateReading before;                                            ///< the last reading but one
  Real restingForceError = kInfinity, restingTorqueError = kInfinity;  ///< [N], [N m]
  std::uint64_t restingVersion = 0;  ///< BodyStore::activeVersion() of these two
};

/// The plates of a world, and work space.
struct ForcePlates {
  std::vector<ForcePlate> plates;
  SumBound bound;
  std::vector<Real> weights;  // [rows of an island]
};

/// Begins the readings of a step; those of contacts that sleep stay.
void beginForcePlates(ForcePlates& plates);

/// Adds what the contacts did in an inner step of h [s], before the bodies move on.
void addToForcePlates(WorldParts& world, Real h);

/// Makes means of the sums over a step.
void finishForcePlates(WorldParts& world);

}  // namespace drystone
