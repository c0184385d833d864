// What a parser of XML finds in the files for ParaView is what the recording holds.
#include <gmock/gmock.h>

#include <fstream>
#include <map>

#include "tests/unit/viewer_exporting/exported_ball.h"
#include "tests/unit/viewer_exporting/read_arrays.h"
#include "viewer/exporting/data_files.h"

namespace drystone::viewer {
namespace {

using testing::HasSubstr;

class VtkFiles : public ExportedBall {
 protected:
  // It spins, so that its points differ in velocity.
  VtkFiles() : ExportedBall("ball", R"(, "angular_velocity": [1, 2, 3])") {}
  ~VtkFiles() override { std::filesystem::remove(vtp_); }

  void SetUp() override {
    if (python().empty()) GTEST_SKIP() << "there is no python3";
    recording_->frame(kSteps, frame_);
  }
  /// Arrays of the file, and the counts of its piece as arrays without bytes.
  std::map<std::string, ReadArray> read(const std::string& text) const {
    std::ofstream(vtp_, std::ios::binary) << text;
    return readArrays(python(), R"py(
import base64, struct, sys, xml.etree.ElementTree as tree
piece = tree.parse(sys.argv[1]).getroot().find('PolyData/Piece')
for key, value in piece.attrib.items(): print(key, 'count', 0, value)
for part in piece:
    for one in part:
        data = base64.b64decode(one.text)
        assert struct.unpack('<Q', data[:8])[0] == len(data) - 8
        print(one.get('Name'), one.get('type'), len(data) - 8,
              part.tag, one.get('NumberOfComponents'), flush=True)
        sys.stdout.buffer.write(data[8:])
        sys.stdout.buffer.flush()
)py",
                      vtp_);
  }

  WorldSnapshot frame_;

 private:
  static const std::string& python() {
    static const std::string found = pythonWith("xml.etree.ElementTree");
    return found;
  }
  const std::string vtp_ = path_ + ".vtp";
};

TEST_F(VtkFiles, Bodies_LieWhereTheRecordingHasThem) {
  const BodyMeshes meshes = bodyMeshes(*run_->scene, frame_, true);
  ASSERT_EQ(meshes.parts.size(), 3u);
  auto arrays = read(vtkBodies(meshes, frame_));
  const auto points = arrays["points"].as<Real>(), velocities = arrays["velocity"].as<Real>();
  const auto corners = arrays["connectivity"].as<std::int32_t>();
  const auto ends = arrays["offsets"].as<std::int32_t>(),
             bodies = arrays["body"].as<std::int32_t>();
  EXPECT_EQ(arrays["points"].shape, "Points 3");
  EXPECT_EQ(arrays["velocity"].shape, "PointData 3");
  EXPECT_EQ(arrays["body"].shape, "CellData 1");
  EXPECT_EQ(arrays["offsets"].shape, "Polys 1");
  EXPECT_EQ(arrays["NumberOfPoints"].shape, std::to_string(points.size() / 3));
  EXPECT_EQ(arrays["NumberOfPolys"].shape, std::to_string(bodies.size()));
  EXPECT_EQ(velocities.size(), points.size());
  ASSERT_EQ(corners.size(), 3 * bodies.size());
  ASSERT_EQ(ends.size(), bodies.size());
  int ofTheBall = 0;
  for (std::size_t cell = 0; cell < bodies.size(); ++cell) {
    EXPECT_EQ(ends[cell], 3 * static_cast<std::int32_t>(cell + 1));
    if (bodies[cell] != 2) continue;
    ++ofTheBall;
    const BodySnapshot& ball = frame_.bodies[2];
    for (std::size_t k = 0; k < 3; ++k) {
      const auto at = 3 * static_cast<std::size_t>(corners[3 * cell + k]);
      const Vec3 arm = Vec3(points[at], points[at + 1], points[at + 2]) - ball.pose.position;
      EXPECT_NEAR(arm.norm(), 0.25, 1e-6);  // its radius, in single precision
      const Vec3 expected = ball.linearVelocity + ball.angularVelocity.cross(arm);
      EXPECT_NEAR((Vec3(velocities[at], velocities[at + 1], velocities[at + 2]) - expected).norm(),
                  0, 1e-12);
    }
  }
  EXPECT_GT(ofTheBall, 100);
}

TEST_F(VtkFiles, Contacts_HaveTheBitsOfTheRecording) {
  ASSERT_GE(frame_.contacts.size(), 4u) << "of the box";
  auto arrays = read(vtkContacts(*run_, frame_));
  const auto points = arrays["position"].as<Real>(), impulses = arrays["impulse"].as<Real>();
  const auto gaps = arrays["gap"].as<Real>();
  const auto bodyB = arrays["body_b"].as<std::int32_t>();
  const auto vertices = arrays["connectivity"].as<std::int32_t>();
  const auto ends = arrays["offsets"].as<std::int32_t>();
  EXPECT_EQ(arrays["position"].shape, "Points 3");
  EXPECT_EQ(arrays["impulse"].shape, "PointData 3");
  EXPECT_EQ(arrays["NumberOfVerts"].shape, std::to_string(frame_.contacts.size()));
  ASSERT_EQ(points.size(), 3 * frame_.contacts.size());
  for (std::size_t i = 0; i < frame_.contacts.size(); ++i) {
    const ContactSnapshot& contact = frame_.contacts[i];
    EXPECT_EQ(gaps[i], contact.gap);
    EXPECT_EQ(bodyB[i], contact.bodyB.index);
    EXPECT_EQ(vertices[i], static_cast<std::int32_t>(i));
    EXPECT_EQ(ends[i], static_cast<std::int32_t>(i + 1));
    for (int k = 0; k < 3; ++k) {
      EXPECT_EQ(points[3 * i + k], contact.position[k]);
      EXPECT_EQ(impulses[3 * i + k], contact.impulse[k]);
    }
  }
}

TEST_F(VtkFiles, Start_HasNoContactsButIsWhole) {
  recording_->frame(0, frame_);
  auto arrays = read(vtkContacts(*run_, frame_));
  EXPECT_EQ(arrays["NumberOfPoints"].shape, "0");
  EXPECT_TRUE(arrays.contains("gap"));
}

TEST(VtkSeries, NamesTheFileOfEachTime) {
  const std::string text = vtkSeries("bodies", {0, 0.1});
  EXPECT_THAT(text, HasSubstr(R"(timestep="0.1" part="0" file="bodies_000001.vtp")"));
}

}  // namespace
}  // namespace drystone::viewer
