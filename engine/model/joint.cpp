#include "engine/model/joint.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

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

ForceTable::ForceTable(std::vector<Point> points) : points_(std::move(points)) {
  if (points_.size() < 2) throw InputError("force table: needs at least two points");
  for (std::size_t i = 0; i < points_.size(); ++i) {
    if (!std::isfinite(points_[i].at) || !std::isfinite(points_[i].force)) {
      throw InputError(fmt::format("force table: point {} must be finite", i));
    }
    if (i > 0 && !(points_[i].at > points_[i - 1].at)) {
      throw InputError(
          fmt::format("force table: {} of point {} must be > {}, that of the one before",
                      points_[i].at, i, points_[i - 1].at));
    }
  }
}

const ForceTable::Point* ForceTable::pieceAt(Real at) const {
  const auto next = std::upper_bound(points_.begin() + 1, points_.end() - 1, at,
                                     [](Real x, const Point& point) { return x < point.at; });
  return &*(next - 1);
}

Real ForceTable::slopeAt(Real at) const {
  const Point* const piece = pieceAt(at);
  return (piece[1].force - piece[0].force) / (piece[1].at - piece[0].at);
}

Real ForceTable::forceAt(Real at) const {
  const Point* const piece = pieceAt(at);
  return piece->force + slopeAt(at) * (at - piece->at);
}

Pose jointFrame(const Vec3& position, const Vec3& x, const Vec3& z) {
  const Vec3 across = z.cross(x);
  // Of what rounding leaves of two parallel directions no axis can be made.
  if (!(across.norm() > 1e-9 * z.norm() * x.norm())) {
    throw InputError("jointFrame: x and z must be two directions that are not parallel");
  }
  Mat3 axes;
  axes.col(0) = x.normalized();
  axes.col(1) = across.normalized();
  axes.col(2) = axes.col(0).cross(axes.col(1));
  return {position, Quat(axes)};
}

Pose jointFrame(const Vec3& position, const Vec3& x) {
  if (!(x.norm() > 0)) throw InputError("jointFrame: x must be a direction, not 0");
  return {position, rotationBetween(Vec3::UnitX(), x)};
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
  for (const PresetCoordinate& coordinate : preset->free) {
    if (!coordinate.isLocked) joint.axes[coordinate.index] = {};
  }
  if (preset->coupling.isRope) joint.axes[0] = JointAxis::limited(-kInfinity, 0);
  return joint;
}

}  // namespace drystone
