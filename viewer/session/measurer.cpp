#include "viewer/session/measurer.h"

namespace drystone::viewer {

void Measurer::measure(const World& world, const Measure& asked, ViewFrame& frame) {
  frame.contactResidual.clear();
  frame.contactColor.clear();
  if (!asked.residuals && !asked.graphColors) return;
  measureIslands(world, asked);
  for (const ContactSnapshot& contact : frame.snapshot.contacts) {
    const int block = firstBlock_[contact.island] + contact.block;
    if (asked.residuals) frame.contactResidual.push_back(residual_[block]);
    if (asked.graphColors) frame.contactColor.push_back(color_[block]);
  }
}

void Measurer::measureIslands(const World& world, const Measure& asked) {
  // Colors are those that a manifold gets, and none is merged with another: what is shown is the
  // graph, and not how a solver would sweep it.
  constexpr ColoringSettings kColoring = {
      .choice = ColorChoice::kGreedy, .unit = ColorUnit::kManifold, .leastShare = 0};
  residual_.clear();
  color_.clear();
  firstBlock_.clear();
  int first = 0;
  const WorldObserver observer = world.observe();
  for (int island = 0; island < observer.islandCount(); ++island) {
    const ContactProblem problem = observer.islandProblem(island);
    firstBlock_.push_back(first);
    first += problem.blockCount();
    if (asked.residuals) {
      residual_.resize(first);
      blockResiduals(problem, observer.islandImpulses(island), judge_,
                     std::span(residual_).subspan(firstBlock_.back()));
    }
    if (asked.graphColors) {
      coloring_.plan(problem, kColoring, plan_);
      color_.insert(color_.end(), plan_.phaseOf.begin(), plan_.phaseOf.end());
    }
  }
}

}  // namespace drystone::viewer
