// The scenes of Poulsen 2010, tables 3.2 and 3.4: contacts, blocks of T, and colors.
#include "bench/studies/prox/prox_run.h"
#include "bench/studies/prox/studies.h"
#include "solvers/prox/coloring.h"

namespace drystone::bench {
namespace {

/// Blocks of T (Poulsen 2010, Cor. 3.2): contacts that share a moving body with each, itself
/// included. Pairs of balls have one contact each.
int countNonZeros(const StoredProblem& problem) {
  std::vector<int> contactsOf(problem.bodies.size(), 0);
  for (const ProblemBlock& block : problem.blocks) {
    for (const int body : {block.bodyA, block.bodyB}) {
      if (body >= 0) ++contactsOf[body];
    }
  }
  int sum = 0;
  for (const ProblemBlock& block : problem.blocks) {
    ++sum;
    for (const int body : {block.bodyA, block.bodyB}) {
      if (body >= 0) sum += contactsOf[body] - 1;
    }
  }
  return sum;
}

std::string colorsOf(const StoredProblem& problem, ColorChoice choice) {
  Coloring coloring;
  SweepPlan plan;
  coloring.plan(problem.view(), {choice, ColorUnit::kContact, 0}, plan);
  int least = 0, most = 0;
  for (const SweepPlan::Phase& phase : plan.phases) {
    const int size = phase.endUnit - phase.firstUnit;
    least = least == 0 ? size : std::min(least, size);
    most = std::max(most, size);
  }
  return fmt::format("{} of {} to {}", plan.phases.size(), least, most);
}

}  // namespace

std::span<const PublishedBalls> publishedBalls() {
  static const std::vector<PublishedBalls> kBalls = {
      {"ball_grid_small", 513, 1408, 17728, 63, "–"},
      {"ball_grid_medium", 13825, 40320, 757824, 66, "7 of 570 to 6912"},
      {"ball_grid_large", 64001, 188800, 4587840, 65, "–"},
      {"ball_pile_small", 64001, 6605, 7415, 63, "–"},
      {"ball_pile_large", 512001, 52909, 58631, 65, "3 of 3 to 50125"},
  };
  return kBalls;
}

std::vector<std::string> ballScenes() { return scenesOf(publishedBalls()); }

void studyProblems(const ProxOptions& options) {
  fmt::print(
      "## The problems\n\n| scene | contacts | published | blocks of T | published | greedy colors "
      "| "
      "published | balanced colors |\n|---|--:|--:|--:|--:|---|---|---|\n");
  for (const PublishedBalls& balls : publishedBalls()) {
    if (!options.wants(balls.scene)) continue;
    const Frame frame = firstFrame(balls.scene);
    printRow("| {} | {} | {} | {} | {} | {} | {} | {} |\n", balls.scene, frame.contacts,
             balls.contacts, countNonZeros(frame.problem), balls.nonZeros,
             colorsOf(frame.problem, ColorChoice::kGreedy), balls.greedyColors,
             colorsOf(frame.problem, ColorChoice::kBalanced));
  }
  fmt::print(
      "\nPublished blocks count those between contacts with the ground, 4,032 of the small grid, "
      "which do "
      "not exist: it does not move. Blocks and colors are without islands that separate "
      "anyway.\n\n");
}

}  // namespace drystone::bench
