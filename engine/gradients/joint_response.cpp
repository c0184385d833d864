// Derivatives of the rows of a joint: docs/theory/derivatives.md, "A whole step".
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "core/input_error.h"
#include "engine/gradients/joint_motion.h"
#include "engine/gradients/row_response.h"
#include "engine/gradients/solved_step.h"
#include "engine/step/joint_row_list.h"

namespace drystone {
namespace {

using Role = JointRowRole;

/// A coordinate of one joint, by which a row counts: one of its own, or two of a gear.
struct RowTerm {
  int joint = -1, coordinate = 0;
  Real share = 1;
};

std::vector<RowTerm> termsOf(const JointStore& joints, int slot, const StepJointRow& row) {
  const Joint& joint = joints[slot];
  if (joint.geometry != JointGeometry::kGear) return {{slot, coordinateOfKey(row.key)}};
  return {{joint.gear1, joint.gearAxis1}, {joint.gear2, joint.gearAxis2, joint.gearRatio}};
}

/// The entry of a list that has a key, added where there is none.
template <class List, class Has, class Make>
int findOrAdd(List& list, Has&& has, Make&& make) {
  const auto found = std::ranges::find_if(list, has);
  const int index = static_cast<int>(found - list.begin());
  if (found == list.end()) list.push_back(make());
  return index;
}

int placeOf(int body, RowResponse& response) {
  const int place = findOrAdd(
      response.places, [&](int other) { return other == body; }, [&] { return body; });
  const auto columns = static_cast<Eigen::Index>(6 * response.places.size());
  if (response.wByPose.cols() < columns) {
    response.forceByPose.conservativeResizeLike(decltype(response.forceByPose)::Zero(12, columns));
    response.wByPose.conservativeResizeLike(
        decltype(response.wByPose)::Zero(response.rows, columns));
  }
  return place;
}

FrameResponse& framesOf(int joint, RowResponse& response) {
  const int index = findOrAdd(
      response.frames, [&](const FrameResponse& other) { return other.joint == joint; },
      [&] {
        FrameResponse frames;
        frames.joint = joint;
        frames.forceByFrames.setZero();
        frames.wByFrames.setZero(response.rows, 12);
        return frames;
      });
  return response.frames[index];
}

/// Adds what the motion of one coordinate does to a row.
void addTerm(const SolvedStep& step, const StepJointRow& from, const RowTerm& term, int row,
             Real lambda, RowResponse& response) {
  const Joint& joint = step.joints[term.joint];
  const CoordinateMotion motion = coordinateMotion(step.bodies, joint, term.coordinate);
  const FrameMotion byPoses = framesByPoses(step.bodies, joint);
  const FrameMotion byFrames = framesByThemselves(step.bodies, joint);
  const int placeA = placeOf(joint.bodyA, response), placeB = placeOf(joint.bodyB, response);
  FrameResponse& frames = framesOf(term.joint, response);

  // An upper limit pushes the coordinate down; its bias is by the coordinate itself all the same.
  const Real push = roleOfKey(from.key) == Role::kUpperLimit ? -term.share : term.share;
  Eigen::Matrix<Real, 1, CoordinateMotion::kColumns> w =
      term.share * from.biasByValue * motion.value;
  const auto addSide = [&](int body, const Eigen::Matrix<Real, 6, CoordinateMotion::kColumns>& by) {
    w += push * (step.velocity[body] + from.restitution * step.motion.old[body]).transpose() * by;
    if (!step.bodies.isDynamic(body)) return;
    const int first = body == response.bodyA ? 0 : 6;
    const Eigen::Matrix<Real, 6, 12> force = push * lambda * by * byPoses;
    response.forceByPose.block<6, 6>(first, 6 * placeA) += force.leftCols<6>();
    response.forceByPose.block<6, 6>(first, 6 * placeB) += force.rightCols<6>();
    frames.forceByFrames.middleRows<6>(first) += push * lambda * by * byFrames;
  };
  addSide(joint.bodyA, motion.jacobianA);
  addSide(joint.bodyB, motion.jacobianB);
  const Eigen::Matrix<Real, 1, 12> ofPoses = w * byPoses;
  response.wByPose.block<1, 6>(row, 6 * placeA) += ofPoses.leftCols<6>();
  response.wByPose.block<1, 6>(row, 6 * placeB) += ofPoses.rightCols<6>();
  frames.wByFrames.row(row) += w * byFrames;
}

void require(bool holds, const Joint& joint, const std::string& what) {
  if (!holds) throw InputError("step derivative: joint `" + joint.name + "`: " + what);
}

/// A motor without a cap has the step's own, which masses and poses move.
void requireUsual(const SolvedStep& step, const Joint& joint, const StepJointRow& from, int row) {
  if (roleOfKey(from.key) != Role::kMotor || from.upper < kInfinity) return;
  require(std::abs(step.rows.lambda[row]) < step.rows.upper[row] * (1 - 1e-9), joint,
          "a motor without a cap presses with all that it may, which has none; give it a cap");
  require(joint.axes[coordinateOfKey(from.key)].motor->servo || from.biasByGoal != 0, joint,
          "a limit slows a motor without a cap, which has none; give it a cap");
}

DriveResponse driveOf(const SolvedStep& step, const StepJointRow& from, int row) {
  DriveResponse drive{.row = row,
                      .coordinate = coordinateOfKey(from.key),
                      .role = roleOfKey(from.key),
                      .wByGoal = from.biasByGoal};
  const bool hasCap = drive.role == Role::kMotor || drive.role == Role::kFriction;
  if (hasCap && from.upper < kInfinity) drive.upperByCap = step.settings.timestep;
  return drive;
}

}  // namespace

RowResponse jointResponse(const SolvedStep& step, int block) {
  const StepJointBlock& source = step.jointRows.blocks[block];
  const Joint& joint = step.joints[source.joint];
  RowResponse response =
      RowResponse::between(source.block, source.bodyA, source.bodyB, source.rows);
  response.joint = source.joint;
  for (int i = 0; i < source.rows; ++i) {
    const StepJointRow& from = step.jointRows.rows[source.firstRow + i];
    const int row = step.rows.firstRow[source.block] + i;
    requireUsual(step, joint, from, row);
    response.jacobianA.row(i) = step.rows.jacobianA[row].transpose();
    response.jacobianB.row(i) = step.rows.jacobianB[row].transpose();
    response.byBefore[i] = from.restitution;
    for (const RowTerm& term : termsOf(step.joints, source.joint, from)) {
      addTerm(step, from, term, i, step.rows.lambda[row], response);
    }
    if (roleOfKey(from.key) != Role::kLock) response.drives.push_back(driveOf(step, from, i));
  }
  return response;
}

}  // namespace drystone
