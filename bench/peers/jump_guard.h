#pragma once

#include <csetjmp>

namespace drystone::bench {

/// For C libraries that report an error by a callback that must not return: the callback calls
/// jumpOut(), which goes back to the call in attempt(). One thread.
[[noreturn]] void jumpOut(const char* message);

/// What the last jumpOut() said.
const char* jumpMessage();

namespace detail {
std::jmp_buf& jumpTarget();
void armJump(bool armed);
}  // namespace detail

/// Makes a call into such a library and says whether it came back without an error. Between here
/// and the library there must be nothing to destroy; what the library was working on is lost.
template <class Call>
bool attempt(const Call& call) {
  detail::armJump(true);
  if (setjmp(detail::jumpTarget()) != 0) {
    detail::armJump(false);
    return false;
  }
  call();
  detail::armJump(false);
  return true;
}

}  // namespace drystone::bench
