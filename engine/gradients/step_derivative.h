#pragma once

#include <memory>
#include <span>
#include <vector>

#include "core/types.h"
#include "engine/model/body.h"
#include "engine/model/joint.h"
#include "engine/model/material.h"
#include "engine/step/joint_row_list.h"
#include "solvers/problem/contact_problem.h"

namespace drystone {

class World;

/// A direction at the start of a step, per unit of some parameter t. What is empty stays as it is.
struct StepChange {
  /// [body slots] (δx, δθ): of the centre of mass [m], and of the rotation by a vector [rad] that
  /// turns it from the left, world axes. Those of static bodies count, too.
  std::span<const Vec6> pose{};
  std::span<const Vec6> velocity{};  ///< [body slots] (v, ω) [m/s], [rad/s]
  std::span<const Vec6> load{};      ///< [body slots] that acts in the step [N], [N m]
  std::span<const Real> mass{};      ///< [body slots] [kg]; the inertia grows in proportion
  std::span<const Real> friction{};  ///< [contacts()] of μ
  /// [drives()] of the end of a range, the rest of a spring, the target of a motor, as constant
  /// shifts of schedules [m], [rad]; of motors by rate [m/s], [rad/s].
  std::span<const Real> goal{};
  std::span<const Real> cap{};  ///< [drives()] of the largest force of motor or friction [N], [N m]
  /// [joint slots] (s, φ): of the origin of a frame of a joint on its body [m], and of its rotation
  /// by a vector from the right [rad]: both in the axes of the frame itself.
  std::span<const Vec6> frameA{}, frameB{};
  Vec3 gravity = Vec3::Zero();  ///< [m/s²]
};

/// What a direction makes of the end of the step: the next one's pose and velocity.
struct StepOutcome {
  std::vector<Vec6> pose, velocity;  ///< [body slots] as in StepChange
  Real residual = 0;                 ///< by which the contact equations are missed [m/s]
  /// t* for t > 0, and |t| for t < 0: how far until a contact or row changes its state, as in
  /// SolutionDerivative, or what a contact is held to bends, as where its gap passes 0.
  Real ahead = kInfinity, behind = kInfinity;
};

/// Derivatives of a number by the end of a step; what is empty is 0. [body slots]
struct StepLoss {
  std::span<const Vec6> pose{}, velocity{};
};

/// The same by all that StepChange has.
struct StepGradient {
  std::vector<Vec6> pose, velocity, load, frameA, frameB;
  std::vector<Real> mass, friction, goal, cap;
  Vec3 gravity = Vec3::Zero();
};

/// A contact point of the step, to tell which friction is whose.
struct StepMeeting {
  BodyId bodyA, bodyB;
  MaterialId materialA = 0, materialB = 0;
  /// Of its μ by that of each material, which add up where both are one. 0 under an explicit pair;
  /// ∞ where a geometric mean starts from 0.
  Real frictionByA = 0, frictionByB = 0;
};

/// A row of a joint in the step that leads its coordinate somewhere, or presses with a cap: one of
/// a limit, spring, motor or friction.
struct StepDrive {
  JointId joint;
  int coordinate = 0;
  JointRowRole role = JointRowRole::kMotor;
};

/// What holds of all islands of a step.
struct StepCertificate {
  Real naturalMap = 0;           ///< worst of the solve [m/s]
  Real leastMargin = kInfinity;  ///< of the states of contacts [m/s]
  bool hasCertainStates = true;  ///< in each island (SolutionCertificate)
  bool isUnique = true;          ///< false: redundant contacts leave impulses open
};

/// Exact derivative of the next step of a world, at its solution (docs/theory/derivatives.md, "A
/// whole step"). The world takes one step, to `tolerance` [m/s], and is brought back: a step after
/// it gives the same bits. What the last step found is gone as after a restore: lastReport(),
/// lastEvents() and the contacts of bodies. The trial step asks a pair filter, too.
class StepDerivative {
 public:
  /// Throws InputError, with the remedy, where the step has no derivative here: it needs exact
  /// stepping, no sleep, no projection, joints without cables, drums and tables, and contacts of
  /// corners, rims, round sides, faces and edges. The world is brought back then, too.
  explicit StepDerivative(World& world, Real tolerance = 1e-12);
  ~StepDerivative();
  StepDerivative(StepDerivative&&) noexcept;
  StepDerivative& operator=(StepDerivative&&) noexcept;

  /// Contact points of the step, those that are only near included; inner steps one after the
  /// other.
  std::span<const StepMeeting> contacts() const;
  /// Rows of joints that goals and caps are of, likewise. A limit has one also where it is far, and
  /// only that of its nearer end unless both are within reach of a step.
  std::span<const StepDrive> drives() const;
  const StepCertificate& certificate() const;
  /// [body slots] Dynamic bodies whose ends go by each other's starts have the same number, from 0
  /// on; all others have -1.
  const std::vector<int>& groups() const;
  /// J v: along a direction. Throws InputError where a length is wrong, as does adjoint().
  StepOutcome forward(const StepChange& change);
  /// vᵀ J: derivatives of a number by all that StepChange has.
  StepGradient adjoint(const StepLoss& loss);

 private:
  class Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace drystone
