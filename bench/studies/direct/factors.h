#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "core/timer.h"
#include "solvers/linear/envelope_matrix.h"
#include "solvers/problem/contact_problem.h"

namespace drystone::bench {

BlockSparseMatrix assemble(const ContactProblem& problem);

inline bool isTight(RowState state) {
  return state == RowState::kLower || state == RowState::kUpper;
}
/// Marks of the tight rows by their place in the envelope.
std::vector<std::uint8_t> tightByPlace(const EnvelopeMatrix& envelope,
                                       std::span<const RowState> states);

/// Multiplications that factoring within the envelope takes.
Real factorCost(const EnvelopeMatrix& envelope);
/// Multiplications that taking the marked rows out of the factor takes.
Real downdateCost(const EnvelopeMatrix& envelope, std::span<const std::uint8_t> isOut);

/// Least wall time of `repeats` calls [ms].
template <class Work>
double leastTime(int repeats, Work&& work) {
  double least = kInfinity;
  for (int repeat = 0; repeat < repeats; ++repeat) {
    const Timer timer;
    work();
    least = std::min(least, timer.milliseconds());
  }
  return least;
}

}  // namespace drystone::bench
