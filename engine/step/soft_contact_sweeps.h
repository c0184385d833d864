#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>
#include <vector>

#include "core/types.h"

namespace drystone {

/// Sub-steps of a soft step: each has one sweep that pushes and one that relaxes.
constexpr int kSoftSubsteps = 8;

/// A contact in soft sweeps, whatever moves with it.
struct SoftContact {
  int bodyA, bodyB;    ///< that yield, of the problem; -1: none, or another form of the island
  int firstRow, rows;  ///< in the arrays that are swept
  Real friction, gap, leak;  ///< leak: impulse of a sub-step that softness pulls towards [N s]
  Real normalMass;           ///< 1/A_nn [kg]
  Real tangentStep;          ///< of the tangents' projection [kg]
  Real biasRate, massScale, impulseScale;
};

/// Share of the filtered impulse that softness pulls towards. With none of it a stack sinks by a
/// twentieth of its height, with all of it it rings for ever (docs/results/soft_steps.md).
constexpr Real kSoftLeakShare = 0.95;

/// How soft a contact is in sub-steps of h. `isHard`: against what does not yield it is twice as
/// stiff.
inline void softenContact(bool isHard, Real h, SoftContact& contact) {
  // Frequency as a share of the rate of sub-steps: what is stiffer would not be damped.
  constexpr Real kRateShare = 0.25;
  constexpr Real kDampingRatio = 10;
  const Real frequency = kRateShare / h;
  const Real omega = 2 * std::numbers::pi * (isHard ? 2 * frequency : frequency);
  const Real a1 = 2 * kDampingRatio + h * omega;
  const Real a2 = h * omega * a1;
  contact.biasRate = omega / a1;
  contact.massScale = a2 / (1 + a2);
  contact.impulseScale = 1 / (1 + a2);
}

/// Step of the tangents' projection: one over the largest eigenvalue of their block (p, cross;
/// cross, q). The projection converges, and at once where both are alike.
inline Real softTangentStep(Real p, Real q, Real cross) {
  const Real largest = (p + q) / 2 + std::hypot((p - q) / 2, cross);
  return largest > 0 ? 1 / largest : 0;
}

/// The laws of soft contacts over an island in any form. `Island` derives from it and knows
///   Real velocity(contact, i): of row i of a contact [m/s];
///   Real gap(contact): at the present time of the step [m];
///   void apply(contact, i, impulse): what an impulse along row i changes.
template <class Island>
class SoftContactSweeps {
 protected:
  /// `contacts` and `lambda` [rows] must outlive the sweeps. h: of a sub-step [s].
  SoftContactSweeps(const std::vector<SoftContact>& contacts, std::vector<Real>& lambda, Real h,
                    Real maxPush)
      : contacts_(contacts), lambda_(lambda), h_(h), maxPush_(maxPush) {}

  /// Pushes out of overlaps, softly.
  void push() {
    for (const SoftContact& contact : contacts_) {
      const Real gap = island().gap(contact), speed = island().velocity(contact, 0);
      const Real lambda = lambda_[contact.firstRow];
      if (gap > 0) {
        changeNormal(contact, -contact.normalMass * (speed + gap / h_));
      } else {
        const Real bias = std::max(contact.biasRate * gap, -maxPush_);
        changeNormal(contact, -contact.normalMass * contact.massScale * (speed + bias) -
                                  contact.impulseScale * (lambda - contact.leak));
      }
    }
  }

  /// Takes the velocity of the push back, and rubs.
  void relax() {
    for (const SoftContact& contact : contacts_) {
      const Real open = std::max(island().gap(contact), 0.0) / h_;
      changeNormal(contact, -contact.normalMass * (island().velocity(contact, 0) + open));
      if (contact.rows == 3) rub(contact);
    }
  }

  /// Impacts of the whole step: `wanted`(contact) is e w⁻ of its normal, and `total` [rows] what it
  /// gave in the step.
  template <class Wanted>
  void rebound(Wanted&& wantedOf, std::span<Real> total) {
    for (const SoftContact& contact : contacts_) {
      const Real wanted = wantedOf(contact);
      if (wanted == 0 || !(total[contact.firstRow] > 0)) continue;
      const Real before = lambda_[contact.firstRow];
      changeNormal(contact, -contact.normalMass * (island().velocity(contact, 0) + wanted));
      total[contact.firstRow] += lambda_[contact.firstRow] - before;
    }
  }

  const std::vector<SoftContact>& contacts_;
  std::vector<Real>& lambda_;  ///< [rows] of a sub-step [N s]
  const Real h_;               ///< [s]

 private:
  Island& island() { return static_cast<Island&>(*this); }

  /// Changes the normal impulse by `change`, not below 0.
  void changeNormal(const SoftContact& contact, Real change) {
    Real& lambda = lambda_[contact.firstRow];
    const Real next = std::max(lambda + change, 0.0);
    island().apply(contact, 0, next - lambda);
    lambda = next;
  }

  void rub(const SoftContact& contact) {
    Real next[2], length = 0;
    for (int i = 0; i < 2; ++i) {
      next[i] = lambda_[contact.firstRow + 1 + i] -
                contact.tangentStep * island().velocity(contact, 1 + i);
      length += next[i] * next[i];
    }
    length = std::sqrt(length);
    const Real most = contact.friction * lambda_[contact.firstRow];
    const Real share = length > most ? most / length : 1;
    for (int i = 0; i < 2; ++i) {
      Real& lambda = lambda_[contact.firstRow + 1 + i];
      island().apply(contact, 1 + i, share * next[i] - lambda);
      lambda = share * next[i];
    }
  }

  const Real maxPush_;  // [m/s]
};

}  // namespace drystone
