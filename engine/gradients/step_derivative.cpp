#include "engine/gradients/step_derivative.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

#include "core/input_error.h"
#include "engine/gradients/body_motion.h"
#include "engine/gradients/contact_motion.h"
#include "engine/gradients/solved_step.h"
#include "engine/step/solve_islands.h"
#include "engine/world/world.h"
#include "solvers/sensitivity/sensitivity.h"

namespace drystone {
namespace {

/// An entry of a direction that may be empty.
Vec6 at(std::span<const Vec6> values, int index) {
  return values.empty() ? Vec6(Vec6::Zero()) : values[index];
}
Real at(std::span<const Real> values, int index) { return values.empty() ? 0 : values[index]; }

Vec6 respond(const VelocityResponse& response, const Vec6& met, const StepChange& change,
             int body) {
  return response.byPose * met + response.byVelocity * at(change.velocity, body) +
         response.byLoad * at(change.load, body) + response.byMass * at(change.mass, body) +
         response.byGravity * change.gravity;
}

/// The transpose of respond().
void trace(const VelocityResponse& response, const Vec6& value, int body, Vec6& met,
           StepGradient& gradient) {
  met += response.byPose.transpose() * value;
  gradient.velocity[body] += response.byVelocity.transpose() * value;
  gradient.load[body] += response.byLoad.transpose() * value;
  gradient.mass[body] += response.byMass.dot(value);
  gradient.gravity += response.byGravity.transpose() * value;
}

void checkLength(std::size_t length, std::size_t expected, const char* name) {
  if (length == 0 || length == expected) return;
  throw InputError(std::string("step derivative: ") + name + " has " + std::to_string(length) +
                   " entries; give " + std::to_string(expected) + " or none");
}

}  // namespace

/// The pieces of the derivative, and how they go together.
class StepDerivative::Parts {
 public:
  explicit Parts(SolvedStep step);
  StepOutcome forward(const StepChange& change);
  StepGradient adjoint(const StepLoss& loss);

  std::vector<StepMeeting> meetings;  ///< [contacts]
  StepCertificate certificate;

 private:
  using Pair = Eigen::Matrix<Real, 12, 1>;
  /// Adjoints of the velocities while they are traced back. [body slots]
  struct Trace {
    std::vector<Vec6> after, free, before, met;
  };
  static Pair pairOf(const ContactResponse& contact, const std::vector<Vec6>& values);
  static void addPair(const ContactResponse& contact, const Pair& pair, std::vector<Vec6>& values);
  static Vec3 changeOfW(const ContactResponse& contact, const std::vector<Vec6>& met,
                        const std::vector<Vec6>& after, const std::vector<Vec6>& free,
                        std::span<const Vec6> before);
  /// The transpose of changeOfW().
  static void traceW(const ContactResponse& contact, const Vec3& w, Trace& trace);
  template <class Visit>
  void forEachContactOf(int island, Visit&& visit) const;

  SolvedStep step_;
  std::vector<BodyMotion> bodies_;         ///< [body slots]
  std::vector<ContactResponse> contacts_;  ///< [contacts]
  std::vector<Sensitivity> solutions_;     ///< [islands]
};

StepDerivative::Parts::Parts(SolvedStep step) : step_(std::move(step)) {
  const int slots = step_.bodies.slots();
  std::vector<Vec6> impulse(slots, Vec6::Zero());
  for (int c = 0; c < static_cast<int>(step_.contacts.size()); ++c) {
    const ContactResponse& contact = contacts_.emplace_back(contactResponse(step_, c));
    const StepContact& met = step_.contacts[c];
    meetings.push_back(
        {step_.bodies.idOf(met.bodyA), step_.bodies.idOf(met.bodyB), met.materialA, met.materialB});
    const Real* lambda = &step_.rows.lambda[step_.rows.firstRow[contact.block]];
    for (int i = 0; i < contact.rows; ++i) {
      impulse[contact.bodyA] += lambda[i] * contact.jacobianA.row(i).transpose();
      impulse[contact.bodyB] += lambda[i] * contact.jacobianB.row(i).transpose();
    }
  }
  for (int i = 0; i < slots; ++i) bodies_.push_back(bodyMotion(step_, i, impulse[i]));
  solutions_ = std::vector<Sensitivity>(step_.islands.count());
  for (int i = 0; i < step_.islands.count(); ++i) {
    const SolutionCertificate& own = solutions_[i].prepare(
        islandProblem(step_.islands, step_.rows, i), rowsOf(step_.islands, step_.rows.lambda, i));
    certificate.naturalMap = std::max(certificate.naturalMap, own.naturalMap);
    certificate.leastMargin = std::min(certificate.leastMargin, own.leastMargin);
    certificate.hasCertainStates = certificate.hasCertainStates && own.hasCertainStates();
    certificate.isUnique = certificate.isUnique && own.isUnique();
  }
}

StepDerivative::Parts::Pair StepDerivative::Parts::pairOf(const ContactResponse& contact,
                                                          const std::vector<Vec6>& values) {
  Pair pair;
  pair << values[contact.bodyA], values[contact.bodyB];
  return pair;
}

void StepDerivative::Parts::addPair(const ContactResponse& contact, const Pair& pair,
                                    std::vector<Vec6>& values) {
  values[contact.bodyA] += pair.head<6>();
  values[contact.bodyB] += pair.tail<6>();
}

template <class Visit>
void StepDerivative::Parts::forEachContactOf(int island, Visit&& visit) const {
  const Islands& islands = step_.islands;
  for (int k = islands.blockStart[island]; k < islands.blockStart[island + 1]; ++k) {
    const int contact = islands.sources[k].index;
    visit(contact, k - islands.blockStart[island],
          step_.rows.firstRow[k] - islands.rowStart[island]);
  }
}

Vec3 StepDerivative::Parts::changeOfW(const ContactResponse& contact, const std::vector<Vec6>& met,
                                      const std::vector<Vec6>& after, const std::vector<Vec6>& free,
                                      std::span<const Vec6> before) {
  const int a = contact.bodyA, b = contact.bodyB;
  const auto along = [&](const Vec6& ofA, const Vec6& ofB) -> Vec3 {
    return contact.jacobianA * ofA + contact.jacobianB * ofB;
  };
  Vec3 w = along(after[a], after[b]) + contact.wByPose * pairOf(contact, met);
  w[0] += contact.normal.byFree * along(free[a], free[b])[0] +
          contact.normal.byBefore * along(at(before, a), at(before, b))[0];
  return w;
}

void StepDerivative::Parts::traceW(const ContactResponse& contact, const Vec3& w, Trace& trace) {
  const auto add = [&](const Vec3& value, std::vector<Vec6>& values) {
    values[contact.bodyA] += contact.jacobianA.transpose() * value;
    values[contact.bodyB] += contact.jacobianB.transpose() * value;
  };
  add(w, trace.after);
  add(contact.normal.byFree * w[0] * Vec3::UnitX(), trace.free);
  add(contact.normal.byBefore * w[0] * Vec3::UnitX(), trace.before);
  addPair(contact, contact.wByPose.transpose() * w, trace.met);
}

StepOutcome StepDerivative::Parts::forward(const StepChange& change) {
  const std::size_t slots = bodies_.size();
  checkLength(change.pose.size(), slots, "pose");
  checkLength(change.velocity.size(), slots, "velocity");
  checkLength(change.load.size(), slots, "load");
  checkLength(change.mass.size(), slots, "mass");
  checkLength(change.friction.size(), contacts_.size(), "friction");
  std::vector<Vec6> met(slots), free(slots);
  StepOutcome outcome;
  std::vector<Vec6>& after = outcome.velocity;
  after.resize(slots);
  for (std::size_t i = 0; i < slots; ++i) {
    const BodyMotion& body = bodies_[i];
    const int slot = static_cast<int>(i);
    met[i] = body.toContacts.byPose * at(change.pose, slot) +
             body.toContacts.byVelocity * at(change.velocity, slot);
    free[i] = respond(body.free, met[i], change, slot);
    after[i] = respond(body.after, met[i], change, slot);
  }
  const auto push = [&](int body, const Vec6& impulse) {
    after[body] += bodies_[body].inverse * impulse;
  };
  for (const ContactResponse& contact : contacts_) {
    const Pair force = contact.forceByPose * pairOf(contact, met);
    push(contact.bodyA, force.head<6>());
    push(contact.bodyB, force.tail<6>());
  }
  for (int island = 0; island < step_.islands.count(); ++island) {
    const Islands& islands = step_.islands;
    std::vector<Real> b(islands.rowStart[island + 1] - islands.rowStart[island]);
    std::vector<Real> friction(islands.blockStart[island + 1] - islands.blockStart[island]);
    forEachContactOf(island, [&](int c, int block, int row) {
      const ContactResponse& contact = contacts_[c];
      const Vec3 w = changeOfW(contact, met, after, free, change.velocity);
      std::copy_n(w.data(), contact.rows, &b[row]);
      friction[block] = at(change.friction, c);
    });
    const SolutionDerivative solution = solutions_[island].forward({.b = b, .friction = friction});
    forEachContactOf(island, [&](int c, int, int row) {
      const ContactResponse& contact = contacts_[c];
      Vec3 lambda = Vec3::Zero();
      std::copy_n(&solution.lambda[row], contact.rows, lambda.data());
      push(contact.bodyA, contact.jacobianA.transpose() * lambda);
      push(contact.bodyB, contact.jacobianB.transpose() * lambda);
    });
    outcome.residual = std::max(outcome.residual, solution.residual);
    outcome.ahead = std::min(outcome.ahead, solution.ahead.radius);
    outcome.behind = std::min(outcome.behind, solution.behind.radius);
  }
  for (std::size_t i = 0; i < slots; ++i) {
    outcome.pose.push_back(bodies_[i].toEnd.byPose * met[i] +
                           bodies_[i].toEnd.byVelocity * after[i]);
  }
  return outcome;
}

StepGradient StepDerivative::Parts::adjoint(const StepLoss& loss) {
  const std::size_t slots = bodies_.size();
  checkLength(loss.pose.size(), slots, "pose");
  checkLength(loss.velocity.size(), slots, "velocity");
  StepGradient gradient;
  Trace traces;
  for (auto* values : {&gradient.pose, &gradient.velocity, &gradient.load, &traces.after,
                       &traces.free, &traces.before, &traces.met}) {
    values->assign(slots, Vec6::Zero());
  }
  gradient.mass.assign(slots, 0);
  gradient.friction.assign(contacts_.size(), 0);
  for (std::size_t i = 0; i < slots; ++i) {
    const Vec6 pose = at(loss.pose, static_cast<int>(i));
    traces.met[i] = bodies_[i].toEnd.byPose.transpose() * pose;
    traces.after[i] =
        at(loss.velocity, static_cast<int>(i)) + bodies_[i].toEnd.byVelocity.transpose() * pose;
  }
  const auto pushed = [&](int body) -> Vec6 { return bodies_[body].inverse * traces.after[body]; };
  for (int island = 0; island < step_.islands.count(); ++island) {
    const Islands& islands = step_.islands;
    std::vector<Real> lambda(islands.rowStart[island + 1] - islands.rowStart[island]);
    forEachContactOf(island, [&](int c, int, int row) {
      const ContactResponse& contact = contacts_[c];
      const Vec3 own =
          contact.jacobianA * pushed(contact.bodyA) + contact.jacobianB * pushed(contact.bodyB);
      std::copy_n(own.data(), contact.rows, &lambda[row]);
    });
    const ProblemGradient problem = solutions_[island].adjoint({.lambda = lambda});
    forEachContactOf(island, [&](int c, int block, int row) {
      Vec3 w = Vec3::Zero();
      std::copy_n(&problem.b[row], contacts_[c].rows, w.data());
      traceW(contacts_[c], w, traces);
      gradient.friction[c] = problem.friction[block];
    });
  }
  for (const ContactResponse& contact : contacts_) {
    Pair force;
    force << pushed(contact.bodyA), pushed(contact.bodyB);
    addPair(contact, contact.forceByPose.transpose() * force, traces.met);
  }
  for (std::size_t i = 0; i < slots; ++i) {
    const BodyMotion& body = bodies_[i];
    const int slot = static_cast<int>(i);
    gradient.velocity[i] += traces.before[i];
    trace(body.free, traces.free[i], slot, traces.met[i], gradient);
    trace(body.after, traces.after[i], slot, traces.met[i], gradient);
    gradient.pose[i] = body.toContacts.byPose.transpose() * traces.met[i];
    gradient.velocity[i] += body.toContacts.byVelocity.transpose() * traces.met[i];
  }
  return gradient;
}

StepDerivative::StepDerivative(World& world, Real tolerance)
    : parts_(std::make_unique<Parts>(solveStep(world, *world.parts_, tolerance))) {}

StepDerivative::~StepDerivative() = default;
StepDerivative::StepDerivative(StepDerivative&&) noexcept = default;
StepDerivative& StepDerivative::operator=(StepDerivative&&) noexcept = default;

std::span<const StepMeeting> StepDerivative::contacts() const { return parts_->meetings; }
const StepCertificate& StepDerivative::certificate() const { return parts_->certificate; }
StepOutcome StepDerivative::forward(const StepChange& change) { return parts_->forward(change); }
StepGradient StepDerivative::adjoint(const StepLoss& loss) { return parts_->adjoint(loss); }

}  // namespace drystone
