#pragma once

#include <span>
#include <vector>

#include "collision/narrow/contact_point.h"
#include "engine/model/body_store.h"
#include "engine/model/joint_store.h"
#include "engine/model/world_settings.h"

namespace drystone {

/// Bodies that touch or may touch each other, and whether anything moves in such a group.
struct MovingGroups {
  std::vector<int> parent;           ///< [body slots]
  std::vector<std::uint8_t> isFast;  ///< [body slots] at the root: of the group
};

/// Drops the detected points that an inner step of h [s] has no use for: those between bodies of a
/// group at rest whose gap is more than a tenth of the margin, and stays so whether each of the two
/// goes freely or is held. A wall of bricks has a third fewer contacts then. At rest means that
/// nothing in the group, nor what it touches, comes farther than a hundredth of the margin in h, is
/// pushed from outside, has a joint or is a belt. Such a group may close a gap all the same, as
/// where one of two supports goes. A look at the end of the step finds it then if it overlaps by
/// more than half of the tolerance (findLateContacts), and a soft step leaves it to the next one.
/// Only for steps that do one of both: WorldSettings::mayLeaveContactsOut().
void dropDistant(const BodyStore& bodies, const JointStore& joints,
                 std::span<const int> bodyOfCollider, const WorldSettings& settings, Real h,
                 MovingGroups& groups, std::vector<ContactPoint>& points);

}  // namespace drystone
