// The rolling without slip that the study of validation compares a rattleback with.
#include "bench/studies/validation/rattleback_motion.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "bench/studies/validation/ode.h"

namespace drystone::bench {
namespace {

StateRate rateOf(const Rattleback& rattleback) {
  return [rattleback](Real, const VecX& state) { return rattleback.rate(state); };
}

TEST(RattlebackMotion, RollsWithoutLossOfEnergy) {
  const Rattleback rattleback;
  const VecX start = Rattleback::start({0, 0.3, -5});
  const OdeSolution end = integrate(rateOf(rattleback), start, 2);
  ASSERT_TRUE(end.converged());
  // The integration converges to 1e-10, and up stays a unit vector with it.
  EXPECT_NEAR(rattleback.energy(end.state) / rattleback.energy(start), 1, 1e-9);
  EXPECT_NEAR(end.state.head<3>().norm(), 1, 1e-10);
}

TEST(RattlebackMotion, SpunAgainstItsSense_TurnsBack_AndKeepsTheOther) {
  const StateRate rate = rateOf(Rattleback{});
  const auto spinAfter = [&](Real spin) {
    return Rattleback::spinAboutVertical(
        integrate(rate, Rattleback::start({0, 0.3, spin}), 2).end());
  };
  EXPECT_GT(spinAfter(-5), 4.9);
  EXPECT_NEAR(spinAfter(5), 5, 0.02);
}

// A plane that mirrors y takes the turn of the principal axes and the spins about x and z to their
// negatives.
TEST(RattlebackMotion, OfAxesTurnedTheOtherWay_IsTheMirrorImage) {
  Rattleback mirrored;
  mirrored.turned = -mirrored.turned;
  const VecX end = integrate(rateOf(Rattleback{}), Rattleback::start({0.1, 0.3, -5}), 1).end();
  const VecX image = integrate(rateOf(mirrored), Rattleback::start({-0.1, 0.3, 5}), 1).end();
  const VecX signs{{1.0, -1.0, 1.0, -1.0, 1.0, -1.0}};
  EXPECT_NEAR((end - signs.cwiseProduct(image)).norm(), 0, 1e-8);
}

// With axes that are not turned it rocks about y alone: small swings have
// ω² = m g (a²/c − c)/(I_y + m c²), where a²/c is the radius of curvature below.
TEST(RattlebackMotion, SmallRocking_HasThePeriodOfItsCurvature) {
  Rattleback straight;
  straight.turned = 0;
  const Real a = straight.halfAxes.x(), c = straight.halfAxes.z();
  const Real rate2 = straight.mass * straight.gravity * (a * a / c - c) /
                     (straight.inertia()(1, 1) + straight.mass * c * c);
  // From the middle to the farthest lean it takes a quarter of the period; 1e-3 rad/s leans by
  // 1e-4 rad, whose square over the small ratio c/a is the error.
  const Real quarter = timeOfEvent(
      rateOf(straight), Rattleback::start({0, 1e-3, 0}), [](const VecX& state) { return state[4]; },
      5, 1 << 12);
  EXPECT_NEAR(quarter, 0.5 * std::numbers::pi / std::sqrt(rate2), 1e-6);
}

TEST(RattlebackMotion, BallSpunInPlace_GoesOn) {
  Rattleback ball;
  ball.halfAxes.setConstant(0.1);
  const VecX start = Rattleback::start({0.2, 0.3, -5});
  const VecX end = integrate(rateOf(ball), start, 2).end();
  // Both its spin in the world, and that about the vertical, stay; the frame turns with the ball.
  EXPECT_NEAR(Rattleback::spinAboutVertical(end), -5, 1e-9);
  EXPECT_NEAR(end.tail<3>().norm(), start.tail<3>().norm(), 1e-9);
}

}  // namespace
}  // namespace drystone::bench
