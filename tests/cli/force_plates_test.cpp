// Force plates of a run: what the recording has, what its replay reads, and what is told of it.
#include <gmock/gmock.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "engine/recording/recording.h"
#include "scenes/scene_builder.h"
#include "scenes/scene_reader.h"
#include "solvers/default_registry.h"
#include "tests/cli/program.h"
#include "tests/support/constants.h"

namespace drystone::test {
namespace {
using testing::HasSubstr;

/// The scene `force_plate`, 150 steps of it, by when all boxes rest: 11 kg on one plate, and 3 kg
/// between two bodies on the other.
class RunPlates : public testing::Test {
 protected:
  static constexpr const char* kTolerance = "1e-10";  // [m/s]

  RunPlates() {
    const ProgramResult run =
        drystone({"run", "force_plate", "--steps", "150", "--quiet", "--record", file_, "--csv",
                  csv_, "--set", std::string("solver.tolerance=") + kTolerance});
    EXPECT_EQ(run.exitCode, 0) << run.err;
  }

  const Scratch scratch_;
  const std::string file_ = scratch_.path("a.h5"), csv_ = scratch_.path("steps.csv");
};

TEST_F(RunPlates, AtRest_RecordedForcesAreTheWeights) {
  const Recording recording(file_);
  ASSERT_EQ(recording.forcePlates().size(), 2u);
  const auto readings = recording.plateReadings(recording.frameCount() - 1);
  ASSERT_TRUE(readings[0] && readings[1]);
  const Real all = 11 * kGravity, upper = 3 * kGravity;
  EXPECT_NEAR((readings[0]->force - Vec3(0, 0, -all)).norm(), 0, 1e-9 * all);
  EXPECT_NEAR((readings[1]->force - Vec3(0, 0, -upper)).norm(), 0, 1e-9 * all);
  // The forces of the contacts in the frame, which has one inner step, have the same sum.
  WorldSnapshot frame;
  recording.frame(recording.frameCount() - 1, frame);
  const BodyId plate = recording.forcePlates()[0].body;
  const Real timestep = 1 / 60.0;
  Vec3 sum = Vec3::Zero();
  for (const ContactSnapshot& contact : frame.contacts) {
    if (contact.bodyA == plate) sum -= contact.impulse / timestep;
    if (contact.bodyB == plate) sum += contact.impulse / timestep;
  }
  EXPECT_NEAR((sum - readings[0]->force).norm(), 0, 1e-12 * all);
}

TEST_F(RunPlates, Replay_ReadsTheSameBits) {
  const Recording recording(file_);
  const SceneSource source{.text = recording.info().sceneText, .label = "recorded"};
  const SceneReadOptions options{.overrides = {{"solver.tolerance", kTolerance}}};
  World world = buildWorld(readScene(source, options), makeDefaultRegistry());
  ASSERT_EQ(recording.stepCount(), 150);
  for (std::int64_t step = 1; step <= 150; ++step) {
    world.step();
    const auto readings = recording.plateReadings(recording.frameOfStep(step));
    for (std::size_t i = 0; i < 2; ++i) {
      const ForcePlateReading& again = world.forcePlates()[i].reading;
      ASSERT_TRUE(readings[i]);
      EXPECT_EQ(readings[i]->force, again.force) << step;
      EXPECT_EQ(readings[i]->torque, again.torque);
      EXPECT_EQ(readings[i]->center, again.center);
      EXPECT_EQ(readings[i]->forceError, again.forceError);
      EXPECT_EQ(readings[i]->torqueError, again.torqueError);
      EXPECT_EQ(readings[i]->centerError, again.centerError);
    }
  }
}

TEST_F(RunPlates, ReplayReport_TellsTheLastReading) {
  const ProgramResult report = drystone({"replay", file_, "--report"});
  EXPECT_EQ(report.exitCode, 0) << report.err;
  const auto zAt = [&](const std::string& name) {
    const std::size_t at = report.out.find("'" + name + "' at the end: force (");
    EXPECT_NE(at, std::string::npos) << report.out;
    const std::size_t close = report.out.find(") ± ", at);
    const std::size_t comma = report.out.rfind(", ", close);
    return std::strtod(report.out.c_str() + comma + 2, nullptr);
  };
  EXPECT_NEAR(zAt("all"), -11 * kGravity, 1e-3);
  EXPECT_NEAR(zAt("stack"), -3 * kGravity, 1e-3);
}

TEST_F(RunPlates, ExportedTable_HasTheNumbersOfTheRecordingAndOfTheRun) {
  const std::string folder = scratch_.path("tables");
  const ProgramResult exported = drystone({"export", file_, "--csv", folder});
  ASSERT_EQ(exported.exitCode, 0) << exported.err;
  const std::vector<std::string> rows = splitLines(readText(folder + "/force_plates.csv"));
  EXPECT_EQ(rows.front(),
            "step,time_s,plate,force_x_N,force_y_N,force_z_N,torque_x_Nm,torque_y_Nm,torque_z_Nm,"
            "center_x_m,center_y_m,center_z_m,force_error_N,torque_error_Nm,center_error_m,"
            "is_sum_unique,are_shares_unique,rank,unknowns");
  ASSERT_EQ(rows.size(), 1 + 2 * 150u) << "two plates in each step; the start has no reading";
  const std::vector<std::string> steps = splitLines(readText(csv_));
  const std::vector<std::string> titles = splitFields(steps.front());
  const auto at = static_cast<std::size_t>(
      std::find(titles.begin(), titles.end(), "plate_all_force_x_N") - titles.begin());
  const Recording recording(file_);
  for (std::size_t step = 1; step <= 150; ++step) {
    const std::vector<std::string> row = splitFields(rows[2 * step - 1]);
    const std::vector<std::string> ofRun = splitFields(steps[step]);
    ASSERT_EQ(row.size(), 19u);
    EXPECT_EQ(row[0], std::to_string(step));
    EXPECT_EQ(row[2], "all");
    EXPECT_EQ(splitFields(rows[2 * step])[2], "stack");
    for (std::size_t k = 0; k < 12; ++k) EXPECT_EQ(row[3 + k], ofRun[at + k]) << titles[at + k];
    const auto index = recording.frameOfStep(static_cast<std::int64_t>(step));
    EXPECT_EQ(row[17], std::to_string(recording.plateReadings(index)[0]->rank));
  }
}

TEST(RunWithoutPlates, HasNoTableOfThem) {
  const Scratch scratch;
  const std::string file = scratch.path("a.h5"), folder = scratch.path("tables");
  ASSERT_EQ(drystone({"run", "stack_10", "--steps", "2", "--quiet", "--record", file}).exitCode, 0);
  ASSERT_EQ(drystone({"export", file, "--csv", folder, "--quiet"}).exitCode, 0);
  EXPECT_THAT(scratch.list("tables"), testing::ElementsAre("bodies.csv", "contacts.csv"));
  EXPECT_THAT(drystone({"replay", file, "--report"}).out, Not(HasSubstr("plate")));
}

}  // namespace
}  // namespace drystone::test
