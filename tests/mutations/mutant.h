#pragma once

#include <algorithm>
#include <array>
#include <cstdlib>
#include <type_traits>

// Goes into mutated sources (tests/mutations/mutate.py): which of their bugs is on, and which were
// reached since somebody last forgot them.
// DRYSTONE_MUTANT is the number of the one that is on.

/// The number of the bug that is on; 0, none, unless the environment names one.
inline const int drystoneActiveMutant =
    std::getenv("DRYSTONE_MUTANT") == nullptr ? 0 : std::atoi(std::getenv("DRYSTONE_MUTANT"));
/// Of each bug, whether the program has come by its place.
inline std::array<bool, 1000> drystoneMutantsReached{};

/// Whether the bug with this number, from 1 to 999, is on. What the compiler works out by itself
/// has no bugs: it cannot choose among them.
constexpr bool drystoneMutant(int number) {
  if (std::is_constant_evaluated()) return false;
  drystoneMutantsReached[number] = true;
  return number == drystoneActiveMutant;
}

/// What std::max becomes where devices lack it.
template <class Scalar>
constexpr Scalar smallerOf(Scalar a, Scalar b) {
  return b < a ? b : a;
}
