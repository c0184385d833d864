#include "solvers/driver/convergence.h"

#include <algorithm>
#include <cmath>

#include "core/parallel.h"
#include "solvers/problem/residual.h"

namespace drystone {
namespace {

constexpr int kBlocks = 256;  // of a range: some 10 µs of work

Real finite(Real value) { return std::isfinite(value) ? value : kInfinity; }

}  // namespace

void ConvergenceMeter::reserve(const ProblemSize& size) {
  blockSteps_.reserve(size);
  sums_.reserve(size.blocks / kBlocks + 1);
}

void ConvergenceMeter::start(const ContactProblem& problem, const StoppingRule& rule, int threads) {
  threads_ = threads;
  problem_ = problem;
  rule_ = &rule;
  blockSteps_.start(problem, threads);
}

Real ConvergenceMeter::naturalMap(std::span<const Real> lambda, std::span<const Real> w) {
  const std::span<const Real> steps = blockSteps_.values();
  const int blocks = problem_.blockCount();
  sums_.assign((blocks + kBlocks - 1) / kBlocks, {});
  parallelRanges(blocks, kBlocks, threads_, [&](int begin, int end) {
    sums_[begin / kBlocks].add(problem_, begin, end, steps.data(), lambda.data(), w.data());
  });
  NaturalMapSum sum;
  for (const NaturalMapSum& part : sums_) sum.add(part);
  return sum.size().largest;
}

/// (Nützi 2011, Eq. 4.49) as a number: the largest |Δλ| / (|λ| + T_abs/T_rel), which is at most
/// T_rel exactly when every element obeys |Δλ| ≤ T_rel |λ| + T_abs.
Real ConvergenceMeter::impulseChange(std::span<const Real> lambda,
                                     std::span<const Real> previous) const {
  const Real relative = std::max<Real>(rule_->relativeTolerance, 1e-300);
  Real largest = 0;
  for (std::size_t row = 0; row < lambda.size(); ++row) {
    const Real change = std::abs(lambda[row] - previous[row]);
    if (change == 0) continue;
    const Real allowed = relative * std::abs(previous[row]) + rule_->absoluteTolerance;
    const Real ratio = change / allowed * relative;
    // Written so that a NaN is taken over.
    if (!(ratio <= largest)) largest = ratio;
  }
  return largest;
}

Measurement ConvergenceMeter::measure(std::span<const Real> lambda, std::span<const Real> previous,
                                      std::span<const Real> w) {
  const Real map = naturalMap(lambda, w);
  Real residual = map;
  if (rule_->criterion == StopCriterion::kRelative) residual = relativeError(problem_, lambda, w);
  if (needsPrevious()) residual = previous.empty() ? kInfinity : impulseChange(lambda, previous);
  // Always, so that iterates are compared by one figure.
  if (rule_->criterion != StopCriterion::kNaturalMap) {
    const Real confirmed = confirmation(problem_.b, map, rule_->relativeTolerance);
    if (!(confirmed <= residual)) residual = confirmed;
  }
  return {.residual = finite(residual), .error = finite(needsPrevious() ? map : residual)};
}

}  // namespace drystone
