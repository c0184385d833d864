// Runs the samples in the comments of the public headers: they must compile, link and throw
// nothing. CMake makes a function of each, which gets the names that some of them take as given: a
// world with a door in a frame.
#include <drystone/drystone.h>

#include <cstdio>
#include <cstdlib>

using Sample = void(drystone::World& world, drystone::BodyId frame, drystone::BodyId door);
Sample sample_of_model, sample_of_recordings, sample_of_report, sample_of_shapes, sample_of_solvers,
    sample_of_types, sample_of_world;

/// What the sample of report.h calls with impulses [N s], which are pushes.
void play(double impulse);

void play(double impulse) {
  if (impulse >= 0) return;
  std::printf("a contact pulls: %g N s\n", impulse);
  std::exit(1);
}

int main() {
  drystone::WorldSettings settings;
  settings.gravity.setZero();
  drystone::World world(settings, drystone::makeDefaultRegistry());
  const drystone::Shape leaf = drystone::Box{{0.4, 0.02, 1}};
  const drystone::BodyId frame =
      world.addBody({.kind = drystone::BodyKind::kStatic, .shape = leaf, .pose = {{-0.8, 0, 0}}});
  const drystone::BodyId door = world.addBody({.shape = leaf});
  // That of scenes.h is only compiled: its wall takes minutes.
  for (Sample* sample : {sample_of_model, sample_of_recordings, sample_of_report, sample_of_shapes,
                         sample_of_solvers, sample_of_types, sample_of_world}) {
    sample(world, frame, door);
  }
}
