#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "apps/support/samples.h"
#include "engine/world/world.h"

namespace drystone::cli {

/// The large parts of a step in the order of the reports, and how to read them.
struct PartColumn {
  const char* name;
  double StageTimes::*time;
};
/// The assembly happens within the solve.
constexpr std::array<PartColumn, 6> kParts = {{{"step", &StageTimes::step},
                                               {"collision", &StageTimes::collision},
                                               {"rows", &StageTimes::rows},
                                               {"assembly", &StageTimes::assembly},
                                               {"solve", &StageTimes::solve},
                                               {"integrate", &StageTimes::integrate}}};

/// What a stage took over a run.
struct StageSamples {
  Samples wall;     ///< [ms]
  double busy = 0;  ///< of all threads at work, sum [ms]

  /// How many threads were at work, in the mean over the time of the stage.
  double threads() const;
};

/// Where a run was solved worst, by the natural map.
struct WorstStep {
  std::int64_t step = 0;  ///< 1 is the first step; 0: no solve left a residual
  int island = -1;
  bool isAtContact = false;  ///< the worst block is a contact, else a joint
  std::string bodyA, bodyB;  ///< of that block; empty: not known
  Real naturalMap = 0;
  std::string status;
};

/// Where a run held worst what its joints, or its contacts, should hold.
struct WorstError {
  std::int64_t step = 0;     ///< 1 is the first step; 0: nothing was ever off
  std::string bodyA, bodyB;  ///< empty: not known
  std::string joint;         ///< its name; empty: of contacts, or without a name
  Real value = 0;            ///< [m]
};

/// What a run adds up to; fed once a step.
class RunRecord {
 public:
  /// Of reports alone, as a recording has them.
  RunRecord() = default;
  /// Takes the energy before the first step.
  explicit RunRecord(const World& world);
  /// Adds the world's last step.
  void addStep(const World& world);
  /// Adds what a report says; bodies and joints then have no names.
  void addReport(const StepReport& report, Real timestep);

  std::int64_t steps = 0;
  Real simulated = 0;  ///< steps times timestep, without the round-off of a sum of them [s]

  /// Samples in the order of kStepFigures; those of the solves lack the steps that had nothing to
  /// solve.
  std::array<Samples, kStepFigures.size()> figures;
  std::array<Samples, kParts.size()> times;              ///< [ms], as kParts
  Samples otherTime;                                     ///< of the step beside its parts [ms]
  std::array<StageSamples, kStageCount> stages;          ///< as kStepStages
  std::array<std::int64_t, kSolveStatusCount> status{};  ///< islands by status
  std::int64_t fallbacks = 0;
  std::int64_t stepsTimeLimited = 0;  ///< steps of which a solve hit a time limit
  std::int64_t stepsMissed = 0;       ///< steps that missed any of the tolerances
  std::int64_t solvesMissed = 0, jointsMissed = 0, overlapsMissed = 0;  ///< steps, by tolerance
  std::optional<std::int64_t> firstMissed;
  std::int64_t stepsForgiven = 0;  ///< steps of which an overlap beyond its tolerance was forgiven
  // Of the last step.
  int joints = 0;
  Real jointTolerance = kInfinity, overlapTolerance = kInfinity;  ///< [m]
  std::string failure;   ///< why a step ended the run, in words; empty: none did
  std::string diverged;  ///< the body that diverged in that step, as in messages; empty: none
  WorstStep worst;
  WorstError worstJoint, worstOverlap, worstForgiven;

  Real kineticStart = 0, kineticEnd = 0;      ///< [J]
  Real potentialStart = 0, potentialEnd = 0;  ///< of gravity, zero at the origin [J]
  EnergyLedger ledger;                        ///< sums of the flows over the run [J]
  Real ledgerErrorMax = 0;                    ///< largest |ledgerError| of a step [J]

 private:
  void addSolves(const StepReport& report);
  void addMisses(const StepReport& report);
  void addEnergy(const StepReport& report);
  void addNames(const World& world, const StepReport& report);
};

}  // namespace drystone::cli
