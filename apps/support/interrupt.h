#pragma once

namespace drystone::cli {

/// While it lives, the first SIGINT or SIGTERM only asks the program to end at the next step; a
/// second one kills it as usual. At most one object at a time.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  bool requested() const;
};

}  // namespace drystone::cli
