#include "apps/inverse/recorded_motion.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <cstddef>
#include <utility>

#include "core/input_error.h"
#include "scenes/recorded_world.h"

namespace drystone::cli {
namespace {

/// Moves the times of keys to those of a world whose time is 0 at `start` [s].
template <class Key>
std::vector<Key> movedBack(std::vector<Key> keys, Real start) {
  for (Key& key : keys) key.time -= start;
  return keys;
}

void requireEveryFrame(const Recording& recording, const std::string& file) {
  const RecordingInfo& info = recording.info();
  if (isWorldOfProgram(info)) {
    throw InputError(fmt::format(
        "{}: is of a world that a program made, whose joints and materials it does not hold; ask "
        "InverseDynamics in that program",
        file));
  }
  if (info.processes == 0) {
    throw InputError(fmt::format(
        "{}: shows the mechanism of a verdict, which has no times; give the scene itself", file));
  }
  if (info.every != 1 && recording.stepCount() > 0) {
    throw InputError(fmt::format(
        "{}: has a frame every {} steps, and accelerations need the velocities of each; record it "
        "again with `--set output.every=1`",
        file, info.every));
  }
}

}  // namespace

RecordedMotion::RecordedMotion(const Recording& recording, World& world, const std::string& file)
    : recording_(recording), world_(world) {
  requireEveryFrame(recording, file);
  for (const BodyId id : world.bodies()) {
    const BodyDefinition body = world.body(id).definition();
    if (body.motion.empty() && body.forces.empty()) continue;
    scheduled_.push_back({id, body.motion, body.forces});
  }
  recording_.frame(0, after_);
}

std::vector<WantedVelocity> RecordedMotion::begin(std::int64_t step) {
  read(step);
  place();
  moveSchedules();
  const Real share = 1.0 / world_.settings().substeps;
  std::vector<WantedVelocity> wanted;
  for (std::size_t i = 0; i < after_.bodies.size(); ++i) {
    const BodySnapshot &from = before_.bodies[i], &to = after_.bodies[i];
    if (to.kind != BodyKind::kDynamic) continue;
    wanted.push_back(
        {.body = to.id,
         .linear = from.linearVelocity + share * (to.linearVelocity - from.linearVelocity),
         .angular = from.angularVelocity + share * (to.angularVelocity - from.angularVelocity)});
  }
  return wanted;
}

void RecordedMotion::read(std::int64_t step) {
  for (std::int64_t done = step_; done < step; ++done) removeBroken(done);
  if (step_ != step - 1) recording_.frame(recording_.frameOfStep(step - 1), after_);
  std::swap(before_, after_);
  recording_.frame(recording_.frameOfStep(step), after_);
  step_ = step;
}

/// What broke in a step is gone in the next.
void RecordedMotion::removeBroken(std::int64_t step) {
  if (step == 0) return;
  for (const JointBreakEvent& broken : recording_.events(step).jointsBroken) {
    if (world_.contains(broken.joint)) world_.removeJoint(broken.joint);
  }
}

void RecordedMotion::place() const {
  const WorldSettings& settings = world_.settings();
  const Real ahead = settings.integrator == Integrator::kMoreau ? settings.substep() / 2 : 0;
  for (std::size_t i = 0; i < before_.bodies.size(); ++i) {
    const BodySnapshot& body = before_.bodies[i];
    if (body.kind == BodyKind::kStatic) continue;
    const Real angle = ahead * body.angularVelocity.norm();
    Quat turn = Quat::Identity();
    if (angle > 0) turn = Eigen::AngleAxis<Real>(angle, body.angularVelocity.normalized());
    const BodyHandle handle = world_.body(body.id);
    handle.setPose({body.centerOfMass + ahead * body.linearVelocity +
                        turn * (body.pose.position - body.centerOfMass),
                    (turn * body.pose.rotation).normalized()});
    // What moves by itself has the velocity of the step.
    const BodySnapshot& moving = body.kind == BodyKind::kDynamic ? body : after_.bodies[i];
    handle.setVelocity(moving.linearVelocity, moving.angularVelocity);
  }
}

void RecordedMotion::moveSchedules() const {
  for (const Scheduled& one : scheduled_) {
    const BodyHandle handle = world_.body(one.body);
    if (!one.motion.empty()) handle.setMotion(movedBack(one.motion, before_.time));
    if (!one.forces.empty()) handle.setForces(movedBack(one.forces, before_.time));
  }
}

}  // namespace drystone::cli
