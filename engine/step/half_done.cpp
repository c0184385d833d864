#include "engine/step/half_done.h"

#include <fmt/format.h>

#include <memory>
#include <utility>

#include "core/input_error.h"
#include "engine/step/body_changes.h"
#include "engine/step/callbacks.h"

namespace drystone {
namespace {

/// What of a half done world is not to be destroyed.
struct AbandonedParts {
  StepData data;
  SolverPool solvers;
};

thread_local std::unique_ptr<AbandonedParts> spare;

}  // namespace

void prepareToAbandon() {
  if (!spare) spare = std::make_unique<AbandonedParts>();
}

void abandon(WorldParts& world) noexcept {
  world.isHalfDone = true;
  if (!spare) return;  // a call within this one did it
  spare->data = std::move(world.data);
  spare->solvers = std::move(world.solvers);
  static_cast<void>(spare.release());
}

void requireUsable(const WorldParts& world, std::string_view function) {
  requireOutside(world.callbacks, function);
  if (!world.isHalfDone && world.collision.isWhole()) return;
  throw InputError(fmt::format(
      "{}: memory ran out amid a call before; restore a saved state, or make the world anew",
      function));
}

CollisionSettings collisionSettings(const WorldSettings& settings) {
  return {.margin = settings.contactMargin,
          .reduceManifolds = settings.reduceManifolds,
          .threads = settings.threads};
}

void remakeParts(WorldParts& world) {
  world.isHalfDone = true;
  world.data = {};
  world.events = {};
  world.callbacks.thrown = nullptr;
  world.solvers = {};  // made by the next step
  world.collision = CollisionWorld(collisionSettings(world.settings));
  world.bodyOfCollider.clear();
  // Colliders have the indices again that they had. Bodies keep them meanwhile, so that the next
  // try finds them where memory ends here too. A body that never had one gets a free one last.
  const BodyStore& bodies = world.bodies;
  for (const bool isNew : {false, true}) {
    for (int body = 0; body < bodies.slots(); ++body) {
      const int before = bodies.collider[body];
      if (bodies.record[body].alive && (before < 0) == isNew) makeCollider(world, body, before);
    }
  }
}

}  // namespace drystone
