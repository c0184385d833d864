#include "engine/step/normal_terms.h"

#include <algorithm>

namespace drystone {

NormalTerms normalTerms(const StepContact& contact, Real before, Real free,
                        const WorldSettings& settings, Real h, NormalDerivative* derivative) {
  const Stabilization& stabilization = settings.stabilization;
  const Real gap = contact.point.gap;
  NormalTerms terms;
  NormalDerivative change;
  terms.impact = settings.impactLaw == ImpactLaw::kNewton &&
                 meets(contact, before, free, settings.restitutionThreshold, h);
  if (terms.impact && contact.restitution > 0) {
    // The impact lies half a step after the velocity before it and half a step before the one after
    // it: forces act on either side, and the bodies rebound from the velocity at the touch.
    const Real half = 0.5 * (free - before);
    terms.restitution = std::min(contact.restitution * (before + half) - half, 0.0);
    if (terms.restitution < 0) {
      change.byBefore = 0.5 * (contact.restitution + 1);
      change.byFree = 0.5 * (contact.restitution - 1);
    }
  }
  if (gap > 0) {
    // Not yet touching. A pair that bounces and does not wait does so now: the approach term would
    // swallow part of the rebound.
    if (terms.restitution == 0) {
      terms.stabilization = gap / h;
      change.byGap = 1 / h;
    }
  } else {
    // Of what did not overlap at the start all of the gap is taken, and not γ of it.
    Real push = -gap / h, pushByGap = -1 / h;
    const Real gamma = contact.gamma;
    if (contact.isSpring) {
      push *= gamma;
      pushByGap *= gamma;
    } else if (!contact.isLate) {
      const Real depth = std::max(-gap - stabilization.slop, 0.0);
      push = std::min(gamma * depth / h, stabilization.maxPushSpeed);
      pushByGap = depth > 0 && push < stabilization.maxPushSpeed ? -gamma / h : 0;
    }
    // The rebound already takes the pair apart: only what it lacks of the push-out speed is added,
    // else every impact that overlaps would gain energy.
    terms.stabilization = -std::max(push + terms.restitution, 0.0);
    if (terms.stabilization < 0) change = {0, 0, -pushByGap};
  }
  terms.stabilization += contact.beyond / h;
  if (derivative != nullptr) *derivative = change;
  return terms;
}

}  // namespace drystone
