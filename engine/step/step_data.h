#pragma once

#include <cstdint>
#include <vector>

#include "collision/narrow/contact_point.h"
#include "core/types.h"
#include "solvers/driver/contact_solver.h"
#include "solvers/problem/contact_problem.h"

namespace drystone {

/// Contacts that a thread takes at a time: some ten microseconds of work.
constexpr int kContactsPerRange = 256;

/// A contact of this step, with what the rows need of the two bodies.
struct StepContact {
  ContactPoint point;
  int bodyA = -1, bodyB = -1;  ///< body slots; at least one is dynamic
  Vec3 tangent1, tangent2;     ///< orthonormal with the normal, world
  Real friction = 0;
  Real restitution = 0;
  Real tangentialRestitution = 0;
  Real compliance = 0;       ///< [1/kg]
  bool isSoft = false;       ///< compliant by its materials: not for the projection
  Real contensouRadius = 0;  ///< [m]
  int block = -1;            ///< into ConstraintRows::blocks
};

/// A row of a joint in this step, its Jacobians as if both bodies moved.
struct StepJointRow {
  Vec6 jacobianA, jacobianB;
  Real bias = 0;         ///< of b: error, target and approach terms [m/s], [rad/s]
  Real restitution = 0;  ///< ε: J u times ε goes into b
  Real compliance = 0;   ///< [1/kg], [1/(kg m²)]
  Real lower = 0, upper = 0;
  int key = 0;  ///< what the row is for, ascending within a joint
};

/// Up to kMaxBlockRows rows of one joint.
struct StepJointBlock {
  int joint = -1;              ///< slot
  int part = 0;                ///< number among the joint's blocks
  int firstRow = 0, rows = 0;  ///< into StepData::jointRows
  int bodyA = -1, bodyB = -1;  ///< body slots; at least one is dynamic
  int block = -1;              ///< into ConstraintRows::blocks
};

/// Groups of bodies that share constraints, numbered by their lowest dynamic body. A block's source
/// is a joint block j or a contact c, written j and jointBlocks.size() + c.
struct Islands {
  std::vector<int> ofBody;      ///< [body slots] island, or -1: no constraint holds the body
  std::vector<int> localBody;   ///< [body slots] index within the island, or -1
  std::vector<int> bodyStart;   ///< [count + 1] into `bodies`
  std::vector<int> bodies;      ///< body slots, ascending in each island
  std::vector<int> blockStart;  ///< [count + 1] into `sources`
  std::vector<int> sources;     ///< joints first, then contacts, each ascending
  std::vector<int> rowStart;    ///< [count + 1] into the row arrays
  std::vector<int> parent;      ///< union–find work space
  std::vector<int> order;       ///< [count] islands by falling number of rows

  int count() const { return static_cast<int>(bodyStart.size()) - 1; }
};

/// All rows of a step, islands one after the other, each with its own numbering of bodies and rows:
/// a ContactProblem is a view of one stretch.
struct ConstraintRows {
  std::vector<ProblemBlock> blocks;        ///< [blocks] firstRow counts from the island's start
  std::vector<InverseInertia> bodies;      ///< [Islands::bodies]
  std::vector<int> firstRow;               ///< [blocks] into the arrays below
  std::vector<Vec6> jacobianA, jacobianB;  ///< [rows]
  std::vector<Real> b, compliance, lower, upper;  ///< [rows]
  std::vector<Real> restitutionTerm;              ///< [rows] e w⁻ as added to b [m/s]
  std::vector<Real> stabilizationTerm;            ///< [rows] push-out or approach term in b [m/s]
  std::vector<Real> lambda;                       ///< [rows] [N s]
  std::vector<Real> warmLambda;                   ///< [rows] what the solve started from
  std::vector<RowState> state;                    ///< [rows]
  std::vector<RowState> warmState;                ///< [rows] what the solve started from

  void resize(int blockCount, int rowCount, int bodyCount);
};

/// What the next step's warm start knows of one contact of this step.
struct WarmContact {
  int colliderA = -1, colliderB = -1;
  std::uint64_t feature = 0;
  Vec3 impulse = Vec3::Zero();  ///< on B, world axes [N s]; its normal part is λ_n
  Real torsion = 0;             ///< λ_τ [N s]
  RowState state[4] = {};
};

/// What the next step's warm start knows of one row of a joint.
struct WarmJointRow {
  int joint = -1, key = 0;
  Real lambda = 0;
  RowState state = RowState::kUnknown;
};

/// How a contact hangs on its bodies: what it takes to follow it over their poses
/// (step/contact_anchors.h). Cores are points within the surfaces, `radius` below them.
struct ContactAnchor {
  enum class Rule : std::uint8_t {
    kCarried,       ///< the normal turns with `carrier`, the body whose face it is
    kBetweenCores,  ///< the normal leads from core to core: round surfaces
    kAcrossLines,   ///< the normal is square to both axes: edges and round sides that cross
  };
  enum class Rider : std::uint8_t { kA, kB, kBoth };  ///< whose point the contact is

  Vec3 onA, onB;                  ///< cores, in the body frames [m]
  Vec3 normal;                    ///< in the frame of the carrier
  Vec3 axisA, axisB;              ///< of lines and rims, in the body frames; else zero
  Real radiusA = 0, radiusB = 0;  ///< [m]
  int carrier = -1;               ///< body slot; -1: the world
  Rule rule = Rule::kCarried;
  Rider rider = Rider::kBoth;
  bool isRimA = false, isRimB = false;
};

/// One thread's arrays of the projection.
struct ProjectionWorkspace {
  StoredProblem problem;
  std::vector<StepJointRow> rows;  ///< of one joint
  std::vector<Real> left;          ///< [blocks of the island] overlap that stays [m]
  std::vector<Real> lambda;
  std::vector<RowState> state;
  std::vector<Vec6> displacement;  ///< [bodies of the island] over h [m/s], [rad/s]
  std::vector<Pose> saved;         ///< [bodies of the island] before the last Newton step
};

/// Work space of sleeping (step/sleeping.h).
struct SleepData {
  std::vector<int> parent;                 ///< [body slots] union–find over all that is connected
  std::vector<std::uint8_t> wasAsleep;     ///< [body slots]
  std::vector<std::uint8_t> groupIsAwake;  ///< [body slots] by root
  std::vector<WarmContact> warm, mergedWarm;
  std::vector<WarmJointRow> warmJoints, mergedWarmJoints;
  int islands = 0;          ///< asleep
  Real maxPenetration = 0;  ///< deepest overlap of sleeping contacts [m]
};

/// Arrays of the step; they keep their capacity, so that a warm step allocates nothing.
struct StepData {
  std::vector<ContactPoint> points;
  std::vector<StepContact> contacts;          ///< sorted by (colliderA, colliderB, feature)
  std::vector<StepJointRow> jointRows;        ///< by joint, then by key
  std::vector<StepJointBlock> jointBlocks;    ///< by joint
  std::vector<StepJointBlock> laidOutJoints;  ///< as `rows` has them
  int asleepAtDetection = 0;                  ///< bodies
  std::size_t brokenAtDetection = 0;          ///< joints broken in the step until then
  Islands islands;
  ConstraintRows rows;
  std::vector<ProblemBlock> joinedBlocks;  ///< of all islands, where one solve takes them all
  /// [body slots] h² K of the geometric stiffness where it is on, else empty [kg m²]
  std::vector<Mat3> addedInertia;
  std::vector<ContactAnchor> anchors;  ///< [contacts] where contacts are carried or projected
  std::vector<ProjectionWorkspace> projection;  ///< [threads]
  SleepData sleep;
  std::vector<Vec6> freeVelocity;                   ///< [body slots] u*
  std::vector<Vec6> oldVelocity;                    ///< [body slots] u at the start of the step
  std::vector<WarmContact> warm;                    ///< of the step before, sorted as contacts
  std::vector<WarmJointRow> warmJoints;             ///< of the step before, by joint and key
  std::vector<ResidualHistory::Entry> convergence;  ///< of the largest island's solve
  Real warmTimestep = 0;                            ///< h of the step before [s]
};

}  // namespace drystone
