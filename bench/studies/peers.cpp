// The same scenes, from the same files, in this engine, Bullet, ODE and MuJoCo: time of a step
// against how well each holds the scene. Prints a Markdown table a scene, and at the end one of
// all; bench/plots/peers.py draws the file of --csv.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <limits>
#include <optional>

#include "apps/support/option_checks.h"
#include "bench/studies/measure.h"
#include "bench/studies/peers/table.h"
#include "bench/studies/study_program.h"
#include "core/wording.h"

namespace {

using namespace drystone;
using namespace drystone::bench;

/// Processor time of this process so far [ms].
Real processorMs() {
  std::timespec now = {};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return 1e3 * static_cast<Real>(now.tv_sec) + 1e-6 * static_cast<Real>(now.tv_nsec);
}

/// One configuration on its way through a scene.
class Contestant {
 public:
  Contestant(const PeerConfiguration& configuration, const PeerCase& test, const PeerScene& scene)
      : name_(configuration.name), observation_(scene) {
    try {
      world_ = configuration.make(test, scene);
    } catch (const PeerLimit& limit) {
      ended_ = limit.what();
    }
  }

  /// One step, unless it has ended. It ends after `limitMs` of processor time in all.
  void step(Real limitMs) {
    if (!ended_.empty()) return;
    try {
      const Timer wall;
      const Real before = processorMs();
      world_->step();
      const Real spent = processorMs() - before;
      const Real wallSpent = wall.milliseconds();
      world_->readStates(states_);
      spentMs_ += spent;
      contacts_ = world_->contactCount();
      if (!observation_.add(states_, wallSpent, spent)) ended_ = "flew apart";
      if (spentMs_ > limitMs) ended_ = fmt::format("{:.0f} s are over", limitMs / 1e3);
    } catch (const PeerLimit& limit) {
      ended_ = limit.what();
    }
  }

  const std::string& name() const { return name_; }

  PeerRun run(const PeerScene& scene) {
    if (ended_.empty() && !scene.feet.empty()) {
      std::vector<FloorForce> forces;
      world_->readFloorForces(forces);
      observation_.weigh(forces);
    }
    PeerRun run{name_, observation_.figures()};
    run.figures.ended = ended_;
    run.figures.contacts = contacts_;
    return run;
  }

 private:
  std::string name_;
  Observation observation_;
  std::unique_ptr<PeerWorld> world_;
  std::vector<BodyState> states_;
  std::string ended_;
  Real spentMs_ = 0;
  int contacts_ = 0;
};

/// A line on the terminal that says how far a scene is, redrawn some times a second: single steps
/// of some engines take that long.
class Progress {
 public:
  Progress(std::string name, int steps) : name_(std::move(name)), steps_(steps) {}
  ~Progress() {
    if (isTerminal_) fmt::print(stderr, "\r\033[K");
  }

  void show(int step, const std::string& configuration) {
    constexpr Real kRedrawMs = 200;
    if (!isTerminal_ || sinceDrawn_.milliseconds() < kRedrawMs) return;
    fmt::print(stderr, "\r\033[K{}: step {} of {}, {}", name_, step, steps_, configuration);
    sinceDrawn_.restart();
  }

 private:
  std::string name_;
  int steps_;
  bool isTerminal_ = isatty(STDERR_FILENO) == 1;
  Timer sinceDrawn_;
};

/// A case with its scene as read.
struct ReadCase {
  PeerCase test;
  Scene scene;
  PeerScene peers;
};

ReadCase readCase(PeerCase test, const std::vector<std::string>& sets) {
  test.sets.insert(test.sets.end(), sets.begin(), sets.end());
  Scene scene = sceneAsRun(test.scene, test.sets);
  if (test.kind == PeerKind::kSlides) test.acceleration = exactAcceleration(scene);
  PeerScene peers = peerScene(scene);
  return {std::move(test), std::move(scene), std::move(peers)};
}

/// All configurations in turn, step by step, so that other load on the machine meets them alike.
std::vector<PeerRun> compete(const ReadCase& it, int steps, Real limitMs, const std::string& name) {
  std::vector<Contestant> contestants;
  for (const PeerConfiguration& configuration : peerConfigurations()) {
    if (!configuration.applies(it.test, it.scene)) continue;
    contestants.emplace_back(configuration, it.test, it.peers);
  }
  Progress progress(name, steps);
  for (int step = 1; step <= steps; ++step) {
    for (Contestant& contestant : contestants) {
      progress.show(step, contestant.name());
      contestant.step(limitMs);
    }
  }
  std::vector<PeerRun> runs;
  for (Contestant& contestant : contestants) runs.push_back(contestant.run(it.peers));
  return runs;
}

}  // namespace

int main(int argc, char** argv) {
  StudyApp app("peers");
  StudyOptions options;
  options.program = "peers";
  options.limit = 60;
  options.repeats = 1;
  std::vector<std::string> sets;
  std::optional<int> steps;
  app.addRepeatable("--scene", options.scenes, "SCENE",
                    "scene of the library, or file, repeatable; those of docs/results/peers.md "
                    "unless given");
  app.add_option("--runs", options.repeats, "of each scene; times are then medians of the runs")
      ->transform(cli::wholeNumber(1, kMostRepeats));
  app.add_option("--steps", steps, "in place of the scenes' own durations")
      ->transform(cli::wholeNumber(1, std::numeric_limits<int>::max()));
  app.addRepeatable("--set", sets, "KEY=VALUE",
                    "for all scenes, repeatable, as in `drystone run`; settings of a "
                    "solver go to the row with the scene's solver");
  app.add_option("--limit", options.limit, "processor time of an engine on a scene, a run [s]")
      ->transform(cli::positiveNumber("s"));
  app.addCsv(options.csvFolder);
  return runStudy(app, argc, argv, [&] {
    std::vector<PeerCase> tests =
        options.scenes.empty() ? defaultPeerCases() : std::vector<PeerCase>{};
    for (const std::string& name : options.scenes) {
      const std::vector<PeerCase> named = peerCases(name);
      tests.insert(tests.end(), named.begin(), named.end());
    }
    // All are read before the first is run: a wrong name shows at once.
    std::vector<ReadCase> cases;
    for (const PeerCase& test : tests) cases.push_back(readCase(test, sets));
    options.checkCsvFolder();
    CsvFile csv = openPeerCsv(options);
    fmt::print(
        "{}. One thread; the engines are stepped in turn; {} of each scene. × Bullet: in units of "
        "Bullet's own step of the same run. Settled: median of the last third of the steps. "
        "Overlap: at the end, by drystone's collision detection on the poses of each engine. "
        "{}\n\n",
        machineLine(), counted(options.repeats, "run"), absentEngines());
    std::vector<PeerResult> results;
    std::vector<PeerScene> scenes;
    for (const ReadCase& it : cases) {
      const int count = steps.value_or(it.scene.stepCount());
      fmt::print("## {}, {} steps of {:.4g} ms\n\n", it.test.name, count, 1e3 * it.peers.timestep);
      std::vector<std::vector<PeerRun>> runs;
      for (int run = 1; run <= options.repeats; ++run) {
        const std::string name =
            fmt::format("{}, run {} of {}", it.test.name, run, options.repeats);
        runs.push_back(compete(it, count, 1e3 * options.limit, name));
      }
      results.push_back({it.test, rowsOf(it.test, runs)});
      scenes.push_back(it.peers);
      printPeerTable(results.back());
      for (const PeerRow& row : results.back().rows) writePeerRow(csv, it.test, row);
    }
    printVerdict(results, scenes);
    return 0;
  });
}
