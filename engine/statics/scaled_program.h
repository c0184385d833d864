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

  /// Asks for the balance with the least sum of the normal forces of some contacts, or with `sign`
  /// −1 for the largest; of a program without a load.
  void minimizeNormals(const StaticRows& rows, std::span<const int> contacts, Real sign);

  const ConicProgram& program() const { return program_; }
  Real factor(const VecX& x) const { return x[x.size() - 1] * factorUnit_; }
  ContactForces contactForces(const StaticContactRows& contact, int index, const VecX& x) const;
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
  Entries entries_;
  std::vector<Real> right_;  ///< b as it grows by equations between columns
  int columns_ = 0;
  std::vector<int> contactColumn_;  ///< [contacts] the first one in x
  std::vector<Real> contactUnit_;   ///< [contacts] [N] of 1 in x
  Real forceUnit_ = 1, factorUnit_ = 1;
};

}  // namespace drystone
