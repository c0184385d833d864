#include "bench/studies/prox/frame.h"

#include "bench/studies/measure.h"
#include "bench/studies/study.h"

namespace drystone::bench {
namespace {

template <class T>
void append(std::vector<T>& to, std::span<const T> from) {
  to.insert(to.end(), from.begin(), from.end());
}

void appendIsland(const ContactProblem& island, StoredProblem& all) {
  const int firstRow = static_cast<int>(all.b.size());
  const int firstBody = static_cast<int>(all.bodies.size());
  for (ProblemBlock block : island.blocks) {
    block.firstRow += firstRow;
    if (block.bodyA >= 0) block.bodyA += firstBody;
    if (block.bodyB >= 0) block.bodyB += firstBody;
    all.blocks.push_back(block);
  }
  append(all.b, island.b);
  append(all.compliance, island.compliance);
  append(all.lower, island.lower);
  append(all.upper, island.upper);
  append(all.bodies, island.bodies);
  append(all.jacobianA, island.jacobianA);
  append(all.jacobianB, island.jacobianB);
}

}  // namespace

Frame firstFrame(const std::string& name, const std::vector<std::string>& overrides) {
  return frameOf(name, 0, overrides);
}

Frame frameOf(const std::string& name, int step, const std::vector<std::string>& overrides) {
  Frame frame{name, {}};
  const Scene scene = sceneWith(name, "", {}, overrides);
  Shadow shadow({{"sor-prox", false, {{"max_iterations", "20"}, {"check_every", "21"}}}}, 1);
  frame.problem.friction = scene.settings.friction;
  frame.problem.timestep = scene.settings.timestep;
  shadow.observer = [&](const ShadowView& view) { appendIsland(view.problem, frame.problem); };
  simulate(scene, shadow, {step, 1, 1}, kInfinity,
           [&](World& world) { frame.contacts = world.lastReport().contacts; });
  return frame;
}

}  // namespace drystone::bench
