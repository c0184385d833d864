#include "scenes/importing/imported_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "engine/model/argument_checks.h"
#include "engine/model/joint_store.h"

namespace drystone::importing {
namespace {

/// Inertia of a point mass about the origin [kg m²].
Mat3 inertiaOfPoint(Real mass, const Vec3& at) {
  return mass * (at.squaredNorm() * Mat3::Identity() - at * at.transpose());
}

/// A hinge or slider that is not locked: what gears couple.
bool canTurn(const ImportedJoint& joint) {
  return (joint.type == "hinge" || joint.type == "slider") && !joint.coordinate.isLocked();
}

}  // namespace

MassProperties placedMass(const MassProperties& mass, const Pose& pose) {
  const Mat3 turn = pose.rotation.toRotationMatrix();
  const Mat3 inertia = turn * mass.inertia * turn.transpose();
  // Rounding must not leave it less symmetric than it was.
  return {mass.mass, pose * mass.centerOfMass, (inertia + inertia.transpose()) / 2};
}

MassProperties sumOfMasses(const MassProperties& one, const MassProperties& two) {
  if (one.mass == 0) return two;
  if (two.mass == 0) return one;
  MassProperties sum;
  sum.mass = one.mass + two.mass;
  sum.centerOfMass = (one.mass * one.centerOfMass + two.mass * two.centerOfMass) / sum.mass;
  for (const MassProperties* part : {&one, &two}) {
    sum.inertia +=
        part->inertia + inertiaOfPoint(part->mass, part->centerOfMass - sum.centerOfMass);
  }
  return sum;
}

Mat3 symmetricInertia(Real xx, Real yy, Real zz, Real xy, Real xz, Real yz) {
  Mat3 inertia;
  inertia << xx, xy, xz, xy, yy, yz, xz, yz, zz;
  return inertia;
}

void attachRigidly(const ImportedBody& part, ImportedBody& body) {
  const Pose pose = body.pose.inverse() * part.pose;
  body.mass = sumOfMasses(body.mass, placedMass(part.mass, pose));
  for (const CompoundChild& child : part.parts) {
    body.parts.push_back({child.shape, pose * child.pose});
  }
  body.materials.insert(body.materials.end(), part.materials.begin(), part.materials.end());
}

JointAxis countedFrom(Real start, const JointAxis& axis, Real sign) {
  JointAxis counted = axis;
  counted.lower = sign > 0 ? axis.lower - start : start - axis.upper;
  counted.upper = sign > 0 ? axis.upper - start : start - axis.lower;
  if (counted.spring) counted.spring->rest = sign * (axis.spring->rest - start);
  if (counted.motor && counted.motor->kind == MotorKind::kPosition) {
    counted.motor->target = sign * (axis.motor->target.at(0) - start);
  }
  return counted;
}

void takeCoordinate(Real start, const JointAxis& axis, ImportedJoint& joint, ImportLog& log) {
  constexpr Real kMostTurn = 3.14;  // [rad] that a scene takes
  if (joint.type == "slider" || std::abs(start) <= kMostTurn) {
    joint.coordinate = axis;
    joint.start = start;
    return;
  }
  joint.coordinate = countedFrom(start, axis);
  noteCount(joint.name, start, joint.line, log);
}

void noteCount(std::string_view joint, Real start, int line, ImportLog& log) {
  if (start == 0) return;
  log.note(line,
           fmt::format("the coordinate of joint '{}' counts from its start: 0 in the scene is "
                       "{:g} in the file",
                       joint, start));
}

Real startWithin(const JointAxis& limits, Real wanted, std::string_view joint, int line,
                 ImportLog& log) {
  const Real start = std::clamp(wanted, limits.lower, limits.upper);
  if (start != wanted) {
    log.note(line, fmt::format("joint '{}' starts at {:g}, its nearest limit, since {:g} is beyond",
                               joint, start, wanted));
  }
  return start;
}

void addCoupling(std::string name, int line, int follower, int leader, Real ratio,
                 ImportedModel& model, ImportLog& log) {
  ImportedJoint& one = model.joints[static_cast<std::size_t>(follower)];
  const ImportedJoint& two = model.joints[static_cast<std::size_t>(leader)];
  if (ratio == 0 || two.coordinate.isLocked()) {
    one.coordinate = JointAxis::locked();  // it follows what does not move
    return;
  }
  const auto isDynamic = [&](int body) {
    return model.bodies[static_cast<std::size_t>(body)].kind == BodyKind::kDynamic;
  };
  const bool acts =
      bodiesOfGear({one.bodyA, one.bodyB}, {two.bodyA, two.bodyB}, isDynamic).first >= 0;
  if (!acts || !canTurn(one) || !canTurn(two)) {
    log.leftOut(
        line, fmt::format("the coupling of joint '{}' to '{}': {}; drive both by motors", one.name,
                          two.name,
                          acts ? "gears couple hinges and sliders that can move"
                               : "a gear acts on two moving bodies, and these joints do not "
                                 "have exactly two"));
    return;
  }
  ImportedJoint gear;
  gear.type = "gear";
  gear.name = std::move(name);
  gear.line = line;
  gear.jointA = follower;
  gear.jointB = leader;
  gear.ratio = -ratio;
  model.joints.push_back(std::move(gear));
}

void checkModel(const ImportedModel& model, ImportLog& log) {
  std::set<std::string> bodies, joints;
  for (const ImportedBody& body : model.bodies) {
    if (!bodies.insert(body.name).second) {
      log.problem(body.line, fmt::format("another body is named '{}' already", body.name));
    }
    if (body.kind != BodyKind::kDynamic) continue;
    if (body.mass.mass == 0) {
      log.problem(body.line,
                  fmt::format("'{}' moves, and neither it nor what is fixed to it has a mass; give "
                              "it an <inertial> with mass and inertia",
                              body.name));
    } else if (const std::string wrong = inertiaProblem(body.mass.inertia); !wrong.empty()) {
      log.problem(body.line, fmt::format("the inertia of '{}': {}", body.name, wrong));
    }
  }
  for (const ImportedJoint& joint : model.joints) {
    if (!joints.insert(joint.name).second) {
      log.problem(joint.line, fmt::format("another joint is named '{}' already", joint.name));
    }
  }
}

}  // namespace drystone::importing
