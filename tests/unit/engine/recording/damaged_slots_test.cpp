// Recordings whose tables of bodies are wrong number by number, as no damage of bytes makes them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <string>

#include "core/input_error.h"
#include "engine/recording/recorder.h"
#include "tests/support/worlds.h"

namespace drystone::test {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

/// Frames of a ground and two boxes on it, whose bodies can be given other slots.
class DamagedSlots : public testing::Test {
 protected:
  DamagedSlots()
      : path_((std::filesystem::temp_directory_path() /
               ("drystone_slots_" + std::to_string(getpid())))
                  .string()) {
    World world(settingsFor("bpp-auto"), registry());
    addGround(world);
    for (int i = 0; i < 2; ++i) addUnitBox(world, {0.1 * i, 0, 0.5 + i});
    world.observe().snapshot(start_);
    world.step();
    step_ = {world.lastReport(), world.observe().hash(), 0};
    world.observe().snapshot(end_);
  }
  ~DamagedSlots() override { std::filesystem::remove(path_); }

  /// Writes the two frames, the bodies in these slots, and reads them.
  void pass(const std::array<int, 3>& slots) {
    const auto renumber = [&](WorldSnapshot frame) {
      for (std::size_t i = 0; i < slots.size(); ++i) frame.bodies[i].id.index = slots[i];
      return frame;
    };
    const std::array<std::string, 3> names = {"ground", "lower", "upper"};
    const WorldSnapshot last = renumber(end_);
    Recorder recorder(path_, {}, names, renumber(start_), 0);
    recorder.addStep(step_, &last);
    recorder.finish();
    const Recording recording(path_);
    for (std::int64_t f = 0; f < recording.frameCount(); ++f) recording.frame(f, read_);
  }

  std::string path_;
  WorldSnapshot start_, end_, read_;
  RecordedStep step_;
};

TEST_F(DamagedSlots, AsTheyWere_GiveTheContacts) {
  pass({0, 1, 2});
  EXPECT_EQ(read_.contacts.size(), 8u);
}

TEST_F(DamagedSlots, ThatDoNotAscend_AreRefused) {
  EXPECT_THAT([&] { pass({0, 2, 1}); }, ThrowsMessage<InputError>(HasSubstr("must ascend")));
  EXPECT_THAT([&] { pass({-1, 1, 2}); }, ThrowsMessage<InputError>(HasSubstr("must ascend")));
}

// A table with an entry for each slot would have 17 GB.
TEST_F(DamagedSlots, ThatAreLarge_TakeNoMemory) {
  EXPECT_THAT(
      [&] {
        pass({0, 1, 0x7fffffff});
      },
      ThrowsMessage<InputError>(HasSubstr("names a body that there is not")));
}

}  // namespace
}  // namespace drystone::test
