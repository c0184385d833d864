#pragma once

#include <span>
#include <vector>

#include "solvers/problem/contact_problem.h"

namespace drystone {

/// ρ_c of every block of a problem (M.11) [kg], made when they are first asked for: what converges
/// by other measures never asks. Keeps its capacity.
class BlockSteps {
 public:
  void reserve(int blocks) { values_.reserve(blocks); }
  /// Forgets the last problem. The arrays of this one must outlive the use.
  void start(const ContactProblem& problem);
  std::span<const Real> values() const;

 private:
  ContactProblem problem_;
  mutable std::vector<Real> values_;  // empty until asked for
};

}  // namespace drystone
