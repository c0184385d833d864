#pragma once

#include <vector>

#include "engine/step/world_parts.h"

namespace drystone {

/// What the rows of a list are for.
struct JointRowRules {
  Real h = 0;            ///< [s]
  Real gamma = 0;        ///< share of the error of locks and passed limits that h takes back
  Real restitution = 0;  ///< ε of locks: w = J u⁺ + ε J u
  bool forces = true;    ///< also springs, motors and friction; else for the poses alone
};

/// The rules of the rows of a step.
JointRowRules stepRules(const WorldSettings& settings);

/// True when its locks were made compliant on purpose: they keep the velocity stabilisation γ,
/// which their stretch rests on, and are left out of mean rows and of the projection.
inline bool isSoft(const Joint& joint) { return joint.compliance.value_or(0) > 0; }

/// True when the joint, and what it couples if it is a gear, is there and not broken.
bool isInForce(const WorldParts& world, const Joint& joint);

/// True when the joint acts on something that moves.
bool hasRows(const WorldParts& world, const Joint& joint);

/// Appends the rows of a joint at the present poses: locks first, then per coordinate limit,
/// spring, motor and friction. How many does not depend on the poses. Sets the joint's errors and
/// angles. `world.time` is the start of the step.
void appendJointRows(const WorldParts& world, const JointRowRules& rules, Joint& joint,
                     std::vector<StepJointRow>& rows);

}  // namespace drystone
