// How large and how badly conditioned the problems of the six machines are: Lefebvre 2020,
// table 2.2.
#include <Eigen/Eigenvalues>
#include <algorithm>

#include "bench/studies/direct/study.h"
#include "bench/studies/measure.h"
#include "solvers/problem_ops.h"

namespace drystone::bench {
namespace {

constexpr int kSamples = 20;  ///< of the condition number, a scene

struct Conditions {
  Real largest = 0;      ///< over the samples
  int singularRows = 0;  ///< most eigenvalues at round-off
};

Real massRatio(const World& world) {
  Real lightest = kInfinity, heaviest = 0;
  for (const BodyId body : world.bodies()) {
    if (world.kind(body) != BodyKind::kDynamic) continue;
    lightest = std::min(lightest, world.mass(body));
    heaviest = std::max(heaviest, world.mass(body));
  }
  return heaviest / lightest;
}

/// Largest eigenvalue of A over the smallest one above round-off.
void addCondition(const ContactProblem& problem, Conditions& conditions) {
  AssemblyWorkspace workspace;
  BlockSparseMatrix matrix;
  assembleDelassus(problem, workspace, matrix);
  const Eigen::SelfAdjointEigenSolver<MatX> solver(matrix.toDense(), Eigen::EigenvaluesOnly);
  const VecX& values = solver.eigenvalues();
  const Real top = values.maxCoeff();
  const Real roundOff =
      top * std::numeric_limits<Real>::epsilon() * static_cast<Real>(matrix.size());
  int singular = 0;
  while (singular < values.size() && values[singular] <= roundOff) ++singular;
  if (singular < values.size()) {
    conditions.largest = std::max(conditions.largest, top / values[singular]);
  }
  conditions.singularRows = std::max(conditions.singularRows, singular);
}

}  // namespace

void studyMachines(const StudyOptions& options) {
  fmt::print("## Machines (Lefebvre 2020, table 2.2)\n\n");
  fmt::print(
      "| scene | mass ratio | published | rows of a step, most | of an island, most | published | "
      "condition number of A, largest island | published | eigenvalues at round-off, most |\n"
      "|---|--:|--:|--:|--:|--:|--:|--:|--:|\n");
  for (const PublishedMachine& machine : publishedMachines()) {
    if (!options.wants(machine.scene)) continue;
    const Scene scene = sceneWith(machine.scene, "");
    const FrameRange range = framesOf(scene, options.seconds);
    Shadow shadow({{"bpp-auto"}}, 1);
    Conditions conditions;
    Real ratio = 0;
    int stepRows = 0, islandRows = 0, step = 0, sampleRows = 0;
    const int stride = std::max(range.count / kSamples, 1);
    // Which island is the largest shows when the frame is over, and its view does not last till
    // then.
    StoredProblem largestIsland;
    shadow.observer = [&](const ShadowView& view) {
      const ContactProblem& problem = view.problem;
      if (step % stride != 0 || problem.rowCount() <= sampleRows) return;
      sampleRows = problem.rowCount();
      largestIsland.friction = problem.friction;
      largestIsland.blocks.assign(problem.blocks.begin(), problem.blocks.end());
      largestIsland.b.assign(problem.b.begin(), problem.b.end());
      largestIsland.compliance.assign(problem.compliance.begin(), problem.compliance.end());
      largestIsland.lower.assign(problem.lower.begin(), problem.lower.end());
      largestIsland.upper.assign(problem.upper.begin(), problem.upper.end());
      largestIsland.bodies.assign(problem.bodies.begin(), problem.bodies.end());
      largestIsland.jacobianA.assign(problem.jacobianA.begin(), problem.jacobianA.end());
      largestIsland.jacobianB.assign(problem.jacobianB.begin(), problem.jacobianB.end());
    };
    simulate(scene, shadow, range, kInfinity, [&](World& world) {
      if (step == 0) ratio = massRatio(world);
      if (sampleRows > 0) addCondition(largestIsland.view(), conditions);
      sampleRows = 0;
      int rows = 0;
      for (const ShadowRecord& record : shadow.records) {
        rows += record.rows;
        islandRows = std::max(islandRows, record.rows);
      }
      stepRows = std::max(stepRows, rows);
      ++step;
    });
    printRow("| {} | {:.6g} | {:.6g} | {} | {} | {} | {:.1e} | {} | {} |\n", machine.scene, ratio,
             machine.massRatio, stepRows, islandRows, machine.rows, conditions.largest,
             machine.condition, conditions.singularRows);
  }
  fmt::print("\n{} s of each scene; condition numbers of {} frames.\n\n", options.seconds,
             kSamples);
}

}  // namespace drystone::bench
