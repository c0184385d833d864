// Random bodies at 1 to 1000 m/s against thin walls and surfaces: how many pass through, how deep
// they get, and what their steps cost.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "apps/support/option_checks.h"
#include "apps/support/solver_registry.h"
#include "bench/studies/study.h"
#include "bench/studies/study_program.h"
#include "core/timer.h"

#include "tests/support/random_shots.h"

namespace {

using namespace drystone;
using namespace drystone::bench;
using namespace drystone::test;

/// What became of the shots at one kind of target.
struct Outcomes {
  int shots = 0, hits = 0, passed = 0, diverged = 0, deep = 0, missed = 0, stopped = 0;
  std::vector<Real> overlaps;  ///< the deepest of each shot [m]

  void add(const Shot& shot, const ShotOutcome& one) {
    ++shots;
    hits += one.hasTouched;
    passed += one.hasPassed;
    diverged += one.hasDiverged;
    deep += one.deepest > 0.1 * shot.leastExtent;
    missed += one.missed > 0;
    stopped += one.stopped > 0;
    overlaps.push_back(one.deepest);
  }
  Real overlapAt(Real share) {
    std::sort(overlaps.begin(), overlaps.end());
    return overlaps[static_cast<std::size_t>(share * static_cast<Real>(overlaps.size() - 1))];
  }
};

void print(const std::string& name, Outcomes& of) {
  printRow("| {} | {} | {} | {} | {} | {} | {} | {} | {:.1e} | {:.1e} | {:.1e} |\n", name, of.shots,
           of.hits, of.passed, of.diverged, of.missed, of.stopped, of.deep, of.overlapAt(0.5),
           of.overlapAt(0.99), of.overlapAt(1));
}

}  // namespace

int main(int argc, char** argv) {
  StudyApp app("shots");
  StudyOptions options;
  options.program = "shots";
  int count = 10'000, first = 0;
  constexpr int kMost = 100'000'000;
  app.add_option("--shots", count, "how many")->transform(cli::wholeNumber(1, kMost));
  app.add_option("--first", first, "number of the first one")
      ->transform(cli::wholeNumber(0, kMost));
  bool isMoreau = false, isSoft = false, isStruck = false;
  app.add_flag("--moreau", isMoreau, "with the integrator moreau");
  app.add_flag("--soft", isSoft, "with soft steps");
  app.add_flag("--struck", isStruck, "of bodies that rest until a hammer strikes them");
  app.addCsv(options.csvFolder);
  return runStudy(app, argc, argv, [&] {
    options.checkCsvFolder();
    CsvFile csv(options, "outcomes",
                "shot,projectile,target,speed_m_s,spin_rad_s,timestep_s,restitution,"
                "least_extent_m,touched,passed,diverged,missed_steps,stopped,deepest_m");
    const SolverRegistry registry = cli::makeRegistry();
    std::map<std::string, Outcomes> byTarget, byProjectile;
    Outcomes all;
    const Timer timer;
    long steps = 0;
    for (int i = 0; i < count; ++i) {
      const auto number = static_cast<std::uint64_t>(first + i);
      Shot shot = isStruck ? makeStruckShot(number) : makeShot(number);
      if (isMoreau) shot.settings.integrator = Integrator::kMoreau;
      if (isSoft) shot.settings.stepping = Stepping::kSoft;
      const ShotOutcome one = fly(shot, registry);
      steps += shot.steps;
      all.add(shot, one);
      byTarget[std::string(shot.targetName)].add(shot, one);
      byProjectile[std::string(shot.projectileName)].add(shot, one);
      csv.row(first + i, shot.projectileName, shot.targetName, shot.speed,
              shot.projectile.angularVelocity.norm(), shot.settings.timestep,
              shot.material.restitution, shot.leastExtent, one.hasTouched, one.hasPassed,
              one.hasDiverged, one.missed, one.stopped, one.deepest);
    }
    const double seconds = timer.milliseconds() / 1e3;
    fmt::print("{}; {} shots in {:.1f} s, {} steps\n\n", machineLine(), count, seconds, steps);
    fmt::print(
        "| | shots | that touch | passed | diverged | with a missed solve | stopped | deeper than "
        "a tenth "
        "| deepest [m]: median | 99 % | largest "
        "|\n|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n");
    for (auto& [name, of] : byTarget) print("at a " + name, of);
    for (auto& [name, of] : byProjectile) print("of a " + name, of);
    print("all", all);
    return 0;
  });
}
