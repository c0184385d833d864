#pragma once

#include <Eigen/Core>
#include <vector>

#include "engine/step/joint_row_list.h"
#include "solvers/problem/contact_problem.h"

namespace drystone {

struct SolvedStep;

/// A frame of a joint that moves on its bodies: by (s, φ) of frame A, then B, in their own axes.
struct FrameResponse {
  int joint = -1;  ///< slot
  Eigen::Matrix<Real, 12, 12> forceByFrames;
  Eigen::Matrix<Real, Eigen::Dynamic, 12, Eigen::ColMajor, kMaxBlockRows, 12> wByFrames;
};

/// A row that leads somewhere, or presses with no more than a cap.
struct DriveResponse {
  int row = 0;  ///< of the block
  int coordinate = 0;
  JointRowRole role = JointRowRole::kMotor;
  Real wByGoal = 0;     ///< [1/s]; of a motor's rate without unit
  Real upperByCap = 0;  ///< of its upper bound, and the negative of its lower one [s]
};

/// Where w bends, to first order: at the t where `value` passes 0.
struct KinkResponse {
  Real value = 0;
  Eigen::Matrix<Real, 1, 12> byPose;  ///< of A, then B
  Real byFree = 0, byBefore = 0;      ///< by J u* and by J u at the start, of the first row
};

/// How a block of rows answers while its impulses and the velocities stay, beside J u⁺; places are
/// bodies whose poses count, with (δx, δθ) each. Rows of contacts are in frames that do not turn
/// about the normal, which the law does not see.
struct RowResponse {
  /// The two of the rows, and carriers of a gear.
  static constexpr int kMostPlaces = 4;
  using OfBodies = Eigen::Matrix<Real, Eigen::Dynamic, 6, Eigen::ColMajor, kMaxBlockRows, 6>;
  using Rows = Eigen::Matrix<Real, Eigen::Dynamic, 1, Eigen::ColMajor, kMaxBlockRows, 1>;
  using Poses = Eigen::Matrix<Real, Eigen::Dynamic, 1, Eigen::ColMajor, 6 * kMostPlaces, 1>;

  int block = -1;              ///< of all rows
  int contact = -1;            ///< of the step; -1: a joint
  int joint = -1;              ///< slot; -1: a contact
  int bodyA = -1, bodyB = -1;  ///< body slots
  int rows = 0;
  OfBodies jacobianA, jacobianB;  ///< of static bodies 0
  std::vector<int> places;        ///< body slots, A and B first
  /// Of Jᵀ λ on A, then B.
  Eigen::Matrix<Real, 12, Eigen::Dynamic, Eigen::ColMajor, 12, 6 * kMostPlaces> forceByPose;
  /// Of w, all terms of b included.
  Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, kMaxBlockRows,
                6 * kMostPlaces>
      wByPose;
  Rows byFree, byBefore;  ///< of w by J u* and by J u at the start
  std::vector<FrameResponse> frames;
  std::vector<DriveResponse> drives;
  std::vector<KinkResponse> kinks;

  /// Of rows that nothing moves yet, between two bodies.
  static RowResponse between(int block, int bodyA, int bodyB, int rows);
};

RowResponse contactResponse(const SolvedStep& step, int contact);
/// Of a block of the step's list. Throws InputError, with the name of the joint, where the rows
/// have no derivative here.
RowResponse jointResponse(const SolvedStep& step, int block);

}  // namespace drystone
