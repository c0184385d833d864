#include <drystone/drystone.h>

#include <cmath>
#include <cstdio>

// A ball in free fall for one second of semi-implicit steps h: z falls by g h² n (n + 1)/2.
int main() {
  const drystone::SolverRegistry registry = drystone::makeDefaultRegistry();
  drystone::World world(drystone::WorldSettings{}, registry);
  drystone::BodyDefinition ball;
  ball.shape = drystone::Sphere{0.5};
  ball.pose.position = {0, 0, 100};
  const drystone::BodyId id = world.addBody(ball);
  for (int i = 0; i < 60; ++i) world.step();
  const double z = world.pose(id).position.z();
  std::printf("z = %.17g m\n", z);
  return std::abs(z - (100 - 9.81 / 3600 * 60 * 61 / 2)) < 1e-10 ? 0 : 1;
}
