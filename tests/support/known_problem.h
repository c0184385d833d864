#pragma once

#include <string>
#include <vector>

#include "core/random.h"
#include "solvers/problem/judge.h"

namespace drystone::test {

Real logUniform(Random& random, Real low, Real high);

/// Impulses and velocities of all rows of a problem, whose b is made for them.
struct Pair {
  std::vector<Real> lambda, w;
};

/// A random problem with an exact pair, by b = w* − A λ*, and ways to break its laws that know
/// nothing of the judge. Bodies of mass ratios to 1e6, contacts of one model with μ from 0 to 1e6,
/// joints, compliance to 1e4/kg.
class KnownProblem {
 public:
  /// Velocities are of the size `speed` [m/s], as those of a step of the length speed / g are.
  KnownProblem(Random& random, FrictionModel model, Real speed);

  const Pair& exact() const { return exact_; }

  /// What the judge says of a pair.
  JudgeReport judged(const Pair& pair);
  /// What b cannot hold of the last pair's w [m/s].
  Real roundOff() const { return roundOff_; }
  Real largestFriction() const;

  /// Breaks the law of a random block by V: no exact pair lies within V, w in m/s and λ by the
  /// velocity λ/ρ that it gives. Says how; nothing where the block has no such way.
  std::string breakLaw(Real v, Pair& pair);

  /// What the judge says of the exact impulses with those of some blocks changed, so that the
  /// fastest row moves by V. b is that of the exact pair.
  JudgeReport changed(Real v);

 private:
  int blockCount() const { return static_cast<int>(problem_.blocks.size()); }
  int firstOf(int block) const { return problem_.blocks[block].firstRow; }
  int rowsOf(int block) const { return problem_.blocks[block].rows; }
  Real speed() { return speed_ * logUniform(random_, 1e-3, 1); }
  bool followsNormal() const {
    return model_ != FrictionModel::kNone && model_ != FrictionModel::kBox;
  }
  Real radius(const ProblemBlock& block, Real normal) const {
    return block.friction * (model_ == FrictionModel::kBox ? block.normalBound : normal);
  }
  /// A vector of the tangents, of length 1.
  void randomTangent(int count, Real* t);
  /// Sets friction to what slips at `slip`, or sticks inside the share of its set.
  void setFriction(const ProblemBlock& block, bool slips, Real slip, Real share, Pair& pair);
  void makeExact(int block);
  void makeExactRow(int row, Real unit);
  std::string breakRow(int block, Real v, Pair& pair);
  std::string breakContact(int block, Real v, Pair& pair);
  std::string breakNormal(int way, const ProblemBlock& block, Real unit, Real v, Pair& pair);
  std::string breakFriction(int way, const ProblemBlock& block, Real unit, Real v, Pair& pair);

  Random& random_;
  FrictionModel model_;
  Real speed_;
  StoredProblem problem_;
  Pair exact_;
  std::vector<Real> velocityOfUnit_;  ///< [blocks] 1/ρ [1/kg]
  JudgeWorkspace workspace_;
  Real roundOff_ = 0;
};

}  // namespace drystone::test
