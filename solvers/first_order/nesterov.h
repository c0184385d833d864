#pragma once

#include <cmath>
#include <span>
#include <vector>

#include "solvers/driver/contact_solver.h"
#include "solvers/problem/contact_problem.h"
#include "solvers/problem/descent_math.h"
#include "solvers/problem/residual.h"

namespace drystone {

/// Joins the descents of several processes to one of a larger problem, of which each has some of
/// the blocks. Every process calls the same functions, in the same order, and gets the same
/// numbers.
class DescentCoupling {
 public:
  virtual ~DescentCoupling() = default;
  /// Replaces the velocities that the blocks of this process give to its bodies by those that all
  /// blocks do. [bodies]
  virtual void addVelocities(std::span<Vec6> bodyVelocity) = 0;
  /// Replaces numbers by their sums over all processes, in the order of these.
  virtual void addUp(std::span<Real> numbers) = 0;
  /// Replaces numbers by the largest of all processes.
  virtual void takeLargest(std::span<Real> numbers) = 0;
};

/// Nesterov's accelerated projected gradient descent on a convex problem of contact,
///
///   min q(λ) = ½ λᵀAλ + (b + σ n)ᵀλ  over  λ ∈ K  (M.15),
///
/// K the product of the joint sets of the contacts and the intervals of the rows, σ a velocity
/// added to the normal of each contact. Steps are scaled by one ρ for all rows of a contact, which
/// keeps its projection exact, and by one for each row of a joint: units and masses do not matter.
class NesterovDescent {
 public:
  void reserve(const ProblemSize& size);
  /// Starts at `lambda`, without momentum, σ = 0. The problem's arrays must outlive the use.
  /// With a coupling, which must outlive the use, too, they are this process's part of the problem.
  void start(const ContactProblem& problem, std::span<const Real> lambda,
             DescentCoupling* coupling = nullptr);
  /// One accelerated step: a product with A, and one more for each trial that was too long.
  void step();
  /// Replaces σ [blocks, 0 for joints] and keeps the momentum.
  void setShift(std::span<const Real> sigma);

  std::span<const Real> lambda() const { return lambda_; }
  std::span<const Real> previous() const { return previous_; }  ///< λ one step earlier
  std::span<const Real> gradient() const { return gradient_; }  ///< A λ + b + σ n [m/s]
  Real energy() const;                                          ///< q(λ) [J]
  int stepReductions() const { return figures_.reductions; }    ///< trials that were too long
  int restarts() const { return figures_.restarts; }
  /// The last step had no momentum and moved nothing: round-off is reached.
  bool stoodStill() const { return figures_.stoodStill == 1; }
  /// False: A bends beyond all bounds along a step, so that no step is short enough.
  bool isFinite() const { return std::isfinite(figures_.curvature); }

  bool adaptiveRestart = true;  ///< off: the momentum is never dropped, for comparison

 private:
  void makeSteps();
  bool tryStep();
  void chooseMomentum();
  void project(std::span<Real> lambda) const;
  void gradientAt(std::span<const Real> lambda, std::span<Real> gradient);

  ContactProblem problem_;
  DescentCoupling* coupling_ = nullptr;
  ProblemScales scales_;
  std::vector<Real> rho_;                    ///< [rows] 1/λ_max(Â_cc), or 1/A_ii of a joint [kg]
  std::vector<Real> sigma_;                  ///< [blocks] [m/s]
  std::vector<Real> lambda_, gradient_;      ///< x_k and its gradient
  std::vector<Real> previous_;               ///< x_{k−1}
  std::vector<Real> ahead_, gradientAhead_;  ///< y_k = x_k + β (x_k − x_{k−1}) and its gradient
  std::vector<Real> next_, gradientNext_;    ///< x_{k+1} and its gradient
  std::vector<Vec6> bodyVelocity_;
  DescentFigures figures_ = descentStart();
};

}  // namespace drystone
