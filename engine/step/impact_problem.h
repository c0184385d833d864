#pragma once

#include <span>
#include <vector>

#include "engine/model/world_settings.h"
#include "engine/step/contacts.h"
#include "engine/step/joint_row_list.h"
#include "engine/step/rows.h"
#include "engine/step/solve_islands.h"

namespace drystone {

/// What collides at one moment, as a problem of its own: contacts, the locks that hold their
/// bodies, and no forces. Arrays keep their capacity.
///
/// Poisson's law: a first solve compresses, so that no contact approaches any more. A contact with
/// e > 0 that met too fast to rest then gets e times its normal impulse again. A second solve finds
/// what the friction, the locks and the other contacts do meanwhile. Where something still meets
/// then, a third one stops it. Together they never gain energy: docs/theory/impacts.md.
class ImpactProblem {
 public:
  /// Forgets what was added; `slots`: of all bodies.
  void clear(int slots);

  /// Adds a contact that has the relative velocity `velocity` along its rows [m/s]. It bounces
  /// where it `impacts`; else it only holds.
  void addContact(const StepContact& contact, bool impacts, std::span<const Real> velocity,
                  const ConstraintRows& rows);

  /// Adds the rows of a joint that lock a coordinate: the collision leaves their velocity as it is.
  void addLocks(const StepJointBlock& joint, const JointRowList& list, const ConstraintRows& rows);

  /// Solves for the impulses of the collision. Returns false when there are none: the solver
  /// refused, or had no time.
  bool solve(const BodyStore& bodies, const SolverChoice& choice, const Deadline& until,
             SolverPool& pool);

  /// Adds the answer to the impulses of the step's rows, and what it does to the velocities.
  /// [rows of the step], [body slots]
  void addTo(std::span<Real> impulse, std::span<Vec6> change) const;

  /// Whether the collision may have changed the velocity of a body.
  bool holds(int slot) const { return local_[slot] >= 0; }
  /// Whether both solves met the tolerance.
  bool isWithinTolerance() const { return isWithin_; }

 private:
  int localBody(int slot, bool moves);
  void addRow(int row, Real velocity, Real target, const ConstraintRows& rows);
  void easeLoneContacts();
  void measure();
  void beginSolve();
  void solveOnTop(const SolverChoice& choice, const Deadline& until, SolverPool& pool);
  void expand(const SolverChoice& choice, const Deadline& until, SolverPool& pool);
  void solveRows(const SolverChoice& choice, const Deadline& until, SolverPool& pool);
  Real approach() const;
  bool gainsEnergy(Real tolerance) const;

  StoredProblem problem_;
  std::vector<Real> restitution_;   ///< [blocks] e of contacts that expand, else 0
  std::vector<char> isSoft_;        ///< [blocks]
  std::vector<int> rowOf_;          ///< [rows] of the step
  std::vector<int> slots_;          ///< [bodies]
  std::vector<int> local_;          ///< [body slots] or -1
  std::vector<int> contactsOf_;     ///< [bodies]
  std::vector<Real> before_;        ///< [rows] velocity before the collision [m/s]
  std::vector<Real> target_;        ///< [rows] what a tangent shall keep of it, turned round [m/s]
  std::vector<Real> lambda_;        ///< [rows] of the solve at work [N s]
  std::vector<RowState> state_;     ///< [rows]
  std::vector<Real> compression_;   ///< [rows] [N s]
  std::vector<Real> total_;         ///< [rows] [N s]
  std::vector<Real> along_, zero_;  ///< [rows] work space
  std::vector<Vec6> velocity_;      ///< [bodies] M⁻¹ Jᵀ λ
  std::vector<Vec6> normalA_, normalB_;  ///< [blocks] of J while the normals of a solve are given
  std::vector<Real> normalCompliance_;   ///< [blocks] likewise
  bool isWithin_ = true;
};

}  // namespace drystone
