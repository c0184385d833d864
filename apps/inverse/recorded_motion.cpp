#include "apps/inverse/recorded_motion.h"

#include <fmt/format.h>

#include <cstddef>
#include <utility>

#include "apps/support/run_setup.h"
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

void requireMotion(const Recording& recording, const World& world, const std::string& file) {
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
  if (const std::string state = recordedOptions(info, file).restore; !state.empty()) {
    throw InputError(fmt::format(
        "{}: begins from the state '{}' that `run --restore` was given, and does not hold it; "
        "record a run that begins as the scene does",
        file, state));
  }
  if (info.processes == 1) return;
  for (const JointId id : world.joints()) {
    const JointDefinition joint = world.joint(id).definition();
    if (joint.breakingImpulse == kInfinity) continue;
    throw InputError(fmt::format(
        "{}: was recorded on {} processes, which tell of no joint that breaks, and joint '{}' has "
        "a breaking impulse; record it on one process",
        file, info.processes, joint.name));
  }
}

}  // namespace

RecordedMotion::RecordedMotion(const Recording& recording, World& world, const std::string& file)
    : recording_(recording), world_(world), file_(file) {
  requireMotion(recording, world, file);
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
  while (true) {
    removeBroken(step_);
    std::swap(before_, after_);
    const std::int64_t frame = recording_.frameOfStep(++step_);
    if (frame < 0) {
      throw InputError(
          fmt::format("{}: has no frame of step {}, and is to have one of each: the file is "
                      "damaged; record it again",
                      file_, step_));
    }
    recording_.frame(frame, after_);
    if (step_ == step) return;
    // Joints count their turns from frame to frame.
    place();
    InverseDynamics::followJoints(world_);
  }
}

/// What broke in a step is gone in the next.
void RecordedMotion::removeBroken(std::int64_t step) {
  if (step == 0) return;
  for (const JointBreakEvent& broken : recording_.events(step).jointsBroken) {
    if (world_.contains(broken.joint)) world_.removeJoint(broken.joint);
  }
}

void RecordedMotion::place() const {
  for (const BodySnapshot& body : before_.bodies) {
    if (body.kind == BodyKind::kStatic) continue;
    const BodyHandle handle = world_.body(body.id);
    handle.setPose(body.pose);
    handle.setVelocity(body.linearVelocity, body.angularVelocity);
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
