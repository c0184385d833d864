// Where the problems come from that the sweeps are measured on.
#include <algorithm>
#include <cmath>

#include "bench/studies/measure.h"
#include "bench/studies/prox/prox_run.h"
#include "bench/studies/study.h"
#include "solvers/problem/problem_ops.h"

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

constexpr int kRows = 3;
constexpr Real kContactsPerBody = 6;  // as in a packing of spheres, two bodies a contact

/// Compliance that makes every row of A dominant: A_ii ≥ 1.1 Σ_j≠i |A_ij|. One for the rows of a
/// contact, so that its tangents, which share their R, differ no more than they did.
std::vector<Real> dominantCompliance(const BlockSparseMatrix& matrix) {
  constexpr Real kDominance = 1.1;
  std::vector<Real> compliance;
  for (int block = 0; block < matrix.blockCount(); ++block) {
    Real missing = 0;
    for (int i = 0; i < kRows; ++i) {
      Real diagonal = 0, others = 0;
      for (int k = matrix.blockStart[block]; k < matrix.blockStart[block + 1]; ++k) {
        for (int j = 0; j < kRows; ++j) {
          const Real value = matrix.values[matrix.valueStart[k] + i * kRows + j];
          const bool isDiagonal = matrix.blockColumn[k] == block && i == j;
          (isDiagonal ? diagonal : others) += std::abs(value);
        }
      }
      missing = std::max(missing, kDominance * others - diagonal);
    }
    compliance.insert(compliance.end(), kRows, missing);
  }
  return compliance;
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

StoredProblem randomDominantProblem(int contacts, Random& random) {
  StoredProblem problem;
  const int bodies = static_cast<int>(2 * contacts / kContactsPerBody);
  for (int i = 0; i < bodies; ++i) {
    const Real inverseMass = random.uniform(0.5, 2);
    problem.bodies.push_back({inverseMass, random.uniform(1, 4) * inverseMass * Mat3::Identity()});
  }
  const auto randomRow = [&] {
    Vec6 row;
    for (Real& value : row) value = random.uniform(-1, 1);
    return row;
  };
  for (int i = 0; i < contacts; ++i) {
    ProblemBlock& block = problem.blocks.emplace_back();
    block.key = i;
    block.firstRow = kRows * i;
    block.rows = kRows;
    block.bodyA = static_cast<int>(random.uniform() * bodies);
    block.bodyB = (block.bodyA + 1 + static_cast<int>(random.uniform() * (bodies - 1))) % bodies;
    block.friction = random.uniform(0.1, 1);
    for (int row = 0; row < kRows; ++row) {
      problem.jacobianA.push_back(randomRow());
      problem.jacobianB.push_back(randomRow());
      problem.b.push_back(random.uniform(-1, 1));
    }
  }
  problem.lower.assign(problem.b.size(), 0);
  problem.upper.assign(problem.b.size(), 0);
  BlockSparseMatrix matrix;
  AssemblyWorkspace workspace;
  assembleDelassus(problem.view(), workspace, matrix);
  problem.compliance = dominantCompliance(matrix);
  return problem;
}

}  // namespace drystone::bench
