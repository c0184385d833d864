#pragma once

#include <span>

#include "engine/observe/snapshot.h"
#include "solvers/problem/contact_problem.h"

namespace drystone::viewer {

enum class ContactState {
  kOpen,       ///< transmits nothing
  kStick,      ///< impulse inside the friction set
  kSlip,       ///< impulse on its border; where there is no friction, always
  kViolating,  ///< impulse outside it, or pulling
};

/// How close to the border of the friction set counts as on it, as a share of μ λ_n: ten times what
/// solvers at their usual tolerances miss it by, and less than the eye can tell in a cone.
constexpr Real kStateTolerance = 1e-3;

/// The axes of a contact's friction: its tangent of the larger μ, the one square to it, the normal.
Mat3 contactAxes(const ContactSnapshot& contact);

/// μ along the second of them over that along the first, in (0, 1].
Real frictionRatio(const ContactSnapshot& contact);

/// Size of the tangential impulse as the model measures it against μ λ_n (M.9) [N s]. `box` is
/// measured like `pyramid`, its λ̄_n being λ_n where its loop has converged; of `contensou` and
/// `rolling` only the tangential part is known.
Real frictionDemand(const ContactSnapshot& contact, FrictionModel model);

/// Mean size of the impulses of the contacts that transmit any [N s]; 0: none does.
Real meanImpulse(const std::vector<ContactSnapshot>& contacts);

/// Share of the mean impulse of a step up to which one is round-off and none.
constexpr Real kNegligibleShare = 1e-9;

/// The sides from which a contact is drawn, as factors on its normal from A to B and the impulse on
/// B: 1 shows the push on B, -1 that on A. It is the upper of the two bodies, and both where their
/// normal is level or there is no gravity, so that the order of bodies does not count.
std::span<const Real> shownSides(const ContactSnapshot& contact, const Vec3& gravity);

/// The contact with its bodies exchanged where `side` is -1.
ContactSnapshot seenFrom(const ContactSnapshot& contact, Real side);

/// Impulses up to `negligible` [N s] are none.
ContactState contactState(const ContactSnapshot& contact, FrictionModel model, Real negligible);

}  // namespace drystone::viewer
