// The numerical part of CondensedProblem: the factor of A_BB, S and λ_B.
#include <algorithm>
#include <cmath>

#include "solvers/condense/condensed_problem.h"
#include "solvers/problem/problem_ops.h"

namespace drystone {
namespace {

/// Share of A_ii that is added to the diagonal of A_BB, so that redundant rows have a factor:
/// round-off first, and where that is too low a hundred times as much, up to this.
constexpr Real kLastFloor = 1e-8;

}  // namespace

Real CondensedProblem::product(int cluster, const ProblemBlock& block, int row,
                               const ProblemBlock& other, int otherRow) const {
  Real sum = 0;
  const auto add = [&](int body, const Vec6& weighted) {
    if (body < 0 || (cluster >= 0 && clusterOf_[body] != cluster)) return;
    if (body == other.bodyA) sum += weighted.dot(full_.jacobianA[otherRow]);
    if (body == other.bodyB) sum += weighted.dot(full_.jacobianB[otherRow]);
  };
  add(block.bodyA, weightedA_[row]);
  add(block.bodyB, weightedB_[row]);
  return sum;
}

bool CondensedProblem::make(Real tolerance, const Deadline& deadline) {
  layOut();
  weightedA_.resize(full_.rowCount());
  weightedB_.resize(full_.rowCount());
  for (const ProblemBlock& block : full_.blocks) {
    for (int row = block.firstRow; row < block.firstRow + block.rows; ++row) {
      if (block.bodyA >= 0) {
        weightedA_[row] = applyInverseInertia(full_.bodies[block.bodyA], full_.jacobianA[row]);
      }
      if (block.bodyB >= 0) {
        weightedB_[row] = applyInverseInertia(full_.bodies[block.bodyB], full_.jacobianB[row]);
      }
    }
  }
  findPattern();
  if (deadline.passed() || !factor()) return false;
  schur_.values.assign(static_cast<std::size_t>(schur_.valueStart.back()), 0);
  for (int c = 0; c < clusterCount_; ++c) {
    if (deadline.passed()) return false;
    if (!clusters_[c].kept.empty()) addCluster(c);
  }
  addCompliance();
  return renew(tolerance);
}

bool CondensedProblem::renew(Real tolerance) {
  // b_S is w of the kept rows at λ_K = 0.
  fullLambda_.assign(full_.rowCount(), 0);
  if (!(refineJoints(fullLambda_) <= tolerance)) return false;
  b_.resize(keptRows());
  for (int row = 0; row < keptRows(); ++row) b_[row] = fullW_[rowOf_[row]];
  return std::all_of(b_.begin(), b_.end(), [](Real x) { return std::isfinite(x); });
}

void CondensedProblem::findPattern() {
  // Joints of one body are coupled.
  const int bodies = full_.bodyCount(), nodes = static_cast<int>(nodes_.size());
  bodyStart_.assign(bodies + 1, 0);
  const auto forBodies = [&](int node, auto&& use) {
    const ProblemBlock& block = full_.blocks[nodes_[node].block];
    if (block.bodyA >= 0) use(block.bodyA);
    if (block.bodyB >= 0) use(block.bodyB);
  };
  for (int node = 0; node < nodes; ++node) {
    forBodies(node, [&](int body) { ++bodyStart_[body + 1]; });
  }
  for (int body = 0; body < bodies; ++body) bodyStart_[body + 1] += bodyStart_[body];
  bodyNodes_.resize(bodyStart_[bodies]);
  cursor_.assign(bodyStart_.begin(), bodyStart_.end());
  for (int node = 0; node < nodes; ++node) {
    forBodies(node, [&](int body) { bodyNodes_[cursor_[body]++] = node; });
  }
  pairs_.clear();
  for (int body = 0; body < bodies; ++body) {
    for (int i = bodyStart_[body]; i < bodyStart_[body + 1]; ++i) {
      for (int j = bodyStart_[body]; j < i; ++j) pairs_.emplace_back(bodyNodes_[j], bodyNodes_[i]);
    }
  }
  std::sort(pairs_.begin(), pairs_.end());
  pairs_.erase(std::unique(pairs_.begin(), pairs_.end()), pairs_.end());
  const auto known = std::find_if(patterns_.begin(), patterns_.end(), [&](const KnownPattern& one) {
    return one.nodes == nodes && one.pairs == pairs_;
  });
  if (known != patterns_.end()) {
    pattern_ = &known->pattern;
  } else {
    patterns_.resize(kPatterns);
    KnownPattern& fresh = patterns_[oldest_];
    oldest_ = (oldest_ + 1) % kPatterns;
    fresh.nodes = nodes;
    fresh.pairs = pairs_;
    fresh.pattern.build(nodes, pairs_);
    pattern_ = &fresh.pattern;
  }

  nodeAt_.resize(nodes);
  for (int node = 0; node < nodes; ++node) nodeAt_[pattern_->place(node)] = node;
}

void CondensedProblem::fillJoints(Real floor) {
  factor_.begin(*pattern_, true);
  const auto fill = [&](const Node& row, const Node& column, Mat6& target) {
    const ProblemBlock& rowBlock = full_.blocks[row.block];
    const ProblemBlock& columnBlock = full_.blocks[column.block];
    for (int i = 0; i < row.rows; ++i) {
      for (int j = 0; j < column.rows; ++j) {
        target(i, j) = product(-1, rowBlock, row.row[i], columnBlock, column.row[j]);
      }
    }
  };
  for (int place = 0; place < pattern_->nodeCount(); ++place) {
    const Node& node = nodes_[nodeAt_[place]];
    Mat6& diagonal = factor_.diagonal(place);
    fill(node, node, diagonal);
    for (int i = 0; i < kMaxBlockRows; ++i) {
      if (i >= node.rows) {
        diagonal(i, i) = 1;  // no row
        continue;
      }
      if (!full_.compliance.empty()) diagonal(i, i) += full_.compliance[node.row[i]];
      // A row that nothing moves: any factor will do.
      diagonal(i, i) = diagonal(i, i) > 0 ? diagonal(i, i) * (1 + floor) : 1;
    }
  }
  for (const auto& [a, b] : pairs_) {
    const bool aIsLater = pattern_->place(a) > pattern_->place(b);
    fill(nodes_[aIsLater ? a : b], nodes_[aIsLater ? b : a], factor_.lower(pattern_->find(a, b)));
  }
}

bool CondensedProblem::factor() {
  for (Real floor = kRoundOff; floor <= kLastFloor; floor *= 100) {
    fillJoints(floor);
    if (factor_.factor()) return true;
  }
  return nodes_.empty();
}

/// Y of a kept block, where it is not zero: at the nodes of its bodies and at their ancestors in
/// the elimination tree. Appends one piece a node, by ascending position.
void CondensedProblem::respond(int cluster, const Kept& kept) {
  const ProblemBlock& block = full_.blocks[kept.block];
  const std::size_t first = pieces_.size();
  const auto add = [&](int place) {
    for (; place >= 0 && pieceOf_[place] < 0; place = parentOf(place)) {
      pieceOf_[place] = 0;
      pieces_.push_back({place, 0});
    }
  };
  const auto forNodes = [&](auto&& use) {
    for (const int body : {block.bodyA, block.bodyB}) {
      if (body < 0 || clusterOf_[body] != cluster) continue;
      for (int i = bodyStart_[body]; i < bodyStart_[body + 1]; ++i) use(bodyNodes_[i]);
    }
  };
  forNodes([&](int node) { add(pattern_->place(node)); });
  std::sort(pieces_.begin() + static_cast<std::ptrdiff_t>(first), pieces_.end(),
            [](const Piece& p, const Piece& q) { return p.place < q.place; });
  for (std::size_t i = first; i < pieces_.size(); ++i) {
    pieceOf_[pieces_[i].place] = static_cast<int>(i);
    pieces_[i].column = static_cast<int>(response_.size());
    response_.resize(response_.size() + kept.rows, Vec6::Zero());
  }
  forNodes([&](int index) {
    const Node& node = nodes_[index];
    Vec6* columns = &response_[pieces_[pieceOf_[pattern_->place(index)]].column];
    for (int q = 0; q < kept.rows; ++q) {
      for (int p = 0; p < node.rows; ++p) {
        columns[q][p] = product(cluster, full_.blocks[node.block], node.row[p], block,
                                rowOf_[kept.firstRow + q]);
      }
    }
  });
  for (std::size_t i = first; i < pieces_.size(); ++i) {
    const int place = pieces_[i].place;
    for (int q = 0; q < kept.rows; ++q) {
      Vec6& y = response_[pieces_[i].column + q];
      y = (factor_.inversePivot(place).triangularView<Eigen::Lower>() * y).eval();
      for (int entry = pattern_->columnBegin(place); entry < pattern_->columnEnd(place); ++entry) {
        const Piece& above = pieces_[pieceOf_[pattern_->row(entry)]];
        response_[above.column + q].noalias() -= factor_.factorEntry(entry) * y;
      }
    }
  }
  for (std::size_t i = first; i < pieces_.size(); ++i) pieceOf_[pieces_[i].place] = -1;
}

void CondensedProblem::addCluster(int index) {
  const Cluster& cluster = clusters_[index];
  pieces_.clear();
  response_.clear();
  pathStart_.assign(1, 0);
  pieceOf_.assign(nodes_.size(), -1);
  for (const int k : cluster.kept) {
    respond(index, kept_[k]);
    pathStart_.push_back(static_cast<int>(pieces_.size()));
  }
  for (std::size_t i = 0; i < cluster.kept.size(); ++i) {
    for (std::size_t j = i; j < cluster.kept.size(); ++j) addPair(index, i, j);
  }
}

/// Adds to S what two kept blocks of a cluster have in common there: J_i M⁻¹ J_jᵀ − Y_iᵀ Y_j.
void CondensedProblem::addPair(int index, std::size_t i, std::size_t j) {
  const Cluster& cluster = clusters_[index];
  const Kept& one = kept_[cluster.kept[i]];
  const Kept& other = kept_[cluster.kept[j]];
  Real sum[kMaxBlockRows][kMaxBlockRows];
  for (int p = 0; p < one.rows; ++p) {
    for (int q = 0; q < other.rows; ++q) {
      sum[p][q] = product(index, full_.blocks[one.block], rowOf_[one.firstRow + p],
                          full_.blocks[other.block], rowOf_[other.firstRow + q]);
    }
  }
  // Both paths lead to the root of the elimination tree: they have their ends in common.
  int left = pathStart_[i + 1] - 1, right = pathStart_[j + 1] - 1;
  while (left >= pathStart_[i] && right >= pathStart_[j]) {
    const Piece &a = pieces_[left], &b = pieces_[right];
    if (a.place > b.place) {
      --left;
    } else if (a.place < b.place) {
      --right;
    } else {
      for (int p = 0; p < one.rows; ++p) {
        for (int q = 0; q < other.rows; ++q) {
          sum[p][q] -= response_[a.column + p].dot(response_[b.column + q]);
        }
      }
      --left, --right;
    }
  }
  Real* above = valuesOf(cluster.kept[i], cluster.kept[j]);
  if (i == j) {
    for (int p = 0; p < one.rows; ++p) {
      for (int q = 0; q < one.rows; ++q) {
        above[p * one.rows + q] += sum[std::min(p, q)][std::max(p, q)];
      }
    }
    return;
  }
  Real* below = valuesOf(cluster.kept[j], cluster.kept[i]);
  for (int p = 0; p < one.rows; ++p) {
    for (int q = 0; q < other.rows; ++q) {
      above[p * other.rows + q] += sum[p][q];
      below[q * one.rows + p] += sum[p][q];
    }
  }
}

int CondensedProblem::parentOf(int place) const {
  const int begin = pattern_->columnBegin(place);
  return begin < pattern_->columnEnd(place) ? pattern_->row(begin) : -1;
}

Real* CondensedProblem::valuesOf(int row, int column) {
  const auto begin = schur_.blockColumn.begin() + schur_.blockStart[row];
  const auto end = schur_.blockColumn.begin() + schur_.blockStart[row + 1];
  const auto found = std::lower_bound(begin, end, column);
  return &schur_.values[schur_.valueStart[found - schur_.blockColumn.begin()]];
}

void CondensedProblem::addCompliance() {
  if (full_.compliance.empty()) return;
  for (int k = 0; k < static_cast<int>(kept_.size()); ++k) {
    const Kept& kept = kept_[k];
    Real* values = &schur_.values[schur_.valueStart[schur_.diagonal[k]]];
    for (int i = 0; i < kept.rows; ++i) {
      values[i * (kept.rows + 1)] += full_.compliance[rowOf_[kept.firstRow + i]];
    }
  }
}

/// Solves for λ_B with the others as they are, by refinement on the problem as given. Leaves w.
Real CondensedProblem::refineJoints(std::span<Real> lambda) {
  fullW_.resize(full_.rowCount());
  bodyVelocity_.resize(full_.bodyCount());
  nodeVector_.resize(nodes_.size());
  Real last = kInfinity;
  for (int step = 0;; ++step) {
    constraintVelocity(full_, lambda, bodyVelocity_, fullW_);
    Real largest = 0;
    for (int place = 0; place < static_cast<int>(nodes_.size()); ++place) {
      const Node& node = nodes_[nodeAt_[place]];
      nodeVector_[place].setZero();
      for (int i = 0; i < node.rows; ++i) {
        nodeVector_[place][i] = fullW_[node.row[i]];
        largest = largerOrInfinite(largest, std::abs(fullW_[node.row[i]]));
      }
    }
    if (largest == 0 || !(largest < last / 2) || step == kMostRefinements) return largest;
    last = largest;
    factor_.solve(nodeVector_);
    for (int place = 0; place < static_cast<int>(nodes_.size()); ++place) {
      const Node& node = nodes_[nodeAt_[place]];
      for (int i = 0; i < node.rows; ++i) lambda[node.row[i]] -= nodeVector_[place][i];
    }
  }
}

}  // namespace drystone
