#include "collision/bullet/implementation.h"

namespace drystone {

std::optional<RayHit> CollisionWorld::rayCast(const Vec3&, const Vec3&, CollisionFilter) const {
  return {};
}
std::optional<RayHit> CollisionWorld::shapeCast(const Shape&, const Pose&, const Vec3&,
                                                CollisionFilter) const {
  return {};
}
std::vector<int> CollisionWorld::overlap(const Shape&, const Pose&, CollisionFilter) const {
  return {};
}

}  // namespace drystone
