#pragma once

#include <utility>
#include <vector>

#include "engine/gradients/body_motion.h"
#include "engine/gradients/row_response.h"
#include "engine/gradients/solved_step.h"
#include "engine/gradients/step_derivative.h"
#include "solvers/sensitivity/sensitivity.h"

namespace drystone {

/// The derivative of one inner step: its pieces, and how they go together.
class InnerDerivative {
 public:
  explicit InnerDerivative(SolvedStep step);
  InnerDerivative(const InnerDerivative&) = delete;  // its parts point to each other
  InnerDerivative& operator=(const InnerDerivative&) = delete;
  /// As of StepDerivative; friction, goals and caps are of the contacts and drives of the inner
  /// step.
  StepOutcome forward(const StepChange& change);
  StepGradient adjoint(const StepLoss& loss);
  const std::vector<RowResponse>& responses() const { return responses_; }

  std::vector<StepMeeting> meetings;  ///< [contacts]
  std::vector<StepDrive> drives;      ///< of all blocks, in turn
  StepCertificate certificate;

 private:
  using Pair = Eigen::Matrix<Real, 12, 1>;
  using Rows = RowResponse::Rows;
  /// Velocities along a direction; or their adjoints, while they are traced back. [body slots]
  struct Motions {
    std::vector<Vec6> after, free, before, met;
  };
  /// A response, the number of its first drive, and where its block and rows are in its island.
  template <class Visit>
  void forEachRowsOf(int island, Visit&& visit) const;
  Pair changeOfForce(const RowResponse& of, const Motions& motions, const StepChange& change) const;
  Rows changeOfW(const RowResponse& of, int firstDrive, const Motions& motions,
                 const StepChange& change) const;
  /// The least t > 0, and the least -t > 0, at which w of the rows bends.
  std::pair<Real, Real> wayToKink(const RowResponse& of, const Motions& motions) const;
  // The transposes of these.
  void traceForce(const RowResponse& of, const Pair& force, Motions& trace,
                  StepGradient& gradient) const;
  void traceW(const RowResponse& of, int firstDrive, const Rows& w, Motions& trace,
              StepGradient& gradient) const;

  SolvedStep step_;
  std::vector<BodyMotion> bodies_;      ///< [body slots]
  std::vector<RowResponse> responses_;  ///< [blocks]
  std::vector<int> firstDrive_;         ///< [blocks]
  std::vector<Sensitivity> solutions_;  ///< [islands]
};

}  // namespace drystone
