#include <drystone/solvers.h>
#include <drystone/world.h>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <string>

// Height of a ball after one second in semi-implicit steps h: in free fall it loses g h² n (n +
// 1)/2.
double heightOfBall(const drystone::SolverRegistry& registry) {
  drystone::World world(drystone::WorldSettings{}, registry);
  drystone::BodyDefinition ball;
  ball.shape = drystone::Sphere{0.5};
  ball.pose.position = {0, 0, 100};
  const drystone::BodyId id = world.addBody(ball);
  for (int i = 0; i < 60; ++i) world.step();
  return world.body(id).pose().position.z();
}

// The solvers for devices are listed, and say why they cannot run where they cannot: `with-cuda`,
// that is not for want of the back end.
bool isGpuPartThere(const drystone::SolverRegistry& registry, bool hasCuda) {
  const std::string reason(drystone::gpu::whyUnavailable());
  std::printf("devices: %zu%s%s\n", drystone::gpu::devices().size(), reason.empty() ? "" : "; ",
              reason.c_str());
  for (const char* name : {"gpu-sor", "gpu-jor-dense", "gpu-staggered"}) {
    if (!registry.contains(name) || registry.traits(name).unavailable() != reason) return false;
  }
  const bool hasBackEnd = reason != "this build has no CUDA back end";
  return hasBackEnd == hasCuda && (!reason.empty() || !drystone::gpu::devices().empty());
}

int main(int argc, char** argv) {
  drystone::SolverRegistry registry = drystone::makeDefaultRegistry();
  drystone::gpu::addGpuSolvers(registry);
  if (!isGpuPartThere(registry, argc > 1 && std::strcmp(argv[1], "with-cuda") == 0)) return 2;
  const double expected = 100 - 9.81 / 3600 * 60 * 61 / 2;
  const double z = heightOfBall(registry);
  std::printf("z = %.17g m\n", z);
  return std::abs(z - expected) < 1e-10 ? 0 : 1;
}
