#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "core/types.h"
#include "engine/gradients/step_derivative.h"

namespace drystone {

/// A direction at the start of a trajectory, per unit of some parameter t. What is empty stays as
/// it is. Units and frames as in StepChange.
struct TrajectoryChange {
  std::span<const Vec6> pose{}, velocity{};  ///< [body slots] at the start
  std::span<const Vec6> load{};  ///< [body slots] that acts in each step, too [N], [N m]
  std::span<const Real> mass{};  ///< [body slots] [kg]; the inertia in proportion
  /// [materials] of their μ, explicit pairs apart; those after its end stay.
  std::span<const Real> friction{};
  Vec3 gravity = Vec3::Zero();  ///< [m/s²]
};

/// What a direction makes of the end of a trajectory, and of the way there.
struct TrajectoryOutcome {
  std::vector<Vec6> pose, velocity;  ///< [body slots] as in StepChange
  Real residual = 0;                 ///< the worst of the steps [m/s]
  /// The least t* of the steps, for t > 0 and for t < 0: contacts keep their states up to here, as
  /// far as the derivative tells (StepOutcome).
  Real ahead = kInfinity, behind = kInfinity;
  bool hasCertainStates = true, isUnique = true;  ///< in each step (StepCertificate)
};

/// Derivatives of a number by all that TrajectoryChange has.
struct TrajectoryGradient {
  std::vector<Vec6> pose, velocity, load;
  std::vector<Real> mass;
  std::vector<Real> friction;  ///< [materials], up to the last one that is in contact
  Vec3 gravity = Vec3::Zero();
};

/// Exact derivatives of a trajectory, the steps' chained (docs/theory/derivatives.md, "A
/// trajectory"). The world takes the steps when this is made, and stands at their end. States are
/// saved each √N steps; what lies between them is stepped again, to the same bits. So the world
/// must not be changed meanwhile but by `act`, and outlives this. All calls leave it at the end.
///
/// Steps go to the world's own tolerance: with one of 1e-10 m/s or less they are those that are
/// differentiated, and differences of runs agree.
class TrajectoryDerivative {
 public:
  /// What is done before step number k, from 0 on: loads, motor targets. It must do the same each
  /// time. What it does by the state of the world is not differentiated.
  using Act = std::function<void(World& world, int step)>;
  /// Sees the steps on the way back, the last one first, with derivatives by all that StepChange
  /// has: of controls of this step. `gradient.pose` and `gradient.velocity` are by the state before
  /// it: what is added there is of a cost of this state.
  using Visit =
      std::function<void(int step, const StepDerivative& derivative, StepGradient& gradient)>;

  /// Throws InputError for less than one step. The constructor takes steps alone: those without a
  /// derivative are refused later.
  TrajectoryDerivative(World& world, int steps, Act act = {}, Real tolerance = 1e-12);

  int steps() const { return steps_; }
  /// Along a direction. Throws InputError where a length is wrong or a step has no derivative, with
  /// its number; the world is at its end then, too.
  TrajectoryOutcome forward(const TrajectoryChange& change);
  /// Backwards, of a number at the end: two steps and an adjoint for each. Throws likewise.
  TrajectoryGradient adjoint(const StepLoss& loss, const Visit& visit = {});

 private:
  using State = std::vector<std::byte>;
  /// Acts and steps, from step `first` to before `last`.
  void take(int first, int last);
  /// Of step `step`, in whose state the world is, once `act` has acted.
  StepDerivative derivativeOf(int step);
  TrajectoryOutcome alongSteps(const TrajectoryChange& change);
  TrajectoryGradient backSteps(const StepLoss& loss, const Visit& visit);
  /// What `call` returns, with the world at the end, also where it throws.
  template <class Call>
  auto andBack(Call&& call);

  World* world_;
  int steps_ = 0, stride_ = 1;
  Act act_;
  Real tolerance_;
  std::vector<State> states_;  ///< before steps 0, stride, 2 stride, …
  State end_;
};

}  // namespace drystone
