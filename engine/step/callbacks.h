#pragma once

#include <exception>
#include <span>
#include <string_view>
#include <vector>

#include "engine/step/contact_callbacks.h"
#include "engine/step/contacts.h"

namespace drystone {

/// The functions that a world asks in its steps, and what came of it.
struct Callbacks {
  PairFilter accepts;         ///< empty: every pair meets
  ContactModifier modify;     ///< empty: contacts stay as they are
  bool isRunning = false;     ///< one of them at this moment
  std::exception_ptr thrown;  ///< by one of them in this step, the first
};

/// Throws InputError while one of them runs: `addBody: not from within a callback of a step`.
void requireOutside(const Callbacks& callbacks, std::string_view function);

/// Throws what one of them threw in the step, and forgets it.
void throwKept(Callbacks& callbacks);

/// Asks the filter about pairs of detected points, once where those of a pair adjoin.
class PairQuestion {
 public:
  PairQuestion(std::span<const int> bodyOfCollider, const BodyStore& bodies, Callbacks& callbacks)
      : bodyOfCollider_(bodyOfCollider), bodies_(bodies), callbacks_(callbacks) {}

  bool accepts(const ContactPoint& point);

 private:
  std::span<const int> bodyOfCollider_;
  const BodyStore& bodies_;
  Callbacks& callbacks_;
  int colliderA_ = -1, colliderB_ = -1;  ///< of the last pair
  bool isAccepted_ = true;               ///< that pair
};

/// Drops the detected points of the pairs that the filter refuses.
void dropRefused(std::span<const int> bodyOfCollider, const BodyStore& bodies, Callbacks& callbacks,
                 std::vector<ContactPoint>& points);

/// What contacts are described to a modifier by.
struct ModifierInput {
  const BodyStore& bodies;
  const MaterialTable& materials;
  const CollisionWorld& collision;
  const WorldSettings& settings;
  std::span<const Vec6> velocity;  ///< [body slots] at the start of the inner step
  Real h;                          ///< of the inner step [s]
};

/// Has each contact changed, and drops those that are disabled.
void modifyContacts(const ModifierInput& input, Callbacks& callbacks,
                    std::vector<StepContact>& contacts);

}  // namespace drystone
