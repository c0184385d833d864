#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "engine/step/callbacks.h"
#include "engine/step/contact_anchors.h"
#include "engine/step/contacts.h"
#include "engine/step/distant_points.h"
#include "engine/step/events.h"
#include "engine/step/inner_step.h"
#include "engine/step/late_contacts.h"
#include "engine/step/sleeping.h"
#include "engine/step/stage_times.h"
#include "engine/step/world_parts.h"

namespace drystone {
namespace {

/// Makes contacts of the points that were detected. `slept`: pairs that did so until now.
void takePoints(WorldParts& world, Real h, bool slept, std::vector<StepContact>& contacts) {
  StepData& data = world.data;
  if (world.onDetection) world.onDetection(data.points);
  dropRefused(world.bodyOfCollider, world.bodies, world.callbacks, data.points);
  senseTouches(data.points, world.bodyOfCollider, world.bodies, world.events);
  keepSolid(world.bodyOfCollider, world.bodies, data.points);
  world.collision.dropGhosts(data.points);
  // Of several processes each sees a part of a group; what woke just now is one of several lists.
  const bool seesGroups = (world.coupling == nullptr || world.coupling->isAlone()) && !slept;
  if (seesGroups && world.settings.mayLeaveContactsOut()) {
    dropDistant(world.bodies, world.joints, world.bodyOfCollider, world.settings, h, data.groups,
                data.points);
  }
  listContacts(data.points, world.bodyOfCollider, world.bodies, world.collision, world.materials,
               world.settings, h, contacts);
  modifyContacts({.bodies = world.bodies,
                  .materials = world.materials,
                  .collision = world.collision,
                  .settings = world.settings,
                  .velocity = data.motion.old,
                  .h = h},
                 world.callbacks, contacts);
  forgiveOverlaps(data.warm.lists(), world.bodies, slept, world.settings.threads, contacts);
}

/// Finds the contacts at the present poses anew.
void detect(WorldParts& world, Real h, StageClock& clock) {
  StepData& data = world.data;
  placeColliders(world.bodies, world.settings, h, world.collision);
  markResting(world.bodies, world.collision, data.sleep);
  world.collision.findPairs();
  clock.end(StepStage::kBroadPhase);
  world.collision.collidePairs(data.points);
  clock.end(StepStage::kNarrowPhase);
  takePoints(world, h, false, data.contacts);
  ++world.report.detections;
}

/// Takes contacts of pairs that `again` has too out of `contacts`; both ascend. After a state was
/// restored the first detection finds what sleeps as well, and so finds it twice if it wakes.
void dropFoundAgain(std::span<const StepContact> again, std::vector<StepContact>& contacts) {
  const auto pairOf = [](const StepContact& contact) {
    return std::pair(contact.point.colliderA, contact.point.colliderB);
  };
  std::erase_if(contacts, [&](const StepContact& contact) {
    return std::ranges::binary_search(again, pairOf(contact), {}, pairOf);
  });
}

/// Wakes the islands that are disturbed, and leaves the contacts of the others out. `isDetected`:
/// the contacts were found just now, and those of what wakes are added.
void wake(WorldParts& world, Real h, bool isDetected) {
  StepData& data = world.data;
  wakeIslands(data.contacts, world.joints, data.warm, world.bodyOfCollider, world.time, h,
              world.bodies, data.sleep);
  if (isDetected && markResting(world.bodies, world.collision, data.sleep)) {
    world.collision.detectWoken(data.points);
    takePoints(world, h, true, data.woken);
    dropFoundAgain(data.woken, data.contacts);
    addLateContacts(data.woken, data.contacts);
  }
  forgetWokenReactions(world.bodies, data.sleep, world.joints);
  dropSleepingContacts(world.bodies, data.warm, data.contacts, data.sleep);
}

DetectionMark markOf(const WorldParts& world) {
  return {world.bodies.countAsleep(), world.report.brokenJoints.size()};
}

}  // namespace

bool findContacts(WorldParts& world, int index, Real h, StageClock& clock) {
  const WorldSettings& settings = world.settings;
  StepData& data = world.data;
  if (index > 0 && settings.carriesContacts()) {
    wake(world, h, false);
    if (markOf(world) == data.detection) {
      carryContacts(world.bodies, world.materials, data.anchors, settings.threads, data.contacts);
      clock.end(StepStage::kContacts);
      return true;
    }
  }
  detect(world, h, clock);
  wake(world, h, true);
  if (settings.carriesContacts() || settings.projection.isOn()) {
    anchorContacts(world.bodies, world.collision, data.contacts, settings.threads, data.anchors);
  }
  data.detection = markOf(world);
  clock.end(StepStage::kContacts);
  return false;
}

}  // namespace drystone
