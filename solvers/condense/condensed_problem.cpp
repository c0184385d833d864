#include "solvers/condense/condensed_problem.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/check.h"
#include "solvers/problem/residual.h"

namespace drystone {
namespace {

int findRoot(std::vector<int>& parent, int i) {
  while (parent[i] != i) i = parent[i] = parent[parent[i]];
  return i;
}

}  // namespace

bool CondensedProblem::isBilateral(const ProblemBlock& block, int row) const {
  return block.law == BlockLaw::kRows && full_.lower[row] == -kInfinity &&
         full_.upper[row] == kInfinity;
}

void CondensedProblem::analyze(const ContactProblem& full) {
  DRYSTONE_ASSERT(full.assembled == nullptr);
  full_ = full;
  splitRows();
  findClusters();
  fillClusters();
}

void CondensedProblem::splitRows() {
  nodes_.clear();
  kept_.clear();
  rowOf_.clear();
  for (int k = 0; k < full_.blockCount(); ++k) {
    const ProblemBlock& block = full_.blocks[k];
    Node node{.block = k};
    Kept kept{.block = k, .firstRow = keptRows()};
    for (int row = block.firstRow; row < block.firstRow + block.rows; ++row) {
      if (isBilateral(block, row)) {
        node.row[node.rows++] = row;
      } else {
        ++kept.rows;
        rowOf_.push_back(row);
      }
    }
    if (node.rows > 0) nodes_.push_back(node);
    if (kept.rows > 0) kept_.push_back(kept);
  }
}

void CondensedProblem::findClusters() {
  const int bodies = full_.bodyCount();
  parent_.resize(bodies);
  std::iota(parent_.begin(), parent_.end(), 0);
  for (const Node& node : nodes_) {
    const ProblemBlock& block = full_.blocks[node.block];
    if (block.bodyA < 0 || block.bodyB < 0) continue;
    const int a = findRoot(parent_, block.bodyA), b = findRoot(parent_, block.bodyB);
    parent_[std::max(a, b)] = std::min(a, b);
  }
  // The root of a tree is its lowest body, and so comes before what hangs on it.
  clusterOf_.resize(bodies);
  clusterCount_ = 0;
  for (int body = 0; body < bodies; ++body) {
    const int root = findRoot(parent_, body);
    clusterOf_[body] = root == body ? clusterCount_++ : clusterOf_[root];
  }
}

void CondensedProblem::fillClusters() {
  if (static_cast<int>(clusters_.size()) < clusterCount_) clusters_.resize(clusterCount_);
  for (int c = 0; c < clusterCount_; ++c) {
    clusters_[c].kept.clear();
    clusters_[c].rows = 0;
  }
  for (int k = 0; k < static_cast<int>(kept_.size()); ++k) {
    Kept& kept = kept_[k];
    const ProblemBlock& block = full_.blocks[kept.block];
    for (const int body : {block.bodyA, block.bodyB}) {
      const int cluster = body < 0 ? -1 : clusterOf_[body];
      if (cluster < 0 || cluster == kept.cluster[0]) continue;
      kept.cluster[kept.cluster[0] < 0 ? 0 : 1] = cluster;
      clusters_[cluster].kept.push_back(k);
      clusters_[cluster].rows += kept.rows;
    }
  }
  storage_ = 0;
  for (int c = 0; c < clusterCount_; ++c) storage_ += clusters_[c].rows * clusters_[c].rows;
}

void CondensedProblem::layOut() {
  schur_.clear();
  blocks_.clear();
  arms_.resize(keptRows());
  schur_.rowStart.assign(1, 0);
  schur_.blockStart.assign(1, 0);
  schur_.valueStart.assign(1, 0);
  int values = 0;
  for (int k = 0; k < static_cast<int>(kept_.size()); ++k) {
    const Kept& kept = kept_[k];
    neighbours_.clear();
    for (const int cluster : kept.cluster) {
      if (cluster < 0) continue;
      const std::vector<int>& others = clusters_[cluster].kept;
      neighbours_.insert(neighbours_.end(), others.begin(), others.end());
    }
    if (kept.cluster[0] < 0) neighbours_.push_back(k);  // nothing moves it
    std::sort(neighbours_.begin(), neighbours_.end());
    neighbours_.erase(std::unique(neighbours_.begin(), neighbours_.end()), neighbours_.end());
    for (const int other : neighbours_) {
      if (other == k) schur_.diagonal.push_back(static_cast<int>(schur_.blockColumn.size()));
      schur_.blockColumn.push_back(other);
      values += kept.rows * kept_[other].rows;
      schur_.valueStart.push_back(values);
    }
    schur_.blockStart.push_back(static_cast<int>(schur_.blockColumn.size()));
    schur_.rowStart.push_back(kept.firstRow + kept.rows);

    ProblemBlock block = full_.blocks[kept.block];
    for (int row = kept.firstRow; row < kept.firstRow + kept.rows; ++row) {
      arms_[row] = armOf(full_, block, rowOf_[row]);
    }
    block.firstRow = kept.firstRow;
    block.rows = kept.rows;
    block.bodyA = block.bodyB = -1;
    blocks_.push_back(block);
  }
  lower_.resize(keptRows());
  upper_.resize(keptRows());
  for (int row = 0; row < keptRows(); ++row) {
    lower_[row] = full_.lower[rowOf_[row]];
    upper_[row] = full_.upper[rowOf_[row]];
  }
}

ContactProblem CondensedProblem::problem() const {
  ContactProblem problem;
  problem.friction = full_.friction;
  problem.timestep = full_.timestep;
  problem.blocks = blocks_;
  problem.b = b_;
  problem.lower = lower_;
  problem.upper = upper_;
  problem.assembled = &schur_;
  problem.arms = arms_;
  return problem;
}

void CondensedProblem::restrict(std::span<const Real> lambda, std::span<const RowState> states) {
  lambda_.resize(keptRows());
  states_.assign(keptRows(), RowState::kUnknown);
  for (int row = 0; row < keptRows(); ++row) {
    lambda_[row] = lambda[rowOf_[row]];
    if (!states.empty()) states_[row] = states[rowOf_[row]];
  }
}

Real CondensedProblem::expand() {
  for (int row = 0; row < keptRows(); ++row) fullLambda_[rowOf_[row]] = lambda_[row];
  return refineJoints(fullLambda_);
}

void CondensedProblem::write(ImpulseView impulses) const {
  std::copy(fullLambda_.begin(), fullLambda_.end(), impulses.lambda.begin());
  if (impulses.state.empty()) return;
  for (const Node& node : nodes_) {
    for (int i = 0; i < node.rows; ++i) impulses.state[node.row[i]] = RowState::kFree;
  }
  for (int row = 0; row < keptRows(); ++row) impulses.state[rowOf_[row]] = states_[row];
}

Real CondensedProblem::correct() {
  w_.resize(keptRows());
  schur_.multiply(lambda_, w_);
  Real largest = 0;
  for (int row = 0; row < keptRows(); ++row) {
    const Real difference = fullW_[rowOf_[row]] - (w_[row] + b_[row]);
    b_[row] += difference;
    largest = largerOrInfinite(largest, std::abs(difference));
  }
  return largest;
}

}  // namespace drystone
