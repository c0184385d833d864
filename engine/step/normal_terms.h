#pragma once

#include <vector>

#include "engine/step/contacts.h"

namespace drystone {

/// What a contact adds to b_n beyond J u* (M.8) [m/s].
struct NormalTerms {
  bool impact = false;  ///< by Newton's law; others have a stage of their own (`impacts`)
  Real restitution = 0;
  Real stabilization = 0;
};

/// Derivative of the sum of both terms.
struct NormalDerivative {
  Real byBefore = 0, byFree = 0;
  Real byGap = 0;  ///< [1/s]
};

/// w_n is `before` at the start and `free` at the end of an inner step of h [s] without impulses
/// [m/s]. Where it is not null, `derivative` becomes that of the answer; at a kink, on the side
/// where the contact stands.
NormalTerms normalTerms(const StepContact& contact, Real before, Real free,
                        const WorldSettings& settings, Real h,
                        NormalDerivative* derivative = nullptr);

/// A quantity that the answer bends at where it passes 0, with its derivatives.
struct NormalKink {
  Real value = 0;
  Real byBefore = 0, byFree = 0, byGap = 0;
};
/// Those of the answer next to the state that normalTerms() is asked with.
std::vector<NormalKink> normalKinks(const StepContact& contact, Real before, Real free,
                                    const WorldSettings& settings, Real h);

}  // namespace drystone
