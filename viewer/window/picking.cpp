#include "viewer/window/picking.h"

#include <algorithm>
#include <vector>

#include "collision/collision_world.h"

namespace drystone::viewer {
namespace {

/// Past all that a scene may hold [m]: planes have no end, so that a ray needs one.
constexpr Real kReach = 1e5;
constexpr std::uint32_t kSolid = 1, kGlass = 2;  ///< groups of colliders

}  // namespace

struct Picker::State {
  std::shared_ptr<const SceneView> scene;
  CollisionWorld world{CollisionSettings{}};
  std::vector<BodyId> bodies;  ///< by collider
  std::vector<int> colliders;  ///< by body index; -1: none

  void build(const std::shared_ptr<const SceneView>& of) {
    world = CollisionWorld(CollisionSettings{});
    bodies.clear();
    colliders.clear();
    scene = of;
    for (const ViewBody& body : scene->bodies) {
      if (!body.shape || body.isSensor) continue;
      const int collider = world.add(*body.shape, {}, {.group = body.isWall ? kGlass : kSolid},
                                     body.kind == BodyKind::kStatic || isStaticOnly(*body.shape));
      bodies.resize(std::max(bodies.size(), static_cast<std::size_t>(collider) + 1));
      bodies[static_cast<std::size_t>(collider)] = body.id;
      colliders.resize(std::max(colliders.size(), static_cast<std::size_t>(body.id.index) + 1), -1);
      colliders[static_cast<std::size_t>(body.id.index)] = collider;
    }
  }

  void place(const WorldSnapshot& snapshot) {
    for (const BodySnapshot& body : snapshot.bodies) {
      const auto index = static_cast<std::size_t>(body.id.index);
      if (index < colliders.size() && colliders[index] >= 0) {
        world.setPose(colliders[index], body.pose);
      }
    }
  }
};

Picker::Picker() : state_(std::make_unique<State>()) {}
Picker::~Picker() = default;

std::optional<Pick> Picker::pick(const ViewFrame& frame, const Vec3& from, const Vec3& direction) {
  if (!frame.scene) return std::nullopt;
  if (state_->scene != frame.scene) state_->build(frame.scene);
  state_->place(frame.snapshot);
  const Vec3 end = from + kReach * direction;
  std::optional<RayHit> hit = state_->world.rayCast(from, end, {.mask = kSolid});
  if (!hit) hit = state_->world.rayCast(from, end, {.mask = kGlass});
  if (!hit) return std::nullopt;
  const BodyId id = state_->bodies[static_cast<std::size_t>(hit->collider)];
  const auto body = std::ranges::find(frame.snapshot.bodies, id, &BodySnapshot::id);
  if (body == frame.snapshot.bodies.end()) return std::nullopt;
  return Pick{id, hit->position, body->pose.inverse() * hit->position};
}

}  // namespace drystone::viewer
