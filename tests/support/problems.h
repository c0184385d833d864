#pragma once

#include <string>
#include <vector>

#include "solvers/problem/contact_problem.h"
#include "tests/support/constants.h"

namespace drystone::test {

/// All of them.
inline constexpr FrictionModel kFrictionModels[] = {
    FrictionModel::kNone,    FrictionModel::kBox,  FrictionModel::kPyramid,
    FrictionModel::kDiamond, FrictionModel::kCone, FrictionModel::kContensou,
    FrictionModel::kRolling};

StoredProblem emptyProblem();

/// A solid sphere of `mass` and radius 0.5 m on the plane z = 0, in free fall for one step and
/// moving along (x, y) by `slide` [m/s]. In closed form: λ_n = m g h; the point sticks when ‖λ_t‖ =
/// (2/7) m ‖slide‖ ≤ μ m g h and slips with ‖λ_t‖ = μ m g h against the slide otherwise.
StoredProblem sphereOnPlane(FrictionModel model, Real mass, Real friction, const Vec3& slide);
/// The same sphere moving up faster than gravity pulls it back: λ = 0.
StoredProblem sphereLiftingOff(FrictionModel model);

/// A cube of 1 m and `mass` on four corner contacts of the plane: A has rank 6 of 12, Σ λ_n = m g
/// h.
StoredProblem boxOnPlane(FrictionModel model, Real mass, Real friction, Real slideX = 0);

/// A solid sphere of 2 kg and radius 0.5 m that falls on the plane z = 0 and spins about the normal
/// by `spin` [rad/s]. Torsion of `contensou`, with R = 0.05 m and I = 0.2 kg m²: λ_τ = −I spin/R
/// where it is within ±2/3 μ m g h, which stops the spin, and that bound otherwise.
StoredProblem sphereSpinning(FrictionModel model, Real friction, Real spin);

/// The problem with μ_r of all its contacts [0.5 m]: those of the others have none.
StoredProblem withRolling(StoredProblem problem, Real rolling);

/// The sphere of sphereOnPlane, that rolls along x without slip by `speed` [m/s] under `rolling`.
/// In closed form λ_n = m g h, and with λ_r = min(μ_r λ_n, m 7/5 speed) of the rate about the
/// contact it loses 5/7 λ_r/m of its speed.
StoredProblem sphereRolling(Real friction, Real rolling, Real speed);

/// A cube of 1 m that falls on the plane and turns, so that two corners press and two lift off.
StoredProblem boxTilting(FrictionModel model, Real friction);

/// A lever that turns about the fixed origin touches the ground with its tip at (0.5, −0.5, 0): no
/// impulse moves the tip along the lever, so that Â_tt = (1 1; 1 1)/4.
StoredProblem leverOnPlane(FrictionModel model, Real friction);

/// A falling sphere on the plane beside what nothing moves: a body without inverse mass, which
/// slides along the plane by a belt's speed, pushes off another point and leans on a motor.
StoredProblem sphereBesideFixedBody(FrictionModel model);

/// A sphere between two planes that close on it by 1 m/s each: w_n1 + w_n2 = −2 m/s whatever the
/// impulses. No solution.
StoredProblem sphereSqueezed(FrictionModel model, Real friction);
/// The sphere on the plane, and a bilateral row with b = 0.5 that nothing moves. No solution.
StoredProblem sphereBesideImpossibleRow(FrictionModel model);

/// `masses.size()` cubes of 1 m on top of each other, four contacts a face. The normal impulses of
/// a face add up to g h times the mass above it.
StoredProblem boxStack(FrictionModel model, const std::vector<Real>& masses, Real friction,
                       Real compliance = 0);

/// A column of bricks that is hit: redundant contacts, whose free velocities differ at random.
StoredProblem hitColumn(FrictionModel model, std::uint64_t seed, int bricks = 8);

/// A sphere of 1 kg in a V of two planes at ± `angle` to the horizontal, without friction: each
/// plane gives λ_n = m g h / (2 cos angle).
StoredProblem sphereInWedge(FrictionModel model, Real angle);

/// Spheres on an nx × ny × nz grid over the ground, touching their neighbours by normals that are
/// tilted at random, with random free velocities: the graph of a pile. 20 × 20 × 10 gives 4000
/// bodies and 12,455 contacts.
StoredProblem randomPile(FrictionModel model, int nx, int ny, int nz, Real friction,
                         std::uint64_t seed);

/// A box-friction pile with sticking, slipping and open contacts, and one w: A + C is definite.
StoredProblem boxPile(std::uint64_t seed);

/// `links` bodies of 1 kg hanging below each other from the ground by ball joints: joint k of n
/// carries (n − k) m g h upwards. No contacts.
StoredProblem hangingChain(int links);

/// A small pile, of which two spheres are held by a ball joint, one hangs on the ground, and one is
/// braked by a bounded row.
StoredProblem pileWithJoints(FrictionModel model, Real friction, std::uint64_t seed);

/// The assembled-form twin of a problem in body form.
StoredProblem assembled(const StoredProblem& problem);
/// The same problem with its blocks in another order; `order[k]` is the old index of new block k.
StoredProblem renumbered(const StoredProblem& problem, const std::vector<int>& order);

struct NamedProblem {
  std::string name;
  StoredProblem problem;
};
/// The set that every solver is held against, in body form.
std::vector<NamedProblem> problemSet(FrictionModel model);

/// One contact with A = scale·1 and b chosen so that `lambda` leads to `w`.
StoredProblem oneContact(FrictionModel model, Real friction, Real scale,
                         const std::vector<Real>& lambda, const std::vector<Real>& w);

}  // namespace drystone::test
