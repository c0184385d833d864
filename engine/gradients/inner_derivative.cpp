#include "engine/gradients/inner_derivative.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "engine/step/solve_islands.h"

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

/// The poses of its places.
RowResponse::Poses gather(const RowResponse& of, const std::vector<Vec6>& values) {
  RowResponse::Poses poses(6 * static_cast<Eigen::Index>(of.places.size()));
  for (std::size_t i = 0; i < of.places.size(); ++i) {
    poses.segment<6>(6 * static_cast<Eigen::Index>(i)) = values[of.places[i]];
  }
  return poses;
}

/// The transpose of gather().
void scatter(const RowResponse& of, const RowResponse::Poses& poses, std::vector<Vec6>& values) {
  for (std::size_t i = 0; i < of.places.size(); ++i) {
    values[of.places[i]] += poses.segment<6>(6 * static_cast<Eigen::Index>(i));
  }
}

/// Of the friction of a pair by that of its first material.
Real frictionBy(const MaterialTable& materials, MaterialId own, MaterialId other) {
  if (materials.pairs().contains(std::minmax(own, other))) return 0;
  if (own == other) return 0.5;
  const Real mu = materials[own].friction, partner = materials[other].friction;
  return partner == 0 ? 0 : 0.5 * std::sqrt(partner / mu);
}

using FramePair = Eigen::Matrix<Real, 12, 1>;

FramePair framesOf(const StepChange& change, int joint) {
  FramePair frames;
  frames << at(change.frameA, joint), at(change.frameB, joint);
  return frames;
}

/// The transpose of framesOf().
void addToFrames(const FramePair& frames, int joint, StepGradient& gradient) {
  gradient.frameA[joint] += frames.head<6>();
  gradient.frameB[joint] += frames.tail<6>();
}

}  // namespace

InnerDerivative::InnerDerivative(SolvedStep step) : step_(std::move(step)) {
  const int slots = step_.bodies.slots();
  const Islands& islands = step_.islands;
  for (const StepContact& met : step_.contacts) {
    meetings.push_back({step_.bodies.idOf(met.bodyA), step_.bodies.idOf(met.bodyB), met.materialA,
                        met.materialB, frictionBy(step_.materials, met.materialA, met.materialB),
                        frictionBy(step_.materials, met.materialB, met.materialA)});
  }
  std::vector<Vec6> impulse(slots, Vec6::Zero());
  for (const BlockSource& source : islands.sources) {
    const RowResponse& response =
        responses_.emplace_back(source.isJoint() ? jointResponse(step_, source.index)
                                                 : contactResponse(step_, source.index));
    firstDrive_.push_back(static_cast<int>(drives.size()));
    for (const DriveResponse& drive : response.drives) {
      drives.push_back({step_.joints.idOf(response.joint), drive.coordinate, drive.role});
    }
    const Real* lambda = &step_.rows.lambda[step_.rows.firstRow[response.block]];
    const Eigen::Map<const Rows> own(lambda, response.rows);
    impulse[response.bodyA] += response.jacobianA.transpose() * own;
    impulse[response.bodyB] += response.jacobianB.transpose() * own;
  }
  for (int i = 0; i < slots; ++i) bodies_.push_back(bodyMotion(step_, i, impulse[i]));
  solutions_ = std::vector<Sensitivity>(islands.count());
  for (int i = 0; i < islands.count(); ++i) {
    const SolutionCertificate& own = solutions_[i].prepare(islandProblem(islands, step_.rows, i),
                                                           rowsOf(islands, step_.rows.lambda, i));
    certificate.naturalMap = std::max(certificate.naturalMap, own.naturalMap);
    certificate.leastMargin = std::min(certificate.leastMargin, own.leastMargin);
    certificate.hasCertainStates = certificate.hasCertainStates && own.hasCertainStates();
    certificate.isUnique = certificate.isUnique && own.isUnique();
  }
}

template <class Visit>
void InnerDerivative::forEachRowsOf(int island, Visit&& visit) const {
  const Islands& islands = step_.islands;
  for (int k = islands.blockStart[island]; k < islands.blockStart[island + 1]; ++k) {
    visit(responses_[k], firstDrive_[k], k - islands.blockStart[island],
          step_.rows.firstRow[k] - islands.rowStart[island]);
  }
}

InnerDerivative::Pair InnerDerivative::changeOfForce(const RowResponse& of, const Motions& motions,
                                                     const StepChange& change) const {
  Pair force = of.forceByPose * gather(of, motions.met);
  for (const FrameResponse& frames : of.frames) {
    force += frames.forceByFrames * framesOf(change, frames.joint);
  }
  return force;
}

void InnerDerivative::traceForce(const RowResponse& of, const Pair& force, Motions& trace,
                                 StepGradient& gradient) const {
  scatter(of, of.forceByPose.transpose() * force, trace.met);
  for (const FrameResponse& frames : of.frames) {
    addToFrames(frames.forceByFrames.transpose() * force, frames.joint, gradient);
  }
}

InnerDerivative::Rows InnerDerivative::changeOfW(const RowResponse& of, int firstDrive,
                                                 const Motions& motions,
                                                 const StepChange& change) const {
  const auto along = [&](const std::vector<Vec6>& u) -> Rows {
    return of.jacobianA * u[of.bodyA] + of.jacobianB * u[of.bodyB];
  };
  Rows w = along(motions.after) + of.byFree.cwiseProduct(along(motions.free)) +
           of.byBefore.cwiseProduct(along(motions.before)) + of.wByPose * gather(of, motions.met);
  for (const FrameResponse& frames : of.frames) {
    w += frames.wByFrames * framesOf(change, frames.joint);
  }
  for (const DriveResponse& drive : of.drives) {
    w[drive.row] += drive.wByGoal * at(change.goal, firstDrive++);
  }
  return w;
}

void InnerDerivative::traceW(const RowResponse& of, int firstDrive, const Rows& w, Motions& trace,
                             StepGradient& gradient) const {
  const auto add = [&](const Rows& value, std::vector<Vec6>& u) {
    u[of.bodyA] += of.jacobianA.transpose() * value;
    u[of.bodyB] += of.jacobianB.transpose() * value;
  };
  add(w, trace.after);
  add(of.byFree.cwiseProduct(w), trace.free);
  add(of.byBefore.cwiseProduct(w), trace.before);
  scatter(of, of.wByPose.transpose() * w, trace.met);
  for (const FrameResponse& frames : of.frames) {
    addToFrames(frames.wByFrames.transpose() * w, frames.joint, gradient);
  }
  for (const DriveResponse& drive : of.drives) {
    gradient.goal[firstDrive++] += drive.wByGoal * w[drive.row];
  }
}

std::pair<Real, Real> InnerDerivative::wayToKink(const RowResponse& of,
                                                 const Motions& motions) const {
  std::pair<Real, Real> way(kInfinity, kInfinity);
  const auto normalOf = [&](const std::vector<Vec6>& u) {
    return of.jacobianA.row(0).dot(u[of.bodyA]) + of.jacobianB.row(0).dot(u[of.bodyB]);
  };
  for (const KinkResponse& kink : of.kinks) {
    const Real rate = (kink.byPose * gather(of, motions.met)).value() +
                      kink.byFree * normalOf(motions.free) +
                      kink.byBefore * normalOf(motions.before);
    if (rate == 0) continue;
    const Real root = -kink.value / rate;
    if (root >= 0) way.first = std::min(way.first, root);
    if (root <= 0) way.second = std::min(way.second, -root);
  }
  return way;
}

StepOutcome InnerDerivative::forward(const StepChange& change) {
  const int slots = step_.bodies.slots();
  StepOutcome outcome;
  Motions motions;
  std::vector<Vec6>& after = motions.after;
  for (int i = 0; i < slots; ++i) {
    const BodyMotion& body = bodies_[i];
    motions.before.push_back(at(change.velocity, i));
    motions.met.push_back(body.toContacts.byPose * at(change.pose, i) +
                          body.toContacts.byVelocity * motions.before[i]);
    motions.free.push_back(respond(body.free, motions.met[i], change, i));
    after.push_back(respond(body.after, motions.met[i], change, i));
  }
  const auto push = [&](int body, const Vec6& impulse) {
    after[body] += bodies_[body].inverse * impulse;
  };
  for (const RowResponse& response : responses_) {
    const Pair force = changeOfForce(response, motions, change);
    push(response.bodyA, force.head<6>());
    push(response.bodyB, force.tail<6>());
    const auto [ahead, behind] = wayToKink(response, motions);
    outcome.ahead = std::min(outcome.ahead, ahead);
    outcome.behind = std::min(outcome.behind, behind);
  }
  const Islands& islands = step_.islands;
  for (int island = 0; island < islands.count(); ++island) {
    const std::size_t rows = islands.rowStart[island + 1] - islands.rowStart[island];
    std::vector<Real> b(rows), lower(rows), upper(rows);
    std::vector<Real> friction(islands.blockStart[island + 1] - islands.blockStart[island]);
    forEachRowsOf(island, [&](const RowResponse& of, int firstDrive, int block, int row) {
      const Rows w = changeOfW(of, firstDrive, motions, change);
      std::copy_n(w.data(), of.rows, &b[row]);
      if (of.contact >= 0) friction[block] = at(change.friction, of.contact);
      for (const DriveResponse& drive : of.drives) {
        upper[row + drive.row] = drive.upperByCap * at(change.cap, firstDrive++);
        lower[row + drive.row] = -upper[row + drive.row];
      }
    });
    const SolutionDerivative solution =
        solutions_[island].forward({.b = b, .friction = friction, .lower = lower, .upper = upper});
    forEachRowsOf(island, [&](const RowResponse& of, int, int, int row) {
      const Eigen::Map<const Rows> lambda(&solution.lambda[row], of.rows);
      push(of.bodyA, of.jacobianA.transpose() * lambda);
      push(of.bodyB, of.jacobianB.transpose() * lambda);
    });
    outcome.residual = std::max(outcome.residual, solution.residual);
    outcome.ahead = std::min(outcome.ahead, solution.ahead.radius);
    outcome.behind = std::min(outcome.behind, solution.behind.radius);
  }
  for (int i = 0; i < slots; ++i) {
    outcome.pose.push_back(bodies_[i].toEnd.byPose * motions.met[i] +
                           bodies_[i].toEnd.byVelocity * after[i]);
  }
  outcome.velocity = std::move(after);
  return outcome;
}

StepGradient InnerDerivative::adjoint(const StepLoss& loss) {
  const int slots = step_.bodies.slots();
  StepGradient gradient;
  Motions traces;
  for (auto* values : {&gradient.pose, &gradient.velocity, &gradient.load, &traces.after,
                       &traces.free, &traces.before, &traces.met}) {
    values->assign(slots, Vec6::Zero());
  }
  for (auto* values : {&gradient.frameA, &gradient.frameB}) {
    values->assign(step_.joints.slots(), Vec6::Zero());
  }
  gradient.mass.assign(slots, 0);
  gradient.friction.assign(meetings.size(), 0);
  gradient.goal.assign(drives.size(), 0);
  gradient.cap.assign(drives.size(), 0);
  for (int i = 0; i < slots; ++i) {
    const Vec6 pose = at(loss.pose, i);
    traces.met[i] = bodies_[i].toEnd.byPose.transpose() * pose;
    traces.after[i] = at(loss.velocity, i) + bodies_[i].toEnd.byVelocity.transpose() * pose;
  }
  const auto pushed = [&](int body) -> Vec6 { return bodies_[body].inverse * traces.after[body]; };
  const Islands& islands = step_.islands;
  for (int island = 0; island < islands.count(); ++island) {
    std::vector<Real> lambda(islands.rowStart[island + 1] - islands.rowStart[island]);
    forEachRowsOf(island, [&](const RowResponse& of, int, int, int row) {
      Eigen::Map<Rows>(&lambda[row], of.rows) =
          of.jacobianA * pushed(of.bodyA) + of.jacobianB * pushed(of.bodyB);
    });
    const ProblemGradient problem = solutions_[island].adjoint({.lambda = lambda});
    forEachRowsOf(island, [&](const RowResponse& of, int firstDrive, int block, int row) {
      traceW(of, firstDrive, Eigen::Map<const Rows>(&problem.b[row], of.rows), traces, gradient);
      if (of.contact >= 0) gradient.friction[of.contact] = problem.friction[block];
      for (const DriveResponse& drive : of.drives) {
        gradient.cap[firstDrive++] =
            drive.upperByCap * (problem.upper[row + drive.row] - problem.lower[row + drive.row]);
      }
    });
  }
  for (const RowResponse& response : responses_) {
    Pair force;
    force << pushed(response.bodyA), pushed(response.bodyB);
    traceForce(response, force, traces, gradient);
  }
  for (int i = 0; i < slots; ++i) {
    const BodyMotion& body = bodies_[i];
    gradient.velocity[i] += traces.before[i];
    trace(body.free, traces.free[i], i, traces.met[i], gradient);
    trace(body.after, traces.after[i], i, traces.met[i], gradient);
    gradient.pose[i] = body.toContacts.byPose.transpose() * traces.met[i];
    gradient.velocity[i] += body.toContacts.byVelocity.transpose() * traces.met[i];
  }
  return gradient;
}

}  // namespace drystone
