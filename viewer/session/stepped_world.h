#pragma once

#include <memory>
#include <optional>

#include "engine/world/world.h"
#include "viewer/session/history.h"
#include "viewer/session/measurer.h"
#include "viewer/session/message_log.h"
#include "viewer/session/source.h"

namespace drystone::viewer {

/// The spring by which a body is held. 5 Hz: quick beside the motion of a hand, and it hangs only a
/// centimetre below where it is held.
constexpr Real kDragFrequency = 31.4;  ///< ω of the body's mass on the spring [rad/s]
/// Cap of the force over the mass [m/s²]: 20 times its weight moves a body from under a pile of its
/// like, and is no more than what contacts bear in a fall from some metres.
constexpr Real kDragMaxAcceleration = 200;

/// Force on a body at a point of it that pulls the point to the target for a step of length h [N]:
/// spring and damper, critical for the body's mass, taken at the end of the step. The point feels
/// the body's rotation as well, so it is stable for every inertia and step; what else the body
/// hangs on only makes it heavier.
Vec3 dragForce(const World& world, BodyId body, const Vec3& pointInBody, const Vec3& target);

/// A world that is stepped, with its last steps to go back to.
class SteppedWorld final : public Source {
 public:
  /// Throws InputError for what the engine does not take.
  SteppedWorld(Scene scene, const SolverRegistry& registry, MessageLog& log,
               const HistoryLimits& limits = {});

  SourceState state() const override;
  const SolverChoice& solver() const override { return world_.settings().solver; }
  void frame(ViewFrame& out) const override { out = history_.present().frame; }
  std::vector<StepSample> samples(std::int64_t most) const override;
  void advance() override;
  void goBack(std::int64_t steps) override;
  void goTo(std::int64_t step) override;
  /// Builds the world anew, with the solver that was switched to.
  void restart() override;
  void setSolver(const SolverChoice& choice) override;
  void hold(const Drag& drag) override;
  void release() override { drag_.reset(); }
  void setMotor(const SetMotor& command) override;
  void throwBox(const Throw& box) override;
  void measure(const Measure& asked) override;
  RaceProblem raceProblem() const override;

 private:
  /// Throws InputError for a solver that cannot do what the scene needs.
  void requireSuitable(const SolverChoice& choice) const;
  void start();
  /// Adds the world as it is to the history.
  void remember();
  void forgetPast(BodyId added);
  void pull();
  void observeAxes(std::vector<AxisState>& axes) const;
  /// Whether the world still has the problems of the step that is present.
  bool hasProblems() const { return solvedStep_ == world_.stepCount(); }

  Scene scene_;
  const SolverRegistry* registry_;
  MessageLog& log_;
  World world_;
  std::shared_ptr<const SceneView> view_;
  History history_;
  Measurer measurer_;
  StepMessages messages_;
  Measure measured_;
  std::optional<Drag> drag_;
  std::int64_t solvedStep_ = 0;  // that the world computed last
  bool ended_ = false;           // by the policy `stop`
  int thrown_ = 0;
};

}  // namespace drystone::viewer
