// A recording has what force plates read, bit for bit, and nothing of them where there are none.
#include <gmock/gmock.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/input_error.h"
#include "engine/recording/recorded_plates.h"
#include "engine/recording/recorder.h"
#include "engine/recording/recording_format.h"
#include "engine/recording/recording_hdf5.h"
#include "engine/recording/recording_table.h"
#include "tests/support/constants.h"
#include "tests/support/worlds.h"

namespace drystone::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

/// Two boxes on a floor, of 2 kg and 3 kg, the second of which falls onto the first.
class RecordedPlates : public testing::Test {
 protected:
  RecordedPlates() : world_(settings(), registry()) {
    floor_ = addGround(world_);
    low_ = addBody(world_, Box{{0.2, 0.2, 0.1}}, 2, {{0.1, 0, 0.1}});
    high_ = addBody(world_, Box{{0.2, 0.2, 0.1}}, 3, {{0.15, 0, 0.35}});
    path_ = (std::filesystem::temp_directory_path() /
             ("drystone_plates_" + std::to_string(getpid()) + ".h5"))
                .string();
  }
  ~RecordedPlates() override { std::filesystem::remove(path_); }

  static WorldSettings settings() {
    WorldSettings settings = settingsFor("bpp-auto");
    settings.substeps = 2;
    return settings;
  }
  std::vector<ForcePlateDefinition> plates() const {
    return {{.name = "floor", .body = floor_},
            {.name = "pair",
             .body = low_,
             .other = high_,
             .site = {{0, 0, 0.1}, turn(Vec3::UnitZ(), 0.3)},
             .inWorldAxes = true}};
  }
  Recorder recorder(int every = 1) { return {path_, {.every = every}, world_}; }

  World world_;
  BodyId floor_, low_, high_;
  std::string path_;
};

void expectSame(const std::optional<ForcePlateReading>& got, const ForcePlate& want) {
  ASSERT_EQ(got.has_value(), want.hasReading);
  if (!got) return;
  EXPECT_EQ(got->force, want.reading.force);
  EXPECT_EQ(got->torque, want.reading.torque);
  EXPECT_EQ(got->center, want.reading.center);
  EXPECT_EQ(got->forceError, want.reading.forceError);
  EXPECT_EQ(got->torqueError, want.reading.torqueError);
  EXPECT_EQ(got->centerError, want.reading.centerError);
  EXPECT_EQ(got->isSumUnique, want.reading.isSumUnique);
  EXPECT_EQ(got->areSharesUnique, want.reading.areSharesUnique);
  EXPECT_EQ(got->rank, want.reading.rank);
  EXPECT_EQ(got->unknowns, want.reading.unknowns);
  EXPECT_TRUE(got->contacts.empty());
}

TEST_F(RecordedPlates, EveryFrame_HasTheBitsOfTheWorld) {
  world_.setForcePlates(plates());
  constexpr int kSteps = 61;
  std::vector<std::vector<ForcePlate>> wanted;  // by step
  const auto keep = [&] {
    wanted.emplace_back(world_.forcePlates().begin(), world_.forcePlates().end());
  };
  keep();
  {
    Recorder writer = recorder(4);
    for (int i = 0; i < kSteps; ++i) {
      world_.step();
      writer.addStep(world_);
      keep();
    }
    writer.finish(world_);
  }
  const Recording recording(path_);
  ASSERT_EQ(recording.forcePlates().size(), 2u);
  const ForcePlateDefinition &floor = recording.forcePlates()[0],
                             &pair = recording.forcePlates()[1];
  EXPECT_EQ(floor.name, "floor");
  EXPECT_EQ(floor.body, floor_);
  EXPECT_FALSE(floor.other || floor.inWorldAxes);
  EXPECT_EQ(floor.part, -1);
  EXPECT_EQ(pair.name, "pair");
  EXPECT_EQ(pair.body, low_);
  EXPECT_EQ(pair.other, high_);
  EXPECT_EQ(pair.site.position, Vec3(0, 0, 0.1));
  EXPECT_EQ(pair.site.rotation.coeffs(), wanted[0][1].definition.site.rotation.coeffs());
  EXPECT_TRUE(pair.inWorldAxes);
  ASSERT_EQ(recording.frameCount(), 17);  // the start, 15 of every fourth step, the last
  int unpressed = 0;
  for (std::int64_t f = 0; f < recording.frameCount(); ++f) {
    const auto readings = recording.plateReadings(f);
    const auto& want = wanted[static_cast<std::size_t>(recording.stepOfFrame(f))];
    ASSERT_EQ(readings.size(), 2u);
    for (std::size_t p = 0; p < 2; ++p) expectSame(readings[p], want[p]);
    unpressed += readings[1] && !readings[1]->center ? 1 : 0;
  }
  EXPECT_FALSE(recording.plateReadings(0)[0]) << "no step was before the start";
  EXPECT_GT(unpressed, 0) << "the upper box falls at first";
  const Real weight = 5 * kGravity;
  EXPECT_NEAR(recording.plateReadings(16)[0]->force.z(), -weight, 1e-6 * weight);
  EXPECT_NEAR(recording.plateReadings(16)[1]->force.z(), -3 * kGravity, 1e-6 * weight);
}

TEST_F(RecordedPlates, WithoutPlates_ThereIsNoTable) {
  for (const bool withPlates : {false, true}) {
    if (withPlates) world_.setForcePlates(plates());
    {
      Recorder writer = recorder();
      world_.step();
      writer.addStep(world_);
      writer.finish(world_);
    }
    detail::ArrayFileReader file(path_);
    for (const std::string place : {"force_plates", "frames/force_plates"}) {
      EXPECT_EQ(file.has(place), withPlates) << place;
    }
    const Recording recording(path_);
    EXPECT_EQ(recording.forcePlates().size(), withPlates ? 2u : 0u);
    EXPECT_EQ(recording.plateReadings(1).size(), withPlates ? 2u : 0u);
  }
}

TEST_F(RecordedPlates, OfABodyThatWasRemovedBefore_HaveNoReading) {
  world_.setForcePlates(plates());
  world_.step();
  world_.removeBody(high_);
  {
    Recorder writer = recorder();
    world_.step();
    writer.addStep(world_);
    writer.finish(world_);
  }
  const Recording recording(path_);
  EXPECT_EQ(recording.forcePlates()[1].body, low_);
  EXPECT_EQ(recording.forcePlates()[1].other, BodyId{});
  EXPECT_TRUE(recording.plateReadings(1)[0]);
  EXPECT_FALSE(recording.plateReadings(1)[1]);
}

TEST_F(RecordedPlates, OtherPlates_EndTheFileWithTheStepsBefore) {
  world_.setForcePlates(plates());
  Recorder writer = recorder();
  world_.step();
  writer.addStep(world_);
  world_.setForcePlates(plates());  // the same ones, which begin anew
  world_.step();
  writer.addStep(world_);
  std::vector<ForcePlateDefinition> moved = plates();
  moved[1].site.position.x() = 1;
  world_.setForcePlates(moved);
  world_.step();
  EXPECT_THAT(
      [&] { writer.addStep(world_); },
      ThrowsMessage<InputError>(AllOf(HasSubstr("other force plates were set before step 3"),
                                      HasSubstr("begin another"))));
  EXPECT_EQ(Recording(path_).stepCount(), 2);
}

/// Plates as the file has them, in columns of its names.
struct PlateColumns {
  int body = 0, other = -1, part = -1;
  Pose site;
  bool inWorldAxes = false;
};

/// Writes the tables of these plates, and reads them as of `frames` frames of one body.
class DamagedPlates : public RecordedPlates {
 protected:
  void pass(const std::vector<std::string>& names, const std::vector<PlateColumns>& plates,
            std::int64_t frames) {
    using Row = PlateColumns;
    const std::vector<detail::Column<Row>> columns = {
        detail::column<&Row::body>("body"),
        detail::column<&Row::other>("other"),
        detail::column<&Row::part>("part"),
        detail::column<&Row::site, &Pose::position>("position", "m"),
        detail::column<&Row::site, &Pose::rotation>("rotation"),
        detail::column<&Row::inWorldAxes>("in_world_axes")};
    {
      detail::ArrayFileWriter file(path_);
      detail::writeTexts(file, "force_plates/names", names);
      detail::TableWriter<Row>(file, "force_plates", columns).add(plates);
      // The readings of one frame, of a plate that is sound.
      detail::TableWriter<ForcePlateReading> readings(file, "frames/force_plates", readings_);
      file.start("mark");
      readings.add(std::vector<ForcePlateReading>(names.size()));
      file.flush(1);
      file.close();
    }
    detail::ArrayFileReader file(path_);
    const BodyId body{.index = 3};
    const detail::PlateReader reader(file, {&body, 1}, frames);
    EXPECT_EQ(reader.definitions()[0].body, body);
    EXPECT_EQ(reader.frame(frames - 1).size(), names.size());
  }
  void expectRefused(const std::vector<std::string>& names, const std::vector<PlateColumns>& plates,
                     std::int64_t frames, const std::string& why) {
    EXPECT_THAT([&] { pass(names, plates, frames); }, ThrowsMessage<InputError>(HasSubstr(why)));
  }

 private:
  using Reading = ForcePlateReading;
  std::vector<detail::Column<Reading>> readings_ = {
      detail::column<&Reading::force>("force", "N"),
      detail::column<&Reading::torque>("torque", "N m"),
      detail::column<&Reading::center>("center", "m"),
      detail::column<&Reading::forceError>("force_error", "N"),
      detail::column<&Reading::torqueError>("torque_error", "N m"),
      detail::column<&Reading::centerError>("center_error", "m"),
      detail::column<&Reading::isSumUnique>("is_sum_unique"),
      detail::column<&Reading::areSharesUnique>("are_shares_unique"),
      detail::column<&Reading::rank>("rank"),
      detail::column<&Reading::unknowns>("unknowns")};
};

TEST_F(DamagedPlates, ThatAreSound_AreRead) { pass({"a", "b"}, {{}, {.other = 0}}, 1); }

TEST_F(DamagedPlates, AreRefusedByWhatIsWrong) {
  expectRefused({"a"}, {{.body = 1}}, 1, "names a body that there is not");
  expectRefused({"a"}, {{.body = -1}}, 1, "names a body that there is not");
  expectRefused({"a"}, {{.other = 7}}, 1, "names a body that there is not");
  expectRefused({"a"}, {{}, {}}, 1, "a name is missing");
  expectRefused({"a"}, {{}}, 2, "/frames/force_plates is shorter than /frames says");
}

}  // namespace
}  // namespace drystone::test
