// One island that all threads share, beside small ones that they take whole: the same bits for
// every number of threads.
#include <gtest/gtest.h>

#include "tests/support/worlds.h"

namespace drystone {
namespace {

constexpr int kLooseSpheres = 12;

/// Spheres on a cubic grid that press on each other: 1 island, some 1800 contacts. Beside them some
/// that lie alone on the ground.
World block(const std::string& solver, int threads) {
  WorldSettings settings;
  settings.solver.name = solver;
  // A round of `staggered` is two QPs with some fifty factors, where others sweep.
  const bool hasRounds = solver == "staggered";
  settings.solver.budget.iterations = hasRounds ? 1 : 8;
  if (hasRounds) settings.solver.settings.push_back({"acceleration", std::string("anderson")});
  const std::unique_ptr<ContactSolver> described = test::registry().create(solver);
  for (const SettingDescription& setting : describeSettings(*described)) {
    if (setting.name == "check_every")
      settings.solver.settings.push_back({"check_every", std::int64_t{4}});
  }
  settings.threads = threads;
  World world(settings, test::registry());
  test::addGround(world);
  constexpr int kSide = 9;
  constexpr Real kRadius = 0.2, kPitch = 0.399;
  for (int i = 0; i < kSide * kSide * 8; ++i) {
    const Vec3 cell(i % kSide, i / kSide % kSide, i / (kSide * kSide));
    test::addBody(world, Sphere{kRadius}, 1,
                  {kPitch * cell + Vec3(0, 0, 0.999 * kRadius), Quat::Identity()});
  }
  for (int i = 0; i < kLooseSpheres; ++i) {
    test::addBody(world, Sphere{kRadius}, 1, {Vec3(-2, i - 6, 0.999 * kRadius), Quat::Identity()});
  }
  return world;
}

class LargeIsland : public testing::TestWithParam<std::string> {};

TEST_P(LargeIsland, ThreadCount_DoesNotChangeABit) {
  test::expectSameBitsForEveryThreadCount([](int threads) { return block(GetParam(), threads); }, 5,
                                          [](const World& world) {
                                            const StepReport& report = world.lastReport();
                                            ASSERT_EQ(report.islands.size(), 1u + kLooseSpheres);
                                            ASSERT_GT(report.rows, 4500);
                                            ASSERT_GT(report.iterations, 0);
                                          });
}

std::vector<std::string> parallelSolvers() {
  std::vector<std::string> names;
  for (const std::string& name : test::registry().names()) {
    if (test::registry().traits(name).parallel) names.push_back(name);
  }
  return names;
}
INSTANTIATE_TEST_SUITE_P(Solver, LargeIsland, testing::ValuesIn(parallelSolvers()),
                         [](const auto& parameter) {
                           std::string name = parameter.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace drystone
