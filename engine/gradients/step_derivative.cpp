// The chain of the inner steps of a step.
#include "engine/gradients/step_derivative.h"

#include <algorithm>
#include <cstddef>
#include <deque>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/input_error.h"
#include "engine/gradients/inner_derivative.h"
#include "engine/gradients/solved_step.h"
#include "engine/step/union_find.h"
#include "engine/world/world.h"

namespace drystone {
namespace {

void checkLength(std::size_t length, std::size_t expected, const char* name) {
  if (length == 0 || length == expected) return;
  throw InputError(std::string("step derivative: ") + name + " has " + std::to_string(length) +
                   " entries; give " + std::to_string(expected) + " or none");
}

template <class Value>
void append(const std::vector<Value>& values, std::vector<Value>& to) {
  to.insert(to.end(), values.begin(), values.end());
}

/// Adds what each inner step has of its own.
template <class Value>
void add(const std::vector<Value>& values, std::vector<Value>& to) {
  if (to.empty()) {
    to = values;
    return;
  }
  for (std::size_t i = 0; i < values.size(); ++i) to[i] += values[i];
}

/// What is of the contacts or drives of one inner step, in a list of all.
std::span<const Real> partOf(std::span<const Real> values, std::size_t first, std::size_t count) {
  return values.empty() ? values : values.subspan(first, count);
}

}  // namespace

/// The inner steps, in turn.
class StepDerivative::Parts {
 public:
  explicit Parts(std::vector<SolvedStep> steps) {
    slots_ = static_cast<std::size_t>(steps.front().bodies.slots());
    joints_ = static_cast<std::size_t>(steps.front().joints.slots());
    const BodyStore bodies = steps.front().bodies;
    for (SolvedStep& step : steps) {
      const InnerDerivative& inner = inner_.emplace_back(std::move(step));
      append(inner.meetings, meetings);
      append(inner.drives, drives);
      const StepCertificate& own = inner.certificate;
      certificate.naturalMap = std::max(certificate.naturalMap, own.naturalMap);
      certificate.leastMargin = std::min(certificate.leastMargin, own.leastMargin);
      certificate.hasCertainStates = certificate.hasCertainStates && own.hasCertainStates;
      certificate.isUnique = certificate.isUnique && own.isUnique;
    }
    findGroups(bodies);
  }

  StepOutcome forward(const StepChange& change) {
    check(change);
    StepOutcome outcome;
    StepChange next = change;
    std::size_t contact = 0, drive = 0;
    for (InnerDerivative& inner : inner_) {
      next.friction = partOf(change.friction, contact, inner.meetings.size());
      next.goal = partOf(change.goal, drive, inner.drives.size());
      next.cap = partOf(change.cap, drive, inner.drives.size());
      contact += inner.meetings.size();
      drive += inner.drives.size();
      StepOutcome own = inner.forward(next);
      own.residual = std::max(own.residual, outcome.residual);
      own.ahead = std::min(own.ahead, outcome.ahead);
      own.behind = std::min(own.behind, outcome.behind);
      outcome = std::move(own);
      next.pose = outcome.pose;
      next.velocity = outcome.velocity;
    }
    return outcome;
  }

  StepGradient adjoint(const StepLoss& loss) {
    checkLength(loss.pose.size(), slots_, "pose");
    checkLength(loss.velocity.size(), slots_, "velocity");
    StepGradient gradient;
    StepLoss next = loss;
    for (auto inner = inner_.rbegin(); inner != inner_.rend(); ++inner) {
      StepGradient own = inner->adjoint(next);
      add(own.load, gradient.load);
      add(own.mass, gradient.mass);
      add(own.frameA, gradient.frameA);
      add(own.frameB, gradient.frameB);
      gradient.gravity += own.gravity;
      for (auto of : {&StepGradient::friction, &StepGradient::goal, &StepGradient::cap}) {
        append(gradient.*of, own.*of);
        gradient.*of = std::move(own.*of);
      }
      gradient.pose = std::move(own.pose);
      gradient.velocity = std::move(own.velocity);
      next = {.pose = gradient.pose, .velocity = gradient.velocity};
    }
    return gradient;
  }

  std::vector<StepMeeting> meetings;
  std::vector<StepDrive> drives;
  StepCertificate certificate;
  std::vector<int> groups;

 private:
  void check(const StepChange& change) const {
    checkLength(change.pose.size(), slots_, "pose");
    checkLength(change.velocity.size(), slots_, "velocity");
    checkLength(change.load.size(), slots_, "load");
    checkLength(change.mass.size(), slots_, "mass");
    checkLength(change.friction.size(), meetings.size(), "friction");
    checkLength(change.goal.size(), drives.size(), "goal");
    checkLength(change.cap.size(), drives.size(), "cap");
    checkLength(change.frameA.size(), joints_, "frameA");
    checkLength(change.frameB.size(), joints_, "frameB");
  }

  /// Joins the bodies of each block of rows, over all inner steps.
  void findGroups(const BodyStore& bodies) {
    const auto isDynamic = [&](int body) {
      return bodies.record[body].alive && bodies.isDynamic(body);
    };
    std::vector<int> parent;
    startGroups(parent, bodies.slots());
    for (const InnerDerivative& inner : inner_) {
      for (const RowResponse& rows : inner.responses()) {
        int last = -1;
        for (const int body : rows.places) {
          if (!isDynamic(body)) continue;
          if (last >= 0) unite(parent, last, body);
          last = body;
        }
      }
    }
    groups.assign(slots_, -1);
    int count = 0;
    for (int i = 0; i < bodies.slots(); ++i) {
      if (!isDynamic(i)) continue;
      const int root = findRoot(parent, i);  // the lowest, so it has its number
      groups[i] = root == i ? count++ : groups[root];
    }
  }

  std::deque<InnerDerivative> inner_;  // they do not move
  std::size_t slots_ = 0, joints_ = 0;
};

StepDerivative::StepDerivative(World& world, Real tolerance)
    : parts_(std::make_unique<Parts>(solveStep(world, *world.parts_, tolerance))) {}

StepDerivative::~StepDerivative() = default;
StepDerivative::StepDerivative(StepDerivative&&) noexcept = default;
StepDerivative& StepDerivative::operator=(StepDerivative&&) noexcept = default;

std::span<const StepMeeting> StepDerivative::contacts() const { return parts_->meetings; }
std::span<const StepDrive> StepDerivative::drives() const { return parts_->drives; }
const StepCertificate& StepDerivative::certificate() const { return parts_->certificate; }
const std::vector<int>& StepDerivative::groups() const { return parts_->groups; }
StepOutcome StepDerivative::forward(const StepChange& change) { return parts_->forward(change); }
StepGradient StepDerivative::adjoint(const StepLoss& loss) { return parts_->adjoint(loss); }

}  // namespace drystone
