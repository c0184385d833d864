#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "collision/collision_world.h"
#include "collision/shape/shape.h"
#include "core/types.h"
#include "engine/model/material.h"

namespace drystone {

/// Names a body of a world. Stale once the body is removed, also when its slot holds another.
struct BodyId {
  int index = -1;
  std::uint32_t generation = 0;
  bool operator==(const BodyId&) const = default;
};

enum class BodyKind : std::uint8_t {
  kDynamic,
  kStatic,     ///< never moves
  kKinematic,  ///< moves as prescribed, whatever pushes it
};

/// Prescribed velocity of a kinematic body: piecewise linear between keys, held before the first
/// and after the last. World axes.
struct VelocityKey {
  Real time = 0;                ///< [s] of simulated time, ascending
  Vec3 linear = Vec3::Zero();   ///< [m/s] of the reference frame's origin
  Vec3 angular = Vec3::Zero();  ///< [rad/s]
};

/// Prescribed load of a dynamic body: piecewise linear between keys, held before the first and
/// after the last. World axes. A force that shall begin or end has a key of zero there.
struct ForceKey {
  Real time = 0;               ///< [s] of simulated time, ascending
  Vec3 force = Vec3::Zero();   ///< [N] at the centre of mass
  Vec3 torque = Vec3::Zero();  ///< [N m]
};

/// Pull of a body on what it touches, as of a suction cup or a magnet: from its time on until that
/// of the next key, and none before the first.
struct AdhesionKey {
  Real time = 0;   ///< [s] of simulated time, ascending
  Real force = 0;  ///< ≥ 0 [N]
};

/// What a body never does, in the world's axes x, y, z: move along one, or turn about one. To what
/// pushes it there its mass or inertia is infinite.
struct LockedAxes {
  std::array<bool, 3> translation{};  ///< of the centre of mass
  std::array<bool, 3> rotation{};
  bool operator==(const LockedAxes&) const = default;
};

/// What a body is made from. Frames: `pose`, `mass` and `shape` share one frame, the body's
/// reference frame; the world keeps the centre of mass and principal axes to itself.
struct BodyDefinition {
  std::string name{};
  BodyKind kind = BodyKind::kDynamic;
  std::optional<Shape> shape{};  ///< none: collides with nothing; `mass` is then needed
  Pose pose{};                   ///< reference frame in the world
  Real density = 1000;           ///< [kg/m³] used when `mass` is not given
  /// Mass > 0; inertia symmetric and positive definite, no principal moment above the sum of the
  /// other two. massOf(shape, mass) gives those of the shape at that mass.
  std::optional<MassProperties> mass{};
  Vec3 linearVelocity = Vec3::Zero();   ///< of the centre of mass [m/s], world
  Vec3 angularVelocity = Vec3::Zero();  ///< [rad/s], world
  MaterialId material = 0;
  /// Of the children of a compound, or of the triangles of a mesh or height field, as BodyHit
  /// counts them, in place of `material`; -1: that one. Empty: the same for all.
  std::vector<MaterialId> partMaterials{};
  CollisionFilter filter{};
  std::vector<VelocityKey> motion{};  ///< kinematic: replaces the constant velocity above
  /// Dynamic: acts beside what is applied step by step. Each step takes the exact mean over its
  /// length. A body sleeps only while its load is zero.
  std::vector<ForceKey> forces{};
  /// Pulls the body and what it touches together: in equal shares at all of its contact points with
  /// a gap of no more than 1e-6 m and what turning opens in a step, along their normals. Their
  /// friction grows by μ times the pull. Of two bodies that both adhere the pulls add up.
  std::vector<AdhesionKey> adhesion{};
  /// Velocity of the surface relative to the body, as of a conveyor belt [m/s], reference frame.
  /// Contacts feel the part of it in their tangent plane.
  Vec3 surfaceVelocity = Vec3::Zero();
  /// Passes through everything, and only reports what its shape touches (StepEvents). Of two
  /// sensors neither sees the other, and a static one sees no static bodies.
  bool isSensor = false;
  bool allowSleep = true;  ///< false: keeps itself, and what it touches, awake
  // Of dynamic bodies:
  /// Rates c ≥ 0 at which its velocity (v, ω) decays [1/s]: a step of h divides it by 1 + h c.
  Real linearDamping = 0, angularDamping = 0;
  Real gravityScale = 1;    ///< factor of the world's gravity; negative: it rises
  LockedAxes lockedAxes{};  ///< velocities along these are dropped
  /// Yours: an index or a pointer. No step reads it, and it is in no hash and no saved state.
  std::uint64_t userData = 0;
};

}  // namespace drystone
