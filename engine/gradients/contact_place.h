#pragma once

#include <array>

#include "collision/narrow/polytope_meeting.h"
#include "engine/gradients/moving.h"
#include "engine/step/contact_anchors.h"

namespace drystone {

/// Derivatives by (δx, δθ) of body A, then of B, rotations perturbed from the left, world axes.
using PosedNumber = MovingNumberBy<12>;
using PosedVector = MovingVectorBy<12>;

/// A contact that moves with the poses of its bodies, as ContactPlace has it.
struct MovingPlace {
  PosedVector position, normal;
  PosedNumber gap;
};

/// Two bodies of a contact, at their poses.
class MovingPair {
 public:
  MovingPair(const BodyStore& bodies, const StepContact& contact)
      : contact_(contact),
        positionA_(bodies.position[contact.bodyA]),
        positionB_(bodies.position[contact.bodyB]) {}

  const StepContact& contact() const { return contact_; }
  /// A point or direction of body A, or of B, where it is in the world.
  PosedVector point(bool ofA, const Vec3& at) const;
  PosedVector direction(bool ofA, const Vec3& along) const;

 private:
  const StepContact& contact_;
  Vec3 positionA_, positionB_;
};

/// Follows an anchor as placeContact() does. `areRounds`: A and B are round about the axis of a
/// line, square to it, and not about each of its points.
MovingPlace moveAnchored(const MovingPair& pair, const BodyStore& bodies,
                         const ContactAnchor& anchor, std::array<bool, 2> areRounds);

/// Follows the features of two polytopes, as the search for the contact does.
MovingPlace moveMeeting(const MovingPair& pair, const PolytopeMeeting& meeting);

}  // namespace drystone
