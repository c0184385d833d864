// Going back, and forward again.
#include "tests/unit/viewer_session/simulation_fixture.h"

namespace drystone::viewer::test {
namespace {

class BackSteps : public testing::Test {
 protected:
  BackSteps() : heap_("back.json", heapText()), run_(heap_.path) {}

  /// All that moves, to compare bit for bit.
  std::vector<Real> motion() {
    std::vector<Real> values = {run_.frame().snapshot.time};
    for (const BodySnapshot& body : run_.frame().snapshot.bodies) {
      values.insert(values.end(), body.pose.position.begin(), body.pose.position.end());
      const auto& rotation = body.pose.rotation.coeffs();
      values.insert(values.end(), rotation.begin(), rotation.end());
      values.insert(values.end(), body.linearVelocity.begin(), body.linearVelocity.end());
      values.insert(values.end(), body.angularVelocity.begin(), body.angularVelocity.end());
    }
    for (const ContactSnapshot& contact : run_.frame().snapshot.contacts) {
      values.insert(values.end(), contact.impulse.begin(), contact.impulse.end());
    }
    return values;
  }

  TestFile heap_;
  Simulated run_;
};

TEST_F(BackSteps, BackAndForward_IsBitForBitTheSame) {
  run_.stepBy(20);
  const std::vector<Real> at20 = motion();
  run_.stepBy(20);
  const std::vector<Real> at40 = motion();
  run_.stepBy(-20);
  EXPECT_EQ(run_.step(), 20);
  EXPECT_EQ(motion(), at20);
  EXPECT_FALSE(run_.frame().snapshot.contacts.empty());
  EXPECT_EQ(run_.frame().report.step, 20) << "panels show what the step had";
  run_.stepBy(20);
  EXPECT_EQ(motion(), at40);
}

TEST_F(BackSteps, FromTheStartAgain_IsTheSameRun) {
  run_.stepBy(30);
  const std::vector<Real> at30 = motion();
  run_.stepBy(-1000);
  EXPECT_EQ(run_.step(), 0);
  run_.stepBy(30);
  EXPECT_EQ(motion(), at30);
}

TEST_F(BackSteps, StepsInThePast_AreThereToGoTo) {
  run_.stepBy(30);
  run_.sendAndFinish(GoToStep{7});
  EXPECT_EQ(run_.step(), 7);
  EXPECT_EQ(run_->status().firstStep, 0);
  EXPECT_EQ(run_->status().lastStep, 30);
  run_.sendAndFinish(GoToStep{30});
  EXPECT_EQ(run_.step(), 30);
  for (const int step : {-1, 31}) {
    run_.sendAndFinish(GoToStep{step});
    EXPECT_EQ(run_.step(), 30);
  }
  EXPECT_TRUE(run_.logHas("step 31 is not kept: steps 0 to 30 are"));
}

TEST_F(BackSteps, AnotherWayOn_ForgetsTheOldOne) {
  run_.stepBy(30);
  run_.stepBy(-10);
  run_.stepBy(1);
  EXPECT_EQ(run_->status().lastStep, 21);
}

TEST_F(BackSteps, Throw_AddsABoxThatMovesAndForgetsThePast) {
  run_.stepBy(10);
  const std::size_t bodies = run_.frame().snapshot.bodies.size();
  const std::size_t contacts = run_.frame().snapshot.contacts.size();
  run_.sendAndFinish(Throw{{0, -5, 1}, {0, 8, 2}, 0.1});
  EXPECT_EQ(run_.step(), 10);
  EXPECT_EQ(run_.frame().snapshot.bodies.size(), bodies + 1);
  EXPECT_EQ(run_.frame().scene->bodies.size(), bodies + 1);
  EXPECT_EQ(run_.frame().snapshot.contacts.size(), contacts);
  // 1000 kg/m³ · (0.2 m)³
  EXPECT_NEAR(run_.frame().scene->bodies.back().mass, 8, 1e-12);
  EXPECT_EQ(run_->status().firstStep, 10);
  EXPECT_TRUE(run_.logHas("the steps until now are forgotten"));
  run_.stepBy(6);
  // Free flight of 0.1 s.
  EXPECT_NEAR(run_.positionOf("thrown_1").y(), -5 + 0.8, 1e-9);
  const std::vector<Real> at16 = motion();
  run_.stepBy(-6);
  EXPECT_EQ(run_.step(), 10);
  run_.stepBy(6);
  EXPECT_EQ(motion(), at16);
}

TEST_F(BackSteps, ThrowAfterABackStep_KeepsTheContactsOfTheFrame) {
  run_.stepBy(20);
  run_.stepBy(-5);
  const std::size_t contacts = run_.frame().snapshot.contacts.size();
  ASSERT_GT(contacts, 0u);
  run_.sendAndFinish(Throw{{0, -5, 1}, {0, 8, 2}, 0.1});
  EXPECT_EQ(run_.frame().snapshot.contacts.size(), contacts);
  EXPECT_EQ(run_.frame().report.step, 15);
  EXPECT_EQ(run_->status().lastStep, 15);
}

TEST_F(BackSteps, ThrowOfNothing_IsALogLine) {
  run_.sendAndFinish(Throw{{0, -5, 1}, {0, 8, 2}, 0});
  EXPECT_TRUE(run_.logHas("half_extents must be ≥ 1e-15 m")) << run_.log();
  EXPECT_EQ(run_.frame().scene->bodies.size(), 14u);
}

TEST_F(BackSteps, Restart_TakesThrownBoxesAway) {
  run_.stepBy(30);
  const std::vector<Real> at30 = motion();
  run_.sendAndFinish(Throw{{0, -5, 1}, {0, 8, 2}, 0.1});
  run_.sendAndFinish(Restart{});
  EXPECT_EQ(run_.frame().scene->bodies.size(), 14u);
  run_.stepBy(30);
  EXPECT_EQ(motion(), at30);
}

}  // namespace
}  // namespace drystone::viewer::test
