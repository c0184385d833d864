#pragma once

#include <vector>

#include "core/types.h"

namespace drystone {

/// A number over time: linear between its keys, held before the first and after the last.
class Schedule {
 public:
  struct Key {
    Real time = 0;  ///< [s] of simulated time, ascending
    Real value = 0;
  };

  Schedule() : Schedule(0) {}
  Schedule(Real constant) : keys_{{0, constant}} {}  // NOLINT: a number is a schedule
  /// Throws InputError unless there are keys, finite and with ascending times.
  explicit Schedule(std::vector<Key> keys);

  Real at(Real time) const;
  const std::vector<Key>& keys() const { return keys_; }

 private:
  std::vector<Key> keys_;
};

}  // namespace drystone
