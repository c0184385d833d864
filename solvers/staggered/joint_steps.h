#pragma once

#include <span>
#include <vector>

#include "solvers/linear/chosen_factor.h"
#include "solvers/pivoting/friction_newton.h"
#include "solvers/pivoting/proximal_newton.h"

namespace drystone {

/// Newton steps on the problem as a whole, between rounds: as long as no working set changes a
/// round is an affine map of the friction, which creeps towards its fixed point or, where friction
/// and normals resist the same motion, away from it. A Newton step goes there at once, and moves
/// the sets that it contradicts; where such steps wander, proximal points take over. Keeps its
/// storage.
class JointSteps {
 public:
  /// Rounds that pass without a try at most.
  static constexpr int kLongestRest = 8;

  void reserve(const ProblemSize& size);
  /// A new problem, with λ and w = A λ + b of the warm start. `rows` must outlive the use.
  void start(RowSystem& rows, std::span<const RowState> states, std::span<const Real> lambda,
             std::span<const Real> w);

  /// Whether this round may try.
  bool isDue();
  /// Plain steps from λ, to a natural map of `roundOff`, then those of proximal points, to one of
  /// `tolerance` [m/s]. `lambda` and `w` then hold the best point of them and of the start.
  /// Returns its natural map.
  Real run(std::span<const Real> lambda, Real tolerance, Real roundOff, const Deadline& deadline);
  /// After a try that was of no use 1, 2, 4, … kLongestRest rounds pass without one.
  void rate(bool wasOfUse);

  std::span<const Real> lambda() const { return lambda_; }
  std::span<const Real> w() const { return w_; }
  /// The report over all tries on the problem: factors, and Newton steps as outer iterations.
  const SolverReport& report() const { return report_; }
  /// No problem.
  void clear();

 private:
  RowSystem* rows_ = nullptr;
  SparseSpaceFactor factor_;
  FreeSystem system_;
  ContactStates states_;
  FrictionNewton newton_;
  ProximalNewton proximal_;
  ResidualHistory unused_;
  SolverReport report_;
  std::vector<Real> lambda_, w_;
  int rest_ = 0, resting_ = 0;
};

}  // namespace drystone
