#pragma once

#include <vector>

#include "core/types.h"
#include "engine/model/body.h"

namespace drystone {

struct BodyStore;
class ScaledProgram;
struct StaticRows;

/// A contact in the balance.
struct StaticContact {
  BodyId bodyA, bodyB;
  Vec3 position = Vec3::Zero();  ///< [m]
  Vec3 normal = Vec3::UnitZ();   ///< unit, from A to B
  Real normalForce = 0;          ///< [N]
  Real friction = 0;             ///< length of the tangential force [N]
  Vec3 force = Vec3::Zero();     ///< on B, both of them, world [N]
  Real mu = 0;                   ///< that bounds friction; 0: there is none
  /// Of what its normal force lets friction bear, 0 to 1; 0 where it carries nothing, below 1e-6
  /// of the largest normal force.
  Real use = 0;
};

/// Contacts of rows in the solution x of their program, the fullest use first.
std::vector<StaticContact> contactsOf(const StaticRows& rows, const BodyStore& bodies,
                                      const ScaledProgram& scaled, const VecX& x);

}  // namespace drystone
