// What a gear may couple, and which bodies it acts on.
#include <algorithm>
#include <functional>
#include <initializer_list>
#include <utility>

#include "engine/model/joint_store.h"

namespace drystone {

std::pair<int, int> bodiesOfGear(std::pair<int, int> first, std::pair<int, int> second,
                                 const std::function<bool(int)>& isDynamic) {
  // The first one wanted that is dynamic, if it is not the body to leave out.
  const auto pick = [&](std::initializer_list<int> wanted, int leftOut) {
    const auto found =
        std::ranges::find_if(wanted, [&](int body) { return body != leftOut && isDynamic(body); });
    return found == wanted.end() ? -1 : *found;
  };
  const int a = pick({first.second, first.first}, -1);
  const int b = pick({second.second, second.first, first.second, first.first}, a);
  for (const int body : {first.first, first.second, second.first, second.second}) {
    if (isDynamic(body) && body != a && body != b) return {-1, -1};
  }
  return b >= 0 ? std::pair(a, b) : std::pair(-1, -1);
}

bool canCouple(JointGeometry geometry, const std::array<JointAxis, 6>& axes, int coordinate) {
  return freeCoordinateCount(geometry, axes) == 1 && !axes[coordinate].isLocked();
}

bool carries(const JointStore& joints, const Joint& gear, int body) {
  if (gear.geometry != JointGeometry::kGear || body == gear.bodyA || body == gear.bodyB) {
    return false;
  }
  const auto isOn = [&](const Joint& joint) { return joint.bodyA == body || joint.bodyB == body; };
  return isOn(joints[gear.gear1]) || isOn(joints[gear.gear2]);
}

}  // namespace drystone
