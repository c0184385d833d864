#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "apps/support/json_values.h"
#include "engine/statics/inverse_dynamics.h"
#include "engine/world/world.h"

namespace drystone::cli {

// How forces of a wanted motion are shown: in plain words for people, as JSON and CSV for scripts.

/// A coordinate of a joint that a motor drives.
struct MotorPlace {
  JointId joint;
  int coordinate = 0;
  std::string name{};  ///< of the joint; with the coordinate where the joint has several motors
  const char* unit = "N";
};

/// All motors of a world, by joint.
std::vector<MotorPlace> motorPlaces(const World& world);

/// Acceleration that contacts and motors cannot give, or by which the motion leads bodies into each
/// other: the larger one of both [m/s²]. `h`: of the inner step [s].
Real violationOf(const InverseAnswer& answer, Real h);

/// A force for people: what the interior point leaves of none, a millionth of the largest, is 0.
Real shownForce(Real force, Real largest);

/// What `inverse` tells of a scene.
struct ToldForces {
  std::string scene;  ///< as asked for
  InverseAnswer answer;
  std::vector<MotorPlace> motors;
  int keeping = 0;  ///< bodies that move at the start
  Real h = 0;       ///< of the inner step [s]
};

/// The verdict, the motors, what lacks, and the largest contact forces.
std::string forcesText(const ToldForces& told, const World& world);
/// The same with all contacts and bodies: docs/cli.md lists the fields.
Json forcesJson(const ToldForces& told, const World& world);

/// The forces of one recorded step.
struct StepForces {
  std::int64_t step = 0;       ///< from 1
  Real time = 0;               ///< at its end [s]
  bool isSolved = false;       ///< else all below is none
  Real violation = 0;          ///< see violationOf() [m/s²]
  std::string where{};         ///< the body that lacks most, or the pair that is led together
  Real lack = 0;               ///< force that this body lacks [N]
  int contacts = 0;            ///< that touch at the end
  Real largest = 0;            ///< normal force of a contact [N]
  std::vector<Real> motors{};  ///< as ToldMotion::motors [N], [N m]; NaN: its joint broke
};

StepForces stepForces(const InverseAnswer& answer, const std::vector<MotorPlace>& motors,
                      const World& world);

/// What `inverse` tells of a recording.
struct ToldMotion {
  std::string recording;  ///< as asked for
  std::int64_t recorded = 0;
  Real tolerance = 0;  ///< violation up to which a step counts as possible [m/s²]
  std::vector<MotorPlace> motors;
  std::vector<StepForces> steps;

  bool isPossible(const StepForces& step) const {
    return step.isSolved && step.violation <= tolerance;
  }
  std::int64_t possible() const;
  std::int64_t unsolved() const;
};

std::string motionText(const ToldMotion& told);
Json motionJson(const ToldMotion& told);
/// Titles with units, and a row a step.
std::vector<std::string> motionCsv(const ToldMotion& told);

}  // namespace drystone::cli
