// Many bodies that fly into each other: pairs, contacts and looks that several threads list have
// the bits of one.
#include <gtest/gtest.h>

#include <tuple>
#include <vector>

#include "core/random.h"
#include "tests/support/worlds.h"

namespace drystone {
namespace {

/// Boxes that spin and meet in a heap, some of which overlap where they are placed.
World crowd(int threads) {
  WorldSettings settings;
  settings.solver.name = "sor-prox";
  settings.solver.budget.iterations = 150;
  settings.solver.budget.tolerance = 0.05;  // steps that miss it do not look for late contacts
  settings.threads = threads;
  World world(settings, test::registry());
  test::addGround(world);
  Random random(3);
  constexpr int kSide = 9;
  for (int i = 0; i < kSide * kSide * 8; ++i) {
    const Vec3 cell(i % kSide - kSide / 2, i / kSide % kSide - kSide / 2, i / (kSide * kSide));
    const Vec3 place = 0.42 * cell + Vec3(0, 0, 0.25);
    const Vec3 spin(random.uniform(-9, 9), random.uniform(-9, 9), random.uniform(-9, 9));
    const Vec3 inwards(-2 * cell.x(), -2 * cell.y(), -3);
    test::addBody(
        world, Box{{0.2, 0.17, 0.15}}, 1,
        {place, test::turn(Vec3(1, random.uniform(), 0.3).normalized(), random.uniform(0, 3))},
        inwards, spin);
  }
  return world;
}

/// All that a list of pairs says, for comparisons to the last bit.
auto contentsOf(const std::vector<ContactEvent>& events) {
  std::vector<std::tuple<int, int, Real, Real, int, Vec3, Vec3>> contents;
  for (const ContactEvent& event : events) {
    contents.emplace_back(static_cast<int>(event.bodyA.index), static_cast<int>(event.bodyB.index),
                          event.normalImpulse, event.approachSpeed, event.points, event.position,
                          event.normal);
  }
  return contents;
}

TEST(Crowd, ThreadCount_ChangesNoBitOfStateAndReport) {
  const std::vector<int> counts = {1, 2, 4, 8};
  std::vector<World> worlds;
  for (const int threads : counts) worlds.push_back(crowd(threads));
  int looks = 0;
  for (int step = 1; step <= 10; ++step) {
    for (World& world : worlds) world.step();
    const StepReport& one = worlds[0].lastReport();
    looks += one.looks;
    for (std::size_t i = 1; i < worlds.size(); ++i) {
      const StepReport& other = worlds[i].lastReport();
      ASSERT_EQ(worlds[0].observe().hash(), worlds[i].observe().hash())
          << counts[i] << " threads, step " << step;
      for (const StepFigure& figure : kStepFigures) {
        ASSERT_EQ(figure.valueIn(one), figure.valueIn(other))
            << figure.name << ", " << counts[i] << " threads, step " << step;
      }
      const StepEvents &ofOne = worlds[0].lastEvents(), &ofOther = worlds[i].lastEvents();
      for (const auto list :
           {&StepEvents::contactsBegun, &StepEvents::contactsLasting, &StepEvents::contactsEnded}) {
        ASSERT_EQ(contentsOf(ofOne.*list), contentsOf(ofOther.*list))
            << counts[i] << " threads, step " << step;
      }
    }
  }
  EXPECT_GT(worlds[0].lastReport().contacts, 1000) << "too few for several ranges";
  EXPECT_GT(worlds[0].lastEvents().contactsLasting.size(), 512) << "likewise";
  EXPECT_GT(looks, 0);
}

}  // namespace
}  // namespace drystone
