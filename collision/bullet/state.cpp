#include "collision/bullet/implementation.h"

namespace drystone {

void CollisionWorld::saveState(std::vector<std::byte>& out) const { out.clear(); }
void CollisionWorld::loadState(std::span<const std::byte>) {}

}  // namespace drystone
