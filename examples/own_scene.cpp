// A scene made in code: a row of dominoes, and a ball that rolls against the first one.
//
//     example_own_scene [--record FILE]      `drystone render FILE` draws what was recorded
//
// The row runs along x, z is up. Units are metres, kilograms and seconds.
#include <drystone/drystone.h>

#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace drystone;

constexpr double kPitch = 0.3, kHeight = 0.5;
constexpr int kCount = 12;

void addBall(World& world, MaterialId wood) {
  const Sphere shape{0.15};
  world.addBody({.name = "ball",
                 .shape = shape,
                 .pose = {{-1, 0, shape.radius}},
                 .density = 5 / massProperties(shape, 1).mass,  // 5 kg
                 .linearVelocity = {1.5, 0, 0},
                 .angularVelocity = {0, 1.5 / shape.radius, 0},  // it rolls
                 .material = wood});
}

std::vector<BodyId> addRow(World& world, MaterialId wood) {
  std::vector<BodyId> row;
  for (int i = 0; i < kCount; ++i) {
    row.push_back(world.addBody({.name = "domino_" + std::to_string(i),
                                 .shape = Box{{0.04, 0.12, kHeight / 2}},
                                 .pose = {{i * kPitch, 0, kHeight / 2}},
                                 .density = 700,
                                 .material = wood}));
  }
  return row;
}

}  // namespace

int main(int argc, char** argv) {
  World world({.timestep = 0.005}, makeDefaultRegistry());
  const MaterialId wood = world.addMaterial({.friction = 0.4});
  world.addBody({.name = "ground", .kind = BodyKind::kStatic, .shape = Plane{}, .material = wood});
  addBall(world, wood);
  const std::vector<BodyId> row = addRow(world, wood);

  std::optional<Recorder> recorder;
  if (argc == 3 && std::string_view(argv[1]) == "--record") {
    recorder.emplace(argv[2], recordingInfoOf(world), world);
  }

  std::vector<int> fallen;
  std::vector<bool> isDown(kCount, false);
  int missed = 0;
  while (world.time() < 6 && fallen.size() < row.size()) {
    missed += !world.step().withinTolerance;
    if (recorder) recorder->addStep(world);
    for (int i = 0; i < kCount; ++i) {
      if (isDown[i] || world.body(row[i]).pose().position.z() > 0.7 * kHeight / 2) continue;
      isDown[i] = true;
      fallen.push_back(i);
      std::printf("%.2f s: domino_%d is down\n", world.time(), i);
    }
  }
  if (recorder) recorder->finish(world);

  std::printf("%d steps, %d beyond the tolerance\n", static_cast<int>(world.stepCount()), missed);
  bool inTurn = std::ssize(fallen) == kCount;
  for (int i = 0; i < std::ssize(fallen); ++i) inTurn = inTurn && fallen[i] == i;
  if (!inTurn) std::printf("they did not fall one after the other\n");
  return inTurn && missed == 0 ? 0 : 1;
}
