#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <tuple>

#include "core/input_error.h"
#include "viewer/draw/draw_bodies.h"
#include "viewer/exporting/data_files.h"
#include "viewer/exporting/number_text.h"

namespace drystone::viewer {
namespace {

using nlohmann::json;

/// Lengths in a binary file have 32 bits; what is left is for its JSON.
constexpr std::size_t kLargestBuffer = 4'000'000'000;  // [bytes]

// Numbers of the glTF 2.0 specification.
constexpr int kFloatType = 5126, kIndexType = 5125;         // accessor.componentType
constexpr int kVertexTarget = 34962, kIndexTarget = 34963;  // bufferView.target

/// The buffer of the file, and what says where its parts lie.
class GltfBuffer {
 public:
  /// Each is an accessor of its own; returns its index.
  int vectors(const std::vector<Vec3f>& list, int target = 0) {
    for (const Vec3f& one : list) append(one);
    const int index = add("VEC3", list.size(), 3 * sizeof(float), kFloatType, target);
    json lower = json::array(), upper = json::array();
    for (int k = 0; k < 3; ++k) {
      const auto [low, high] =
          std::ranges::minmax(list, {}, [k](const Vec3f& one) { return one[k]; });
      lower.push_back(low[k]);
      upper.push_back(high[k]);
    }
    accessors_[static_cast<std::size_t>(index)]["min"] = std::move(lower);
    accessors_[static_cast<std::size_t>(index)]["max"] = std::move(upper);
    return index;
  }
  int rotations(const std::vector<Eigen::Vector4f>& list) {
    for (const Eigen::Vector4f& one : list) append(one);
    return add("VEC4", list.size(), 4 * sizeof(float), kFloatType, 0);
  }
  int times(const std::vector<float>& list) {
    for (const float one : list) appendNumber(bytes_, one);
    const int index = add("SCALAR", list.size(), sizeof(float), kFloatType, 0);
    accessors_[static_cast<std::size_t>(index)]["min"] = json::array({list.front()});
    accessors_[static_cast<std::size_t>(index)]["max"] = json::array({list.back()});
    return index;
  }
  int indices(const std::vector<std::uint32_t>& list) {
    for (const std::uint32_t one : list) appendNumber(bytes_, one);
    return add("SCALAR", list.size(), sizeof(std::uint32_t), kIndexType, kIndexTarget);
  }

  void describe(json& file) const {
    if (bytes_.empty()) return;  // glTF has no empty lists
    file["buffers"] = json::array({json{{"byteLength", bytes_.size()}}});
    file["bufferViews"] = views_;
    file["accessors"] = accessors_;
  }
  const std::string& bytes() const { return bytes_; }

 private:
  template <class Vector>
  void append(const Vector& vector) {
    for (const float value : vector) appendNumber(bytes_, value);
  }
  /// What was appended last. All numbers have four bytes, so that everything is aligned.
  int add(const char* type, std::size_t count, std::size_t size, int component, int target) {
    if (bytes_.size() > kLargestBuffer) {
      throw InputError(
          "the meshes and the animation have more than the 4 GB that a GLB file holds: shorten it "
          "by --from and --to, or take a smaller --fps");
    }
    const std::size_t length = count * size;
    json view = {{"buffer", 0}, {"byteOffset", bytes_.size() - length}, {"byteLength", length}};
    if (target != 0) view["target"] = target;
    views_.push_back(std::move(view));
    accessors_.push_back({{"bufferView", views_.size() - 1},
                          {"componentType", component},
                          {"count", count},
                          {"type", type}});
    return static_cast<int>(accessors_.size()) - 1;
  }

  std::string bytes_;
  json views_ = json::array(), accessors_ = json::array();
};

/// The motion of a body in single precision.
struct Track {
  std::vector<Vec3f> positions;            ///< less the origin of the scene [m]
  std::vector<Eigen::Vector4f> rotations;  ///< x, y, z, w

  void add(const Pose& pose, const Vec3& origin) {
    positions.push_back((pose.position - origin).cast<float>());
    Eigen::Vector4f rotation = pose.rotation.coeffs().cast<float>();
    // q and -q are one rotation, but players turn from number to number: the long way if need be.
    if (!rotations.empty() && rotations.back().dot(rotation) < 0) rotation = -rotation;
    rotations.push_back(rotation);
  }
  bool moves() const {
    return std::ranges::adjacent_find(positions, std::ranges::not_equal_to()) != positions.end() ||
           std::ranges::adjacent_find(rotations, std::ranges::not_equal_to()) != rotations.end();
  }
};

/// Linear light of a component as seen on the screen (IEC 61966-2-1).
float linearLight(float value) {
  return value <= 0.04045f ? value / 12.92f : std::pow((value + 0.055f) / 1.055f, 2.4f);
}

/// Meshes in the colors of the bodies: the same numbers are there once.
class GltfMeshes {
 public:
  GltfMeshes(const BodyMeshes& bodies, GltfBuffer& buffer) : bodies_(bodies), buffer_(buffer) {
    for (const auto& mesh : bodies.meshes) {
      attributes_.push_back({{"POSITION", buffer_.vectors(mesh->positions, kVertexTarget)},
                             {"NORMAL", buffer_.vectors(mesh->normals, kVertexTarget)}});
      indices_.push_back(buffer_.indices(mesh->indices));
    }
  }

  std::size_t indexOf(std::size_t mesh, const Color& color) {
    const std::size_t material = materialOf(color, bodies_.meshes[mesh]->twoSided);
    const auto [at, isNew] = meshOf_.try_emplace({mesh, material}, meshes_.size());
    if (isNew) {
      const json primitive = {
          {"attributes", attributes_[mesh]}, {"indices", indices_[mesh]}, {"material", material}};
      meshes_.push_back({{"primitives", json::array({primitive})}});
    }
    return at->second;
  }
  void describe(json& file) const {
    if (meshes_.empty()) return;
    file["meshes"] = meshes_;
    file["materials"] = materials_;
  }

 private:
  std::size_t materialOf(const Color& color, bool twoSided) {
    const Material key{color.red, color.green, color.blue, color.alpha, twoSided};
    const auto [at, isNew] = materialOfColor_.try_emplace(key, materials_.size());
    if (isNew) {
      json one = {{"pbrMetallicRoughness",
                   {{"baseColorFactor",
                     {linearLight(color.red), linearLight(color.green), linearLight(color.blue),
                      color.alpha}},
                    {"metallicFactor", 0},
                    {"roughnessFactor", 0.8}}}};
      if (twoSided) one["doubleSided"] = true;
      if (color.alpha < 1) one["alphaMode"] = "BLEND";
      materials_.push_back(std::move(one));
    }
    return at->second;
  }

  using Material = std::tuple<float, float, float, float, bool>;
  const BodyMeshes& bodies_;
  GltfBuffer& buffer_;
  std::vector<json> attributes_;  ///< [meshes]
  std::vector<int> indices_;      ///< [meshes]
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> meshOf_;
  std::map<Material, std::size_t> materialOfColor_;
  json meshes_ = json::array(), materials_ = json::array();
};

template <class Vector>
json numberList(const Vector& values) {
  json list = json::array();
  for (const auto value : values) list.push_back(value);
  return list;
}

json partNode(const BodyPart& part, std::size_t mesh) {
  Eigen::Matrix4f matrix = Eigen::Matrix4f::Identity();
  matrix.topLeftCorner<3, 3>() = part.linear;
  matrix.topRightCorner<3, 1>() = part.offset;
  json node = {{"mesh", mesh}};
  if (!matrix.isIdentity(0)) node["matrix"] = numberList(matrix.reshaped());  // column by column
  return node;
}

/// The nodes: the root, which turns z up into y up, then each body, then their parts.
json nodesOf(const ExportedRun& run, const BodyMeshes& bodies, const std::vector<Track>& tracks,
             GltfMeshes& meshes) {
  const SceneView& scene = *run.scene;
  const float half = std::sqrt(0.5f);
  const Vec3& origin = scene.layout.origin;
  json nodes = json::array();
  nodes.push_back({{"name", scene.name},
                   {"rotation", {-half, 0, 0, half}},
                   {"translation", {origin.x(), origin.z(), -origin.y()}}});
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    nodes.push_back({{"name", scene.bodies[i].name},
                     {"translation", numberList(tracks[i].positions.front())},
                     {"rotation", numberList(tracks[i].rotations.front())}});
    nodes[0]["children"].push_back(i + 1);
  }
  for (const BodyPart& part : bodies.parts) {
    const auto body = static_cast<std::size_t>(part.body);
    nodes[body + 1]["children"].push_back(nodes.size());
    nodes.push_back(partNode(part, meshes.indexOf(part.mesh, plainColor(scene.bodies[body]))));
  }
  return nodes;
}

/// Players go from frame to frame in straight lines and steady turns.
json animationOf(const std::vector<float>& times, const std::vector<Track>& tracks,
                 GltfBuffer& buffer) {
  json channels = json::array(), samplers = json::array();
  int input = -1;
  for (std::size_t i = 0; i < tracks.size(); ++i) {
    if (!tracks[i].moves()) continue;
    if (input < 0) input = buffer.times(times);
    const auto add = [&](const char* path, int output) {
      channels.push_back(
          {{"sampler", samplers.size()}, {"target", {{"node", i + 1}, {"path", path}}}});
      samplers.push_back({{"input", input}, {"output", output}, {"interpolation", "LINEAR"}});
    };
    add("translation", buffer.vectors(tracks[i].positions));
    add("rotation", buffer.rotations(tracks[i].rotations));
  }
  return {{"name", "motion"}, {"channels", std::move(channels)}, {"samplers", std::move(samplers)}};
}

/// Header, JSON and buffer; both are filled up to whole words.
std::string binaryFile(std::string text, std::string bytes) {
  text.append((4 - text.size() % 4) % 4, ' ');
  bytes.append((4 - bytes.size() % 4) % 4, '\0');
  std::string file = "glTF";
  appendNumber<std::uint32_t>(file, 2);  // version
  constexpr std::size_t kHeaders = 12 + 2 * 8;
  appendNumber(file, static_cast<std::uint32_t>(kHeaders + text.size() + bytes.size()));
  appendNumber(file, static_cast<std::uint32_t>(text.size()));
  file.append("JSON").append(text);
  appendNumber(file, static_cast<std::uint32_t>(bytes.size()));
  return file.append("BIN\0", 4).append(bytes);
}

}  // namespace

std::string gltfFile(const ExportedRun& run, const std::vector<std::int64_t>& frames) {
  const SceneView& scene = *run.scene;
  std::vector<Track> tracks(scene.bodies.size());
  std::vector<float> times;
  WorldSnapshot begin;
  visitFrames(run, frames, [&](const WorldSnapshot& frame) {
    if (times.empty()) begin = frame;
    const auto time = static_cast<float>(frame.time - begin.time);
    if (!times.empty() && time <= times.back()) {
      throw InputError(
          "the frames are closer together than the single precision of glTF tells apart: take a "
          "smaller --fps or a shorter range");
    }
    times.push_back(time);
    for (std::size_t i = 0; i < tracks.size(); ++i) {
      tracks[i].add(frame.bodies[i].pose, scene.layout.origin);
    }
  });
  const BodyMeshes bodies = bodyMeshes(scene, begin, true);
  GltfBuffer buffer;
  GltfMeshes meshes(bodies, buffer);
  json file = {
      {"asset", {{"version", "2.0"}, {"generator", "drystone " + run.recording.info().version}}},
      {"scene", 0},
      {"scenes", json::array({json{{"nodes", json::array({0})}}})},
      {"nodes", nodesOf(run, bodies, tracks, meshes)}};
  json animation = animationOf(times, tracks, buffer);
  if (!animation["channels"].empty()) file["animations"] = json::array({animation});
  meshes.describe(file);
  buffer.describe(file);
  // Names are as their writer typed them, in whatever bytes.
  return binaryFile(file.dump(-1, ' ', false, json::error_handler_t::replace), buffer.bytes());
}

}  // namespace drystone::viewer
