// An arm picks a box and places it on a pedestal: three joints with position motors, and a gripper
// of two fingers that holds by friction alone.
//
//     example_pick_and_place [--record FILE]      `drystone render FILE` draws what was recorded
//
// z is up. Units are metres, kilograms, seconds, newtons and radians.
#include <drystone/drystone.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <optional>
#include <string_view>

namespace {

using namespace drystone;

/// Shape of the material `rubber` that has so much mass [kg].
BodyDefinition bodyOf(const Shape& shape, const Vec3& position, double mass, MaterialId material) {
  return {.shape = shape,
          .pose = {position},
          .density = mass / massProperties(shape, 1).mass,
          .material = material};
}

class Robot {
 public:
  Robot(World& world, MaterialId rubber) : world_(world) {
    const BodyId post = world.addBody({.name = "post", .kind = BodyKind::kStatic});
    // The column turns about z and the carriage goes up and down it. The beam reaches to x = 0.8 m.
    // Neither of the two collides.
    BodyDefinition column = bodyOf(Cylinder{0.06, 0.5}, {0, 0, 0.5}, 20, 0);
    BodyDefinition beam = bodyOf(Box{{0.4, 0.05, 0.05}}, {0.4, 0, 0.6}, 8, 0);
    column.filter = beam.filter = {.group = 2, .mask = 0};
    const BodyId columnId = world.addBody(column), carriage = world.addBody(beam);
    turn_ = world.addJoint(driven(hingeJoint(post, columnId), kAboutX, 400),
                           jointFrame({0, 0, 0}, Vec3::UnitZ()));
    lift_ = world.addJoint(driven(sliderJoint(columnId, carriage), kAlongX, 400),
                           jointFrame({0, 0, 0.6}, Vec3::UnitZ()));
    for (int i = 0; i < 2; ++i) {
      const double side = i == 0 ? -1 : 1;
      const BodyId finger =
          world.addBody(bodyOf(Box{{0.03, 0.01, 0.08}}, {0.8, side * 0.08, 0.45}, 0.5, rubber));
      // One finger keeps its place, the other presses.
      grips_[i] = world.addJoint(driven(sliderJoint(carriage, finger), kAlongX, i == 0 ? 400 : 40),
                                 jointFrame({0.8, 0, 0.45}, -side * Vec3::UnitY()));
    }
  }

  void record(Recorder& recorder) { recorder_ = &recorder; }
  bool metAll() const { return met_; }  ///< whether all steps were within their tolerances

  void lift(double start, double end, double seconds) { go(lift_, kAlongX, start, end, seconds); }
  void turn(double start, double end, double seconds) { go(turn_, kAboutX, start, end, seconds); }
  void grip(double first, double second) {
    world_.joint(grips_[0]).setMotorTarget(kAlongX, first);
    world_.joint(grips_[1]).setMotorTarget(kAlongX, second);
    for (int i = 0; i < 60; ++i) step();
  }

 private:
  /// A motor on that coordinate, at its present place, with so much force [N] or torque [N m].
  static JointDefinition driven(JointDefinition joint, int coordinate, double most) {
    joint.axes[coordinate].motor = JointMotor{.kind = MotorKind::kPosition, .maxForce = most};
    return joint;
  }

  /// Moves a joint from one place to another, smoothly.
  void go(JointId joint, int coordinate, double start, double end, double seconds) {
    const int steps = static_cast<int>(std::lround(seconds / world_.settings().timestep));
    for (int i = 1; i <= steps; ++i) {
      const double share = static_cast<double>(i) / steps;
      const double target = start + (end - start) * share * share * (3 - 2 * share);
      world_.joint(joint).setMotorTarget(coordinate, target);
      step();
    }
  }

  void step() {
    met_ = world_.step().withinTolerance && met_;
    if (recorder_ != nullptr) recorder_->addStep(world_);
  }

  World& world_;
  JointId turn_, lift_;
  std::array<JointId, 2> grips_;
  Recorder* recorder_ = nullptr;
  bool met_ = true;
};

}  // namespace

int main(int argc, char** argv) {
  World world({.timestep = 0.005}, makeDefaultRegistry());
  const MaterialId rubber = world.addMaterial({.friction = 0.9});
  world.addBody({.kind = BodyKind::kStatic, .shape = Plane{}});
  world.addBody(
      {.kind = BodyKind::kStatic, .shape = Box{{0.15, 0.15, 0.1}}, .pose = {{0, 0.8, 0.1}}});
  const BodyId box = world.addBody(bodyOf(Box{{0.04, 0.04, 0.04}}, {0.8, 0, 0.04}, 0.5, rubber));
  Robot robot(world, rubber);
  std::optional<Recorder> recorder;
  if (argc == 3 && std::string_view(argv[1]) == "--record") {
    recorder.emplace(argv[2], recordingInfoOf(world), world);
    robot.record(*recorder);
  }

  robot.lift(0, -0.37, 1.5);  // down to the box
  robot.grip(0.03, 0.06);     // the first to the box, the second farther than the box lets it
  robot.lift(-0.37, -0.05, 1.5);
  robot.turn(0, M_PI / 2, 2);
  robot.lift(-0.05, -0.17, 1);  // onto the pedestal
  robot.grip(0, 0);
  robot.lift(-0.17, 0, 1);
  if (recorder) recorder->finish(world);

  const Vec3 at = world.body(box).pose().position;
  std::printf("the box lies at (%.3f, %.3f, %.3f) m; all steps within tolerance: %s\n", at.x(),
              at.y(), at.z(), robot.metAll() ? "yes" : "no");
  const bool isPlaced =
      std::abs(at.z() - 0.24) < 1e-3 && std::abs(at.x()) < 0.02 && std::abs(at.y() - 0.8) < 0.02;
  if (!isPlaced) std::printf("it is not on the pedestal\n");
  return isPlaced && robot.metAll() ? 0 : 1;
}
