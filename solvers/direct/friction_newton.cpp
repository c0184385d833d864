// Semismooth Newton for frictional contact in the form of P. Alart and A. Curnier, "A mixed
// formulation for frictional contact problems prone to Newton like solution methods", Computer
// Methods in Applied Mechanics and Engineering 92 (1991); damped as a proximal point method.

#include "solvers/direct/friction_newton.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace drystone {
namespace {

/// Plain steps without a clearly smaller natural map before the iteration counts as wandering.
constexpr int kPatience = 5;
/// Damped steps from one point that make things worse before one is taken nevertheless.
constexpr int kRejections = 5;

/// Damped steps without a better iterate that end a run whose best one is this close to the
/// tolerance: what is left is round-off in directions that the compliance alone determines.
constexpr int kStall = 12;
constexpr Real kNearlyThere = 100;

constexpr Real kFirstDamping = 1e-2;
constexpr Real kLeastDamping = 1e-12;
constexpr Real kDampingGrowth = 3;
constexpr Real kDampingDecay = 0.25;

/// Round-off of w relative to its largest term.
constexpr Real kRoundOff = 2e-15;

}  // namespace

void NewtonSettings::visit(SettingVisitor& visitor) {
  visitor.real(
      {"tolerance", "", "natural map that ends the friction iteration, over the largest |b|"},
      tolerance, 0, 1);
  visitor.integer({"max_newton", "", "plain friction steps before the damped ones"}, maxPlain, 0,
                  std::numeric_limits<int>::max());
  visitor.integer({"max_damped", "", "damped friction steps before the best iterate is returned"},
                  maxDamped, 0, std::numeric_limits<int>::max());
}

void FrictionNewton::Iterate::copyFrom(std::span<const Real> otherLambda,
                                       std::span<const Real> otherW,
                                       const NaturalMapSize& otherError) {
  lambda.assign(otherLambda.begin(), otherLambda.end());
  w.assign(otherW.begin(), otherW.end());
  error = otherError;
}

void FrictionNewton::reserve(const ProblemSize& size) {
  for (Iterate* iterate : {&current_, &best_}) {
    iterate->lambda.reserve(size.rows);
    iterate->w.reserve(size.rows);
  }
}

bool FrictionNewton::step(RowSystem& rows, FreeSystem& system, const ContactStates& states,
                          Real damping, Real tolerance, std::span<Real> lambda, std::span<Real> w) {
  states.fillBasis(rows, damping, system.basis());
  if (!system.factor()) return false;
  if (damping > 0) {
    for (int row = 0; row < rows.rowCount(); ++row) {
      rows.shift()[row] = -states.proximalWeight(row, damping) * lambda[row];
    }
  }
  states.place(rows, lambda);
  rows.velocity(lambda, w);
  system.correct(lambda, w, 0.01 * tolerance, 3);
  if (damping > 0) {
    std::fill(rows.shift().begin(), rows.shift().end(), 0.0);
    states.makeFeasible(rows, lambda);
    rows.velocity(lambda, w);
  }
  return true;
}

NewtonOutcome FrictionNewton::run(RowSystem& rows, FreeSystem& system, ContactStates& states,
                                  std::span<Real> lambda, std::span<Real> w,
                                  const NewtonSettings& settings, ResidualHistory& history) {
  const auto measure = [&] { return naturalMapSize(rows.problem(), rows.steps(), lambda, w); };
  const Real tolerance = settings.tolerance * rows.velocityScale();
  NewtonOutcome outcome;
  bool converged = false;
  best_.copyFrom(lambda, w, measure());
  const auto look = [&](const NaturalMapSize& error) {
    history.add(++outcome.iterations, error.largest);
    if (error.largest < best_.error.largest) best_.copyFrom(lambda, w, error);
    // Under heavy loads w is known to round-off of its terms only. An impulse that has run away is
    // no load, hence the limit.
    Real roundOff = 0;
    for (int row = 0; row < rows.rowCount(); ++row) {
      roundOff = std::max(roundOff, kRoundOff * rows.diagonal(row) * std::abs(lambda[row]));
    }
    converged = error.largest <= std::max(tolerance, std::min(roundOff, 100 * tolerance));
  };

  int sinceBetter = 0;
  while (!converged && outcome.iterations < settings.maxPlain && sinceBetter < kPatience) {
    if (outcome.iterations > 0) outcome.changes += states.classify(rows, lambda, w);
    const Real before = best_.error.largest;
    if (!step(rows, system, states, 0, tolerance, lambda, w)) break;
    const NaturalMapSize error = measure();
    if (!std::isfinite(error.largest)) break;
    look(error);
    sinceBetter = error.largest < 0.9 * before ? 0 : sinceBetter + 1;
  }

  current_.copyFrom(best_.lambda, best_.w, best_.error);
  Real damping = kFirstDamping;
  int rejections = 0;
  int sinceBest = 0;
  for (int i = 0; !converged && i < settings.maxDamped; ++i) {
    std::copy(current_.lambda.begin(), current_.lambda.end(), lambda.begin());
    std::copy(current_.w.begin(), current_.w.end(), w.begin());
    outcome.changes += states.classify(rows, lambda, w);
    const bool forced = rejections >= kRejections;
    if (forced) damping = kFirstDamping;
    const Real bestBefore = best_.error.largest;
    const bool stepped = step(rows, system, states, damping, tolerance, lambda, w);
    const NaturalMapSize error = stepped ? measure() : NaturalMapSize{kInfinity, -1, kInfinity};
    if (std::isfinite(error.largest)) look(error);
    sinceBest = best_.error.largest < bestBefore ? 0 : sinceBest + 1;
    if (sinceBest >= kStall && bestBefore <= kNearlyThere * tolerance) {
      outcome.status = SolveStatus::kStalled;
      break;
    }
    const bool better = error.norm < 0.999 * current_.error.norm;
    if (better || (forced && std::isfinite(error.largest))) {
      current_.copyFrom(lambda, w, error);
      if (better) damping = std::max(damping * kDampingDecay, kLeastDamping);
      rejections = 0;
    } else {
      damping *= kDampingGrowth;
      ++rejections;
    }
  }

  std::copy(best_.lambda.begin(), best_.lambda.end(), lambda.begin());
  std::copy(best_.w.begin(), best_.w.end(), w.begin());
  if (converged) {
    outcome.status = SolveStatus::kConverged;
  } else {
    states.classify(rows, lambda, w);  // the sets that go with this answer
  }
  outcome.naturalMap = best_.error.largest;
  return outcome;
}

}  // namespace drystone
