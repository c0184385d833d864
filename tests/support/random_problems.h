#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "solvers/problem/contact_problem.h"

namespace drystone::test {

/// Kinds of random problems with the exact cone, by name:
///
///   redundant  boxes on many contact points: on a slope, in a corner, stacks, walls, pyramids
///   wedged     bodies between two walls, μ about the limit of self-locking, pulled or squeezed
///   chains     links over fixed cylinders with loads at both ends, ladders of them, closed belts
///   masses     stacks, pyramids and tables whose masses differ by up to 1e6
///   friction   moving balls and boxes, μ from 0 to 2 at each contact, restitution
inline constexpr std::array<std::string_view, 5> kRandomKinds = {"redundant", "wedged", "chains",
                                                                 "masses", "friction"};

/// One step of bodies with poses, masses and velocities under gravity, of 3 to some 300 rows. The
/// same bits for the same seed. Each has a solution, since velocities v exist for which all
/// contacts open by at least μ times the slip (Acary et al. 2011, docs/theory/friction.md): where
/// only bodies move these are none. Where walls close or contacts bounce, all bodies move away from
/// the apex or the ground in proportion to their distance; walls close only where μ is below the
/// self-locking limit.
StoredProblem randomProblem(std::string_view kind, std::uint64_t seed);

}  // namespace drystone::test
