#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "collision/shape/shape.h"
#include "engine/model/body.h"
#include "engine/model/joint.h"

namespace drystone {

struct BodySnapshot {
  BodyId id;
  BodyKind kind = BodyKind::kDynamic;
  Pose pose;             ///< reference frame
  Vec3 centerOfMass;     ///< world [m]
  Vec3 linearVelocity;   ///< of the centre of mass [m/s]
  Vec3 angularVelocity;  ///< [rad/s]
  int island = -1;       ///< of the last step; -1: none
  /// Axis-aligned bounding box of the last detection or World::queries(), half the contact margin
  /// and the way of the step included, so that boxes of bodies that may touch meet [m]; both zero:
  /// no shape, not bounded, or not known.
  Vec3 boundsLower = Vec3::Zero(), boundsUpper = Vec3::Zero();
  bool awake = true;  ///< false: asleep, and without island and contacts
};

struct ContactSnapshot {
  BodyId bodyA, bodyB;
  Vec3 position;           ///< world [m]
  Vec3 normal;             ///< from A to B
  Real gap = 0;            ///< [m]
  Vec3 impulse;            ///< on B, world [N s]
  Real normalImpulse = 0;  ///< of the push less the pull of adhesion; negative: it holds [N s]
  Real attraction = 0;     ///< the pull of adhesion: friction is bound by both together [N s]
  Real friction = 0;       ///< μ, the larger where it differs between directions
  /// Along which it is that, unit; zero in recordings without it: contactTangent().
  Vec3 tangent = Vec3::Zero();
  Real frictionAcross = 0;  ///< μ along normal × tangent
  int island = -1;
  int block = -1;  ///< of WorldObserver::islandProblem(island)
};

struct JointSnapshot {
  JointId id;
  JointGeometry geometry = JointGeometry::kFrames;
  BodyId bodyA, bodyB;     ///< of gears: the bodies B of the two coupled joints
  Pose frameA, frameB;     ///< world; of gears: the frames B of the two coupled joints
  JointReaction reaction;  ///< on B in the last step, torque about frame B's origin
};

/// All that a viewer or a recorder sees of a world, copied once a step; shares nothing that
/// changes.
struct WorldSnapshot {
  std::int64_t step = 0;
  Real time = 0;  ///< [s]
  std::vector<BodySnapshot> bodies;
  std::vector<ContactSnapshot> contacts;
  std::vector<JointSnapshot> joints;  ///< without the broken ones; empty in a recording's frame
};

}  // namespace drystone
