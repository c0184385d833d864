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
  /// Of surfaces that yield: λ_n = −(J u⁺ + bias)/C, or none, in the next inner step (M.8).
  Real compliance = 0;                ///< C [1/kg]; 0: it is rigid
  Real bias = 0;                      ///< [m/s]
  std::optional<Real> normalForce{};  ///< known, so that it is no unknown [N]
};

/// A row of a joint within bounds [N], [N m]; infinite ones allowed.
struct StaticJointRow {
  int column = 0;
  Real lower = 0, upper = 0;
  int joint = -1, coordinate = -1;  ///< slot, and which of its coordinates
  JointRowRole role = JointRowRole::kLock;
  Real beyond = 0;  ///< of a limit: by what the coordinate has passed it, < 0 before it [m], [rad]
  /// Of a spring: λ = −(J u⁺ + restitution J u + bias)/C in the next inner step (M.8).
  Real compliance = 0, restitution = 0, bias = 0;
};

/// Of angles: limits that are so near are met [rad].
constexpr Real kReachAngle = 1e-3;

/// All that can bear, and the dead load, of a world at its present pose.
struct StaticRows {
  Real reach = 0;          ///< gap at which bodies touch [m]
  int apart = 0;           ///< contacts that were found, and do not touch
  Real widestGap = 0;      ///< of these [m]
  std::vector<int> slots;  ///< of the dynamic bodies
  std::vector<int> place;  ///< [body slots] the way back, or -1; empty in a group
  std::vector<StaticColumn> columns;
  std::vector<StaticContactRows> contacts;
  std::vector<StaticJointRow> joints;
  std::vector<Vec6> dead;  ///< [dynamic bodies] [N], [N m]
};

/// What the rows are for. At rest motors with a servo pull by what they are off their target, and
/// springs by their length. In motion servos give all up to their cap. Springs, limits ahead, and
/// contacts beyond the reach are rows for who knows how they move.
enum class RowsFor { kRest, kMotion };

/// Wakes all bodies and finds them anew. `reach`: see Statics. Throws InputError in the name of the
/// function for a world that is half done, a bad reach, or bodies that adhere.
StaticRows staticRowsNow(std::string_view function, WorldParts& world, std::optional<Real> reach,
                         RowsFor use = RowsFor::kRest);

/// The rows of each group of dynamic bodies that rows join: what happens to one is nothing to the
/// others. In the order of their first bodies.
std::vector<StaticRows> groupsOf(const StaticRows& rows);

}  // namespace drystone
