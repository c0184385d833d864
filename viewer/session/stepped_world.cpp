#include "viewer/session/stepped_world.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/input_error.h"
#include "scenes/scene_builder.h"
#include "viewer/draw/scene_view.h"

namespace drystone::viewer {

SteppedWorld::SteppedWorld(Scene scene, const SolverRegistry& registry, MessageLog& log,
                           const HistoryLimits& limits)
    : scene_(std::move(scene)),
      registry_(&registry),
      log_(log),
      world_(buildWorld(scene_, registry)),
      history_(limits),
      messages_(log) {
  requireSuitable(scene_.settings.solver);
  start();
}

void SteppedWorld::requireSuitable(const SolverChoice& choice) const {
  if (scene_.joints.empty() || !choice.fallback.empty()) return;
  const std::string obstacle = whyNot(registry_->traits(choice.name), {.hasRows = true});
  if (obstacle.empty()) return;
  throw InputError(fmt::format("solver '{}' {}; choose another", choice.name, obstacle));
}

void SteppedWorld::start() {
  view_ = std::make_shared<SceneView>(sceneViewOf(scene_, world_));
  drag_.reset();
  solvedStep_ = 0;
  ended_ = false;
  thrown_ = 0;
  history_.clear();
  remember();
}

void SteppedWorld::remember() {
  PastStep& step = history_.next();
  step.step = world_.stepCount();
  world_.save(step.state);
  ViewFrame& frame = step.frame;
  frame.scene = view_;
  world_.observe().snapshot(frame.snapshot);
  observeAxes(frame.axes);
  frame.report = world_.lastReport();
  frame.isStepDone = world_.stepCount() > 0;
  frame.solver = world_.settings().solver.name;
  frame.friction = world_.settings().friction;
  const auto convergence = world_.observe().convergence();
  frame.convergence.assign(convergence.begin(), convergence.end());
  measurer_.measure(world_, measured_, frame);
  history_.add();
}

SourceState SteppedWorld::state() const {
  return {.ended = ended_,
          .atEnd = history_.present().step >= scene_.stepCount(),
          .step = history_.present().step,
          .firstStep = history_.firstStep(),
          .lastStep = history_.lastStep(),
          .nextStep = ended_ ? 0 : world_.settings().timestep};
}

std::vector<StepSample> SteppedWorld::samples(std::int64_t most) const {
  const std::int64_t last = history_.present().step;
  std::vector<StepSample> all;
  for (std::int64_t i = std::max(history_.firstStep(), last - most + 1); i <= last; ++i) {
    const ViewFrame& frame = history_.step(i).frame;
    all.push_back(sampleOf(frame.report, frame.isStepDone));
  }
  return all;
}

void SteppedWorld::advance() {
  if (ended_) return;
  if (drag_) pull();
  const StepReport& report = world_.step();
  solvedStep_ = world_.stepCount();
  ended_ = report.failed;
  messages_.afterStep(report, *view_, world_.settings().solver.budget.tolerance,
                      world_.observe().failure());
  remember();
}

void SteppedWorld::goBack(std::int64_t steps) {
  goTo(std::max(history_.present().step - steps, history_.firstStep()));
}

void SteppedWorld::goTo(std::int64_t step) {
  if (step < history_.firstStep() || step > history_.lastStep()) {
    throw InputError(fmt::format("step {} is not kept: steps {} to {} are", step,
                                 history_.firstStep(), history_.lastStep()));
  }
  if (step == history_.present().step) return;
  history_.goTo(step);
  world_.restore(history_.present().state);
  ended_ = history_.present().frame.report.failed;
}

void SteppedWorld::restart() {
  world_ = buildWorld(scene_, *registry_);
  start();
}

void SteppedWorld::setSolver(const SolverChoice& choice) {
  requireSuitable(choice);
  world_.setSolver(choice);
  scene_.settings.solver = choice;
  ended_ = false;  // what a failed solve ended goes on with another solver
}

void SteppedWorld::hold(const Drag& drag) {
  if (!world_.contains(drag.body)) throw InputError("the body that was picked is gone");
  const BodyHandle body = world_.body(drag.body);
  if (body.kind() != BodyKind::kDynamic) {
    throw InputError(
        fmt::format("body '{}' is {} and cannot be dragged", body.name(),
                    body.kind() == BodyKind::kStatic ? "static" : "moved as prescribed"));
  }
  if (!drag.pointInBody.allFinite() || !drag.target.allFinite()) {
    throw InputError("a body can only be dragged by and to a point that is finite");
  }
  drag_ = drag;
}

void SteppedWorld::pull() {
  const BodyHandle body = world_.body(drag_->body);
  body.applyForceAt(dragForce(world_, drag_->body, drag_->pointInBody, drag_->target),
                    body.pose() * drag_->pointInBody);
}

void SteppedWorld::setMotor(const SetMotor& command) {
  if (!std::isfinite(command.target)) throw InputError("the target of a motor must be finite");
  world_.joint(command.joint).setMotorTarget(command.coordinate, command.target);
}

void SteppedWorld::observeAxes(std::vector<AxisState>& axes) const {
  axes.clear();
  for (const ViewAxis& axis : view_->axes) {
    const ConstJointHandle joint = std::as_const(world_).joint(axis.joint);
    const AxisForce force = joint.axisForce(axis.coordinate);
    axes.push_back({.value = joint.coordinate(axis.coordinate),
                    .rate = joint.rate(axis.coordinate),
                    .force = axis.motor ? force.motor : force.total()});
  }
}

void SteppedWorld::throwBox(const Throw& box) {
  BodyDefinition definition;
  definition.name = fmt::format("thrown_{}", thrown_ + 1);
  definition.shape = Box{Vec3::Constant(box.halfExtent)};
  definition.pose.position = box.position;
  definition.linearVelocity = box.velocity;
  const BodyId body = world_.addBody(definition);
  ++thrown_;
  view_ = std::make_shared<SceneView>(sceneViewOf(scene_, world_, *view_));
  forgetPast(body);
  log_.info(fmt::format("threw a box of {:.3g} kg", world_.body(body).mass()));
}

/// A saved state fits only the bodies that it was saved with: there is no way back to before a body
/// came.
void SteppedWorld::forgetPast(BodyId added) {
  const bool hadPast = history_.firstStep() < history_.lastStep();
  PastStep present = std::move(history_.present());
  history_.clear();
  world_.save(present.state);
  present.frame.scene = view_;
  WorldSnapshot now;
  world_.observe().snapshot(now);
  const auto isAdded = [added](const BodySnapshot& one) { return one.id == added; };
  std::vector<BodySnapshot>& bodies = present.frame.snapshot.bodies;
  const auto at = std::ranges::upper_bound(bodies, added.index, {},
                                           [](const BodySnapshot& one) { return one.id.index; });
  bodies.insert(at, *std::ranges::find_if(now.bodies, isAdded));
  history_.next() = std::move(present);
  history_.add();
  if (hadPast) log_.info("a body was added: the steps until now are forgotten");
}

void SteppedWorld::measure(const Measure& asked) {
  measured_ = asked;
  if (hasProblems()) measurer_.measure(world_, asked, history_.present().frame);
}

RaceProblem SteppedWorld::raceProblem() const {
  if (!hasProblems()) {
    throw InputError("the contact problems of this step are not kept: step once, then race");
  }
  const WorldObserver observer = world_.observe();
  int largest = -1, rows = 0;
  for (int island = 0; island < observer.islandCount(); ++island) {
    if (world_.lastReport().islands[island].rows <= rows) continue;
    largest = island;
    rows = world_.lastReport().islands[island].rows;
  }
  if (largest < 0) throw InputError("nothing touches in this step: there is no problem to race on");
  const auto warmStart = observer.islandWarmStart(largest);
  const auto warmStates = observer.islandWarmStates(largest);
  return {.step = world_.stepCount(),
          .islands = observer.islandCount(),
          .tolerance = world_.settings().solver.budget.tolerance,
          .problem = storedCopy(observer.islandProblem(largest)),
          .warmStart = {warmStart.begin(), warmStart.end()},
          .warmStates = {warmStates.begin(), warmStates.end()}};
}

}  // namespace drystone::viewer
