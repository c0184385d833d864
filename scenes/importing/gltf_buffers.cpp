// Bytes of glTF files. Every size is compared with the bytes that there are before it is used.
#include "scenes/importing/gltf_buffers.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <limits>

#include "core/input_error.h"
#include "scenes/reading/read_scene.h"

namespace drystone::importing {
namespace {

static_assert(std::endian::native == std::endian::little, "glTF numbers are little-endian");

constexpr std::size_t kGlbHeader = 12, kChunkHeader = 8;                     // [bytes]
constexpr std::uint32_t kJsonChunk = 0x4E4F534A, kBinaryChunk = 0x004E4942;  // chunkType

/// Files of all buffers together [bytes]. Meshes of robots have some MB.
constexpr std::size_t kMostBytesOfFiles = std::size_t{1} << 30;

template <class Number>
Number load(const char* bytes) {
  Number number;
  std::memcpy(&number, bytes, sizeof number);
  return number;
}

std::size_t sizeOf(GltfType type) {
  switch (type) {
    case GltfType::kByte:
    case GltfType::kUnsignedByte:
      return 1;
    case GltfType::kShort:
    case GltfType::kUnsignedShort:
      return 2;
    default:
      return 4;
  }
}

/// The integer, or the fraction of the largest one of its type that it stands for.
template <class Integer>
Real integerAt(const char* bytes, bool isNormalized) {
  const Real number = static_cast<Real>(load<Integer>(bytes));
  if (!isNormalized) return number;
  return std::max<Real>(number / static_cast<Real>(std::numeric_limits<Integer>::max()), -1);
}

std::optional<unsigned> digitOf64(char c) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const auto at = kDigits.find(c);
  if (at == std::string_view::npos) return std::nullopt;
  return static_cast<unsigned>(at);
}

std::optional<std::string> decodeBase64(std::string_view text) {
  while (text.ends_with('=')) text.remove_suffix(1);
  if (text.size() % 4 == 1) return std::nullopt;
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3 + 2);
  unsigned bits = 0, count = 0;
  for (const char c : text) {
    const auto digit = digitOf64(c);
    if (!digit) return std::nullopt;
    bits = (bits << 6 | *digit) & 0xFFFF;
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes.push_back(static_cast<char>(bits >> count & 0xFF));
  }
  return bytes;
}

/// `%20` is a space. None where what follows `%` is no byte of a path.
std::optional<std::string> decodePercent(std::string_view text) {
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string decoded;
  for (std::size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '%') {
      if (text.size() - i < 3) return std::nullopt;
      const auto lower = [](char digit) {
        return digit >= 'A' && digit <= 'F' ? static_cast<char>(digit - 'A' + 'a') : digit;
      };
      const auto high = kHex.find(lower(text[i + 1])), low = kHex.find(lower(text[i + 2]));
      if (high == std::string_view::npos || low == std::string_view::npos) return std::nullopt;
      c = static_cast<char>(high * 16 + low);
      i += 2;
    }
    if (c == '\0') return std::nullopt;
    decoded.push_back(c);
  }
  return decoded;
}

}  // namespace

GltfParts splitGltf(std::string_view bytes, const std::string& path) {
  GltfParts parts{.json = bytes, .binary = std::nullopt};
  if (!bytes.starts_with("glTF")) return parts;
  const auto damaged = [&](const std::string& what) {
    throw InputError(fmt::format("{}: {}; copy or export the mesh anew", path, what));
  };
  if (bytes.size() < kGlbHeader) damaged("ends within its header");
  const auto version = load<std::uint32_t>(bytes.data() + 4),
             length = load<std::uint32_t>(bytes.data() + 8);
  if (version != 2) damaged(fmt::format("is binary glTF {}, and only 2 is read", version));
  if (length != bytes.size()) {
    damaged(fmt::format("announces {} bytes and has {}", length, bytes.size()));
  }
  bytes.remove_prefix(kGlbHeader);
  for (int i = 0; i == 0 || !bytes.empty(); ++i) {
    if (bytes.size() < kChunkHeader) damaged(fmt::format("ends within the header of chunk {}", i));
    const auto size = load<std::uint32_t>(bytes.data()),
               type = load<std::uint32_t>(bytes.data() + 4);
    bytes.remove_prefix(kChunkHeader);
    if (size > bytes.size()) {
      damaged(fmt::format("chunk {} announces {} bytes and has {}", i, size, bytes.size()));
    }
    if (i == 0 && type != kJsonChunk) damaged("its first chunk is no JSON");
    if (i == 0) parts.json = bytes.substr(0, size);
    if (i == 1 && type == kBinaryChunk) parts.binary = bytes.substr(0, size);
    bytes.remove_prefix(size);
  }
  return parts;
}

Real GltfNumbers::number(std::size_t vector, std::size_t component) const {
  const char* at = first + vector * stride + component * sizeOf(type);
  switch (type) {
    case GltfType::kByte:
      return integerAt<std::int8_t>(at, isNormalized);
    case GltfType::kUnsignedByte:
      return integerAt<std::uint8_t>(at, isNormalized);
    case GltfType::kShort:
      return integerAt<std::int16_t>(at, isNormalized);
    case GltfType::kUnsignedShort:
      return integerAt<std::uint16_t>(at, isNormalized);
    case GltfType::kUnsignedInt:
      return integerAt<std::uint32_t>(at, isNormalized);
    default:
      return static_cast<Real>(load<float>(at));
  }
}

GltfNumbers GltfBuffers::numbers(const JsonCursor& accessor, std::string_view vectors,
                                 std::size_t components, std::span<const GltfType> types) {
  if (const auto sparse = accessor.member("sparse")) {
    file_.fail(*sparse, "sparse accessors are not read; export the mesh without morph targets");
  }
  const JsonCursor kind = file_.required(accessor, "type");
  if (file_.text(kind) != vectors) {
    file_.fail(kind, fmt::format("must be \"{}\" here, got {}", vectors, kind.describe()));
  }
  const auto type = static_cast<GltfType>(file_.whole(accessor, "componentType", 0));
  if (std::ranges::find(types, type) == types.end()) {
    file_.fail(accessor, fmt::format("componentType {} cannot be used here; export the mesh anew",
                                     static_cast<int>(type)));
  }
  if (!accessor.member("bufferView")) {
    file_.fail(accessor, "has no bufferView; export the mesh without compression");
  }
  const JsonCursor view = file_.target(*accessor.member("bufferView"), "bufferViews");
  const std::string_view bytes = bytesOf(file_.target(file_.required(view, "buffer"), "buffers"));

  const auto size = [&](const JsonCursor& object, std::string_view key) {
    return static_cast<std::size_t>(file_.whole(object, key, 0));
  };
  const std::size_t start = size(view, "byteOffset"), length = size(view, "byteLength");
  if (start > bytes.size() || length > bytes.size() - start) {
    file_.fail(view, fmt::format("{} bytes from {} on are more than the {} of its buffer", length,
                                 start, bytes.size()));
  }
  const std::size_t vectorSize = components * sizeOf(type), stride = size(view, "byteStride"),
                    first = size(accessor, "byteOffset"), count = size(accessor, "count");
  if (stride != 0 && stride < vectorSize) {
    file_.fail(view, fmt::format("byteStride {} is less than the {} bytes of a vector", stride,
                                 vectorSize));
  }
  GltfNumbers numbers{.count = count, .stride = stride != 0 ? stride : vectorSize, .type = type};
  if (count == 0) file_.fail(accessor, "count must be > 0");
  if (first > length || length - first < vectorSize ||
      count - 1 > (length - first - vectorSize) / numbers.stride) {
    file_.fail(accessor, fmt::format("{} vectors every {} bytes from {} on are more than the {} "
                                     "bytes of its bufferView",
                                     count, numbers.stride, first, length));
  }
  numbers.first = bytes.data() + start + first;
  if (const auto normalized = accessor.member("normalized")) {
    numbers.isNormalized = normalized->json() == true;
  }
  return numbers;
}

std::string_view GltfBuffers::bytesOf(const JsonCursor& buffer) {
  const auto length = static_cast<std::size_t>(file_.whole(buffer, "byteLength", 0));
  if (const auto known = loaded_.find(buffer.pointer()); known != loaded_.end()) {
    return known->second;
  }
  if (const auto uri = buffer.member("uri")) {
    return loaded_[buffer.pointer()] = bytesOfUri(*uri, length);
  }
  if (!binary_ || buffer.pointer() != "/buffers/0") {
    file_.fail(buffer, "has no bytes: it needs a \"uri\"");
  }
  if (length > binary_->size()) {
    file_.fail(buffer, fmt::format("byteLength is {}, and the binary part of the file has {} bytes",
                                   length, binary_->size()));
  }
  return binary_->substr(0, length);
}

std::string GltfBuffers::bytesOfUri(const JsonCursor& uri, std::size_t length) {
  const std::string text = file_.text(uri);
  if (!text.starts_with("data:")) return bytesOfFile(uri, length);
  const std::size_t comma = text.find(',');
  std::optional<std::string> bytes;
  if (comma != std::string::npos && std::string_view(text).substr(0, comma).ends_with(";base64")) {
    bytes = decodeBase64(std::string_view(text).substr(comma + 1));
  }
  if (!bytes) file_.fail(uri, "must be \"data:TYPE;base64,\" and digits of base 64");
  if (bytes->size() < length) {
    file_.fail(uri, fmt::format("holds {} bytes, and byteLength is {}", bytes->size(), length));
  }
  bytes->resize(length);
  return *bytes;
}

/// A path below the folder of the mesh: a file from elsewhere may not name others.
std::string GltfBuffers::bytesOfFile(const JsonCursor& uri, std::size_t length) {
  namespace fs = std::filesystem;
  const std::string text = file_.text(uri);
  const auto decoded = decodePercent(text);
  const fs::path name = fs::path(decoded.value_or("")).lexically_normal();
  if (text.find(':') != std::string::npos || name.empty() || name.is_absolute() ||
      *name.begin() == "..") {
    file_.fail(uri, fmt::format("must be a path in the folder of this file, got {}; put the bytes "
                                "there",
                                uri.describe()));
  }
  const fs::path path = fs::path(file_.path()).parent_path() / name;
  std::error_code error;
  if (!fs::is_regular_file(path, error)) {
    file_.fail(uri, fmt::format("there is no file {}", path.string()));
  }
  const std::size_t size = fs::file_size(path, error);
  if (error || size < length) {
    file_.fail(uri, fmt::format("{} has {} bytes, and byteLength is {}", path.string(),
                                error ? 0 : size, length));
  }
  bytesOfFiles_ += size;
  if (bytesOfFiles_ > kMostBytesOfFiles) {
    file_.fail(uri, fmt::format("the files of the buffers have more than {} MiB together",
                                kMostBytesOfFiles >> 20));
  }
  std::string bytes = readTextFile(path.string());
  bytes.resize(std::min(length, bytes.size()));
  return bytes;
}

}  // namespace drystone::importing
