#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "core/input_error.h"
#include "core/types.h"

namespace drystone::fuzz {

/// Bytes of an input, taken from the front. Where they end, all that is asked for is 0.
class FuzzInput {
 public:
  FuzzInput(const std::uint8_t* data, std::size_t size) : bytes_(data, size) {}

  bool isEmpty() const { return bytes_.empty(); }
  std::uint8_t byte();
  bool flag() { return (byte() & 1) != 0; }
  int below(int count) { return byte() % count; }  ///< count ≤ 256
  /// Mostly a number of the size of everyday scenes, by one byte; by some bytes a number that
  /// hurts: zero, tiny, huge, not finite, or any eight bytes.
  Real real();
  Real positive();  ///< likewise, without its sign
  /// A number without those that hurt, in [low, high].
  Real within(Real low, Real high) { return low + (high - low) * byte() / 255; }
  Vec3 vector();
  Quat turn();              ///< unit, but where real() hurts
  std::string_view text();  ///< all that is left

 private:
  std::span<const std::uint8_t> bytes_;
};

/// Ends the process with the message where it does not hold: the fuzzer keeps the input.
void require(bool holds, std::string_view message);

/// Whether the work was done. What is refused with InputError is not; the error must say why.
/// Whatever else is thrown ends the process.
template <class Work>
bool isAccepted(Work&& work) {
  try {
    work();
    return true;
  } catch (const InputError& error) {
    require(!error.problems().empty() && !error.problems().front().empty(),
            "an InputError says nothing");
    return false;
  }
}

/// A file that has a path but lies in memory, with these bytes.
class MemoryFile {
 public:
  explicit MemoryFile(std::string_view bytes);
  ~MemoryFile();
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

inline std::string_view textOf(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

}  // namespace drystone::fuzz
