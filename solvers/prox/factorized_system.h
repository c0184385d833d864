#pragma once

#include <vector>

#include "solvers/prox/contact_update.h"
#include "solvers/prox/prox_system.h"

namespace drystone {

/// The factorized scheme (004 §3.4.2) in mass-scaled coordinates. With M⁻¹ = L Lᵀ per body, A = J̃
/// J̃ᵀ
/// + C where J̃ = J L, and the bodies carry ũ = J̃ᵀ λ instead of M⁻¹ Jᵀ λ. One scaled Jacobian then
/// serves both halves of an update, w = J̃ ũ + C λ + b and ũ += J̃ᵀ Δλ, which halves the memory that
/// a sweep reads; M⁻¹ Jᵀ is never stored. All data of a contact lie together in sweep order.
class FactorizedSystem : public ProxSystem {
 public:
  void reserve(const ProblemSize& size) override;
  void prepare(const ContactProblem& problem, SweepOrder order, const StepRule& rule) override;
  void setImpulses(std::span<const Real> lambda) override;
  void getImpulses(std::span<Real> lambda) const override;
  void sweep() override;
  void constraintVelocity(std::span<Real> w) override;
  void scaleSteps(Real factor) override;

  /// ũ of a body, padded to one cache line.
  struct alignas(64) BodyVelocity {
    Real value[8] = {};
  };
  /// J̃ row by row: six entries of body A, six of body B.
  template <int kRows>
  struct alignas(16) Contact {
    Real jacobian[kRows][12];
    Real b[kRows];
    Real compliance[kRows];
    Real lambda[kRows];
    ContactSteps<kRows> steps;
    Real friction;
    Real boxRadius;  ///< μ λ̄_n of the `box` model
    int bodyA;
    int bodyB;
    int firstRow;
  };
  /// One row of a joint.
  struct alignas(16) Row {
    Real jacobian[12];
    Real b;
    Real compliance;
    Real lambda;
    Real lower;
    Real upper;
    Real step;
    int bodyA;
    int bodyB;
    int row;
  };

  /// L of one body: 1/√m, and the lower Cholesky factor of the inverse inertia.
  struct MassRoot {
    Real linear;
    Mat3 angular;
  };

 private:
  template <int kRows>
  std::vector<Contact<kRows>>& contacts();
  template <class Function>
  void forEachContactList(Function&& function);
  template <class Function>
  void forEachContactList(Function&& function) const;
  template <int kRows>
  void packContact(const ContactProblem& problem, const ProblemBlock& block, const StepRule& rule);
  void packRows(const ContactProblem& problem, const ProblemBlock& block, const StepRule& rule);
  void computeRoots(const ContactProblem& problem);
  void countUpdates(const ContactProblem& problem, SweepOrder order);
  int bodyIndex(int body) const { return body < 0 ? fixedBody_ : body; }
  void recomputeVelocities();

  FrictionModel model_ = FrictionModel::kCone;
  SweepOrder order_ = SweepOrder::kSequential;
  int fixedBody_ = 0;  ///< stands for body -1: one past the last, always at rest
  std::vector<MassRoot> roots_;
  std::vector<Real> updatesPerBody_;  ///< Jacobi: simultaneous updates that a body takes part in
  std::vector<BodyVelocity> velocity_, nextVelocity_;
  std::vector<Row> rows_;
  std::vector<Contact<1>> contacts1_;
  std::vector<Contact<3>> contacts3_;
  std::vector<Contact<4>> contacts4_;
};

}  // namespace drystone
