#include "viewer/draw/contact_state.h"

#include <gtest/gtest.h>

namespace drystone::viewer {
namespace {

constexpr Real kNegligible = 1e-12;

/// Normal z, whose tangents are along x and y; μ = 0.5.
ContactSnapshot contact(const Vec3& impulse) {
  return {
      .normal = Vec3::UnitZ(), .impulse = impulse, .normalImpulse = impulse.z(), .friction = 0.5};
}

ContactState stateOf(const Vec3& impulse, FrictionModel model = FrictionModel::kCone) {
  return contactState(contact(impulse), model, kNegligible);
}

TEST(ContactState, NoImpulse_IsOpen) {
  EXPECT_EQ(stateOf(Vec3::Zero()), ContactState::kOpen);
  EXPECT_EQ(stateOf({0, 0, 1e-13}), ContactState::kOpen);
  EXPECT_EQ(stateOf({0, 0, -1e-13}), ContactState::kOpen);
}

TEST(ContactState, ImpulseInsideTheCone_Sticks) {
  EXPECT_EQ(stateOf({0, 0, 2}), ContactState::kStick);
  EXPECT_EQ(stateOf({0.6, 0.7, 2}), ContactState::kStick);  // 0.92 of the limit 1
  EXPECT_EQ(stateOf({0.998, 0, 2}), ContactState::kStick);
}

TEST(ContactState, ImpulseOnTheCone_SlipsWithinTheTolerance) {
  EXPECT_EQ(stateOf({0.6, -0.8, 2}), ContactState::kSlip);
  EXPECT_EQ(stateOf({0.9995, 0, 2}), ContactState::kSlip);
  EXPECT_EQ(stateOf({1.0005, 0, 2}), ContactState::kSlip);
}

TEST(ContactState, ImpulseOutsideTheConeOrPulling_Violates) {
  EXPECT_EQ(stateOf({0, 1.002, 2}), ContactState::kViolating);
  EXPECT_EQ(stateOf({0, 0, -1}), ContactState::kViolating);
  EXPECT_EQ(stateOf({1, 0, 0}), ContactState::kViolating);
}

TEST(ContactState, FollowsTheFrictionModel) {
  // Both components 0.9 of the limit 1: within the square, outside the circle and the diamond.
  EXPECT_EQ(stateOf({0.9, 0.9, 2}, FrictionModel::kPyramid), ContactState::kStick);
  EXPECT_EQ(stateOf({0.9, 0.9, 2}, FrictionModel::kBox), ContactState::kStick);
  EXPECT_EQ(stateOf({0.9, 0.9, 2}, FrictionModel::kCone), ContactState::kViolating);
  EXPECT_EQ(stateOf({0.6, 0.6, 2}, FrictionModel::kCone), ContactState::kStick);
  EXPECT_EQ(stateOf({0.6, 0.6, 2}, FrictionModel::kDiamond), ContactState::kViolating);
  EXPECT_EQ(stateOf({1, 0.3, 2}, FrictionModel::kPyramid), ContactState::kSlip);
  EXPECT_EQ(stateOf({0.5, 0.5, 2}, FrictionModel::kDiamond), ContactState::kSlip);
}

TEST(ContactState, FollowsTheEllipse) {
  // μ = 0.5 along y and 0.25 along x: the limits are 1 and 0.5.
  const auto stateOfGrain = [](const Vec3& impulse, FrictionModel model = FrictionModel::kCone) {
    ContactSnapshot grain = contact(impulse);
    grain.tangent = Vec3::UnitY();
    grain.frictionAcross = 0.25;
    return contactState(grain, model, kNegligible);
  };
  EXPECT_EQ(stateOfGrain({0, 1, 2}), ContactState::kSlip);
  EXPECT_EQ(stateOfGrain({-0.5, 0, 2}), ContactState::kSlip);
  EXPECT_EQ(stateOfGrain({0.3, 0.8, 2}), ContactState::kSlip);
  EXPECT_EQ(stateOfGrain({0.6, 0, 2}), ContactState::kViolating);
  EXPECT_EQ(stateOfGrain({0.2, 0.6, 2}), ContactState::kStick);
  EXPECT_EQ(stateOfGrain({0.45, 0.9, 2}, FrictionModel::kPyramid), ContactState::kStick);
}

TEST(ContactState, WithoutFriction_EveryTouchSlips) {
  EXPECT_EQ(stateOf({0, 0, 2}, FrictionModel::kNone), ContactState::kSlip);
  ContactSnapshot smooth = contact({0, 0, 2});
  smooth.friction = 0;
  EXPECT_EQ(contactState(smooth, FrictionModel::kCone, kNegligible), ContactState::kSlip);
}

}  // namespace
}  // namespace drystone::viewer
