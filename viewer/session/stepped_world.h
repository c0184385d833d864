#pragma once

#include <memory>
#include <optional>

#include "engine/world/world.h"
#include "viewer/session/history.h"
#include "viewer/session/measurer.h"
#include "viewer/session/source.h"
#include "viewer/session/step_messages.h"

namespace drystone::viewer {

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
