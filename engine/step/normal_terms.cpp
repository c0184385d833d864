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

std::vector<NormalKink> normalKinks(const StepContact& contact, Real before, Real free,
                                    const WorldSettings& settings, Real h) {
  const Stabilization& stabilization = settings.stabilization;
  const Real gap = contact.point.gap, e = contact.restitution;
  std::vector<NormalKink> kinks = {{.value = gap, .byGap = 1}};
  NormalKink rebound;
  if (settings.impactLaw == ImpactLaw::kNewton && e > 0) {
    const Real threshold = settings.restitutionThreshold;
    const NormalKink fast{.value = before + threshold, .byBefore = 1};
    const NormalKink closes{.value = free + gap / h, .byFree = 1, .byGap = 1 / h};
    const bool isFast = fast.value < 0, isClosing = gap <= 0 || closes.value < 0;
    if (isClosing) kinks.push_back(fast);
    if (isFast && gap > 0) kinks.push_back(closes);
    if (isFast && isClosing) {
      rebound = {.value = 0.5 * ((e + 1) * before + (e - 1) * free),
                 .byBefore = 0.5 * (e + 1),
                 .byFree = 0.5 * (e - 1)};
      kinks.push_back(rebound);
    }
  }
  if (gap > 0) return kinks;
  const Real rate = contact.isSpring || !contact.isLate ? contact.gamma / h : 1 / h;
  NormalKink push{.value = -rate * gap, .byGap = -rate};
  if (!contact.isSpring && !contact.isLate) {
    kinks.push_back({.value = gap + stabilization.slop, .byGap = 1});
    push.value -= rate * stabilization.slop;
    kinks.push_back({.value = stabilization.maxPushSpeed - push.value, .byGap = rate});
    if (push.value > stabilization.maxPushSpeed) push = {.value = stabilization.maxPushSpeed};
  }
  if (rebound.value < 0) {
    kinks.push_back({.value = push.value + rebound.value,
                     .byBefore = rebound.byBefore,
                     .byFree = rebound.byFree,
                     .byGap = push.byGap});
  }
  return kinks;
}

}  // namespace drystone
