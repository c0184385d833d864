#pragma once

#include <limits>
#include <string>
#include <vector>

#include "bench/peers/peer_scene.h"
#include "bench/peers/peer_world.h"

namespace drystone::bench {

/// Time of steps [ms]. Processor time counts this process only: other load on the machine hardly
/// shows in it.
struct StepTimes {
  std::vector<Real> wall, processor;  ///< by step
};

/// Summary of a list of step times [ms].
struct TimeFigures {
  Real mean = 0, median = 0;
  Real settled = 0;  ///< median of the last third of the steps
};
TimeFigures timeFigures(const std::vector<Real>& ms);

/// What one engine did to a scene, from the poses and velocities of its bodies alone.
struct PeerFigures {
  int steps = 0;
  std::string ended;  ///< why it stopped before the last step; empty: it did not
  TimeFigures wall, processor;
  int contacts = 0;         ///< points of the last step, by the engine's own count
  Real overlapLargest = 0;  ///< of all pairs, at the end [m]
  Real overlapMean = 0;     ///< of the pairs that overlap, at the end [m]
  int overlapping = 0;      ///< pairs, at the end
  Real drift = 0;           ///< farthest any body is from its start, at the end [m]
  Real driftLateral = 0;    ///< the same in the horizontal [m]
  Real driftVertical = 0;   ///< largest rise or, negative, fall, at the end [m]
  Real driftMost = 0;       ///< farthest any body was from its start, at any step [m]
  Real jointGap = 0;        ///< largest distance of two anchors, at any step [m]
  Real kinetic = 0;         ///< at the end [J]
  /// Acceleration of the first body, mean over steps 30 to 90; not a number in shorter runs [m/s²].
  Real acceleration = std::numeric_limits<Real>::quiet_NaN();
  /// Largest error of what a foot bears, as a share of what it bears on equal springs, and error of
  /// their sum as a share of the weight; at the end, of scenes with feet.
  Real shareError = std::numeric_limits<Real>::quiet_NaN();
  Real weightError = std::numeric_limits<Real>::quiet_NaN();
};

/// Follows one engine through a scene.
class Observation {
 public:
  explicit Observation(const PeerScene& scene);

  /// Takes the states after a step, with what it took [ms]. False when a body is 10 km away
  /// or nowhere; the figures then stay those of the step before.
  bool add(const std::vector<BodyState>& states, Real wallMs, Real processorMs);

  /// Takes what presses on the floor at the end, in a scene with feet.
  void weigh(const std::vector<FloorForce>& forces);

  /// `ended` and `contacts` are the caller's to fill in.
  PeerFigures figures() const;

 private:
  void measureDrift(PeerFigures& out) const;
  void measureOverlap(PeerFigures& out) const;
  Real kineticEnergy() const;
  Real largestJointGap() const;
  Pose poseOf(int body) const;

  const PeerScene& scene_;
  std::vector<int> dynamic_;  // scene body of each state
  std::vector<int> stateOf_;  // of each scene body; -1: static
  std::vector<BodyState> states_;
  StepTimes times_;
  std::vector<Real> speeds_;  // of the first body, by step [m/s]
  Real driftMost_ = 0, jointGap_ = 0;
  Real shareError_ = std::numeric_limits<Real>::quiet_NaN();
  Real weightError_ = std::numeric_limits<Real>::quiet_NaN();
};

}  // namespace drystone::bench
