#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "core/types.h"

namespace drystone {

/// Corners of the triangles of the cube from -1 to 1.
constexpr std::array<int, 36> kCubeIndices = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                              2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
constexpr std::size_t kCubePointBytes = 8 * 12;

/// Bits of the index tell the sides.
inline Vec3 cubePoint(int index) {
  const auto side = [index](int bit) { return (index >> bit & 1) != 0 ? 1.0 : -1.0; };
  return {side(0), side(1), side(2)};
}

/// Corners of the twelve triangles of the cube, where `place` puts them.
inline std::vector<Vec3> cubeCorners(const std::function<Vec3(const Vec3&)>& place =
                                         [](const Vec3& v) { return v; }) {
  std::vector<Vec3> corners;
  for (const int index : kCubeIndices) corners.push_back(place(cubePoint(index)));
  return corners;
}

/// The cube as a glTF file in each of its forms, to be changed before it is written.
struct GltfSample {
  /// The type of its indices, by the number of the specification.
  explicit GltfSample(int indexType = 5123) {
    for (int i = 0; i < 8; ++i) {
      for (const double number : cubePoint(i)) append(static_cast<float>(number));
    }
    for (const int index : kCubeIndices) {
      if (indexType == 5121) append(static_cast<std::uint8_t>(index));
      if (indexType == 5123) append(static_cast<std::uint16_t>(index));
      if (indexType == 5125) append(static_cast<std::uint32_t>(index));
    }
    file = nlohmann::json::parse(R"({
      "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}],
      "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
      "accessors": [
        {"bufferView": 0, "componentType": 5126, "count": 8, "type": "VEC3"},
        {"bufferView": 1, "componentType": 5123, "count": 36, "type": "SCALAR"}],
      "bufferViews": [{"buffer": 0, "byteLength": 96}, {"buffer": 0, "byteOffset": 96}],
      "buffers": [{}]})");
    accessor(1)["componentType"] = indexType;
    view(1)["byteLength"] = bytes.size() - kCubePointBytes;
    file["buffers"][0]["byteLength"] = bytes.size();
  }

  nlohmann::json& part() { return file["meshes"][0]["primitives"][0]; }
  nlohmann::json& accessor(int i) { return file["accessors"][static_cast<std::size_t>(i)]; }
  nlohmann::json& view(int i) { return file["bufferViews"][static_cast<std::size_t>(i)]; }

  std::string glb() const {
    std::string text = file.dump(), binary = bytes;
    text.resize((text.size() + 3) / 4 * 4, ' ');
    binary.resize((binary.size() + 3) / 4 * 4, '\0');
    const auto number = [](std::size_t value) {
      const auto number32 = static_cast<std::uint32_t>(value);
      return std::string(reinterpret_cast<const char*>(&number32), 4);
    };
    return "glTF" + number(2) + number(12 + 8 + text.size() + 8 + binary.size()) +
           number(text.size()) + "JSON" + text + number(binary.size()) + std::string("BIN\0", 4) +
           binary;
  }
  std::string withUri(const std::string& uri) const {
    nlohmann::json text = file;
    text["buffers"][0]["uri"] = uri;
    return text.dump(1);
  }
  std::string withData() const {
    constexpr std::string_view kDigits =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string uri = "data:application/octet-stream;base64,";
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
      const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
      std::uint32_t group = 0;
      for (std::size_t k = 0; k < 3; ++k) {
        group = group << 8 | (k < count ? static_cast<unsigned char>(bytes[i + k]) : 0u);
      }
      for (std::size_t k = 0; k < 4; ++k) {
        uri += k <= count ? kDigits[group >> (18 - 6 * k) & 63] : '=';
      }
    }
    return withUri(uri);
  }

  nlohmann::json file;
  std::string bytes;

 private:
  template <class Number>
  void append(Number number) {
    bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
  }
};

}  // namespace drystone
