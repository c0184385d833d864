// A GLB file is whole, and its nodes move as the bodies of the recording.
#include <gmock/gmock.h>

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>

#include "tests/unit/viewer_exporting/exported_ball.h"
#include "viewer/exporting/data_files.h"

namespace drystone::viewer {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::FloatEq;

std::uint32_t wordAt(const std::string& bytes, std::size_t at) {
  std::uint32_t word = 0;
  std::memcpy(&word, bytes.data() + at, sizeof(word));
  return word;
}

/// The two chunks of a file, after checks of their headers.
struct Glb {
  json file;
  std::string buffer;

  explicit Glb(const std::string& bytes) {
    EXPECT_EQ(bytes.substr(0, 4), "glTF");
    EXPECT_EQ(wordAt(bytes, 4), 2u);
    EXPECT_EQ(wordAt(bytes, 8), bytes.size());
    const std::size_t length = wordAt(bytes, 12), second = 20 + length;
    EXPECT_EQ(bytes.substr(16, 4), "JSON");
    EXPECT_EQ(length % 4, 0u);
    file = json::parse(bytes.substr(20, length));
    EXPECT_EQ(bytes.substr(second + 4, 4), std::string("BIN\0", 4));
    buffer = bytes.substr(second + 8);
    EXPECT_EQ(wordAt(bytes, second), buffer.size());
    EXPECT_EQ(buffer.size(), file["buffers"][0]["byteLength"]) << "all numbers have four bytes";
  }

  static std::size_t widthOf(const json& accessor) {
    const std::string type = accessor["type"];
    return type == "SCALAR" ? 1 : type == "VEC3" ? 3 : 4;
  }
  template <class Number>
  std::vector<Number> numbers(const json& index) const {
    const json& accessor = file["accessors"][index.get<std::size_t>()];
    const json& view = file["bufferViews"][accessor["bufferView"].get<std::size_t>()];
    std::vector<Number> list(accessor["count"].get<std::size_t>() * widthOf(accessor));
    const auto offset = view["byteOffset"].get<std::size_t>();
    EXPECT_EQ(view["byteLength"], list.size() * sizeof(Number));
    EXPECT_LE(offset + list.size() * sizeof(Number), buffer.size());
    std::memcpy(list.data(), buffer.data() + offset, list.size() * sizeof(Number));
    return list;
  }
  /// Output of the animation of a node; null where it does not move.
  json outputOf(std::size_t node, const std::string& path) const {
    const json& motion = file["animations"][0];
    for (const json& channel : motion["channels"]) {
      if (channel["target"]["node"] != node || channel["target"]["path"] != path) continue;
      return motion["samplers"][channel["sampler"].get<std::size_t>()]["output"];
    }
    return {};
  }
};

constexpr std::size_t kBallNode = 3;  // after the root, the floor and the box

using GltfFile = ExportedBall;

TEST_F(GltfFile, Accessors_LieInTheBufferAndKnowTheirBounds) {
  const Glb glb(gltfFile(*run_, frames({.perSecond = 30})));
  std::size_t end = 0;
  for (const json& view : glb.file["bufferViews"]) {
    EXPECT_EQ(view["byteOffset"], end) << "one after the other";
    EXPECT_EQ(view["byteOffset"].get<std::size_t>() % 4, 0u);
    end += view["byteLength"].get<std::size_t>();
  }
  EXPECT_EQ(end, glb.buffer.size());
  int bounded = 0;
  for (std::size_t i = 0; i < glb.file["accessors"].size(); ++i) {
    const json& accessor = glb.file["accessors"][i];
    if (!accessor.contains("min")) continue;
    ++bounded;
    const auto numbers = glb.numbers<float>(i);
    const std::size_t width = Glb::widthOf(accessor);
    for (std::size_t k = 0; k < width; ++k) {
      float low = numbers[k], high = low;
      for (std::size_t at = k; at < numbers.size(); at += width) {
        low = std::min(low, numbers[at]);
        high = std::max(high, numbers[at]);
      }
      EXPECT_EQ(accessor["min"][k].get<float>(), low);
      EXPECT_EQ(accessor["max"][k].get<float>(), high);
    }
  }
  EXPECT_GE(bounded, 7) << "positions and normals of three meshes, and the times";
}

TEST_F(GltfFile, Triangles_AreOfTheirVertices) {
  const Glb glb(gltfFile(*run_, frames()));
  ASSERT_EQ(glb.file["meshes"].size(), 3u);
  for (const json& mesh : glb.file["meshes"]) {
    const json& primitive = mesh["primitives"][0];
    const auto positions = glb.numbers<float>(primitive["attributes"]["POSITION"]);
    EXPECT_EQ(glb.numbers<float>(primitive["attributes"]["NORMAL"]).size(), positions.size());
    const auto indices = glb.numbers<std::uint32_t>(primitive["indices"]);
    EXPECT_EQ(indices.size() % 3, 0u);
    EXPECT_LT(*std::ranges::max_element(indices), positions.size() / 3);
    EXPECT_LT(primitive["material"].get<std::size_t>(), glb.file["materials"].size());
  }
  const json& part = glb.file["nodes"][glb.file["nodes"][kBallNode]["children"][0].get<int>()];
  EXPECT_FLOAT_EQ(part["matrix"][5].get<float>(), 0.25f) << "the unit sphere at the ball's radius";
  EXPECT_EQ(part["matrix"][15], 1);
}

TEST_F(GltfFile, Ball_MovesAsInTheRecording) {
  const auto chosen = frames({.from = 0.1, .perSecond = 30});
  const Glb glb(gltfFile(*run_, chosen));
  EXPECT_EQ(glb.file["nodes"][kBallNode]["name"], "ball");
  EXPECT_TRUE(glb.outputOf(1, "translation").is_null()) << "the floor stays";
  const auto times = glb.numbers<float>(glb.file["animations"][0]["samplers"][0]["input"]);
  const auto places = glb.numbers<float>(glb.outputOf(kBallNode, "translation"));
  ASSERT_EQ(times.size(), chosen.size());
  ASSERT_EQ(places.size(), 3 * chosen.size());
  WorldSnapshot begin, frame;
  recording_->frame(chosen.front(), begin);
  for (std::size_t f = 0; f < chosen.size(); ++f) {
    recording_->frame(chosen[f], frame);
    EXPECT_FLOAT_EQ(times[f], static_cast<float>(frame.time - begin.time));
    for (int k = 0; k < 3; ++k) {
      EXPECT_EQ(places[3 * f + k], static_cast<float>(frame.bodies[2].pose.position[k]));
    }
  }
  EXPECT_LT(places.back(), 0.3f) << "it fell";
}

// The root takes z to y: its rotation, done by hand, of the unit vector up.
TEST_F(GltfFile, Up_IsY) {
  const Glb glb(gltfFile(*run_, frames()));
  const json& root = glb.file["nodes"][0];
  EXPECT_EQ(glb.file["scenes"][0]["nodes"], json::array({0}));
  EXPECT_EQ(root["children"], json::array({1, 2, 3}));
  const auto q = root["rotation"].get<std::vector<float>>();
  const Eigen::Vector3f up = Eigen::Quaternionf(q[3], q[0], q[1], q[2]) * Eigen::Vector3f::UnitZ();
  EXPECT_NEAR(up.y(), 1, 1e-6);
}

TEST_F(GltfFile, OneFrame_HasNoAnimation) {
  const Glb glb(gltfFile(*run_, {5}));
  EXPECT_FALSE(glb.file.contains("animations"));
  EXPECT_THAT(glb.file["nodes"][2]["translation"].get<std::vector<float>>(),
              ElementsAre(FloatEq(2), FloatEq(0), testing::FloatNear(0.5f, 1e-3f)));
}

/// It turns by 4 rad between frames that are 0.1 s apart, so that its quaternion goes to the far
/// side each time.
class SpinningBall : public ExportedBall {
 protected:
  SpinningBall() : ExportedBall("ball", R"(, "angular_velocity": [0, 0, 40])") {}
};

TEST_F(SpinningBall, Rotations_TakeTheShortWay) {
  const auto chosen = frames({.perSecond = 10});
  const Glb glb(gltfFile(*run_, chosen));
  const auto turns = glb.numbers<float>(glb.outputOf(kBallNode, "rotation"));
  ASSERT_EQ(turns.size(), 4 * chosen.size());
  bool isTurned = false;  // against the sign of the recording
  WorldSnapshot frame;
  for (std::size_t f = 0; f < chosen.size(); ++f) {
    const Eigen::Map<const Eigen::Vector4f> now(&turns[4 * f]);
    recording_->frame(chosen[f], frame);
    const Eigen::Vector4f recorded = frame.bodies[2].pose.rotation.coeffs().cast<float>();
    EXPECT_TRUE(now == recorded || now == -recorded) << f;
    isTurned = isTurned || now == -recorded;
    if (f == 0) continue;
    EXPECT_GT(now.dot(Eigen::Map<const Eigen::Vector4f>(&turns[4 * f - 4])), 0) << f;
  }
  EXPECT_TRUE(isTurned) << "the recording goes on by itself, and this test shows nothing";
}

}  // namespace
}  // namespace drystone::viewer
