#include "tests/fuzz/fuzz_input.h"

#include <unistd.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>

namespace drystone::fuzz {
namespace {

using Limits = std::numeric_limits<Real>;

constexpr std::array<Real, 16> kHurting = {
    0,   1e-3, 1e-9, 1e-16, 1e-150, 1e-300,        Limits::denorm_min(), 1e3,
    1e6, 1e9,  1e16, 1e150, 1e300,  Limits::max(), Limits::infinity(),   Limits::quiet_NaN()};

}  // namespace

std::uint8_t FuzzInput::byte() {
  if (bytes_.empty()) return 0;
  const std::uint8_t first = bytes_.front();
  bytes_ = bytes_.subspan(1);
  return first;
}

Real FuzzInput::real() {
  // 0 is 0, so that inputs that end early are plain.
  const int code = static_cast<std::int8_t>(byte());
  if (code > -112 && code < 112) return code / 32.0;
  if (code == 127) {
    std::uint64_t bits = 0;
    for (int i = 0; i < 8; ++i) bits = bits << 8 | byte();
    return std::bit_cast<Real>(bits);
  }
  const Real hurting = kHurting[static_cast<std::size_t>(code & 15)];
  return code < 0 ? -hurting : hurting;
}

Real FuzzInput::positive() {
  const Real value = real();
  return value < 0 ? -value : value;
}

Vec3 FuzzInput::vector() {
  const Real x = real(), y = real();
  return {x, y, real()};
}

Quat FuzzInput::turn() {
  if (!flag()) return Quat::Identity();
  const Real w = real();
  const Vec3 v = vector();
  const Quat any(w, v.x(), v.y(), v.z());
  return any.norm() > 0 ? any.normalized() : any;
}

std::string_view FuzzInput::text() {
  const std::string_view all = textOf(bytes_.data(), bytes_.size());
  bytes_ = {};
  return all;
}

void require(bool holds, std::string_view message) {
  if (holds) return;
  std::fprintf(stderr, "finding: %.*s\n", static_cast<int>(message.size()), message.data());
  std::abort();
}

// HDF5 follows links to a name that is there: it opens no file of memfd_create().
MemoryFile::MemoryFile(std::string_view bytes) : path_("/dev/shm/drystone-fuzz-XXXXXX") {
  const int descriptor = mkstemp(path_.data());
  require(descriptor >= 0, "no file in memory");
  while (!bytes.empty()) {
    const ssize_t written = write(descriptor, bytes.data(), bytes.size());
    require(written > 0, "cannot write to a file in memory");
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  close(descriptor);
}

MemoryFile::~MemoryFile() { unlink(path_.c_str()); }

}  // namespace drystone::fuzz
