// An excavator lifts a load over a wall: motors on the hinges of its arm follow schedules, and the
// load hangs on a rope that is slack at first. The arm is written as a table.
//
// The machine stands at the origin with its arm along x, and z is up. Units are metres, kilograms,
// seconds and radians.
#include <drystone/drystone.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace drystone;

/// A part of the arm: a box that turns on the part before it.
struct Part {
  std::string name;
  Vec3 pivot;   // in the world at the start
  Vec3 axis;    // of its hinge
  Vec3 centre;  // of the box, likewise
  Vec3 halfSize;
  double density;
  double strength;                    // largest torque of its motor [N m]
  std::vector<Schedule::Key> angles;  // time and angle, which is 0 at the start
};

/// Angles about y are positive where the arm goes down.
std::vector<Part> partsOfTheArm() {
  return {
      {.name = "house",
       .pivot = {0, 0, 1},
       .axis = {0, 0, 1},
       .centre = {0, 0, 1.6},
       .halfSize = {1.5, 1.2, 0.6},
       .density = 1000,
       .strength = 60e3,
       .angles = {{7, 0}, {12, M_PI / 2}}},
      {.name = "boom",
       .pivot = {1.5, 0, 1.5},
       .axis = {0, 1, 0},
       .centre = {3.5, 0, 1.5},
       .halfSize = {2, 0.2, 0.25},
       .density = 1500,
       .strength = 300e3,
       .angles = {{1, 0}, {3, -0.05}, {6, -0.6}, {13, -0.6}, {17, -0.15}}},
      {.name = "stick",
       .pivot = {5.5, 0, 1.5},
       .axis = {0, 1, 0},
       .centre = {7, 0, 1.5},
       .halfSize = {1.5, 0.15, 0.2},
       .density = 1400,
       .strength = 150e3,
       .angles = {{3, 0}, {6, 0.3}}},
  };
}

BodyId addPart(World& world, BodyId before, const Part& part) {
  // All parts of the machine are in group 2 and meet only what is in group 1: not each other.
  const BodyId body = world.addBody({.name = part.name,
                                     .shape = Box{part.halfSize},
                                     .pose = {part.centre},
                                     .density = part.density,
                                     .filter = {.group = 2, .mask = 1}});
  JointDefinition joint = hingeJoint(before, body);
  joint.axes[kAboutX].motor = JointMotor{
      .kind = MotorKind::kPosition, .target = Schedule(part.angles), .maxForce = part.strength};
  world.addJoint(joint, jointFrame(part.pivot, part.axis));
  return body;
}

}  // namespace

int main(int argc, char** argv) {
  const SolverRegistry solvers = makeDefaultRegistry();
  World world({}, solvers);
  world.addBody({.kind = BodyKind::kStatic, .shape = Plane{}});
  // A wall beside the load, which it has to be lifted over.
  world.addBody({.kind = BodyKind::kStatic, .shape = Box{{2, 0.1, 0.6}}, .pose = {{7, 2.5, 0.6}}});
  BodyId tip = world.addBody({.name = "tracks",
                              .kind = BodyKind::kStatic,
                              .shape = Box{{2, 1.5, 0.5}},
                              .pose = {{0, 0, 0.5}},
                              .filter = {.group = 2, .mask = 1}});
  for (const Part& part : partsOfTheArm()) tip = addPart(world, tip, part);

  const BodyId load = world.addBody(
      {.name = "load", .shape = Box{{0.4, 0.4, 0.4}}, .pose = {{8.5, 0, 0.4}}, .density = 1600});
  // From the end of the stick to the top of the load there are 0.7 m at the start.
  const JointId rope = world.addJoint(distanceJoint(tip, load, {1.5, 0, 0}, {0, 0, 0.4}, 0, 0.9));

  std::optional<Recorder> recorder;
  if (argc == 3 && std::string_view(argv[1]) == "--record") {
    recorder.emplace(argv[2], recordingInfoOf(world), world);
  }

  double highest = 0, pull = 0;
  while (world.time() < 22) {
    world.step();
    if (recorder) recorder->addStep(world);
    highest = std::max(highest, world.body(load).pose().position.z());
    pull = std::max(pull, world.joint(rope).reaction().force.norm());
  }

  if (recorder) recorder->finish(world);
  const Vec3 end = world.body(load).pose().position;
  std::printf("load at (%.2f, %.2f, %.2f) m, was lifted to %.2f m by %.0f N at most\n", end.x(),
              end.y(), end.z(), highest, pull);
  // It stands on the ground again, a quarter of a circle on, and was above the wall in between.
  const bool isGood = highest > 1.8 && std::abs(end.z() - 0.4) < 1e-3 && end.y() > 6 &&
                      std::abs(end.x()) < 1 && world.body(load).linearVelocity().norm() < 0.01;
  return isGood ? 0 : 1;
}
