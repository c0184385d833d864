#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/types.h"

namespace drystone::viewer {

// Numbers as files of other programs hold them: little-endian bytes, and these as text.

/// The bytes in base 64 (RFC 4648), padded.
inline std::string base64(std::string_view bytes) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const auto byteAt = [&](std::size_t i) {
    return i < bytes.size() ? static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[i])) : 0u;
  };
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::uint32_t three = byteAt(i) << 16 | byteAt(i + 1) << 8 | byteAt(i + 2);
    text += kDigits[three >> 18];
    text += kDigits[three >> 12 & 63];
    text += i + 1 < bytes.size() ? kDigits[three >> 6 & 63] : '=';
    text += i + 2 < bytes.size() ? kDigits[three & 63] : '=';
  }
  return text;
}

/// Adds the bytes of the value, the lowest first.
template <class T>
void appendNumber(std::string& bytes, T value) {
  static_assert(std::is_arithmetic_v<T>);
  char raw[sizeof(T)];
  std::memcpy(raw, &value, sizeof(T));
  if constexpr (std::endian::native == std::endian::big) std::reverse(raw, raw + sizeof(T));
  bytes.append(raw, sizeof(T));
}

/// Places in a box, three whole numbers of 16 bits each: 0 at its lower corner, 65535 at the upper.
class BoxGrid {
 public:
  void include(const Vec3& place) {
    lower_ = lower_.cwiseMin(place);
    upper_ = upper_.cwiseMax(place);
  }
  /// Of nothing: the origin.
  Vec3 lower() const { return isEmpty() ? Vec3::Zero() : lower_; }
  Vec3 span() const { return isEmpty() ? Vec3::Zero() : Vec3(upper_ - lower_); }
  void append(std::string& bytes, const Vec3& place) const {
    for (int k = 0; k < 3; ++k) {
      const Real share = span()[k] > 0 ? (place[k] - lower_[k]) / span()[k] : 0;
      appendNumber(bytes, static_cast<std::uint16_t>(std::lround(65535 * share)));
    }
  }

 private:
  bool isEmpty() const { return !(lower_.x() <= upper_.x()); }

  Vec3 lower_ = Vec3::Constant(std::numeric_limits<Real>::infinity()), upper_ = -lower_;
};

/// A number of [-1, 1] as one of 8 or 16 bits, -1 and 1 at the ends; beyond them the ends.
template <class T>
void appendShare(std::string& bytes, Real value) {
  constexpr Real kLargest = std::numeric_limits<T>::max();
  appendNumber(bytes, static_cast<T>(std::lround(kLargest * std::clamp<Real>(value, -1, 1))));
}

}  // namespace drystone::viewer
