#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "core/parallel.h"
#include "core/timer.h"

namespace drystone {

/// The stages of a step whose times are told, in the order of their first turn.
enum class StepStage : std::uint8_t {
  kBroadPhase,
  kNarrowPhase,
  kContacts,
  kIslands,
  kRows,
  kWarmStarts,
  kSolve,
  kHold,
  kLook,
  kEvents,
  kEnergy,
  kPoses,
  kSleep,
  kReport,
};
inline constexpr int kStageCount = 14;

/// What a stage took [ms].
struct StageTime {
  double wall = 0;
  double busy = 0;  ///< of all threads at work together, at least about `wall`

  /// How many threads were at work, in the mean.
  double threads() const { return wall > 0 ? std::max(busy / wall, 1.0) : 1; }
};

/// Wall time of one step [ms]: of its large parts, and of all stages.
struct StageTimes {
  double collision = 0;  ///< contacts detected, sorted and looked for
  double rows = 0;       ///< free motion, islands, rows, warm starts
  double assembly = 0;   ///< Delassus assembly inside the solvers
  double solve = 0;      ///< all islands, assembly and judging included; impulses applied
  double integrate = 0;  ///< events, energy, poses
  double step = 0;       ///< the whole step
  std::array<StageTime, kStageCount> stages;  ///< by StepStage; together they are the step

  const StageTime& operator[](StepStage stage) const {
    return stages[static_cast<std::size_t>(stage)];
  }
};

/// A stage, for what lists or shows them all.
struct StageInfo {
  const char* name;          ///< as in files, words joined by underscores
  double StageTimes::*part;  ///< the part of the step that it belongs to, or none
  const char* help;

  /// The name in words, as people read it.
  std::string words() const;
};

/// By StepStage.
inline constexpr std::array<StageInfo, kStageCount> kStepStages = {{
    {"broad_phase", &StageTimes::collision, "boxes placed; pairs whose boxes meet"},
    {"narrow_phase", &StageTimes::collision, "contact points of these pairs, in order"},
    {"contacts", &StageTimes::collision,
     "ghosts left out, materials, who wakes, overlaps and joint errors measured"},
    {"islands", &StageTimes::rows, "free motion, waits, islands and the places of their rows"},
    {"rows", &StageTimes::rows, "rows of joints and contacts: J, b and compliance"},
    {"warm_starts", &StageTimes::rows,
     "impulses found from the step before, and kept for the next"},
    {"solve", &StageTimes::solve, "impacts, solvers, judge; impulses applied"},
    {"hold", &StageTimes::solve, "islands that turn far, solved again"},
    {"look", &StageTimes::collision, "contacts that are missing where the step goes to"},
    {"events", &StageTimes::integrate, "reactions of joints; what touches, begins and ends"},
    {"energy", &StageTimes::integrate, "the ledger of energy"},
    {"poses", &StageTimes::integrate, "poses moved on, and projected"},
    {"sleep", nullptr, "islands that fall asleep"},
    {"report", nullptr, "figures of the step, and what no other stage has"},
}};

/// Shares the time of a step among its stages. It reads the clock once a stage, and the loops of
/// its thread are timed while it lives.
class StageClock {
 public:
  explicit StageClock(StageTimes& times) : times_(&times) {}

  /// The time since the last call, or since the start, was that of `stage`.
  void end(StepStage stage) {
    const double wall = timer_.lap(), gained = loops_.gained();
    StageTime& time = times_->stages[static_cast<std::size_t>(stage)];
    time.wall += wall;
    time.busy += wall + gained - gained_;
    gained_ = gained;
    times_->step += wall;
    const auto part = kStepStages[static_cast<std::size_t>(stage)].part;
    if (part != nullptr) times_->*part += wall;
  }

 private:
  StageTimes* times_;
  LoopTimer loops_;
  Timer timer_;
  double gained_ = 0;  ///< at the last call [ms]
};

}  // namespace drystone
