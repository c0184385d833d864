// The tables of `drystone export` hold the numbers of the recording, to the last bit.
#include <gmock/gmock.h>

#include <cstdlib>

#include "engine/recording/recording.h"
#include "tests/cli/program.h"

namespace drystone::test {
namespace {
using testing::ElementsAre;
using testing::HasSubstr;

/// A ball that turns as it falls onto a floor, with names that a table has to quote.
constexpr const char* kScene = R"({"version": 1, "name": "drop",
  "world": {"timestep": 0.016666666666666666}, "bodies": [
  {"name": "floor, wide", "kind": "static", "shape": {"type": "plane"},
   "adhesion": [{"time": 0, "force": 0.5}]},
  {"name": "the \"ball\"", "shape": {"type": "sphere", "radius": 0.25}, "position": [0.1, 0.2, 0.3],
   "orientation": [0.8, 0, 0.6, 0], "velocity": [1, 0.3, 0], "angular_velocity": [1, 2, 3]}]})";

class ExportedTables : public testing::Test {
 protected:
  ExportedTables() {
    const std::string scene = scratch_.write("drop.json", kScene);
    const ProgramResult run =
        drystone({"run", scene, "--steps", "20", "--record", file_, "--quiet"});
    EXPECT_EQ(run.exitCode, 0) << run.err;
  }
  ProgramResult exported(std::vector<std::string> options) const {
    options.insert(options.begin(), {"export", file_});
    ProgramResult result = drystone(options);
    EXPECT_EQ(result.exitCode, 0) << result.err;
    return result;
  }

  const Scratch scratch_;
  const std::string file_ = scratch_.path("a.h5");
};

/// The fields of a row behind the names, whose quotes are none of theirs.
std::vector<Real> numbersBehind(const std::string& names, const std::string& row) {
  const std::size_t at = row.find(names);
  EXPECT_NE(at, std::string::npos) << row << " lacks " << names;
  std::vector<Real> numbers;
  for (const std::string& field : splitFields(row.substr(at + names.size()))) {
    numbers.push_back(std::strtod(field.c_str(), nullptr));
  }
  return numbers;
}

TEST_F(ExportedTables, Csv_HasEveryBodyOfEveryFrame) {
  const std::string folder = scratch_.path("tables");
  EXPECT_THAT(exported({"--csv", folder}).out, HasSubstr(folder + ": 21 frames, "));
  const std::vector<std::string> rows = splitLines(readText(folder + "/bodies.csv"));
  EXPECT_EQ(rows.front(),
            "step,time_s,body,position_x_m,position_y_m,position_z_m,rotation_w,rotation_x,"
            "rotation_y,rotation_z,linear_velocity_x_m_s,linear_velocity_y_m_s,"
            "linear_velocity_z_m_s,angular_velocity_x_rad_s,angular_velocity_y_rad_s,"
            "angular_velocity_z_rad_s");
  const Recording recording(file_);
  ASSERT_EQ(rows.size(), 1 + 2 * 21u);
  WorldSnapshot frame;
  for (int i = 0; i < 21; ++i) {
    recording.frame(i, frame);
    const std::string& row = rows[2 + 2 * static_cast<std::size_t>(i)];
    EXPECT_TRUE(row.starts_with(std::to_string(frame.step) + ",")) << row;
    EXPECT_EQ(std::strtod(row.c_str() + row.find(',') + 1, nullptr), frame.time);
    const BodySnapshot& ball = frame.bodies[1];
    const Vec3 &p = ball.pose.position, &v = ball.linearVelocity, &w = ball.angularVelocity;
    const Quat& q = ball.pose.rotation;
    EXPECT_THAT(numbersBehind(R"(,"the ""ball""",)", row),
                ElementsAre(p.x(), p.y(), p.z(), q.w(), q.x(), q.y(), q.z(), v.x(), v.y(), v.z(),
                            w.x(), w.y(), w.z()));
  }
}

TEST_F(ExportedTables, Csv_HasEveryContactOfEveryFrame) {
  const std::string folder = scratch_.path("tables");
  exported({"--csv", folder, "--from", "0.1", "--quiet"});
  const std::vector<std::string> rows = splitLines(readText(folder + "/contacts.csv"));
  EXPECT_EQ(rows.front(),
            "step,time_s,body_a,body_b,position_x_m,position_y_m,position_z_m,normal_x,normal_y,"
            "normal_z,gap_m,impulse_x_Ns,impulse_y_Ns,impulse_z_Ns,normal_impulse_Ns,"
            "attraction_Ns,friction");
  const Recording recording(file_);
  std::size_t row = 0;
  Real pulled = 0;
  WorldSnapshot frame;
  for (int i = 0; i < 21; ++i) {
    recording.frame(i, frame);
    if (frame.time < 0.1 - 1e-6) continue;
    for (const ContactSnapshot& contact : frame.contacts) {
      ASSERT_LT(++row, rows.size());
      const Vec3 &p = contact.position, &n = contact.normal, &j = contact.impulse;
      EXPECT_THAT(numbersBehind(R"(,"floor, wide","the ""ball""",)", rows[row]),
                  ElementsAre(p.x(), p.y(), p.z(), n.x(), n.y(), n.z(), contact.gap, j.x(), j.y(),
                              j.z(), contact.normalImpulse, contact.attraction, contact.friction));
      pulled += contact.attraction;
    }
  }
  EXPECT_EQ(row + 1, rows.size());
  EXPECT_GT(row, 5u) << "the ball touched the floor";
  EXPECT_GT(pulled, 0) << "which pulls on it";
}

TEST_F(ExportedTables, Folders_AreMadeAndFilled) {
  const std::string folder = scratch_.path("series");
  EXPECT_THAT(exported({"--vtk", folder, "--fps", "1"}).out, HasSubstr(folder + ": 2 frames, "));
  EXPECT_THAT(scratch_.list("series"),
              ElementsAre("bodies.pvd", "bodies_000000.vtp", "bodies_000001.vtp", "contacts.pvd",
                          "contacts_000000.vtp", "contacts_000001.vtp"));
  const std::string inFile = scratch_.write("file", "");
  for (const std::string option : {"--csv", "--vtk"}) {
    const ProgramResult refused = drystone({"export", file_, option, inFile});
    EXPECT_EQ(refused.exitCode, 2);
    EXPECT_TRUE(refused.errContains(option)) << refused.err;
  }
}

TEST_F(ExportedTables, SeveralFormatsInOneCall_AreAllWritten) {
  const std::string page = scratch_.path("a.html"), folder = scratch_.path("tables");
  const std::string arrays = scratch_.path("a.npz"), model = scratch_.path("a.glb");
  const std::string out =
      exported({"--html", page, "--csv", folder, "--npz", arrays, "--gltf", model}).out;
  EXPECT_THAT(out, HasSubstr(page + ": 11 frames, ")) << "half of 60 a second";
  EXPECT_THAT(out, HasSubstr(folder + ": 21 frames, "));
  EXPECT_THAT(out, HasSubstr(arrays + ": 21 frames, "));
  EXPECT_THAT(out, HasSubstr(model + ": 11 frames, "));
  EXPECT_THAT(exported({"--csv", folder, "--fps", "30"}).out, HasSubstr(folder + ": 11 frames, "));
}

}  // namespace
}  // namespace drystone::test
