#pragma once

#include <span>
#include <vector>

#include "engine/step/islands.h"
#include "solvers/problem/contact_problem.h"
#include "solvers/problem/tied_problem.h"

namespace drystone {

/// How the bodies would move in an inner step without its impulses. [body slots]
struct StepMotion {
  std::vector<Vec6> old;   ///< u at the start of the inner step
  std::vector<Vec6> free;  ///< u*
  std::vector<Vec6> load;  ///< mean of what was applied and is scheduled [N], [N m]; 0 asleep
  /// What adhesion added to u* where bodies touch; empty: nothing adheres.
  std::vector<Vec6> attracted;
  std::vector<Real> pull;  ///< of one contact of a body, by its own adhesion, where any adheres [N]
  /// What contacts of other processes added to u*; empty: there are none.
  std::vector<Vec6> foreign;
  std::vector<Vec6> damped;  ///< what the damping of the bodies added to u*; 0 asleep
  /// Of the bodies, when all of `old`, and of the other three, was written last: what is not active
  /// keeps its values until that changes.
  std::uint64_t oldVersion = 0, freeVersion = 0;
  /// h² K of the geometric stiffness where it is on, else empty [kg m²]
  std::vector<Mat3> addedInertia;
  /// What u* keeps of the momentum of the added inertia [kg m²/s]; as long as `addedInertia`.
  std::vector<Vec3> addedMomentum;
  std::vector<Real> largestKappa;  ///< (ω h)² of the fastest swinging that was found

  /// u at the end of the last inner step, kept for those who measure: what velocities are given
  /// from outside does not count. NaN: nothing is known of the body; empty: of none.
  std::vector<Vec6> end;
  std::uint64_t endVersion = 0;  ///< as `oldVersion`, of `end`
  /// Rotations at which contacts and joints of the last inner step were met, for the same: what
  /// waits or is stopped does not go on from there for all of it.
  std::vector<Quat> met;
  std::uint64_t metVersion = 0;  ///< as `oldVersion`, of `met`
  Vec3 gravity = Vec3::Zero();   ///< in the last step [m/s²]
};

/// All rows of a step, islands one after the other, each with its own numbering of bodies and rows:
/// `blocks` count their bodies and rows from the start of their island, whose problem is thus a
/// view of one stretch:
///
///   islands   |             0              |      1      |
///   blocks    | joint    contact   contact | contact     |   joints first in each island
///   rows      | t0 t1 t2 | n a b   | n a b | n a b       |   n: normal, a, b: tangents
///   firstRow  0          3         6       9
struct ConstraintRows : StoredProblem {
  std::vector<int> firstRow;            ///< [blocks] into the arrays of rows
  std::vector<Real> restitutionTerm;    ///< [rows] e w⁻ as added to b [m/s]
  std::vector<Real> stabilizationTerm;  ///< [rows] push-out or approach term in b [m/s]
  std::vector<Real> lambda;             ///< [rows] [N s]
  std::vector<Real> impact;             ///< [rows] [N s] before the solve; empty: no impacts
  /// [rows] a of normal rows that pull, of which λ̃ = λ + a is solved for [N s]; empty: none do
  std::vector<Real> attraction;
  std::vector<Real> warmLambda;  ///< [rows] what the solve started from
  /// [rows] what the next step is to start from beyond λ [N s]; empty: nothing (startAhead)
  std::vector<Real> ahead;
  /// [rows] what the start after that adds [N s]; as long as `ahead`
  std::vector<Real> trend;
  std::vector<RowState> state;         ///< [rows]
  std::vector<RowState> warmState;     ///< [rows] what the solve started from
  std::vector<StepJointBlock> joints;  ///< as they were laid out
  // Of cables, whose blocks are tied within their islands; empty: there are none.
  std::vector<BlockTie> ties;     ///< [blocks] leads count from the start of the island
  std::vector<char> hasTies;      ///< [islands]
  std::vector<TiedProblem> tied;  ///< [islands] as they were solved

  void resize(int blockCount, int rowCount, int bodyCount);
  bool isTied(int island) const { return !hasTies.empty() && hasTies[island] != 0; }
  /// What a row pushed with in the inner step, impacts before the solve included [N s].
  Real push(int row) const { return impact.empty() ? lambda[row] : lambda[row] + impact[row]; }
  /// How much the bodies of a row were pulled together at it [N s].
  Real pull(int row) const { return attraction.empty() ? 0 : attraction[row]; }
  /// What a row gave in the inner step: what it pushed with less its pull [N s].
  Real impulse(int row) const { return push(row) - pull(row); }
};

/// Gives every block its place: bodies by island-local index, row count and first row. The problem
/// is that of an inner step of h [s].
void layOutRows(const BodyStore& bodies, const Islands& islands,
                std::span<const StepJointBlock> joints, std::span<const StepContact> contacts,
                FrictionModel friction, Real h, int threads, ConstraintRows& rows);

/// Ties the blocks of cables, of rows that are laid out.
void tieSpans(const Islands& islands, std::span<const StepJointBlock> joints, ConstraintRows& rows);

/// For an inner step with the contacts of the one before: true when the joints have the blocks that
/// were laid out then, too. Islands and places stay, and the blocks of the joints get theirs back.
bool keepLayout(const ConstraintRows& rows, std::vector<StepJointBlock>& joints);

/// Lets bodies and surfaces that adhere pull at the contacts where they touch, in the inner step of
/// h that starts at `time` [s]: u* takes −a on B and a on A along the normal (M.17). For rows that
/// are laid out.
void attract(const BodyStore& bodies, std::span<const StepContact> contacts, Real time, Real h,
             ConstraintRows& rows, StepMotion& motion);

/// Inertias of now, and no impulses yet.
void clearRows(const BodyStore& bodies, const Islands& islands, ConstraintRows& rows);

/// Writes the listed rows of the joints to their places: b = J u* + bias (M.8), and what they hold
/// beyond first order in the inner step of h [s].
void jointRows(const BodyStore& bodies, const JointRowList& list, const StepMotion& motion, Real h,
               ConstraintRows& rows);

/// Bounds the motors that have no cap, by what they may have to move and bear in the inner step of
/// h [s]: far more than one that is not blocked needs, and far less than breaks what blocks it.
void capMotors(const BodyStore& bodies, const JointStore& joints, const Islands& islands,
               const JointRowList& list, const StepMotion& motion, const Vec3& gravity, Real h,
               ConstraintRows& rows);

/// Fills blocks and rows of all contacts: Jacobians (M.5, M.6), b with restitution, stabilisation
/// and speculative margin, compliance (M.8), under the friction model of the rows.
void contactRows(const BodyStore& bodies, std::span<const StepContact> contacts,
                 const StepMotion& motion, const WorldSettings& settings, Real h,
                 ConstraintRows& rows);

/// What a contact did to body B, without torsion, world axes [N s].
Vec3 contactImpulse(const StepContact& contact, const ConstraintRows& rows);

/// Sum of the values of a contact's rows along its normal and tangents, world. values: [rows]
Vec3 sumAlong(const StepContact& contact, std::span<const Real> values, const ConstraintRows& rows);

/// The axis of a rolling row, 0 or 1, times its arm: the unit tangents [m].
inline Vec3 rollingAxis(const StepContact& contact, int i) {
  return i == 0 ? Vec3(contact.rollingArm * contact.tangent1)
                : Vec3(contact.rollingArm / contact.across * contact.tangent2);
}

/// Row of J for a body at arm r [m], of the velocity along `direction`: (d, r × d).
inline Vec6 pointRow(const Vec3& direction, const Vec3& arm) {
  Vec6 row;
  row.head<3>() = direction;
  row.tail<3>() = arm.cross(direction);
  return row;
}

}  // namespace drystone
