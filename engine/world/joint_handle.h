#pragma once

#include <cstdint>
#include <string_view>

#include "engine/model/joint.h"

namespace drystone {

struct WorldParts;

/// One joint of a world, to read: World::joint() of a const World. Copied like a pointer, it is
/// valid as long as the world is, also where the world is moved to. Every member throws InputError
/// once the joint was removed; a joint that broke can still be read.
class ConstJointHandle {
 public:
  JointId id() const { return id_; }
  std::string_view name() const;  ///< valid until a joint is added
  std::uint64_t userData() const;
  int coordinateCount() const;  ///< 6, or 1 of distance and gear joints
  /// A coordinate at the present poses [m], [rad]; see JointGeometry.
  Real coordinate(int index) const;
  Real rate(int index) const;  ///< of that coordinate [m/s], [rad/s]
  /// What the joint did to body B in the last step, world axes: mean force [N], and mean torque
  /// about frame B's origin [N m]. On body A it did the opposite about the same point, gears apart.
  JointReaction reaction() const;
  /// The torque on body B of that reaction about frame A's origin p_A, at the present poses:
  /// τ_A = τ_B + (p_B − p_A) × f [N m]. Differs from that about B where the two origins are apart.
  Vec3 torqueAboutFrameA() const;

 protected:
  friend class World;
  ConstJointHandle(WorldParts* parts, JointId id);  ///< throws InputError where there is none

  WorldParts* parts_;
  JointId id_;
};

/// One joint of a world, to read and to change: World::joint().
class JointHandle : public ConstJointHandle {
 public:
  /// Holds the target of a motor from now on, in place of its schedule [m], [rad] or their rates.
  /// A new target wakes the two bodies.
  void setMotorTarget(int coordinate, Real target) const;
  void setUserData(std::uint64_t data) const;  ///< wakes nothing

 private:
  friend class World;
  using ConstJointHandle::ConstJointHandle;
};

}  // namespace drystone
