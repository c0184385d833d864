// Recordings whose tables of bodies were spoilt number by number, as no damage of bytes does.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <hdf5.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <string>

#include "core/input_error.h"
#include "engine/recording/recorder.h"
#include "tests/support/worlds.h"

namespace drystone::test {
namespace {

/// Overwrites the slots of the ground and two boxes on it.
void writeSlots(const std::string& path, const std::array<std::int32_t, 3>& slots) {
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  const hid_t data = H5Dopen2(file, "bodies/slot", H5P_DEFAULT);
  EXPECT_GE(H5Dwrite(data, H5T_NATIVE_INT32, H5S_ALL, H5S_ALL, H5P_DEFAULT, slots.data()), 0);
  H5Dclose(data);
  H5Fclose(file);
}

TEST(DamagedSlots, AreRefusedOrReadInLittleMemory) {
  const std::string path =
      (std::filesystem::temp_directory_path() / ("drystone_slots_" + std::to_string(getpid())))
          .string();
  World world(settingsFor("bpp-auto"), registry());
  addGround(world);
  for (int i = 0; i < 2; ++i) addUnitBox(world, {0.1 * i, 0, 0.5 + i});
  {
    Recorder recorder(path, {}, world);
    world.step();
    recorder.addStep(world);
    recorder.finish(world);
  }
  WorldSnapshot frame;
  const auto readAll = [&] {
    const Recording recording(path);
    for (std::int64_t f = 0; f < recording.frameCount(); ++f) recording.frame(f, frame);
  };
  EXPECT_NO_THROW(readAll());
  EXPECT_FALSE(frame.contacts.empty());
  using testing::HasSubstr;
  using testing::ThrowsMessage;
  writeSlots(path, {0, 1, 1});
  EXPECT_THAT(readAll, ThrowsMessage<InputError>(HasSubstr("slots must ascend")));
  writeSlots(path, {-1, 1, 2});
  EXPECT_THAT(readAll, ThrowsMessage<InputError>(HasSubstr("slots must ascend")));
  // A table with an entry for each slot would have 17 GB.
  writeSlots(path, {0, 1, 0x7fffffff});
  EXPECT_THAT(readAll, ThrowsMessage<InputError>(HasSubstr("names a body that there is not")));
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace drystone::test
