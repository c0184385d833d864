#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "core/types.h"
#include "engine/step/joint_row_list.h"

namespace drystone {

struct WorldParts;

/// What a unit of one row does to the wrenches of its two bodies, by place among the dynamic ones.
struct StaticColumn {
  int a = -1, b = -1;  ///< -1: does not move
  Vec6 onA = Vec6::Zero(), onB = Vec6::Zero();
};

/// The rows of a contact: normal, tangents (0, 2, or 3 with torsion), rolling (0 or 2).
struct StaticContactRows {
  int first = 0, tangents = 0, rolling = 0;
  Real friction = 0;  ///< μ: largest length of the tangents' forces over the normal one
  Real across = 1;    ///< force of a unit of the second tangent: less where friction has a grain
  Real rollingFriction = 0;  ///< likewise of rolling
  int slotA = -1, slotB = -1;
  Vec3 position = Vec3::Zero();  ///< [m]
  Vec3 normal = Vec3::UnitZ();   ///< from A to B
  Real gap = 0;                  ///< [m]
  bool slides = false;           ///< its normal column has all of the friction
  std::array<Real, 2> slip{};    ///< of moving surfaces, along the first two tangents [m/s]
};

/// A row of a joint within bounds [N], [N m]; infinite ones allowed.
struct StaticJointRow {
  int column = 0;
  Real lower = 0, upper = 0;
  int joint = -1, coordinate = -1;  ///< slot, and which of its coordinates
  JointRowRole role = JointRowRole::kLock;
  /// Of a spring: its coordinate at present; of a limit: by what that is beyond it [m], [rad].
  Real value = 0;
};

/// All that can bear, and the dead load, of a world at its present pose.
struct StaticRows {
  Real reach = 0;          ///< [m]
  int apart = 0;           ///< contacts that were found, and do not touch
  std::vector<int> slots;  ///< of the dynamic bodies
  std::vector<int> place;  ///< [body slots] the way back, or -1; empty in a group
  std::vector<StaticColumn> columns;
  std::vector<StaticContactRows> contacts;
  std::vector<StaticJointRow> joints;
  std::vector<Vec6> dead;  ///< [dynamic bodies] [N], [N m]
};

/// What motors with a servo do: pull by what they are off their target, or all up to their cap. And
/// springs: they pull by their length, or are rows for who knows how they move.
enum class ServoRows { kPull, kBear };

/// Force of a spring along its coordinate, by what it is off its rest [m], [rad] and its rate [N],
/// [N m]. A table of damping may have a force at rest.
Real springForce(const JointSpring& spring, Real extension, Real rate);

/// Wakes all bodies and finds them anew. `reach`: see Statics. Throws InputError in the name of the
/// function for a world that is half done, a bad reach, or bodies that adhere.
StaticRows staticRowsNow(std::string_view function, WorldParts& world, std::optional<Real> reach,
                         ServoRows servos = ServoRows::kPull);

/// The rows of each group of dynamic bodies that rows join: what happens to one is nothing to the
/// others. In the order of their first bodies.
std::vector<StaticRows> groupsOf(const StaticRows& rows);

}  // namespace drystone
