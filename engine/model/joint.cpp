#include "engine/model/joint.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>

#include "core/input_error.h"
#include "engine/model/joint_coordinates.h"
#include "engine/model/joint_presets.h"
#include "engine/model/keys.h"

namespace drystone {

Schedule::Schedule(std::vector<Key> keys) : keys_(std::move(keys)) {
  if (keys_.empty()) throw InputError("schedule: needs at least one key");
  for (std::size_t i = 0; i < keys_.size(); ++i) {
    if (!std::isfinite(keys_[i].time) || !std::isfinite(keys_[i].value)) {
      throw InputError(fmt::format("schedule: key {} must be finite", i));
    }
    if (i > 0 && !(keys_[i].time > keys_[i - 1].time)) {
      throw InputError(
          fmt::format("schedule: time {} s of key {} must be > {} s, that of the key "
                      "before",
                      keys_[i].time, i, keys_[i - 1].time));
    }
  }
}

Real Schedule::at(Real time) const {
  const auto [before, next, share] = placeAmong(keys_, time);
  return before.value + share * (next.value - before.value);
}

JointDefinition presetJoint(std::string_view name, BodyId bodyA, BodyId bodyB, const Pose& frameA,
                            const Pose& frameB) {
  const auto preset = std::ranges::find(jointPresets(), name, &JointPreset::name);
  assert(preset != jointPresets().end());
  JointDefinition joint{.geometry = preset->geometry,
                        .bodyA = bodyA,
                        .bodyB = bodyB,
                        .frameA = frameA,
                        .frameB = frameB,
                        // A gear connects joints, not its bodies.
                        .collide = preset->geometry == JointGeometry::kGear};
  for (int i = 0; i < coordinateCount(joint.geometry); ++i) joint.axes[i] = JointAxis::locked();
  for (const PresetCoordinate& coordinate : preset->free) joint.axes[coordinate.index] = {};
  return joint;
}

}  // namespace drystone
