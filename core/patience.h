#pragma once

#include <limits>

#include "core/types.h"

namespace drystone {

/// Ends a loop that no longer gets better. Progress is a value, an error or a count of what is
/// wrong, below `share` of the last one that was progress: small gains add up, and the last bits of
/// a value that stands still do not count.
///
///   Patience patience(5, 0.5);              // five rounds may pass before the error is halved
///   while (round()) {
///     if (!patience.goesOn(error())) return SolveStatus::kStalled;
///   }
class Patience {
 public:
  /// `mark`: what the first value is compared with.
  Patience(int rounds, Real share, Real mark = std::numeric_limits<Real>::infinity())
      : rounds_(rounds), share_(share), mark_(mark) {}

  /// After each round, with its value. False: more than `rounds` of them in a row were no progress.
  bool goesOn(Real value) {
    if (value < share_ * mark_) {
      mark_ = value;
      waited_ = 0;
    } else {
      ++waited_;
    }
    return waited_ <= rounds_;
  }

 private:
  int rounds_;
  Real share_;
  Real mark_;
  int waited_ = 0;  // rounds since the last progress
};

}  // namespace drystone
