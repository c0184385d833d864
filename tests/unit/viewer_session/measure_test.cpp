// What frames hold of contacts when asked to.
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "tests/unit/viewer_session/simulation_fixture.h"

namespace drystone::viewer::test {
namespace {

class MeasureTest : public testing::Test {
 protected:
  MeasureTest() : heap_("measure.json", heapText()), run_(heap_.path) {
    SetSolver command;
    command.choice.name = "nsgs";
    command.choice.budget.iterations = 7;
    run_->send(command);
  }
  Real largestResidual() {
    const std::vector<Real>& all = run_.frame().contactResidual;
    return all.empty() ? 0 : *std::ranges::max_element(all);
  }
  TestFile heap_;
  Simulated run_;
};

TEST_F(MeasureTest, NotAskedFor_FramesHaveNone) {
  run_.stepBy(12);
  EXPECT_FALSE(run_.frame().snapshot.contacts.empty());
  EXPECT_TRUE(run_.frame().contactResidual.empty());
  EXPECT_TRUE(run_.frame().contactColor.empty());
}

TEST_F(MeasureTest, LargestResidual_IsTheStepsNaturalMap) {
  run_->send(Measure{.residuals = true});
  for (int i = 0; i < 15; ++i) {
    run_.stepBy(1);
    const ViewFrame& frame = run_.frame();
    ASSERT_EQ(frame.contactResidual.size(), frame.snapshot.contacts.size());
    EXPECT_EQ(largestResidual(), frame.report.naturalMap);  // there are no joints
    const int island = frame.report.worst.island;
    const int worst = island < 0 ? -1 : frame.report.islands[island].worstContact;
    if (worst < 0) continue;
    EXPECT_EQ(frame.contactResidual[worst], frame.report.naturalMap);
  }
  EXPECT_GT(largestResidual(), 0);
}

TEST_F(MeasureTest, AskedForLater_MeasuresTheFrameThatIsShown) {
  run_.stepBy(12);
  run_.sendAndFinish(Measure{.residuals = true, .graphColors = true});
  EXPECT_EQ(run_.frame().contactResidual.size(), run_.frame().snapshot.contacts.size());
  EXPECT_EQ(largestResidual(), run_.frame().report.naturalMap);
  EXPECT_EQ(run_.frame().contactColor.size(), run_.frame().snapshot.contacts.size());
  run_.sendAndFinish(Measure{});
  EXPECT_TRUE(run_.frame().contactResidual.empty());
}

TEST_F(MeasureTest, Colors_DifferWhereTwoPairsShareABody) {
  run_->send(Measure{.graphColors = true});
  run_.stepBy(12);
  const ViewFrame& frame = run_.frame();
  ASSERT_EQ(frame.contactColor.size(), frame.snapshot.contacts.size());
  // Body and color: the pair that has it.
  std::map<std::pair<int, int>, std::pair<int, int>> taken;
  std::set<int> colors;
  for (std::size_t i = 0; i < frame.contactColor.size(); ++i) {
    const ContactSnapshot& contact = frame.snapshot.contacts[i];
    const std::pair pair = {contact.bodyA.index, contact.bodyB.index};
    colors.insert(frame.contactColor[i]);
    for (const BodyId body : {contact.bodyA, contact.bodyB}) {
      if (frame.scene->find(body)->kind != BodyKind::kDynamic) continue;
      const auto [at, isFirst] = taken.insert({{body.index, frame.contactColor[i]}, pair});
      EXPECT_EQ(at->second, pair) << "body " << body.index << " has two pairs of one color";
    }
  }
  EXPECT_GE(colors.size(), 2u);
  EXPECT_LT(colors.size(), 10u);
}

TEST_F(MeasureTest, AskedFor_HoldsForTheNextSceneToo) {
  run_->send(Measure{.residuals = true});
  run_->send(Open{heap_.path});
  run_.stepBy(12);
  EXPECT_FALSE(run_.frame().snapshot.contacts.empty());
  EXPECT_EQ(run_.frame().contactResidual.size(), run_.frame().snapshot.contacts.size());
}

TEST_F(MeasureTest, PastFrames_KeepWhatTheyHad) {
  run_->send(Measure{.residuals = true});
  run_.stepBy(12);
  const std::vector<Real> residuals = run_.frame().contactResidual;
  run_.stepBy(3);
  run_.stepBy(-3);
  EXPECT_EQ(run_.frame().contactResidual, residuals);
}

}  // namespace
}  // namespace drystone::viewer::test
