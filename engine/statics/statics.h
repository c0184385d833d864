#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/types.h"
#include "engine/model/body.h"
#include "engine/statics/static_contacts.h"
#include "engine/statics/static_rows.h"

namespace drystone {

class ScaledProgram;
class World;
struct WorldParts;

/// A load that grows with a factor, on top of the dead load. Either all weights along a direction,
/// as of an earthquake, or forces on bodies; or both.
struct StaticLoad {
  struct PointForce {
    BodyId body;
    Vec3 force = Vec3::Zero();    ///< world [N]
    std::optional<Vec3> at = {};  ///< world [m]; none: the centre of mass
    Vec3 torque = Vec3::Zero();   ///< on top of that of the force, world [N m]
  };
  /// World. Every dynamic body gets its weight times the length of this: a unit vector makes the
  /// factor the share of gravity.
  Vec3 weights = Vec3::Zero();
  std::vector<PointForce> forces = {};
};

enum class StaticVerdict {
  kStands,     ///< forces within all bounds balance the dead load
  kFalls,      ///< none do: the mechanism says how it moves
  kUndecided,  ///< the search ended before: see StaticAnswer::reason
};

/// How much of the dead load a contact may carry. Where redundant contacts share a load, balance
/// leaves a range, and what a step says is one choice of it.
struct StaticShare {
  BodyId other;                       ///< the body that it meets
  std::optional<Vec3> position = {};  ///< [m]; none: of all contacts with `other` together
  /// Normal force in any balance [N]; `most` is ∞ where the contacts wedge the body. NaN where
  /// nothing balances the dead load, or the search ended before.
  Real least = 0, most = 0;
};

/// How a body moves in the mechanism, scaled so that the fastest body has 1 m/s, of each group that
/// falls: the speed of its centre of mass, or of its turning at the least extent of its shape.
struct StaticMotion {
  BodyId body;
  int group = 0;                ///< that falls with it, from 0
  Vec3 linear = Vec3::Zero();   ///< of the centre of mass [m/s]
  Vec3 angular = Vec3::Zero();  ///< [rad/s]
  Real speed = 0;               ///< [m/s]
};

struct StaticAnswer {
  StaticVerdict verdict = StaticVerdict::kUndecided;
  /// Largest factor of the load that can be balanced; ∞: any. 0 where it falls, NaN where the
  /// search for it ended before.
  Real factor = 0;
  /// Of the answer: what forces lack of balance and the mechanism of being one, and the gap of
  /// both, relative to the loads.
  Real error = 0;
  int steps = 0;            ///< of the interior point, all searches together
  const char* reason = "";  ///< why a search ended before it decided, in words
  /// At the factor, or under the dead load alone where it is ∞ or NaN; the fullest use first. Empty
  /// unless it stands.
  std::vector<StaticContact> contacts;
  /// The collapse at the factor, or that of what falls, by group and the fastest first. Bodies
  /// slower than 1e-4 of the fastest are left out. Empty where the factor is ∞.
  std::vector<StaticMotion> mechanism;
  /// Where it falls: of dynamic bodies that contacts and joints hold together, and of these those
  /// that fall by themselves.
  int groups = 0, falling = 0;
};

/// Limit analysis of a world at its present pose: whether forces of contacts and joints can balance
/// the loads, each contact within the exact Coulomb cone. Velocities do not count.
///
///   Jᵀ λ + f_dead + s f_load = 0,  λ in its bounds.
///
/// The dead load is gravity, applied and scheduled forces, and springs at their present length.
/// The largest s is exact for associated friction, which opens contacts as they slip. Coulomb
/// friction does not, so forces in balance may fail to act: s is an upper bound of what is safe.
/// Where nothing slips in the collapse, friction plays no part in it. A body that is wedged between
/// others may slip out before.
///
/// Rows: locks and gears bear any force, limits that are met push, motors bear up to their cap
/// whatever their target, friction of joints up to its bound. Servos are dead load, by what they
/// are off their target. Contacts closer than `reach` touch.
/// Torsion (`contensou`) and rolling resistance count where the world has them; of all other models
/// the cone. Moving surfaces are taken as at rest.
class Statics {
 public:
  /// Finds contacts and joints anew: wakes all bodies, and moves none. Steps after it find contacts
  /// with other roundings. `reach`: gap up to which contacts touch [m]; none: 1e-3 of the median
  /// extent of the bodies. Throws InputError unless it is finite and not negative. Where memory
  /// ends, the world may be half done, as after a step. It must outlive this, and stay as it is.
  explicit Statics(World& world, std::optional<Real> reach = {});

  int contacts() const { return static_cast<int>(rows_.contacts.size()); }
  int rows() const { return static_cast<int>(rows_.columns.size()); }  ///< of contacts and joints
  Real reach() const { return rows_.reach; }                           ///< [m]
  /// Contacts that were found near, with a gap above the reach: they bear nothing.
  int apart() const { return rows_.apart; }
  Real widestGap() const { return rows_.widestGap; }  ///< of these; 0 without any [m]
  /// Dynamic bodies without any contact or joint.
  int alone() const;

  /// Throws InputError for a load that is zero or not finite, or on a body that is not dynamic;
  /// where it is by weights, and nothing weighs.
  StaticAnswer answer(const StaticLoad& load) const;

  /// Of each contact of a dynamic body, and where it meets another body at several points of their
  /// sum: two searches each, over the bodies that contacts and joints join to it. Ordered by the
  /// other bodies as they meet. Throws InputError for a body that is not dynamic.
  std::vector<StaticShare> shares(BodyId body) const;

 private:
  int slotOfDynamic(BodyId body, const char* call, const char* remedy) const;
  /// Empty where locked axes bear all of it.
  std::vector<Vec6> wrenchesOf(const StaticLoad& load) const;
  void tellMechanism(const StaticRows& rows, const ScaledProgram& scaled, const VecX& y,
                     StaticAnswer& out) const;
  void tellFalls(StaticAnswer& out) const;
  Real normalForce(const StaticRows& rows, std::span<const int> contacts, Real sign) const;

  WorldParts* world_;
  StaticRows rows_;
};

/// What a body bears on top of the dead load, in whatever direction it comes.
struct StaticResistance {
  Real force = 0;                       ///< at its centre of mass, in the worst direction [N]
  Vec3 forceDirection = Vec3::UnitX();  ///< unit, world; any where the force is 0 or ∞
  Real torque = 0;                      ///< about the worst axis [N m]
  Vec3 torqueAxis = Vec3::UnitX();      ///< likewise
  int searches = 0;                     ///< directions that were looked at
  int undecided = 0;                    ///< of these, those in which the search ended before
};

/// The safety of a grasp, or of anything else that holds a body: the radius of the largest ball of
/// forces, and of torques, that Statics::answer lets the body bear. 0 where the scene falls without
/// them, ∞ where any is borne, NaN where no direction was decided. The caveat of Statics holds.
///
/// What a body bears is a convex set W. From a direction d in which it bears r, the mechanism of
/// the collapse has the normal n of W there, and W bears at most r d·n ≤ r along n. So n is the
/// next direction, until r falls no more: a local minimum, searched from 14 directions. Throws
/// InputError for a body that is not dynamic.
StaticResistance resistanceOf(const Statics& statics, BodyId body);

}  // namespace drystone
