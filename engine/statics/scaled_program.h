#pragma once

#include <span>
#include <vector>

#include "engine/model/body_store.h"
#include "engine/statics/conic_program.h"
#include "engine/statics/static_rows.h"
#include "solvers/problem/mass_root.h"

namespace drystone {

/// The forces of a contact in balance.
struct ContactForces {
  Real normal = 0, friction = 0;  ///< [N]
  Vec3 tangents = Vec3::Zero();   ///< of the rows after the normal one: torsion is the third
  Real use = 0;                   ///< of the friction, or rolling, that the normal force allows
};

/// The balance of a world as a program whose numbers are of the order of 1: each body by the root
/// of its mass, so that ratios of masses do not show, each contact by its column, and the loads by
/// their size.
class ScaledProgram {
 public:
  /// `load`: [dynamic bodies], grows with the factor, which is to be largest; empty: there is none,
  /// and the program asks only for a balance.
  ScaledProgram(const StaticRows& rows, const BodyStore& bodies, std::span<const Vec6> load);
  /// In place of a load: the balance of each body may lack something, of which the sum over bodies
  /// of √(rᵀ M⁻¹ r) is least, r being what lacks. There always is a solution.
  static ScaledProgram thatMayLack(const StaticRows& rows, const BodyStore& bodies);

  /// Asks for the balance with the least sum of the normal forces of some contacts, or with `sign`
  /// −1 for the largest; of a program without a load.
  void minimizeNormals(const StaticRows& rows, std::span<const int> contacts, Real sign);

  const ConicProgram& program() const { return program_; }
  Real factor(const VecX& x) const { return x[x.size() - 1] * factorUnit_; }
  ContactForces contactForces(const StaticContactRows& contact, int index, const VecX& x) const;
  /// Of `rows.joints`, by index [N], [N m].
  Real jointForce(int index, const VecX& x) const;
  /// Length of what the balance of a body lacks, as a share of the dead loads of all.
  Real lackShare(int body, const VecX& x) const;
  /// What the balance of a body lacks, where it may [N], [N m].
  Vec6 lack(int body, const VecX& x) const;
  /// Of the mechanism, up to a positive factor common to all bodies.
  Vec6 velocity(int body, const VecX& y) const;

 private:
  using Entries = std::vector<Eigen::Triplet<Real>>;
  void addColumn(const StaticColumn& column, Real scale);
  void addContacts(const StaticRows& rows);
  void addFreeJoints(const StaticRows& rows);
  void addBoundedJoints(const StaticRows& rows);
  Vec6 scaled(int body, const Vec6& wrench) const;
  Real sizeOf(const StaticColumn& column) const;
  bool isFree(const StaticJointRow& row) const;

  ConicProgram program_;
  std::vector<MassRoot> roots_;  ///< [dynamic bodies]
  /// A column of a joint gives start + unit x.
  struct JointColumn {
    int column = 0;
    Real start = 0, unit = 0;
  };
  ScaledProgram(const StaticRows& rows, const BodyStore& bodies, std::span<const Vec6> load,
                bool mayLack);
  void addLacks();

  Entries entries_;
  std::vector<Real> right_;  ///< b as it grows by equations between columns
  int columns_ = 0;
  std::vector<int> contactColumn_;         ///< [contacts] the first one in x
  std::vector<Real> contactUnit_;          ///< [contacts] [N] of 1 in x
  std::vector<JointColumn> jointColumns_;  ///< [joints]
  int lackColumn_ = 0;                     ///< of the first body
  Real forceUnit_ = 1, factorUnit_ = 1;
};

}  // namespace drystone
