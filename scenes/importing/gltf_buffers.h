#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "scenes/importing/gltf_json.h"

namespace drystone::importing {

/// A glTF file: the JSON alone, or a binary file (GLB) of JSON and bytes.
struct GltfParts {
  std::string_view json;
  std::optional<std::string_view> binary;
};

/// `path` stands in messages only. Throws InputError where a binary file is damaged.
GltfParts splitGltf(std::string_view bytes, const std::string& path);

/// Types of numbers, `componentType` of the glTF 2.0 specification.
enum class GltfType {
  kByte = 5120,
  kUnsignedByte = 5121,
  kShort = 5122,
  kUnsignedShort = 5123,
  kUnsignedInt = 5125,
  kFloat = 5126,
};

/// Vectors of an accessor. All of them lie within their buffer.
struct GltfNumbers {
  const char* first = nullptr;
  std::size_t count = 0;
  std::size_t stride = 0;  ///< from one vector to the next [bytes]
  GltfType type = GltfType::kFloat;
  bool isNormalized = false;  ///< integers stand for fractions of their largest value

  Real number(std::size_t vector, std::size_t component) const;
};

/// The bytes of a glTF file: of its binary part, in its text, or of files beside it. Each buffer is
/// read once, when it is first asked for.
class GltfBuffers {
 public:
  GltfBuffers(GltfJson& file, std::optional<std::string_view> binary)
      : file_(file), binary_(binary) {}

  /// The numbers of an accessor of `components` numbers a vector ("SCALAR", "VEC3"), of one of the
  /// types. Valid as long as the buffers.
  GltfNumbers numbers(const JsonCursor& accessor, std::string_view vectors, std::size_t components,
                      std::span<const GltfType> types);

 private:
  std::string_view bytesOf(const JsonCursor& buffer);
  std::string bytesOfUri(const JsonCursor& uri, std::size_t length);
  std::string bytesOfFile(const JsonCursor& uri, std::size_t length);

  GltfJson& file_;
  std::optional<std::string_view> binary_;
  std::map<std::string, std::string> loaded_;  ///< by the pointers of their buffers
  std::size_t bytesOfFiles_ = 0;               ///< read so far
};

}  // namespace drystone::importing
