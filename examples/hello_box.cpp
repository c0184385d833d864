// A box falls on the ground, and each step says how well it was solved.
//
//     example_hello_box [--record FILE]      `drystone render FILE` draws what was recorded
//
// z is up. Units are metres, kilograms, seconds and newtons.
#include <drystone/drystone.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>
#include <string_view>

int main(int argc, char** argv) {
  using namespace drystone;
  World world({}, makeDefaultRegistry());
  world.addBody({.kind = BodyKind::kStatic, .shape = Plane{}});
  // Of 1 m³ and 10 kg.
  const BodyId box =
      world.addBody({.shape = Box{{0.5, 0.5, 0.5}}, .pose = {{0, 0, 3}}, .density = 10});

  std::optional<Recorder> recorder;
  if (argc == 3 && std::string_view(argv[1]) == "--record") {
    recorder.emplace(argv[2], recordingInfoOf(world), world);
  }

  for (int second = 1; second <= 3; ++second) {
    Real worst = 0;  // residual of this second [m/s]
    for (int i = 0; i < 60; ++i) {
      worst = std::max(worst, world.step().naturalMap);
      if (recorder) recorder->addStep(world);
    }
    std::printf("%d s: height %.4f m, residual %.1e m/s\n", second,
                world.body(box).pose().position.z(), worst);
  }
  if (recorder) recorder->finish(world);

  // It rests on its half size, and the ground bears its weight.
  const bool rests = std::abs(world.body(box).pose().position.z() - 0.5) < 1e-4;
  const bool isBorne = std::abs(world.body(box).contactForce().force.z() - 10 * 9.81) < 1e-3;
  if (!rests) std::printf("it does not lie on the ground\n");
  if (!isBorne) std::printf("the ground does not bear its weight\n");
  return rests && isBorne ? 0 : 1;
}
