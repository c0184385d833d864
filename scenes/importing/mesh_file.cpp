// Meshes that model files name. Only their vertices count: they collide as their convex hulls.
#include "scenes/importing/mesh_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <cstdint>
#include <cstring>
#include <filesystem>

#include "core/input_error.h"
#include "scenes/importing/xml_element.h"
#include "scenes/reading/read_scene.h"

namespace drystone::importing {
namespace {

namespace fs = std::filesystem;
static_assert(std::endian::native == std::endian::little, "STL numbers are little-endian");

std::string lowerCase(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

bool takePrefix(std::string& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.erase(0, prefix.size());
  return true;
}

/// Binary STL: 80 bytes, the number of triangles, then 50 bytes each: a normal, three corners, and
/// two bytes more.
constexpr std::size_t kHeaderBytes = 84, kTriangleBytes = 50, kNormalBytes = 12;

std::size_t triangleCount(std::string_view bytes) {
  std::uint32_t count = 0;
  std::memcpy(&count, bytes.data() + 80, sizeof count);
  return count;
}

std::vector<Vec3> parseBinaryStl(std::string_view bytes, const std::string& path) {
  std::vector<Vec3> corners;
  for (std::size_t i = 0; i < triangleCount(bytes); ++i) {
    std::array<float, 9> numbers;
    std::memcpy(numbers.data(), bytes.data() + kHeaderBytes + i * kTriangleBytes + kNormalBytes,
                sizeof numbers);
    for (std::size_t j = 0; j < numbers.size(); j += 3) {
      corners.emplace_back(numbers[j], numbers[j + 1], numbers[j + 2]);
      if (corners.back().allFinite()) continue;
      throw InputError(
          fmt::format("{}: triangle {} has a corner that is not finite; export the "
                      "mesh anew",
                      path, i + 1));
    }
  }
  return corners;
}

std::vector<Vec3> parseTextStl(std::string_view text, const std::string& path) {
  std::vector<Vec3> corners;
  for (int line = 1; !text.empty(); ++line) {
    std::string_view row = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(row.size() + 1, text.size()));
    row.remove_prefix(std::min(row.find_first_not_of(" \t"), row.size()));
    if (!row.starts_with("vertex")) continue;
    const auto numbers = parseReals(row.substr(6));
    if (!numbers || numbers->size() != 3) {
      throw InputError(
          fmt::format("{}:{}: a vertex needs three finite numbers, got \"{}\"", path, line, row));
    }
    corners.emplace_back((*numbers)[0], (*numbers)[1], (*numbers)[2]);
  }
  return corners;
}

}  // namespace

std::string findMeshFile(const std::string& name, const std::string& directory) {
  std::string path = name;
  std::vector<fs::path> candidates;
  if (takePrefix(path, "package://") || takePrefix(path, "model://")) {
    const std::string inside = path.substr(std::min(path.find('/') + 1, path.size()));
    for (fs::path folder = fs::absolute(directory).lexically_normal();;
         folder = folder.parent_path()) {
      candidates.insert(candidates.end(), {folder / path, folder / inside});
      if (folder == folder.parent_path()) break;
    }
  } else {
    takePrefix(path, "file://");
    candidates.push_back(fs::path(directory) / path);
  }
  for (const fs::path& candidate : candidates) {
    std::error_code error;
    if (fs::is_regular_file(candidate, error)) return candidate.string();
  }
  throw InputError(fmt::format(
      "there is no mesh file {}{}", name,
      candidates.size() == 1
          ? fmt::format(" (looked for {})", candidates.front().string())
          : fmt::format("; put the folder of the package into {}, or into a folder above it",
                        fs::absolute(directory).lexically_normal().string())));
}

std::vector<Vec3> parseStl(std::string_view bytes, const std::string& path) {
  std::vector<Vec3> corners;
  if (bytes.size() >= kHeaderBytes &&
      bytes.size() == kHeaderBytes + kTriangleBytes * triangleCount(bytes)) {
    corners = parseBinaryStl(bytes, path);
  } else if (bytes.starts_with("solid")) {
    corners = parseTextStl(bytes, path);
  } else {
    throw InputError(fmt::format(
        "{}: is no STL file: its size is not that of the triangles it announces, and it does not "
        "begin with \"solid\"; export the mesh anew",
        path));
  }
  if (corners.empty()) throw InputError(path + ": has no triangles; export the mesh anew");
  return corners;
}

std::vector<Vec3> readMeshVertices(const std::string& path) {
  const std::string extension = lowerCase(fs::path(path).extension().string());
  if (extension == ".obj") return readObjVertices(path);
  if (extension == ".stl") return parseStl(readTextFile(path), path);
  if (extension == ".dae") return parseDae(readTextFile(path), path);
  if (extension == ".glb" || extension == ".gltf") return parseGltf(readTextFile(path), path);
  throw InputError(fmt::format(
      "{}: only OBJ, STL, DAE and glTF meshes are read; convert it to one of these", path));
}

ConvexHull hullOfMesh(const std::string& path, const Vec3& scale) {
  std::vector<Vec3> points = readMeshVertices(path);
  for (Vec3& point : points) point = point.cwiseProduct(scale);
  // STL files repeat the corners that triangles share.
  const auto before = [](const Vec3& a, const Vec3& b) {
    return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
  };
  std::ranges::sort(points, before);
  points.erase(std::unique(points.begin(), points.end()), points.end());
  const Shape hull = makeHull(points);
  checkShape(hull);
  return std::get<ConvexHull>(hull);
}

}  // namespace drystone::importing
