// Derivatives of solutions against closed forms and central differences of tight solves.
#include "solvers/sensitivity/sensitivity.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/input_error.h"
#include "core/random.h"
#include "tests/support/mlcp.h"
#include "tests/support/problem_builder.h"
#include "tests/support/problems.h"
#include "tests/support/random_problems.h"
#include "tests/unit/solvers/sensitivity/solved_problems.h"

namespace drystone::test {
namespace {

constexpr FrictionModel kModels[] = {FrictionModel::kNone, FrictionModel::kBox,
                                     FrictionModel::kPyramid, FrictionModel::kDiamond,
                                     FrictionModel::kCone};

/// A direction in all data of a problem, of their own sizes.
struct Direction {
  std::vector<Real> b, compliance, friction, lower, upper;

  Direction(Random& random, const StoredProblem& problem) {
    Real largest = 0;
    for (const Real x : problem.b) largest = std::max(largest, std::abs(x));
    const auto some = [&](std::size_t n, Real size) {
      std::vector<Real> values(n);
      for (Real& x : values) x = random.uniform(-size, size);
      return values;
    };
    b = some(problem.b.size(), largest);
    compliance = some(problem.compliance.size(), 1);
    for (std::size_t i = 0; i < compliance.size(); ++i) compliance[i] *= problem.compliance[i];
    friction = some(problem.blocks.size(), 1);
    for (std::size_t c = 0; c < friction.size(); ++c) friction[c] *= problem.blocks[c].friction;
    lower = some(problem.lower.size(), 1e-2);
    upper = some(problem.upper.size(), 1e-2);
  }

  ProblemChange change() const { return {b, compliance, friction, lower, upper}; }

  StoredProblem moved(StoredProblem problem, Real t) const {
    for (std::size_t i = 0; i < b.size(); ++i) problem.b[i] += t * b[i];
    for (std::size_t i = 0; i < compliance.size(); ++i) problem.compliance[i] += t * compliance[i];
    for (std::size_t c = 0; c < friction.size(); ++c) problem.blocks[c].friction += t * friction[c];
    for (std::size_t i = 0; i < lower.size(); ++i) problem.lower[i] += t * lower[i];
    for (std::size_t i = 0; i < upper.size(); ++i) problem.upper[i] += t * upper[i];
    return problem;
  }
};

/// What a comparison found: the largest error of dλ and dw relative to their largest entry.
struct Comparison {
  bool isValid = false;  // the difference stays within t*, and both ends were solved
  Real lambda = 0, w = 0;
};

/// Central differences of the fourth order, so that slipping contacts may turn on the way.
Comparison compare(const StoredProblem& problem, const Direction& direction) {
  Comparison found;
  const Solved at = solveToRoundOff(problem);
  if (at.judged.naturalMap > 1e-12) return found;
  Sensitivity sensitivity;
  if (!sensitivity.prepare(problem.view(), at.lambda).hasCertainStates()) return found;
  const SolutionDerivative derivative = sensitivity.forward(direction.change());
  const Real within = std::min(derivative.ahead.radius, derivative.behind.radius);
  const Real step = std::min(0.03 * within, 1e-4);
  if (step < 1e-6) return found;  // the rounding of two solves is seen in it
  std::vector<Real> lambda(at.lambda.size(), 0), w(at.lambda.size(), 0);
  const Real times[4] = {-2, -1, 1, 2}, weights[4] = {1. / 12, -8. / 12, 8. / 12, -1. / 12};
  for (int i = 0; i < 4; ++i) {
    const Solved end = solveToRoundOff(direction.moved(problem, times[i] * step), at);
    if (end.judged.naturalMap > 1e-12) return found;
    for (std::size_t row = 0; row < lambda.size(); ++row) {
      lambda[row] += weights[i] * end.lambda[row] / step;
      w[row] += weights[i] * end.w[row] / step;
    }
  }
  found.isValid = true;
  const Real size = largestEntry(derivative.lambda);
  found.lambda = largestDifference(lambda, derivative.lambda) / (size > 0 ? size : 1);
  found.w = largestDifference(w, derivative.w) / largestEntry(direction.b);
  return found;
}

/// One contact of A = 1/2 and μ = 0.4 at (λ, w).
class OneContactDerivative {
 public:
  OneContactDerivative(const std::vector<Real>& lambda, const std::vector<Real>& w)
      : problem_(oneContact(FrictionModel::kCone, 0.4, 0.5, lambda, w)) {
    sensitivity_.prepare(problem_.view(), lambda);
  }
  SolutionDerivative byB(std::vector<Real> b) { return sensitivity_.forward({.b = b}); }
  SolutionDerivative byFriction() {
    const std::vector<Real> unit = {1};
    return sensitivity_.forward({.friction = unit});
  }

 private:
  StoredProblem problem_;
  Sensitivity sensitivity_;
};

void expectNear(const std::vector<Real>& values, const std::vector<Real>& expected) {
  EXPECT_LE(largestDifference(values, expected), 1e-14) << ::testing::PrintToString(values);
}

TEST(Sensitivity, ContactThatLifts_CarriesNothingAndMovesFreely) {
  OneContactDerivative contact({0, 0, 0}, {0.3, 0.1, 0});
  const SolutionDerivative derivative = contact.byB({-2, 1, 3});
  expectNear(derivative.lambda, {0, 0, 0});
  expectNear(derivative.w, {-2, 1, 3});
  EXPECT_NEAR(derivative.ahead.radius, 0.15, 1e-15) << "w_n = 0.3 − 2 t";
  EXPECT_EQ(derivative.behind.radius, kInfinity);
}

TEST(Sensitivity, ContactThatSticks_TakesAllOfB) {
  OneContactDerivative contact({2, 0.3, 0}, {0, 0, 0});
  const SolutionDerivative derivative = contact.byB({0, -1, 0});
  expectNear(derivative.lambda, {0, 2, 0});
  expectNear(derivative.w, {0, 0, 0});
  EXPECT_NEAR(derivative.ahead.radius, 0.25, 1e-15) << "0.3 + 2 t = 0.8";
  EXPECT_NEAR(derivative.behind.radius, 0.55, 1e-15) << "0.3 − 2 t = −0.8";
  expectNear(contact.byFriction().lambda, {0, 0, 0});
}

// w_t = (0, σ), λ_t = (0, −μ λ_n). With b: dλ_n = −2 db_n, and across the slip the impulse turns
// with the velocity w_t = λ_t/2 + b_t, whose length without friction is σ + μ λ_n/2 = 1.
TEST(Sensitivity, ContactThatSlides_TurnsWithItsVelocity) {
  OneContactDerivative contact({2, 0, -0.8}, {0, 0, 0.6});
  expectNear(contact.byB({-1, 0, 0}).lambda, {2, 0, -0.8});
  const SolutionDerivative across = contact.byB({0, 1, 0});
  expectNear(across.lambda, {0, -0.8, 0});
  expectNear(across.w, {0, 0.6, 0});
  EXPECT_EQ(across.ahead.radius, kInfinity) << "1 + t² never comes back to μ λ_n/2";
  const SolutionDerivative along = contact.byB({0, 0, -1});
  expectNear(along.lambda, {0, 0, 0});
  EXPECT_NEAR(along.ahead.radius, 0.6, 1e-15) << "σ = 0.6 − t";
  const SolutionDerivative byFriction = contact.byFriction();
  expectNear(byFriction.lambda, {0, 0, -2});
  expectNear(byFriction.w, {0, 0, -1});
  EXPECT_NEAR(byFriction.ahead.radius, 0.6, 1e-15);
}

class SensitivityOfRandom : public ::testing::TestWithParam<std::string_view> {};
INSTANTIATE_TEST_SUITE_P(Kinds, SensitivityOfRandom, ::testing::ValuesIn(kRandomKinds),
                         [](const auto& kind) { return std::string(kind.param); });

TEST_P(SensitivityOfRandom, Problems_MoveAsTheirDifferences) {
  int valid = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const StoredProblem problem = withCompliance(randomProblem(GetParam(), seed));
    if (problem.b.size() > 90) continue;  // four tight solves each
    Random random(seed);
    const Comparison found = compare(problem, Direction(random, problem));
    if (!found.isValid) continue;
    ++valid;
    EXPECT_LE(found.lambda, 1e-6) << "seed " << seed;
    EXPECT_LE(found.w, 1e-6) << "seed " << seed;
  }
  EXPECT_GE(valid, 8);
}

TEST(Sensitivity, PilesWithJoints_MoveAsTheirDifferencesUnderEveryModel) {
  for (const FrictionModel model : kModels) {
    int valid = 0;
    for (std::uint64_t seed = 0; seed < 3; ++seed) {
      for (const StoredProblem& problem : {withCompliance(pileWithJoints(model, 0.4, seed)),
                                           withCompliance(randomPile(model, 2, 2, 2, 0.3, seed))}) {
        Random random(seed);
        const Comparison found = compare(problem, Direction(random, problem));
        if (!found.isValid) continue;
        ++valid;
        EXPECT_LE(found.lambda, 1e-6) << frictionModelName(model) << seed;
        EXPECT_LE(found.w, 1e-6) << frictionModelName(model) << seed;
      }
    }
    EXPECT_GE(valid, 2) << frictionModelName(model);
  }
}

TEST(Sensitivity, BoundedRows_MoveWithTheirBounds) {
  int valid = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Random random(seed);
    const RandomMlcp made = randomMlcp(random, 8, 8);
    const StoredProblem problem = mlcp(made.a, made.b, made.lower, made.upper);
    Direction direction(random, problem);
    for (std::size_t i = 0; i < direction.lower.size(); ++i) {  // fixed rows stay fixed
      if (problem.lower[i] == problem.upper[i]) direction.upper[i] = direction.lower[i];
    }
    const Comparison found = compare(problem, direction);
    if (!found.isValid) continue;
    ++valid;
    EXPECT_LE(found.lambda, 1e-6) << seed;
  }
  EXPECT_GE(valid, 10);
}

/// gᵀ J v both ways, relative to the sum of the sizes of its terms.
Real adjointError(Random& random, const StoredProblem& problem, const std::vector<Real>& lambda) {
  Sensitivity sensitivity;
  sensitivity.prepare(problem.view(), lambda);
  const Direction direction(random, problem), loss(random, problem), lossW(random, problem);
  const SolutionDerivative derivative = sensitivity.forward(direction.change());
  const ProblemGradient gradient = sensitivity.adjoint({.lambda = loss.b, .w = lossW.b});
  const Real forward = dot(loss.b, derivative.lambda) + dot(lossW.b, derivative.w);
  Real adjoint = 0, size = 0;
  const auto add = [&](const std::vector<Real>& v, const std::vector<Real>& g) {
    adjoint += dot(v, g);
    for (std::size_t i = 0; i < v.size(); ++i) size += std::abs(v[i] * g[i]);
  };
  add(direction.b, gradient.b);
  add(direction.compliance, gradient.compliance);
  add(direction.friction, gradient.friction);
  add(direction.lower, gradient.lower);
  add(direction.upper, gradient.upper);
  return std::abs(forward - adjoint) / size;
}

TEST(Sensitivity, Adjoint_IsForwardTransposed) {
  Random random(5);
  for (const FrictionModel model : kModels) {
    for (std::uint64_t seed = 0; seed < 3; ++seed) {
      const StoredProblem pile = pileWithJoints(model, 0.4, seed);
      const std::vector<Real> lambda = solveToRoundOff(pile).lambda;
      EXPECT_LE(adjointError(random, pile, lambda), 1e-12) << frictionModelName(model) << seed;
      EXPECT_LE(adjointError(random, withCompliance(pile), lambda), 1e-12)
          << frictionModelName(model) << seed;
      // Stored matrices need not be symmetric.
      StoredProblem skew = assembled(withCompliance(pile));
      for (Real& value : skew.assembled->values) value *= random.uniform(0.9, 1.1);
      EXPECT_LE(adjointError(random, skew, lambda), 1e-12) << frictionModelName(model) << seed;
    }
    // Four corners that slide: K has no inverse.
    const StoredProblem box = boxOnPlane(model, 3, 0.3, 2);
    EXPECT_LE(adjointError(random, box, solveToRoundOff(box).lambda), 1e-12)
        << frictionModelName(model);
  }
}

TEST(Sensitivity, AssembledForm_MovesAsTheBodyForm) {
  Random random(3);
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    const StoredProblem bodies = withCompliance(pileWithJoints(FrictionModel::kCone, 0.4, seed));
    const StoredProblem matrix = assembled(bodies);
    const Solved solved = solveToRoundOff(bodies);
    const Direction direction(random, bodies);
    Sensitivity one, other;
    one.prepare(bodies.view(), solved.lambda);
    other.prepare(matrix.view(), solved.lambda);
    const SolutionDerivative a = one.forward(direction.change());
    const SolutionDerivative b = other.forward(direction.change());
    EXPECT_LE(largestDifference(a.lambda, b.lambda), 1e-10 * largestEntry(a.lambda));
    EXPECT_NEAR(a.ahead.radius, b.ahead.radius, 1e-8 * a.ahead.radius);
  }
}

// A of four corners that stick has rank 6 of 12. What presses evenly moves each corner by a
// quarter, the shortest of all answers; what raises one corner alone no motion of the box can
// follow.
TEST(Sensitivity, RedundantCorners_AreFlagged) {
  const StoredProblem box = boxOnPlane(FrictionModel::kCone, 2, 0.5);
  const Solved solved = solveToRoundOff(box);
  Sensitivity sensitivity;
  const SolutionCertificate& certificate = sensitivity.prepare(box.view(), solved.lambda);
  EXPECT_FALSE(certificate.isUnique());
  EXPECT_EQ(certificate.unknowns, 12);
  EXPECT_EQ(certificate.rank, 6);
  std::vector<Real> press(12, 0), raise(12, 0), quarter(12, 0);
  for (int corner = 0; corner < 4; ++corner) {
    press[3 * corner] = -1;
    quarter[3 * corner] = 0.5;
  }
  raise[0] = 1;
  const SolutionDerivative even = sensitivity.forward({.b = press});
  EXPECT_LE(largestDifference(even.lambda, quarter), 1e-13);
  EXPECT_LE(even.residual, 1e-13);
  EXPECT_GE(sensitivity.forward({.b = raise}).residual, 0.1);
  const StoredProblem soft = withCompliance(box);
  EXPECT_TRUE(sensitivity.prepare(soft.view(), solveToRoundOff(soft).lambda).isUnique());
  EXPECT_LE(sensitivity.forward({.b = raise}).residual, 1e-12);
}

// λ_n = 2 N s at 1/2 kg⁻¹ keeps its state by 1 m/s, and the sticking by (0.8 − 0.3)/2.
TEST(Sensitivity, Margins_DecideWhetherStatesAreCertain) {
  const std::vector<Real> lambda = {2, 0.3, 0};
  const StoredProblem sticks = oneContact(FrictionModel::kCone, 0.4, 0.5, lambda, {0, 0, 0});
  Sensitivity sensitivity;
  EXPECT_NEAR(sensitivity.prepare(sticks.view(), lambda).leastMargin, 0.25, 1e-15);
  EXPECT_TRUE(sensitivity.certificate().hasCertainStates());
  EXPECT_EQ(sensitivity.certificate().weakestBlock, 0);
  const std::vector<Real> presses = {2, 0, 0};
  const StoredProblem rough = oneContact(FrictionModel::kCone, 2, 0.5, presses, {0, 0, 0});
  EXPECT_NEAR(Sensitivity().prepare(rough.view(), presses).leastMargin, 1, 1e-15) << "λ_n/2";
  // Impulses that are off by less, and by more, than they are inside the cone.
  EXPECT_TRUE(sensitivity.prepare(sticks.view(), std::vector<Real>{2, 0.4, 0}).hasCertainStates());
  EXPECT_FALSE(
      sensitivity.prepare(sticks.view(), std::vector<Real>{2, 0.79, 0}).hasCertainStates());
  const std::vector<Real> slides = {2, -0.8, 0};
  const StoredProblem slow = oneContact(FrictionModel::kCone, 0.4, 0.5, slides, {0, 1e-3, 0});
  EXPECT_NEAR(sensitivity.prepare(slow.view(), slides).leastMargin, 1e-3, 1e-15);
}

// A map of 3e-7 m/s is far below the margin of 2e-3 m/s. But A bends λ by 1/λ_min = 1e4 of it: the
// answer is (0, 1.001), and the first row lifts.
TEST(Sensitivity, ImpulsesThatTheMapTellsTooLittleOf_AreNotCertain) {
  MatX a(2, 2);
  a << 1, -0.9999, -0.9999, 1;
  VecX b(2);
  b << 1.0009, -1.0009999;
  const StoredProblem stored = lcp(a, b);
  Sensitivity sensitivity;
  const SolutionCertificate near =
      sensitivity.prepare(stored.view(), std::vector<Real>{0.002, 1.003});
  EXPECT_LT(near.naturalMap, 1e-3 * near.leastMargin);
  EXPECT_FALSE(near.hasCertainStates());
  EXPECT_EQ(near.step.block, 0);
  EXPECT_NEAR(near.step.radius, 0.002 / 0.003, 1e-3);
  const SolutionCertificate exact =
      sensitivity.prepare(stored.view(), std::vector<Real>{0, 1.0009999});
  EXPECT_TRUE(exact.hasCertainStates());
  EXPECT_EQ(exact.step.radius, kInfinity);
}

// The step begins where impulses are as their states say: an open row that presses a little bends
// the others, and friction that slips is brought to its bound of 0.8 N s.
TEST(Sensitivity, NewtonStep_BringsImpulsesToTheirBounds) {
  MatX a(3, 3);
  a << 1, -0.005, 0, -0.005, 1, -0.9999, 0, -0.9999, 1;
  VecX b(3);
  b << 1, 1.0009, -1.0009999;
  const StoredProblem stored = lcp(a, b);
  Sensitivity sensitivity;
  const std::vector<Real> presses = {6e-5, 0.002, 1.003};
  EXPECT_LT(sensitivity.prepare(stored.view(), presses).naturalMap, 1e-4);
  EXPECT_NEAR(sensitivity.certificate().step.radius, 0.002 / 0.003, 1e-3);
  // w_t falls from 7 mm/s to 2 mm/s.
  for (const FrictionModel model : {FrictionModel::kCone, FrictionModel::kPyramid}) {
    const StoredProblem slides = oneContact(model, 0.4, 0.5, {2, -0.8, 0}, {0, 0.002, 0});
    const std::vector<Real> off = {2, -0.79, 0};
    EXPECT_TRUE(sensitivity.prepare(slides.view(), off).hasCertainStates());
    EXPECT_NEAR(sensitivity.certificate().step.radius, 7.0 / 5, 1e-12);
  }
}

TEST(Sensitivity, WrongInput_IsRefused) {
  Sensitivity sensitivity;
  const StoredProblem box = boxOnPlane(FrictionModel::kCone, 2, 0.5);
  const std::vector<Real> lambda(12, 1), few(11, 1), notFinite(12, kInfinity);
  EXPECT_THROW(sensitivity.prepare(box.view(), few), InputError);
  EXPECT_THROW(sensitivity.prepare(box.view(), notFinite), InputError);
  const StoredProblem spins = sphereSpinning(FrictionModel::kContensou, 0.5, 1);
  EXPECT_THROW(sensitivity.prepare(spins.view(), std::vector<Real>(4, 0)), InputError);
  const StoredProblem chain = hangingChain(Sensitivity::kMostUnknowns / 3 + 1);
  EXPECT_THROW(sensitivity.prepare(chain.view(), std::vector<Real>(chain.b.size(), 0)), InputError);
  sensitivity.prepare(box.view(), lambda);
  EXPECT_THROW(sensitivity.forward({.b = few}), InputError);
  EXPECT_THROW(sensitivity.forward({.friction = few}), InputError);
  EXPECT_THROW(sensitivity.adjoint({.lambda = few}), InputError);
  EXPECT_THROW(sensitivity.adjoint({.w = notFinite}), InputError);
}

}  // namespace
}  // namespace drystone::test
