// numpy reads from an NPZ file the bits that the recording holds.
#include <gmock/gmock.h>

#include <cmath>
#include <fstream>
#include <map>

#include "tests/unit/viewer_exporting/exported_ball.h"
#include "tests/unit/viewer_exporting/read_arrays.h"
#include "viewer/exporting/data_files.h"
#include "viewer/exporting/zip_store.h"

namespace drystone::viewer {
namespace {

using testing::ElementsAre;

TEST(Crc32, IsThatOfTheCatalogue) {
  EXPECT_EQ(crc32(""), 0u);
  EXPECT_EQ(crc32("123456789"), 0xCBF43926u);  // the check value of CRC-32/ISO-HDLC
}

class NpzFile : public ExportedBall {
 protected:
  ~NpzFile() override { std::filesystem::remove(npz_); }

  void SetUp() override {
    if (python().empty()) GTEST_SKIP() << "there is no python3 with numpy";
  }
  /// Writes the frames, and reads them with numpy.
  void exchange(const std::vector<std::int64_t>& chosen) {
    std::ofstream(npz_, std::ios::binary) << npzFile(*run_, chosen);
    // Of each array name, type, size, shape and, behind the end of the line, its bytes.
    const std::string script = R"py(
import numpy, sys
for name, a in numpy.load(sys.argv[1]).items():
    head = f'{name} {a.dtype.str} {a.nbytes} {a.shape}\n'
    sys.stdout.buffer.write(head.encode() + a.tobytes())
)py";
    arrays_ = readArrays(python(), script, npz_);
  }
  std::vector<Real> reals(const std::string& name) const {
    EXPECT_EQ(arrays_.at(name).type, "<f8") << name;
    return arrays_.at(name).as<Real>();
  }
  std::vector<std::int64_t> indices(const std::string& name) const {
    EXPECT_EQ(arrays_.at(name).type, "<i8") << name;
    return arrays_.at(name).as<std::int64_t>();
  }

  std::map<std::string, ReadArray> arrays_;

 private:
  static const std::string& python() {
    static const std::string found = pythonWith("numpy");
    return found;
  }
  const std::string npz_ = path_ + ".npz";
};

TEST_F(NpzFile, Bodies_HaveTheBitsOfTheRecording) {
  const auto chosen = frames({.from = 0.1, .perSecond = 30});
  exchange(chosen);
  const std::string count = std::to_string(chosen.size());
  EXPECT_EQ(arrays_.at("body_position").shape, "(" + count + ", 3, 3)");
  EXPECT_EQ(arrays_.at("body_rotation").shape, "(" + count + ", 3, 4)");
  EXPECT_EQ(arrays_.at("timestep").shape, "()");
  EXPECT_THAT(reals("timestep"), ElementsAre(1 / 60.0));
  EXPECT_THAT(reals("inner_step"), ElementsAre(1 / 120.0));
  EXPECT_EQ(arrays_.at("body_name").type, "<U5");
  const auto letters = arrays_.at("body_name").as<char32_t>();
  EXPECT_EQ(std::u32string(letters.begin(), letters.end()),
            std::u32string(U"floorbox\0\0ball\0", 15));
  const auto times = reals("time"), positions = reals("body_position");
  const auto rotations = reals("body_rotation");
  const auto velocities = reals("body_linear_velocity");
  const auto spins = reals("body_angular_velocity");
  const auto steps = indices("step");
  ASSERT_EQ(times.size(), chosen.size());
  ASSERT_EQ(positions.size(), 9 * chosen.size());
  ASSERT_EQ(rotations.size(), 12 * chosen.size());
  ASSERT_EQ(spins.size(), 9 * chosen.size());
  WorldSnapshot frame;
  for (std::size_t f = 0; f < chosen.size(); ++f) {
    recording_->frame(chosen[f], frame);
    EXPECT_EQ(times[f], frame.time);
    EXPECT_EQ(steps[f], frame.step);
    for (std::size_t i = 0; i < 3; ++i) {
      const BodySnapshot& body = frame.bodies[i];
      const std::size_t at = 3 * f + i;
      const Quat& q = body.pose.rotation;
      for (int k = 0; k < 3; ++k) {
        EXPECT_EQ(positions[3 * at + k], body.pose.position[k]);
        EXPECT_EQ(velocities[3 * at + k], body.linearVelocity[k]);
        EXPECT_EQ(spins[3 * at + k], body.angularVelocity[k]);
        EXPECT_EQ(rotations[4 * at + 1 + k], q.vec()[k]);
      }
      EXPECT_EQ(rotations[4 * at], q.w());
    }
  }
}

TEST_F(NpzFile, Plates_HaveTheBitsOfTheRecording) {
  const auto chosen = frames();
  exchange(chosen);
  const auto letters = arrays_.at("plate_name").as<char32_t>();
  EXPECT_EQ(std::u32string(letters.begin(), letters.end()), std::u32string(U"scalefoot\0", 10));
  const auto forces = reals("plate_force"), centers = reals("plate_center");
  const auto errors = reals("plate_torque_error");
  ASSERT_EQ(forces.size(), 6 * chosen.size());
  EXPECT_EQ(arrays_.at("plate_rank").shape, "(" + std::to_string(chosen.size()) + ", 2)");
  EXPECT_TRUE(std::isnan(forces[0])) << "the start has no reading";
  for (std::size_t f = 1; f < chosen.size(); ++f) {
    const auto readings = recording_->plateReadings(chosen[f]);
    for (std::size_t i = 0; i < 2; ++i) {
      ASSERT_TRUE(readings[i] && readings[i]->center);
      EXPECT_EQ(Vec3(&forces[3 * (2 * f + i)]), readings[i]->force);
      EXPECT_EQ(Vec3(&centers[3 * (2 * f + i)]), *readings[i]->center);
      EXPECT_EQ(errors[2 * f + i], readings[i]->torqueError);
    }
  }
}

TEST_F(NpzFile, Contacts_HaveTheBitsOfTheRecording) {
  const auto chosen = frames();
  exchange(chosen);
  const auto starts = indices("contact_start");
  const auto bodyA = indices("contact_body_a");
  const auto bodyB = indices("contact_body_b");
  const auto positions = reals("contact_position"), normals = reals("contact_normal");
  const auto impulses = reals("contact_impulse"), gaps = reals("contact_gap");
  const auto shares = reals("contact_normal_impulse");
  const auto frictions = reals("contact_friction");
  ASSERT_EQ(starts.size(), chosen.size() + 1);
  const auto count = static_cast<std::size_t>(starts.back());
  EXPECT_GT(count, 100u) << "four of the box in each step";
  ASSERT_EQ(positions.size(), 3 * count);
  ASSERT_EQ(gaps.size(), count);
  WorldSnapshot frame;
  for (std::size_t f = 0; f < chosen.size(); ++f) {
    recording_->frame(chosen[f], frame);
    ASSERT_EQ(starts[f + 1] - starts[f], std::ssize(frame.contacts)) << f;
    for (std::size_t i = 0; i < frame.contacts.size(); ++i) {
      const std::size_t at = static_cast<std::size_t>(starts[f]) + i;
      const ContactSnapshot& contact = frame.contacts[i];
      EXPECT_EQ(bodyA[at], contact.bodyA.index);  // no body was removed: slots are rows
      EXPECT_EQ(bodyB[at], contact.bodyB.index);
      EXPECT_EQ(gaps[at], contact.gap);
      EXPECT_EQ(shares[at], contact.normalImpulse);
      EXPECT_EQ(frictions[at], contact.friction);
      for (int k = 0; k < 3; ++k) {
        EXPECT_EQ(positions[3 * at + k], contact.position[k]);
        EXPECT_EQ(normals[3 * at + k], contact.normal[k]);
        EXPECT_EQ(impulses[3 * at + k], contact.impulse[k]);
      }
    }
  }
}

TEST_F(NpzFile, WithoutContacts_HasEmptyArrays) {
  exchange({0});
  EXPECT_EQ(arrays_.at("contact_impulse").shape, "(0, 3)");
  EXPECT_EQ(arrays_.at("contact_gap").shape, "(0,)");
  EXPECT_THAT(indices("contact_start"), ElementsAre(0, 0));
}

}  // namespace
}  // namespace drystone::viewer
