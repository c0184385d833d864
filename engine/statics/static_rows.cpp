#include "engine/statics/static_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <new>
#include <string_view>

#include "core/input_error.h"
#include "engine/model/joint_coordinates.h"
#include "engine/step/callbacks.h"
#include "engine/step/contacts.h"
#include "engine/step/half_done.h"
#include "engine/step/joint_row_list.h"
#include "engine/step/normal_terms.h"
#include "engine/step/position_errors.h"
#include "engine/step/rows.h"
#include "engine/step/union_find.h"
#include "engine/step/world_parts.h"

namespace drystone {
namespace {

/// Gap at which contacts touch and limits are met, as a share of the bodies' median extent: scenes
/// place what touches to some digits.
constexpr Real kReachShare = 1e-3;
/// Less friction than this is none: columns are divided by μ.
constexpr Real kLeastFriction = 1e-9;
/// (M.9) weighs the row of torsion by this.
constexpr Real kTorsionWeight = 1.5;

/// Of a spring at rest along its coordinate [N], [N m]. A table of damping may have some there.
Real springForce(const JointSpring& spring, Real coordinate) {
  const Real extension = coordinate - spring.rest;
  const Real pull = spring.forceTable.isEmpty() ? spring.stiffness * extension
                                                : spring.forceTable.forceAt(extension);
  return -pull - (spring.damperTable.isEmpty() ? 0 : spring.damperTable.forceAt(0));
}

/// A margin of the collision world for a while.
class MarginForNow {
 public:
  MarginForNow(CollisionWorld& collision, Real usual, Real margin)
      : collision_(collision), usual_(usual), isOther_(margin != usual) {
    if (isOther_) collision_.setMargin(margin);
  }
  /// Where memory has ended, bounding boxes may stay wider until the next poses; they lose nothing.
  ~MarginForNow() {
    if (!isOther_) return;
    try {
      collision_.setMargin(usual_);
    } catch (const std::bad_alloc&) {
    }
  }
  MarginForNow(const MarginForNow&) = delete;
  MarginForNow& operator=(const MarginForNow&) = delete;

 private:
  CollisionWorld& collision_;
  Real usual_;
  bool isOther_;
};

/// Those of the present poses, up to a gap of the reach or of the world's margin; in motion also
/// those on the way that an inner step of h sees ahead. Those of the last step stay listed in the
/// world.
std::vector<StepContact> detect(WorldParts& world, Real reach, Real h, RowsFor use) {
  std::vector<ContactPoint> points;
  std::vector<StepContact> contacts;
  const Real margin = world.settings.contactMargin;
  const MarginForNow wider(world.collision, margin, std::max(margin, reach));
  const Real ahead = use == RowsFor::kMotion ? h : 0;
  placeColliders(world.bodies, world.settings, ahead, world.collision);
  markResting(world.bodies, world.collision, world.data.sleep);
  world.collision.findPairs();
  world.collision.collidePairs(points);
  dropRefused(world.bodyOfCollider, world.bodies, world.callbacks, points);
  keepSolid(world.bodyOfCollider, world.bodies, points);
  world.collision.dropGhosts(points);
  listContacts(points, world.bodyOfCollider, world.bodies, world.collision, world.materials,
               world.settings, h, contacts);
  modifyContacts({.bodies = world.bodies,
                  .materials = world.materials,
                  .collision = world.collision,
                  .settings = world.settings,
                  .velocity = world.bodies.velocity,
                  .h = h},
                 world.callbacks, contacts);
  throwKept(world.callbacks);
  return contacts;
}

class Finder {
 public:
  Finder(std::string_view function, WorldParts& world, RowsFor use, StaticRows& out)
      : function_(function), world_(world), bodies_(world.bodies), use_(use), out_(out) {}

  void find() {
    const Real h = world_.settings.substep();
    out_.place.assign(bodies_.slots(), -1);
    for (int slot = 0; slot < bodies_.slots(); ++slot) {
      if (!bodies_.record[slot].alive || !bodies_.isDynamic(slot)) continue;
      out_.place[slot] = static_cast<int>(out_.slots.size());
      out_.slots.push_back(slot);
      Vec6 dead = bodies_.meanLoad(slot, world_.time, h);
      dead.head<3>() += bodies_.mass[slot] * bodies_.gravityOf(slot, world_.settings.gravity);
      bodies_.dropLocked(slot, dead);
      out_.dead.push_back(dead);
    }
    for (const StepContact& contact : detect(world_, out_.reach, h, use_)) {
      if (contact.point.gap <= out_.reach || use_ == RowsFor::kMotion) {
        addContact(contact);
      } else {
        ++out_.apart;
        out_.widestGap = std::max(out_.widestGap, contact.point.gap);
      }
    }
    JointRowList joints;
    listJointRows(bodies_, stepRules(world_.settings, world_.time, h), world_.joints, joints);
    for (const StepJointBlock& block : joints.blocks) {
      for (int row = block.firstRow; row < block.firstRow + block.rows; ++row) {
        addJointRow(block.joint, joints.rows[row]);
      }
    }
  }

 private:
  StaticColumn columnOf(int slotA, int slotB, const Vec6& onA, const Vec6& onB) const {
    StaticColumn column{out_.place[slotA], out_.place[slotB], onA, onB};
    if (column.a >= 0) bodies_.dropLocked(slotA, column.onA);
    if (column.b >= 0) bodies_.dropLocked(slotB, column.onB);
    return column;
  }

  void addContact(const StepContact& contact) {
    if (contact.adhesion > 0) {
      throw InputError(fmt::format(
          "{}: bodies '{}' and '{}' touch with materials that have adhesion, which limit analysis "
          "does not know: set it to 0, or hold them by a joint",
          function_, bodies_.record[contact.bodyA].name, bodies_.record[contact.bodyB].name));
    }
    const FrictionModel model = world_.settings.friction;
    const ContactArms arms = armsOf(bodies_, contact);
    StaticContactRows rows{.first = static_cast<int>(out_.columns.size()),
                           .slotA = contact.bodyA,
                           .slotB = contact.bodyB,
                           .position = touchPoint(bodies_, contact),
                           .normal = contact.point.normal,
                           .gap = contact.point.gap};
    if (contact.isSoft && use_ == RowsFor::kMotion) {
      const Real h = world_.settings.substep();
      rows.compliance = contact.compliance;
      rows.bias = normalTerms(contact, 0, 0, world_.settings, h).stabilization;
    }
    const Vec3 slip = surfaceSlip(bodies_, contact);
    rows.slip = {contact.tangent1.dot(slip), contact.tangent2.dot(slip)};
    const auto along = [&](const Vec3& direction) {
      out_.columns.push_back(columnOf(contact.bodyA, contact.bodyB, -pointRow(direction, arms.a),
                                      pointRow(direction, arms.b)));
    };
    const auto about = [&](const Vec3& axis) {
      Vec6 row = Vec6::Zero();
      row.tail<3>() = axis;
      out_.columns.push_back(columnOf(contact.bodyA, contact.bodyB, -row, row));
    };
    along(contact.point.normal);
    if (model != FrictionModel::kNone && contact.friction > kLeastFriction) {
      rows.friction = contact.friction;
      rows.tangents = model == FrictionModel::kContensou ? 3 : 2;
      rows.across = contact.across;
      along(contact.tangent1);
      along(contact.tangent2);
      if (rows.tangents == 3) {
        about(contact.contensouRadius / kTorsionWeight * contact.point.normal);
      }
    }
    if (model == FrictionModel::kRolling &&
        contact.rollingResistance > kLeastFriction * contact.rollingArm) {
      rows.rollingFriction = contact.rollingResistance / contact.rollingArm;
      rows.rolling = 2;
      about(rollingAxis(contact, 0));
      about(rollingAxis(contact, 1));
    }
    out_.contacts.push_back(rows);
  }

  void addJointRow(int slot, const StepJointRow& row) {
    const Joint& joint = world_.joints[slot];
    const int coordinate = coordinateOfKey(row.key);
    const bool isSwing = coordinate == kSwingCoordinate;
    const JointAxis* axis = isSwing ? nullptr : &joint.axes[coordinate];
    const auto bear = [&](Real lower, Real upper) {
      out_.joints.push_back({.column = static_cast<int>(out_.columns.size()),
                             .lower = lower,
                             .upper = upper,
                             .joint = slot,
                             .coordinate = coordinate,
                             .role = roleOfKey(row.key)});
      out_.columns.push_back(columnOf(joint.bodyA, joint.bodyB, row.jacobianA, row.jacobianB));
    };
    const Real near = isSwing || isAngle(joint.geometry, coordinate) ? kReachAngle : out_.reach;
    const auto limit = [&](Real beyond) {
      if (beyond < -near && use_ == RowsFor::kRest) return;
      bear(0, kInfinity);
      out_.joints.back().beyond = beyond;
    };
    switch (roleOfKey(row.key)) {
      case JointRowRole::kLock:
        return bear(-kInfinity, kInfinity);
      case JointRowRole::kLowerLimit:
        return limit(axis->lower - row.value);
      case JointRowRole::kUpperLimit:
        return limit(row.value - (isSwing ? joint.swingLimit : axis->upper));
      case JointRowRole::kSpring:
        if (use_ == RowsFor::kRest) return pull(joint, row, springForce(*axis->spring, row.value));
        bear(0, 0);
        out_.joints.back().compliance = row.compliance;
        out_.joints.back().restitution = row.restitution;
        out_.joints.back().bias = row.bias;
        return;
      case JointRowRole::kMotor:
        if (axis->motor->servo && use_ == RowsFor::kRest)
          return pull(joint, row, servoForce(joint, coordinate, row.value));
        return bear(-axis->motor->maxForce, axis->motor->maxForce);
      case JointRowRole::kFriction:
        return bear(-axis->friction, axis->friction);
    }
  }

  Real servoForce(const Joint& joint, int coordinate, Real value) const {
    const JointMotor& motor = *joint.axes[coordinate].motor;
    const bool isSet = !std::isnan(joint.target[coordinate]);
    const Real target = isSet ? joint.target[coordinate] : motor.target.at(world_.time);
    return std::clamp(-motor.servo->stiffness * (value - target), -motor.maxForce, motor.maxForce);
  }

  /// A force of the joint that is what it is.
  void pull(const Joint& joint, const StepJointRow& row, Real force) {
    const StaticColumn column = columnOf(joint.bodyA, joint.bodyB, row.jacobianA, row.jacobianB);
    if (column.a >= 0) out_.dead[column.a] += force * column.onA;
    if (column.b >= 0) out_.dead[column.b] += force * column.onB;
  }

  std::string_view function_;
  WorldParts& world_;
  const BodyStore& bodies_;
  RowsFor use_;
  StaticRows& out_;
};

/// Those of the present poses, all bodies being awake.
StaticRows findRows(std::string_view function, WorldParts& world, std::optional<Real> reach,
                    RowsFor use) {
  StaticRows out;
  StepReport sizes;
  beginPositionErrors(world.settings, world.bodies, world.data.positionErrors, sizes);
  const Real size = world.data.positionErrors.size;
  out.reach = reach.value_or(std::isfinite(size) ? kReachShare * size : 0);
  Finder(function, world, use, out).find();
  return out;
}

}  // namespace

StaticRows staticRowsNow(std::string_view function, WorldParts& world, std::optional<Real> reach,
                         RowsFor use) {
  requireUsable(world, function);
  if (reach && !(*reach >= 0 && std::isfinite(*reach))) {
    throw InputError(fmt::format("{}: reach must be finite and >= 0 m, got {}", function, *reach));
  }
  for (int slot = 0; slot < world.bodies.slots(); ++slot) {
    if (world.bodies.hasAdhesion[slot] == 0) continue;
    throw InputError(fmt::format(
        "{}: body '{}' has adhesion, which limit analysis does not know: setAdhesion(0), or hold "
        "it by a joint",
        function, world.bodies.record[slot].name));
  }
  for (const Joint& joint : world.joints) {
    if (!joint.isFirstSpan() || !isInForce(world.joints, joint)) continue;
    throw InputError(fmt::format(
        "{}: joint '{}' is a cable, which limit analysis does not know: hold the bodies by "
        "distances",
        function, joint.name));
  }
  world.bodies.wakeAll();
  StaticRows out;
  runWhole(world, [&] { out = findRows(function, world, reach, use); });
  return out;
}

std::vector<StaticRows> groupsOf(const StaticRows& rows) {
  const int bodies = static_cast<int>(rows.slots.size());
  std::vector<int> parent;
  startGroups(parent, bodies);
  for (const StaticColumn& column : rows.columns) {
    if (column.a >= 0 && column.b >= 0) unite(parent, column.a, column.b);
  }
  std::vector<StaticRows> groups;
  std::vector<int> groupOf(rows.slots.size()), inGroup(rows.slots.size());
  for (int body = 0; body < bodies; ++body) {
    const int first = findRoot(parent, body);
    if (first == body) {
      groupOf[body] = static_cast<int>(groups.size());
      groups.push_back({.reach = rows.reach});
    }
    groupOf[body] = groupOf[first];
    StaticRows& group = groups[groupOf[body]];
    inGroup[body] = static_cast<int>(group.slots.size());
    group.slots.push_back(rows.slots[body]);
    group.dead.push_back(rows.dead[body]);
  }
  // Rows between bodies that do not move are in no group.
  const auto take = [&](int first, int count) -> StaticRows* {
    const StaticColumn& column = rows.columns[first];
    if (column.a < 0 && column.b < 0) return nullptr;
    StaticRows& group = groups[groupOf[std::max(column.a, column.b)]];
    for (int i = first; i < first + count; ++i) {
      StaticColumn own = rows.columns[i];
      if (own.a >= 0) own.a = inGroup[own.a];
      if (own.b >= 0) own.b = inGroup[own.b];
      group.columns.push_back(own);
    }
    return &group;
  };
  for (StaticContactRows contact : rows.contacts) {
    StaticRows* const group = take(contact.first, 1 + contact.tangents + contact.rolling);
    if (group == nullptr) continue;
    contact.first =
        static_cast<int>(group->columns.size()) - 1 - contact.tangents - contact.rolling;
    group->contacts.push_back(contact);
  }
  for (StaticJointRow joint : rows.joints) {
    StaticRows* const group = take(joint.column, 1);
    if (group == nullptr) continue;
    joint.column = static_cast<int>(group->columns.size()) - 1;
    group->joints.push_back(joint);
  }
  return groups;
}

}  // namespace drystone
