#include "bench/peers/jump_guard.h"

#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <cstring>

namespace drystone::bench {
namespace {

std::jmp_buf target;
bool isArmed = false;
std::array<char, 1000> lastError;

}  // namespace

void jumpOut(const char* message) {
  if (!isArmed) {
    fmt::print(stderr, "{}\n", message);
    std::abort();
  }
  std::strncpy(lastError.data(), message, lastError.size() - 1);
  std::longjmp(target, 1);
}

const char* jumpMessage() { return lastError.data(); }

namespace detail {
std::jmp_buf& jumpTarget() { return target; }
void armJump(bool armed) { isArmed = armed; }
}  // namespace detail

}  // namespace drystone::bench
