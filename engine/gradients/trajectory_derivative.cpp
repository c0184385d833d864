#include "engine/gradients/trajectory_derivative.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "core/input_error.h"
#include "engine/world/world.h"

namespace drystone {
namespace {

Real changeOf(std::span<const Real> friction, MaterialId material) {
  const auto i = static_cast<std::size_t>(material);
  return i < friction.size() ? friction[i] : 0;
}

/// Throws InputError where the friction of a pair has no derivative by that of a material.
void requireRate(Real rate) {
  if (std::isfinite(rate)) return;
  throw InputError(
      "trajectory derivative: the friction of a material is 0, and that of its pairs the root of a "
      "product; start above 0, or name the pair");
}

/// [contacts] of μ by that of the materials.
std::vector<Real> contactFriction(std::span<const StepMeeting> contacts,
                                  std::span<const Real> friction) {
  std::vector<Real> of;
  of.reserve(contacts.size());
  for (const StepMeeting& contact : contacts) {
    Real sum = 0;  // what stays adds nothing, also where it would by ∞
    const Real a = changeOf(friction, contact.materialA), b = changeOf(friction, contact.materialB);
    if (a != 0) sum += contact.frictionByA * a;
    if (b != 0) sum += contact.frictionByB * b;
    requireRate(sum);
    of.push_back(sum);
  }
  return of;
}

/// Adds the transpose of contactFriction().
void addFriction(std::span<const StepMeeting> contacts, const std::vector<Real>& of,
                 std::vector<Real>& friction) {
  const auto add = [&](MaterialId material, Real by, Real value) {
    const auto i = static_cast<std::size_t>(material);
    friction.resize(std::max(friction.size(), i + 1), 0);
    if (value == 0) return;
    requireRate(by);
    friction[i] += by * value;
  };
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    add(contacts[c].materialA, contacts[c].frictionByA, of[c]);
    add(contacts[c].materialB, contacts[c].frictionByB, of[c]);
  }
}

template <class Value>
void addTo(std::vector<Value>& sum, std::vector<Value> values) {
  if (sum.empty()) {
    sum = std::move(values);
  } else {
    for (std::size_t i = 0; i < values.size(); ++i) sum[i] += values[i];
  }
}

}  // namespace

TrajectoryDerivative::TrajectoryDerivative(World& world, int steps, Act act, Real tolerance)
    : world_(&world), steps_(steps), act_(std::move(act)), tolerance_(tolerance) {
  if (steps < 1) {
    throw InputError("trajectory derivative: steps must be >= 1, got " + std::to_string(steps));
  }
  stride_ = static_cast<int>(std::ceil(std::sqrt(static_cast<Real>(steps))));
  for (int first = 0; first < steps_; first += stride_) {
    states_.push_back(world.save());
    take(first, std::min(first + stride_, steps_));
  }
  end_ = world.save();
}

void TrajectoryDerivative::take(int first, int last) {
  for (int step = first; step < last; ++step) {
    if (act_) act_(*world_, step);
    world_->step();
  }
}

StepDerivative TrajectoryDerivative::derivativeOf(int step) {
  if (act_) act_(*world_, step);
  try {
    return StepDerivative(*world_, tolerance_);
  } catch (const InputError& error) {
    throw InputError("step " + std::to_string(step + 1) + " of " + std::to_string(steps_) + ": " +
                     error.what());
  }
}

template <class Call>
auto TrajectoryDerivative::andBack(Call&& call) {
  try {
    auto result = call();
    world_->restore(end_);
    return result;
  } catch (...) {
    world_->restore(end_);
    throw;
  }
}

TrajectoryOutcome TrajectoryDerivative::forward(const TrajectoryChange& change) {
  return andBack([&] { return alongSteps(change); });
}

TrajectoryGradient TrajectoryDerivative::adjoint(const StepLoss& loss, const Visit& visit) {
  return andBack([&] { return backSteps(loss, visit); });
}

TrajectoryOutcome TrajectoryDerivative::alongSteps(const TrajectoryChange& change) {
  TrajectoryOutcome outcome;
  StepChange next{.pose = change.pose,
                  .velocity = change.velocity,
                  .load = change.load,
                  .mass = change.mass,
                  .gravity = change.gravity};
  world_->restore(states_.front());
  for (int step = 0; step < steps_; ++step) {
    StepDerivative derivative = derivativeOf(step);
    const std::vector<Real> friction = contactFriction(derivative.contacts(), change.friction);
    next.friction = friction;
    StepOutcome own = derivative.forward(next);
    outcome.pose = std::move(own.pose);
    outcome.velocity = std::move(own.velocity);
    outcome.residual = std::max(outcome.residual, own.residual);
    outcome.ahead = std::min(outcome.ahead, own.ahead);
    outcome.behind = std::min(outcome.behind, own.behind);
    const StepCertificate& certificate = derivative.certificate();
    outcome.hasCertainStates = outcome.hasCertainStates && certificate.hasCertainStates;
    outcome.isUnique = outcome.isUnique && certificate.isUnique;
    next.pose = outcome.pose;
    next.velocity = outcome.velocity;
    world_->step();
  }
  return outcome;
}

TrajectoryGradient TrajectoryDerivative::backSteps(const StepLoss& loss, const Visit& visit) {
  TrajectoryGradient sum;
  StepLoss next = loss;
  std::vector<State> states(static_cast<std::size_t>(stride_));  // of a stretch, before each step
  for (std::size_t stretch = states_.size(); stretch-- > 0;) {
    const int first = static_cast<int>(stretch) * stride_;
    const int last = std::min(first + stride_, steps_);
    world_->restore(states_[stretch]);
    for (int step = first; step < last; ++step) {
      world_->save(states[static_cast<std::size_t>(step - first)]);
      if (step + 1 < last) take(step, step + 1);
    }
    for (int step = last; step-- > first;) {
      world_->restore(states[static_cast<std::size_t>(step - first)]);
      StepDerivative derivative = derivativeOf(step);
      StepGradient own = derivative.adjoint(next);
      if (visit) visit(step, derivative, own);
      addFriction(derivative.contacts(), own.friction, sum.friction);
      addTo(sum.load, std::move(own.load));
      addTo(sum.mass, std::move(own.mass));
      sum.gravity += own.gravity;
      sum.pose = std::move(own.pose);
      sum.velocity = std::move(own.velocity);
      next = {.pose = sum.pose, .velocity = sum.velocity};
    }
  }
  return sum;
}

}  // namespace drystone
