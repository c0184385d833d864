// Accelerated projected gradient descent: Nesterov 1983 in the form of Beck & Teboulle 2009 (FISTA)
// with backtracking, as Mazhar, Heyn, Negrut & Tasora 2015 take it to contact, and with the restart
// of O'Donoghue & Candès 2015. Inner products are those of 1/ρ.
#include "solvers/first_order/nesterov.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "solvers/problem/laws.h"
#include "solvers/problem/problem_ops.h"
#include "solvers/problem/residual.h"

namespace drystone {

void NesterovDescent::reserve(const ProblemSize& size) {
  for (std::vector<Real>* values : {&rho_, &lambda_, &gradient_, &previous_, &ahead_,
                                    &gradientAhead_, &next_, &gradientNext_}) {
    values->reserve(size.rows);
  }
  sigma_.reserve(size.blocks);
  scales_.reserve(size);
  bodyVelocity_.reserve(size.bodies);
}

void NesterovDescent::start(const ContactProblem& problem, std::span<const Real> lambda,
                            DescentCoupling* coupling) {
  problem_ = problem;
  coupling_ = coupling;
  for (std::vector<Real>* values : {&rho_, &gradient_, &next_, &gradientNext_}) {
    values->resize(problem.rowCount());
  }
  sigma_.assign(problem.blockCount(), 0);
  bodyVelocity_.resize(problem.bodyCount());
  makeSteps();
  lambda_.assign(lambda.begin(), lambda.end());
  gradientAt(lambda_, gradient_);
  previous_ = ahead_ = lambda_;
  gradientAhead_ = gradient_;
  figures_ = descentStart();
}

void NesterovDescent::makeSteps() {
  if (problem_.steps.empty()) problem_ = scales_.measure(problem_, 1);
  for (int block = 0; block < problem_.blockCount(); ++block) {
    const ProblemBlock& info = problem_.blocks[block];
    for (int row = info.firstRow; row < info.firstRow + info.rows; ++row) {
      const Real own = problem_.diagonal[row];
      const Real ofRow = own > 0 ? 1 / own : 1;
      rho_[row] = info.law == BlockLaw::kContact ? problem_.steps[block] : ofRow;
    }
  }
}

void NesterovDescent::project(std::span<Real> lambda) const {
  for (const ProblemBlock& block : problem_.blocks) {
    if (block.law == BlockLaw::kContact) {
      projectJointly(problem_.friction, block, &lambda[block.firstRow]);
      continue;
    }
    for (int row = block.firstRow; row < block.firstRow + block.rows; ++row) {
      lambda[row] = std::clamp(lambda[row], problem_.lower[row], problem_.upper[row]);
    }
  }
}

void NesterovDescent::gradientAt(std::span<const Real> lambda, std::span<Real> gradient) {
  if (coupling_ == nullptr) {
    constraintVelocity(problem_, lambda, bodyVelocity_, gradient);
  } else {
    impulseToVelocity(problem_, lambda, bodyVelocity_);
    coupling_->addVelocities(bodyVelocity_);
    relativeVelocity(problem_, 0, problem_.blockCount(), bodyVelocity_, lambda, gradient);
    for (std::size_t row = 0; row < gradient.size(); ++row) gradient[row] += problem_.b[row];
  }
  for (int block = 0; block < problem_.blockCount(); ++block) {
    gradient[problem_.blocks[block].firstRow] += sigma_[block];
  }
}

void NesterovDescent::setShift(std::span<const Real> sigma) {
  for (int block = 0; block < problem_.blockCount(); ++block) {
    const int normal = problem_.blocks[block].firstRow;
    const Real change = sigma[block] - sigma_[block];
    gradient_[normal] += change;
    gradientAhead_[normal] += change;
    sigma_[block] = sigma[block];
  }
}

/// Projects a gradient step from y with the present L. False: it is too long.
bool NesterovDescent::tryStep() {
  for (std::size_t row = 0; row < next_.size(); ++row) {
    next_[row] = ahead_[row] - rho_[row] / figures_.curvature * gradientAhead_[row];
  }
  project(next_);
  gradientAt(next_, gradientNext_);
  Real bend = 0;
  Real length = 0;
  for (std::size_t row = 0; row < next_.size(); ++row) {
    const Real step = next_[row] - ahead_[row];
    bend += step * (gradientNext_[row] - gradientAhead_[row]);
    length += step * step / rho_[row];
  }
  if (coupling_ != nullptr) {
    std::array<Real, 2> sums = {bend, length};
    coupling_->addUp(sums);
    bend = sums[0];
    length = sums[1];
  }
  return !isTooLong(figures_, bend, length);
}

/// The momentum of the next y, and whether the step moved nothing.
void NesterovDescent::chooseMomentum() {
  Real uphill = 0;
  bool stoodStill = next_ == lambda_ && ahead_ == lambda_;
  for (std::size_t row = 0; row < next_.size(); ++row) {
    uphill += (ahead_[row] - next_[row]) * (next_[row] - lambda_[row]) / rho_[row];
  }
  if (coupling_ != nullptr) {
    std::array<Real, 2> sums = {uphill, stoodStill ? 0.0 : 1.0};
    coupling_->addUp(sums);
    uphill = sums[0];
    stoodStill = sums[1] == 0;
  }
  takeStep(figures_, uphill, stoodStill, adaptiveRestart);
}

void NesterovDescent::step() {
  while (!tryStep()) {
  }
  chooseMomentum();
  const Real beta = figures_.momentum;
  for (std::size_t row = 0; row < next_.size(); ++row) {
    // The gradient is affine in λ: that of y takes no product with A.
    ahead_[row] = next_[row] + beta * (next_[row] - lambda_[row]);
    gradientAhead_[row] = gradientNext_[row] + beta * (gradientNext_[row] - gradient_[row]);
  }
  previous_.swap(lambda_);
  lambda_.swap(next_);
  gradient_.swap(gradientNext_);
}

Real NesterovDescent::energy() const {
  Real twice = 0;
  for (std::size_t row = 0; row < lambda_.size(); ++row) {
    twice += lambda_[row] * (gradient_[row] + problem_.b[row]);
  }
  for (int block = 0; block < problem_.blockCount(); ++block) {
    twice += lambda_[problem_.blocks[block].firstRow] * sigma_[block];
  }
  return twice / 2;
}

}  // namespace drystone
