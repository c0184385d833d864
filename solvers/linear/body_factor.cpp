#include "solvers/linear/body_factor.h"

#include <algorithm>

#include "solvers/linear/block_kernel.h"

namespace drystone {
namespace {

/// Smallest D over the unknown's diagonal of A. The factor's error grows as round-off over this
/// number, its distance to a singular system falls with it.
constexpr Real kComplianceFloor = 1e-11;

/// Graphs of a problem: sets that grow by a pair take another, and the last one has all pairs. Each
/// costs an analysis, and more of them save nothing where sets change (docs/results/direct.md).
constexpr int kMostPatterns = 3;

}  // namespace

void BodyFactor::reserve(const ProblemSize& size) {
  pairs_.reserve(size.blocks);
  couplings_.reserve(size.blocks);
  equations_.reserve(size.rows);
  columns_.reserve(size.rows);
  inverseCompliance_.reserve(size.rows);
  blockBegin_.reserve(size.blocks + 1);
  velocity_.reserve(size.bodies);
  oldEquations_.reserve(size.rows);
  oldColumns_.reserve(size.rows);
  oldInverseCompliance_.reserve(size.rows);
  oldBlockBegin_.reserve(size.blocks + 1);
  isChanged_.reserve(size.bodies);
}

void BodyFactor::analyze(const RowSystem& system, BasisKind) {
  const ContactProblem& problem = system.problem();
  analyses_.resize(kAnalyses);
  pattern_ = nullptr;
  patterns_ = 0;
  pairs_.clear();
  velocity_.resize(problem.bodyCount());
  // Both halves of what `factor` swaps.
  for (auto* rows : {&equations_, &columns_, &oldEquations_, &oldColumns_}) {
    rows->reserve(problem.rowCount());
  }
  inverseCompliance_.reserve(problem.rowCount());
  oldInverseCompliance_.reserve(problem.rowCount());
  oldBlockBegin_.reserve(problem.blockCount() + 1);
  blockBegin_.reserve(problem.blockCount() + 1);
}

bool BodyFactor::hasPairsOf(const ContactProblem& problem, const FreeBasis& basis) const {
  for (int c = 0; c < problem.blockCount(); ++c) {
    if (couplings_[c].needsEntry() && basis.blockBegin(c) < basis.blockEnd(c)) return false;
  }
  return true;
}

void BodyFactor::listPairs(const ContactProblem& problem, const FreeBasis& basis) {
  const bool takesAll = patterns_ >= kMostPatterns - 1;
  for (int c = 0; c < problem.blockCount(); ++c) {
    const ProblemBlock& block = problem.blocks[c];
    if (block.bodyA < 0 || block.bodyB < 0) continue;
    if (!takesAll && basis.blockBegin(c) == basis.blockEnd(c)) continue;
    const std::pair<int, int> pair = std::minmax(block.bodyA, block.bodyB);
    if (pairs_.empty() || pairs_.back() != pair) pairs_.push_back(pair);
  }
  std::sort(pairs_.begin(), pairs_.end());
  pairs_.erase(std::unique(pairs_.begin(), pairs_.end()), pairs_.end());
}

const BlockPattern& BodyFactor::findPattern(int bodies) {
  for (const Analysis& analysis : analyses_) {
    if (analysis.nodes == bodies && analysis.pairs == pairs_) return analysis.pattern;
  }
  Analysis& analysis = analyses_[oldest_];
  oldest_ = (oldest_ + 1) % kAnalyses;
  analysis.nodes = bodies;
  analysis.pairs = pairs_;
  analysis.pattern.build(analysis.nodes, pairs_);
  return analysis.pattern;
}

void BodyFactor::placeBlocks(const ContactProblem& problem) {
  couplings_.clear();
  const ProblemBlock* last = nullptr;
  for (const ProblemBlock& block : problem.blocks) {
    // Contacts of a pair follow one another.
    if (last != nullptr && block.bodyA == last->bodyA && block.bodyB == last->bodyB) {
      couplings_.push_back(couplings_.back());
      continue;
    }
    Coupling coupling{-1, -1, -1, false};
    if (block.bodyA >= 0) coupling.bodyA = pattern_->place(block.bodyA);
    if (block.bodyB >= 0) coupling.bodyB = pattern_->place(block.bodyB);
    if (block.bodyA >= 0 && block.bodyB >= 0) {
      coupling.entry = pattern_->find(block.bodyA, block.bodyB);
      coupling.swapped = coupling.bodyA > coupling.bodyB;
    }
    couplings_.push_back(coupling);
    last = &block;
  }
}

void BodyFactor::choosePattern(const ContactProblem& problem, const FreeBasis& basis) {
  if (pattern_ != nullptr && hasPairsOf(problem, basis)) return;
  listPairs(problem, basis);
  ++patterns_;
  pattern_ = &findPattern(problem.bodyCount());
  factor_.reserve(pattern_->nodeCount(), pattern_->entryCount());
  placeBlocks(problem);
  isFactored_ = false;
}

bool BodyFactor::isSame(int block) const {
  const int begin = blockBegin_[block], end = blockBegin_[block + 1];
  const int oldBegin = oldBlockBegin_[block];
  if (end - begin != oldBlockBegin_[block + 1] - oldBegin) return false;
  const auto same = [](const ScaledRow& p, const ScaledRow& q) {
    return p.onA == q.onA && p.onB == q.onB;
  };
  for (int k = begin, old = oldBegin; k < end; ++k, ++old) {
    if (inverseCompliance_[k] != oldInverseCompliance_[old] ||
        !same(equations_[k], oldEquations_[old]) ||
        (!symmetric_ && !same(columns_[k], oldColumns_[old]))) {
      return false;
    }
  }
  return true;
}

void BodyFactor::beginColumns(int blocks) {
  if (!isFactored_ || symmetric_ != wasSymmetric_) {
    factor_.begin(*pattern_, symmetric_);
    return;
  }
  isChanged_.assign(pattern_->nodeCount(), 0);
  for (int c = 0; c < blocks; ++c) {
    if (isSame(c)) continue;
    if (couplings_[c].bodyA >= 0) isChanged_[couplings_[c].bodyA] = 1;
    if (couplings_[c].bodyB >= 0) isChanged_[couplings_[c].bodyB] = 1;
  }
  factor_.beginChange(isChanged_);
}

void BodyFactor::gather(const RowSystem& system, const FreeBasis& basis) {
  const std::span<const ScaledRow> rows = system.scaledRows();
  const auto combine = [&](int row, const Vec3& weights) {
    ScaledRow sum;
    for (int j = 0; j < 3; ++j) {
      sum.onA += weights[j] * rows[row + j].onA;
      sum.onB += weights[j] * rows[row + j].onB;
    }
    return sum;
  };
  equations_.resize(basis.count());
  columns_.resize(symmetric_ ? 0 : basis.count());
  inverseCompliance_.resize(basis.count());
  regularization_ = 0;
  for (int k = 0; k < basis.count(); ++k) {
    const int row = basis.row(k);
    Real compliance = basis.extra(k);
    if (basis.plain(k)) {
      compliance += system.compliance(row);
      equations_[k] = rows[row];
      if (!symmetric_) columns_[k] = rows[row];
    } else {
      equations_[k] = combine(row, basis.equation(k));
      if (!symmetric_) columns_[k] = combine(row, basis.column(k));
      for (int j = 0; j < 3; ++j) {
        compliance += basis.equation(k)[j] * system.compliance(row + j) * basis.column(k)[j];
      }
    }
    const ScaledRow& g = equations_[k];
    const Real floor = kComplianceFloor * (g.onA.squaredNorm() + g.onB.squaredNorm());
    if (compliance < floor) {
      regularization_ = std::max(regularization_, floor - compliance);
      compliance = floor;
    }
    // A row that nothing moves and that has no compliance: its unknown stays where it is.
    inverseCompliance_[k] = compliance > 0 ? 1 / compliance : 0;
  }
}

void BodyFactor::addBlocks(const Coupling& coupling, int begin, int end, bool symmetric) {
  const BlockKernel& kernel = blockKernel();
  const ScaledRow* equations = &equations_[begin];
  const ScaledRow* columns = symmetric ? equations : &columns_[begin];
  const std::span<const Real> weights(&inverseCompliance_[begin], end - begin);
  const auto onA = &ScaledRow::onA, onB = &ScaledRow::onB;
  if (coupling.bodyA >= 0 && factor_.isOpen(coupling.bodyA)) {
    kernel.addOuterProducts({weights, columns, onA, equations, onA},
                            factor_.diagonal(coupling.bodyA));
  }
  if (coupling.bodyB >= 0 && factor_.isOpen(coupling.bodyB)) {
    kernel.addOuterProducts({weights, columns, onB, equations, onB},
                            factor_.diagonal(coupling.bodyB));
  }
  if (coupling.entry < 0 || !factor_.isOpen(std::min(coupling.bodyA, coupling.bodyB))) return;
  // The block below the diagonal has the later body's row and the earlier body's column.
  const auto later = coupling.swapped ? onA : onB, earlier = coupling.swapped ? onB : onA;
  kernel.addOuterProducts({weights, columns, later, equations, earlier},
                          factor_.lower(coupling.entry));
  if (symmetric) return;
  kernel.addOuterProducts({weights, equations, later, columns, earlier},
                          factor_.upperTransposed(coupling.entry));
}

bool BodyFactor::factor(const RowSystem& system, const FreeBasis& basis) {
  std::swap(equations_, oldEquations_);
  std::swap(columns_, oldColumns_);
  std::swap(inverseCompliance_, oldInverseCompliance_);
  std::swap(blockBegin_, oldBlockBegin_);
  wasSymmetric_ = symmetric_;
  symmetric_ = basis.symmetric();
  gather(system, basis);
  const int blocks = system.problem().blockCount();
  blockBegin_.resize(blocks + 1);
  for (int c = 0; c < blocks; ++c) blockBegin_[c] = basis.blockBegin(c);
  blockBegin_[blocks] = basis.count();
  choosePattern(system.problem(), basis);
  beginColumns(blocks);
  for (int i = 0; i < pattern_->nodeCount(); ++i) {
    if (factor_.isOpen(i)) factor_.diagonal(i).setIdentity();
  }
  for (int c = 0, end = 0; c < blocks; c = end) {
    const Coupling& coupling = couplings_[c];
    // All contacts of a pair at once: they follow one another.
    for (end = c + 1; end < blocks && couplings_[end].joinsSame(coupling); ++end) {
    }
    if (blockBegin_[c] < blockBegin_[end]) {
      addBlocks(coupling, blockBegin_[c], blockBegin_[end], symmetric_);
    }
  }
  isFactored_ = factor_.factor();
  return isFactored_;
}

std::int64_t BodyFactor::storage() const {
  if (pattern_ == nullptr) return 0;
  return static_cast<std::int64_t>(Mat6::SizeAtCompileTime) *
         (pattern_->nodeCount() + pattern_->entryCount());
}

void BodyFactor::solve(std::span<Real> x) {
  for (Vec6& u : velocity_) u.setZero();
  for (std::size_t c = 0; c < couplings_.size(); ++c) {
    const Coupling& coupling = couplings_[c];
    for (int k = blockBegin_[c]; k < blockBegin_[c + 1]; ++k) {
      const ScaledRow& g = symmetric_ ? equations_[k] : columns_[k];
      const Real weight = inverseCompliance_[k] * x[k];
      if (coupling.bodyA >= 0) velocity_[coupling.bodyA] += weight * g.onA;
      if (coupling.bodyB >= 0) velocity_[coupling.bodyB] += weight * g.onB;
    }
  }
  factor_.solve(velocity_);
  for (std::size_t c = 0; c < couplings_.size(); ++c) {
    const Coupling& coupling = couplings_[c];
    for (int k = blockBegin_[c]; k < blockBegin_[c + 1]; ++k) {
      Real slack = x[k];
      if (coupling.bodyA >= 0) slack -= equations_[k].onA.dot(velocity_[coupling.bodyA]);
      if (coupling.bodyB >= 0) slack -= equations_[k].onB.dot(velocity_[coupling.bodyB]);
      x[k] = inverseCompliance_[k] * slack;
    }
  }
}

}  // namespace drystone
