#pragma once

#include <memory>
#include <vector>

#include "gpu/backend.h"
#include "gpu/forms/dense_form.h"
#include "solvers/prox/naive_system.h"

namespace drystone::gpu {

/// Prox iterations on a dense T = 1 − R A, as 003 has them; contacts only, in the problem's order.
/// w is measured on the processor. The plan says which R factors, and must fit the method.
template <class Scalar>
class DeviceDenseSystem : public ProxSystem {
 public:
  explicit DeviceDenseSystem(Target target) : target_(target) {}

  /// T of more rows than these takes too much memory: 4.5 GiB in double.
  static constexpr int kMostRows = 24'576;

  /// Before `prepare`: method, shape and group. The rest of the plan comes from the problem.
  void setMethod(const DensePlan& plan) { densePlan_ = plan; }

  void reserve(const ProblemSize& size) override;
  void prepare(const ContactProblem& problem, const SweepPlan& plan, const StepRule& rule,
               int threads) override;
  void setImpulses(std::span<const Real> lambda) override;
  void getImpulses(std::span<Real> lambda) const override;
  void sweep() override;
  void constraintVelocity(std::span<Real> w) override;
  void scaleSteps(Real factor) override;
  Real roundOff() const override;

  double assemblyMs() const { return naive_.assemblyMs(); }

 private:
  void fillRow(int row, int block);

  Target target_;
  std::unique_ptr<Backend<DenseForm<Scalar>>> backend_;  ///< made when it is first needed
  const DenseView<Scalar>* view_ = nullptr;
  ContactProblem problem_;
  NaiveSystem naive_;  ///< A and R
  DensePlan densePlan_;
  std::vector<Vec6> bodyVelocity_;  ///< work space of constraintVelocity
  std::vector<Real> lambda_;        ///< the same
  std::vector<Real> start_;         ///< as set: no rounded warm start counts as another
  bool isAtStart_ = true;
};

extern template class DeviceDenseSystem<float>;
extern template class DeviceDenseSystem<double>;

}  // namespace drystone::gpu
