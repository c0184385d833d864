#pragma once

#include <span>
#include <vector>

#include "solvers/driver/contact_solver.h"
#include "solvers/driver/stopping.h"
#include "solvers/problem/residual.h"

namespace drystone {

/// What is said of an iterate; +∞ where it is not finite.
struct Measurement {
  /// In the unit of the criterion, comparable with its tolerance. What is relative to λ is the
  /// larger of itself and its confirmation by the natural map.
  Real residual = kInfinity;
  /// By which iterates are compared: of `impulse_change`, which says how far the iterate moved and
  /// not how far off it is, the natural map [m/s]; else the residual.
  Real error = kInfinity;
};

/// Measures the residual that a stopping rule asks for. For iterative solvers; not the judge,
/// though it uses the same formulas, with a w that the solver supplies.
class ConvergenceMeter {
 public:
  void reserve(const ProblemSize& size);
  /// Forgets the last problem. The steps ρ_c are computed when they are first needed.
  /// More threads change no bit of what is measured.
  void start(const ContactProblem& problem, const StoppingRule& rule, int threads = 1);
  /// True when `measure` needs the impulses of one sweep earlier.
  bool needsPrevious() const { return rule_->criterion == StopCriterion::kImpulseChange; }
  /// `previous` may be empty where it is not needed; where it is, as for a start, the residual is
  /// then +∞.
  Measurement measure(std::span<const Real> lambda, std::span<const Real> previous,
                      std::span<const Real> w);
  /// Whether the natural map is all that is asked for, whoever takes it.
  bool asksForNaturalMap() const { return rule_->criterion == StopCriterion::kNaturalMap; }
  /// ρ_c of every block, to take it by.
  std::span<const Real> steps() const { return blockSteps_.values(); }

 private:
  Real naturalMap(std::span<const Real> lambda, std::span<const Real> w);
  Real impulseChange(std::span<const Real> lambda, std::span<const Real> previous) const;

  ContactProblem problem_;
  const StoppingRule* rule_ = nullptr;
  BlockSteps blockSteps_;
  std::vector<NaturalMapSum> sums_;  ///< by range of blocks
  int threads_ = 1;
};

}  // namespace drystone
