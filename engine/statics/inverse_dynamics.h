#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/types.h"
#include "engine/model/body.h"
#include "engine/model/body_store.h"
#include "engine/model/joint.h"
#include "engine/statics/static_rows.h"
#include "engine/statics/statics.h"

namespace drystone {

class ScaledProgram;
class World;
struct StepMotion;
struct WorldParts;

/// What a body is to move with at the end of the next step.
struct WantedVelocity {
  BodyId body{};
  Vec3 linear = Vec3::Zero();   ///< of the centre of mass [m/s]
  Vec3 angular = Vec3::Zero();  ///< [rad/s]
};

/// What a motor gives in a wanted motion.
struct WantedMotor {
  JointId joint{};
  int coordinate = 0;  ///< of the joint, as JointDefinition::axes counts them
  Real force = 0;      ///< [N], [N m]
  Real most = 0;       ///< its cap
};

/// What contacts and motors cannot do for a body.
struct LackingMotion {
  BodyId body{};
  Vec3 force = Vec3::Zero(), torque = Vec3::Zero();    ///< which would do it [N], [N m]
  Vec3 linear = Vec3::Zero(), angular = Vec3::Zero();  ///< u⁺ that lacks [m/s], [rad/s]
  Real speed = 0;  ///< larger one of the centre of mass, and of turning at the least extent [m/s]
};

/// Two bodies that the wanted motion leads into each other.
struct BlockedContact {
  BodyId bodyA{}, bodyB{};
  Vec3 position = Vec3::Zero();  ///< [m]
  Real speed = 0;                ///< beyond what closes the gap [m/s], > 0
};

struct InverseAnswer {
  /// Forces within all bounds make the motion, and no contact blocks it.
  bool isPossible = false;
  bool isSolved = false;                ///< else the search ended before, and there are no forces
  std::vector<StaticContact> contacts;  ///< those that touch at the end; the fullest use first
  std::vector<WantedMotor> motors;      ///< by joint
  /// The least that lacks: the sum of √(rᵀ M⁻¹ r) over the bodies, with the force r that lacks. The
  /// fastest first; empty where the forces suffice.
  std::vector<LackingMotion> lacks;
  std::vector<BlockedContact> blocked;  ///< the fastest first
  Real error = 0;                       ///< of the search, relative to the forces
  int steps = 0;                        ///< of the interior point
  const char* reason = "";              ///< why the search ended before its end, in words
};

/// Inverse dynamics with contact: forces of contacts and motors that give the bodies wanted
/// velocities u⁺ in one step of h, from the poses and velocities of now,
///
///   M (u⁺ − u*) = h (Jᵀ λ + r),  λ in its bounds, the least r,
///
/// where u* is the motion without them: loads, weights, gyroscopic terms and damping. Contacts that
/// u⁺ parts carry nothing; those that slip in u⁺ have their friction against the slip, all of it;
/// those that stick have it within the cone, whatever the friction model. Contacts farther than the
/// reach count where u⁺ closes them. Surfaces that yield push as they do in the step. Motors, with
/// a servo or not, give up to their caps. Locks and limits bear what they must. Springs pull as in
/// the step. Friction of joints is against their turning. Where many forces do it, as under a table
/// of four legs, these are ones within the bounds and no limit is known to be reached.
class InverseDynamics {
 public:
  /// Slower than this nothing slips, turns or parts: what solvers leave of rest [m/s], [rad/s].
  static constexpr Real kStill = 1e-6;

  /// Finds contacts and joints anew, where the next inner step meets them: with Moreau at its
  /// middle. Wakes all bodies, and leaves them where they are. It must not outlive the world, which
  /// must stay as it is. `reach`: as of Statics, whose exceptions these are, too.
  explicit InverseDynamics(World& world, std::optional<Real> reach = {});

  /// Measures the joints of a world that is set from pose to pose, so that angles count whole
  /// turns. The constructor does it, too.
  static void followJoints(World& world);

  /// u⁺ is that after the next inner step. Dynamic bodies that are not listed keep their velocity,
  /// and scheduled ones follow their schedule. A motion that tears a lock or passes a limit is not
  /// told apart: the lock bears what it must. What is slower than `still` rests [m/s], [rad/s].
  /// Throws InputError for bodies that are not dynamic, listed twice, or velocities that are not
  /// finite.
  InverseAnswer answer(std::span<const WantedVelocity> wanted, Real still = kStill) const;

 private:
  std::vector<Vec6> velocities(std::span<const WantedVelocity> wanted) const;
  StaticRows rowsOf(const std::vector<Vec6>& velocity, Real still, InverseAnswer& out) const;
  void tellLacks(const StaticRows& rows, const ScaledProgram& scaled, const VecX& x,
                 InverseAnswer& out) const;

  WorldParts* world_;
  // [body slots] where the inner step meets contacts and joints.
  std::vector<Vec6> before_;  // velocities at its start, of those that follow keys, too
  BodyStore bodies_;
  StaticRows rows_;
};

}  // namespace drystone
