#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

namespace drystone {

/// FNV-1a over bytes, 64 bits. Proves equality of states between runs; not cryptographic.
class Hasher {
 public:
  void bytes(const void* data, std::size_t size) {
    const auto* byte = static_cast<const unsigned char*>(data);
    for (std::size_t i = 0; i < size; ++i) state_ = (state_ ^ byte[i]) * 0x100000001b3ULL;
  }
  /// Adds the object representation; `T` must have no padding.
  template <class T>
  void add(const T& value) {
    bytes(&value, sizeof(T));
  }
  /// Adds the length and the elements.
  template <class T>
  void array(const std::vector<T>& values) {
    add(values.size());
    bytes(values.data(), values.size() * sizeof(T));
  }
  std::uint64_t value() const { return state_; }

 private:
  std::uint64_t state_ = 0xcbf29ce484222325ULL;
};

/// Sixteen hexadecimal digits: JSON numbers cannot hold 64 bits.
inline std::string hashText(std::uint64_t hash) {
  std::string text(16, '0');
  for (std::size_t digit = 16; digit-- > 0; hash >>= 4) {
    text[digit] = "0123456789abcdef"[hash & 0xf];
  }
  return text;
}

/// Mixes two 64-bit words into one (splitmix64 finaliser). For keys, not for state hashes.
inline std::uint64_t mixKeys(std::uint64_t a, std::uint64_t b) {
  std::uint64_t z = a + 0x9e3779b97f4a7c15ULL * (b + 1);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

}  // namespace drystone
