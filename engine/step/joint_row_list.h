#pragma once

#include <vector>

#include "engine/model/joint_store.h"
#include "engine/model/world_settings.h"

namespace drystone {

/// A row of a joint in this step, its Jacobians as if both bodies moved.
struct StepJointRow {
  Vec6 jacobianA, jacobianB;
  Real bias = 0;         ///< of b: error, target and approach terms [m/s], [rad/s]
  Real biasByValue = 0;  ///< its derivative by the coordinate [1/s]
  /// Likewise by what the row leads to: where it locks, the end of a range, the rest of a spring,
  /// the target of a motor [1/s]; of a motor's rate without unit.
  Real biasByGoal = 0;
  Real restitution = 0;  ///< ε: J u times ε goes into b; may be negative for springs
  Real compliance = 0;   ///< [1/kg], [1/(kg m²)]
  Real lower = 0, upper = 0;
  Real value = 0;   ///< of the coordinate at the present poses [m], [rad]
  Real rate = 0;    ///< its part of q̇ that no body of the joint makes [m/s], [rad/s]
  int key = 0;      ///< what the row is for, ascending within a joint
  Real beyond = 0;  ///< error at the end of the inner step beyond first order, as held [m]
};

/// What a row does for its coordinate; with the coordinate its name in warm starts. Locks of all
/// coordinates come before everything else.
enum class JointRowRole { kLock, kLowerLimit, kUpperLimit, kSpring, kMotor, kFriction };

/// The coordinate that a row of this key locks, or -1: locks have the first keys.
constexpr int lockedCoordinate(int key) { return key < 6 ? key : -1; }
/// Stands for the angle between the x axes of a joint, beside its coordinates.
constexpr int kSwingCoordinate = 6;
/// The coordinate that a row of this key acts on.
int coordinateOfKey(int key);
/// What a row of this key does. Rows of upper limits push the coordinate down, all others up.
JointRowRole roleOfKey(int key);

/// Up to kMaxBlockRows rows of one joint.
struct StepJointBlock {
  int joint = -1;              ///< slot
  int part = 0;                ///< number among the joint's blocks
  int firstRow = 0, rows = 0;  ///< into JointRowList::rows
  int bodyA = -1, bodyB = -1;  ///< body slots; at least one is dynamic
  int block = -1;              ///< into ConstraintRows::blocks
  int cable = -1;              ///< slot of the first span of its cable; -1: no span
  bool isBeyond = false;       ///< it lies past the place where its cable rubs
  Real rubbing = 0;            ///< rubbingOf() of that place, at the first span
};

/// The rows of all joints in a step.
struct JointRowList {
  std::vector<StepJointRow> rows;      ///< by joint, then by key
  std::vector<StepJointBlock> blocks;  ///< by joint
};

/// What the rows of a list are for.
struct JointRowRules {
  Real h = 0;                ///< [s]
  Real end = 0;              ///< of the inner step [s]
  Real detection = 0;        ///< when the poses are that coordinates are measured at [s]
  Real gamma = 0;            ///< share of the error of locks and passed limits that h takes back
  Real softGamma = 0;        ///< likewise of soft joints and motors
  Real maxPush = kInfinity;  ///< passed limits are taken back at so much at most [m/s], [rad/s]
  Real compliance = 0;       ///< of the rows of joints that have none of their own
  Real restitution = 0;      ///< ε of locks: w = J u⁺ + ε J u
  bool midpoint = false;     ///< springs by the midpoint rule, else by backward Euler
  bool forces = true;        ///< also springs, motors and friction; else for the poses alone
  Real fastest = 0;          ///< no body gets faster by itself, gravity included [m/s]
};

/// The rules of the rows of an inner step of h that starts at `time` [s].
JointRowRules stepRules(const WorldSettings& settings, Real time, Real h);

/// Finds what mean rows have to take off the rates φ̇ of locks, at the poses and velocities of the
/// start of an inner step. Such rows turn the sign of φ̇ and add what the curved path makes of it:
/// φ̇⁺ = f − φ̇ + s with f of h². Without s an error of φ̇ would alternate for ever, and the impulses
/// with it. In smooth motion the mean (f⁻ + f) / 4 of two steps stays. The last two f tell it ahead
/// to h⁴: s = φ̇ − (3 f⁻ − f⁻⁻) / 4. So φ̇⁺ = f − (3 f⁻ − f⁻⁻) / 4, in which no error lives longer
/// than three steps. Where nothing is known of the steps before, s = φ̇. Joints whose arms turn too
/// far in h [s] for any prediction get less of s, or none.
void correctLockRates(const BodyStore& bodies, Real h, JointStore& joints);

/// True when its locks were made compliant on purpose: they keep the velocity stabilisation γ,
/// which their stretch rests on, and are left out of mean rows and of the projection.
inline bool isSoft(const Joint& joint) { return joint.compliance.value_or(0) > 0; }

/// True when the joint, and what it couples if it is a gear, is there and not broken.
bool isInForce(const JointStore& joints, const Joint& joint);

/// True when the joint acts on something that moves.
bool hasRows(const BodyStore& bodies, const JointStore& joints, const Joint& joint);

/// Appends the rows of a joint, one of `joints`, at the present poses: locks first, then per
/// coordinate limits, spring, motor and friction. A range has a row of its nearer end, and of the
/// other one where the step may lead to it. Without forces there is no other one, so that how many
/// rows there are does not depend on the poses. Sets the joint's errors and angles.
void appendJointRows(const BodyStore& bodies, const JointStore& joints, const JointRowRules& rules,
                     Joint& joint, std::vector<StepJointRow>& rows);

/// Lists the rows of all joints that have any at the present poses, in blocks of at most
/// kMaxBlockRows of one joint. Sets the errors and angles of the joints.
void listJointRows(const BodyStore& bodies, const JointRowRules& rules, JointStore& joints,
                   JointRowList& list);

}  // namespace drystone
