// glTF 2.0 files: the corners of the triangles of their scene, where its nodes put them.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "scenes/importing/gltf_buffers.h"
#include "scenes/importing/gltf_json.h"
#include "scenes/importing/mesh_file.h"

namespace drystone::importing {
namespace {

using Placement = Eigen::Transform<Real, 3, Eigen::Affine>;

/// Nodes are read by recursion; those of robots nest some levels.
constexpr int kDeepestGltfNode = 200;
constexpr std::size_t kMostGltfCorners = 10'000'000;
/// What programs that write 32-bit numbers leave of the zeros of a matrix.
constexpr Real kMatrixRounding = 1e-6;

// primitive.mode; what comes before are points and lines.
constexpr int kTriangles = 4, kTriangleFan = 6;

/// Files cannot be read without the extensions that they require. These change nothing but how a
/// mesh looks, or let points be integers, which are read.
bool isReadExtension(std::string_view name) {
  constexpr std::array<std::string_view, 6> kStarts = {"KHR_materials_",        "KHR_texture_",
                                                       "EXT_texture_",          "KHR_lights_",
                                                       "KHR_mesh_quantization", "KHR_xmp"};
  return std::ranges::any_of(kStarts, [&](auto start) { return name.starts_with(start); });
}

/// glTF's y axis points up, as our z does.
Placement raised() {
  Placement turn = Placement::Identity();
  turn.linear() << 1, 0, 0, 0, 0, -1, 0, 1, 0;
  return turn;
}

class GltfScene {
 public:
  GltfScene(GltfJson& file, std::optional<std::string_view> binary)
      : file_(file), buffers_(file, binary) {
    checkVersion();
    checkExtensions();
  }

  std::vector<Vec3> corners() {
    const JsonCursor root = file_.root();
    const auto index = root.member("scene");
    const auto scenes = root.member("scenes");
    if (!index && (!scenes || !scenes->isArray() || scenes->size() == 0)) {
      file_.fail(root, "has no scene; export the mesh anew");
    }
    const JsonCursor scene = index ? file_.target(*index, "scenes") : scenes->element(0);
    file_.forEach(scene, "nodes", [&](const JsonCursor& node) { addNode(node, raised(), 1); });
    if (corners_.empty()) file_.fail(scene, "shows no triangles; export the mesh anew");
    return std::move(corners_);
  }

 private:
  void checkVersion() {
    const JsonCursor asset = file_.required(file_.root(), "asset");
    const JsonCursor version = file_.required(asset, "version");
    if (!file_.text(version).starts_with("2.")) {
      file_.fail(version, fmt::format("only glTF 2 is read, got {}", version.describe()));
    }
    if (const auto least = asset.member("minVersion"); least && file_.text(*least) != "2.0") {
      file_.fail(*least, fmt::format("only glTF 2.0 is read, got {}", least->describe()));
    }
  }

  void checkExtensions() {
    file_.forEach(file_.root(), "extensionsRequired", [&](const JsonCursor& name) {
      if (isReadExtension(file_.text(name))) return;
      file_.fail(name, fmt::format("the extension {} is not read; export the mesh without it",
                                   file_.text(name)));
    });
  }

  Placement ownPlacement(const JsonCursor& node) {
    Placement own = Placement::Identity();
    const auto matrix = file_.reals(node, "matrix", 16);
    const auto move = file_.reals(node, "translation", 3), turn = file_.reals(node, "rotation", 4),
               scale = file_.reals(node, "scale", 3);
    if (matrix) {
      if (move || turn || scale) {
        file_.fail(node, "has both a matrix and a translation, rotation or scale");
      }
      // Column by column.
      const Eigen::Matrix<Real, 4, 4> m =
          Eigen::Map<const Eigen::Matrix<Real, 4, 4>>(matrix->data());
      if (!(m.row(3) - Eigen::RowVector4<Real>(0, 0, 0, 1)).isZero(kMatrixRounding)) {
        file_.fail(node, "the last row of its matrix must be 0, 0, 0, 1");
      }
      own.matrix() = m;
      return own;
    }
    if (move) own.translate(Vec3((*move)[0], (*move)[1], (*move)[2]));
    if (turn) {
      const Quat rotation((*turn)[3], (*turn)[0], (*turn)[1], (*turn)[2]);  // x, y, z, w
      if (!(rotation.norm() > 0)) file_.fail(node, "its rotation must not be zero");
      own.rotate(rotation.normalized());
    }
    if (scale) own.scale(Vec3((*scale)[0], (*scale)[1], (*scale)[2]));
    return own;
  }

  void addNode(const JsonCursor& index, const Placement& parent, int depth) {
    const JsonCursor node = file_.target(index, "nodes");
    if (!nodes_.insert(node.pointer()).second) {
      file_.fail(index, "nodes contain each other, or one has two parents; export the mesh anew");
    }
    if (depth > kDeepestGltfNode) {
      file_.fail(index, fmt::format("nodes nest deeper than {} levels", kDeepestGltfNode));
    }
    const Placement pose = parent * ownPlacement(node);
    if (const auto skin = node.member("skin")) {
      file_.fail(*skin, "skinned meshes are not read; export the mesh without its armature");
    }
    requireRest(node);
    if (const auto mesh = node.member("mesh")) addMesh(*mesh, pose);
    file_.forEach(node, "children",
                  [&](const JsonCursor& child) { addNode(child, pose, depth + 1); });
  }

  /// Morph targets change nothing as long as their weights are 0.
  void requireRest(const JsonCursor& object) {
    file_.forEach(object, "weights", [&](const JsonCursor& weight) {
      if (weight.json() == 0) return;
      file_.fail(weight, "morph targets are not read; export the mesh with all weights 0");
    });
  }

  void addMesh(const JsonCursor& index, const Placement& pose) {
    const JsonCursor mesh = file_.target(index, "meshes");
    // Read once, as many nodes may show it.
    const auto [known, isNew] = meshes_.try_emplace(mesh.pointer());
    std::vector<Vec3>& corners = known->second;
    if (isNew) {
      requireRest(mesh);
      file_.forEach(mesh, "primitives", [&](const JsonCursor& part) { readPart(part, corners); });
    }
    if (corners.size() > kMostGltfCorners - corners_.size()) {
      file_.fail(index, "the scene has too many triangles");
    }
    for (const Vec3& corner : corners) {
      corners_.push_back(pose * corner);
      if (!corners_.back().allFinite()) file_.fail(index, "a point lies beyond all bounds");
    }
  }

  /// Triangles, strips and fans have the same corners: those that are named.
  void readPart(const JsonCursor& part, std::vector<Vec3>& corners) {
    const int mode = file_.whole(part, "mode", kTriangles, 0, kTriangleFan);
    if (mode < kTriangles) return;
    const JsonCursor attributes = file_.required(part, "attributes");
    constexpr std::array kPointTypes = {GltfType::kFloat, GltfType::kByte, GltfType::kUnsignedByte,
                                        GltfType::kShort, GltfType::kUnsignedShort};
    const JsonCursor position = file_.required(attributes, "POSITION");
    const GltfNumbers points =
        buffers_.numbers(file_.target(position, "accessors"), "VEC3", 3, kPointTypes);
    constexpr std::array kIndexTypes = {GltfType::kUnsignedByte, GltfType::kUnsignedShort,
                                        GltfType::kUnsignedInt};
    std::optional<GltfNumbers> indices;
    if (const auto index = part.member("indices")) {
      indices = buffers_.numbers(file_.target(*index, "accessors"), "SCALAR", 1, kIndexTypes);
    }
    const std::size_t count = indices ? indices->count : points.count;
    if (count < 3 || (mode == kTriangles && count % 3 != 0)) {
      file_.fail(part, fmt::format("{} corners make no triangles; export the mesh anew", count));
    }
    if (count > kMostGltfCorners - corners.size()) {
      file_.fail(part, "the mesh has too many triangles");
    }
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t at = indices ? static_cast<std::size_t>(indices->number(i, 0)) : i;
      if (at >= points.count) {
        file_.fail(part, fmt::format("index {} names the point {}, and there are {}", i, at,
                                     points.count));
      }
      corners.emplace_back(points.number(at, 0), points.number(at, 1), points.number(at, 2));
      if (!corners.back().allFinite()) {
        file_.fail(position, fmt::format("point {} is not finite; export the mesh anew", at));
      }
    }
  }

  GltfJson& file_;
  GltfBuffers buffers_;
  std::set<std::string> nodes_;                      ///< seen so far, by their pointers
  std::map<std::string, std::vector<Vec3>> meshes_;  ///< read so far, by their pointers
  std::vector<Vec3> corners_;
};

}  // namespace

std::vector<Vec3> parseGltf(std::string_view bytes, const std::string& path) {
  const GltfParts parts = splitGltf(bytes, path);
  GltfJson file(parts.json, path);
  return GltfScene(file, parts.binary).corners();
}

}  // namespace drystone::importing
