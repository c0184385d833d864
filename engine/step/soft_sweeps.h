#pragma once

#include <span>
#include <vector>

#include "engine/step/soft_contact_sweeps.h"
#include "solvers/linear/row_system.h"
#include "solvers/problem/contact_problem.h"
#include "solvers/problem/mass_root.h"

namespace drystone {

/// What soft steps need of an island beside its problem, whose contacts are under `none` or `cone`
/// friction.
struct SoftInput {
  const ContactProblem& problem;
  Real h;                         ///< of the whole step [s]
  Real maxPush;                   ///< fastest push-out [m/s]
  std::span<const Real> gap;      ///< [blocks] of contacts at the start [m]
  std::span<const Real> average;  ///< [blocks] λ_n of a contact in a step so far, filtered [N s]
  std::span<const Real> fixed;    ///< [rows] velocity by bodies that do not yield [m/s]
  std::span<const Real> restitution;  ///< [rows] e w⁻ as in b, ≤ 0 on normals [m/s]
  std::span<const Vec6> old, free;    ///< [bodies] u at the start, and u* [m/s], [rad/s]
};

/// One thread's arrays.
struct SoftWorkspace {
  std::vector<SoftContact> contacts;
  std::vector<ScaledRow> rows;       ///< [rows] of G = J L, M⁻¹ = L Lᵀ
  std::vector<MassRoot> roots;       ///< [bodies] L
  std::vector<Vec6> velocity, gain;  ///< [bodies] v with u = L v, and what a sub-step adds to it
  std::vector<Vec6> way;             ///< [bodies] ∫ v dt
  std::vector<Real> lambda;          ///< [rows] of a sub-step
};

/// SoftInput::fixed [rows] of an island, from the terms of b that are not of u* and the velocities
/// `free` of its bodies.
void fixedVelocities(const ContactProblem& problem, std::span<const Real> restitution,
                     std::span<const Real> stabilization, std::span<const Vec6> free,
                     std::vector<Real>& fixed);

/// Steps an island without joints by h in eight sub-steps with the contacts of the start: in each
/// one sweep with soft push-out, a move, and one sweep without push-out and with friction (E.
/// Catto, "Soft constraints", 2011, and "Solver2D", 2024). A contact yields like a spring and a
/// damper in proportion to the mass that it moves, and is pulled not towards no impulse but towards
/// most of its own filtered one, so that what rests hardly sinks. Impacts come last. J stays that
/// of the start.
///
/// `lambda` [rows]: λ of the step before on entry, that of this whole step on return: u⁺ = u* + M⁻¹
/// Jᵀ λ, to be judged as any answer. `way` [bodies]: displacement of the step [m], [rad].
void softSweeps(const SoftInput& input, SoftWorkspace& work, std::span<Real> lambda,
                std::span<Vec6> way);

}  // namespace drystone
