// Scale: what a world on several processes sends, counted, how it flows and is recorded, and the
// memory of bodies and contacts.
#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "bench/studies/measure.h"
#include "bench/studies/scale/scale_studies.h"
#include "bench/studies/study.h"
#include "bench/studies/study_program.h"
#include "distributed/distributed_world.h"
#include "distributed/processes.h"
#include "scenes/scene_builder.h"
#include "solvers/default_registry.h"

#include "tests/support/thread_processes.h"

namespace drystone::bench {
namespace {

constexpr int kCountedSteps = 3;

/// What a process sent, by kind.
struct SentByKind {
  std::int64_t gathers = 0;        ///< calls
  std::int64_t gatheredBytes = 0;  ///< own part of them, once
  std::int64_t messages = 0;       ///< to single processes
  std::int64_t bytes = 0;          ///< in them

  SentByKind operator-(const SentByKind& before) const {
    return {gathers - before.gathers, gatheredBytes - before.gatheredBytes,
            messages - before.messages, bytes - before.bytes};
  }
};

/// Passes everything on to another one, and counts it.
class CountedProcesses final : public Processes {
 public:
  explicit CountedProcesses(Processes& inner) : inner_(inner) {}

  int rank() const override { return inner_.rank(); }
  int count() const override { return inner_.count(); }
  [[noreturn]] void abort(std::string_view message, int code) override {
    inner_.abort(message, code);
    std::abort();  // it does not return
  }
  const SentByKind& sent() const { return sent_; }

 protected:
  void gatherAll(std::span<const Real> own, std::span<Real> all) override {
    inner_.gather(own, scratch_);
    std::ranges::copy(scratch_, all.begin());
    ++sent_.gathers;
    sent_.gatheredBytes += static_cast<std::int64_t>(own.size_bytes());
  }
  void swapAll(const std::vector<std::vector<std::byte>>& out,
               std::vector<std::vector<std::byte>>& in) override {
    inner_.swap(out, in);
    for (const std::vector<std::byte>& message : out) {
      if (message.empty()) continue;
      ++sent_.messages;
      sent_.bytes += static_cast<std::int64_t>(message.size());
    }
  }

 private:
  Processes& inner_;
  std::vector<Real> scratch_;
  SentByKind sent_;
};

struct TrafficCase {
  std::string name, scene;
  std::vector<std::string> sets;
  int mostProcesses = 64;
};

std::vector<TrafficCase> trafficCases() {
  return {{"sheets, 8³", "ball_grid_small", {"generators.0.spacing=[2,2.2,2]"}, 64},
          {"grid, 8³", "ball_grid_small", {}, 64},
          {"grid, 16³", "ball_grid_small", {"generators.0.counts=[16,16,16]"}, 32},
          {"grid, 24³", "ball_grid_medium", {}, 8}};
}

struct CountedStep {
  DistributedFigures figures;
  int contacts = 0;
  bool isWithin = false;
  SentByKind sent;  ///< of all processes; gathers are calls of each
};

std::vector<CountedStep> countSteps(const TrafficCase& one, int count) {
  std::vector<CountedStep> steps(kCountedSteps);
  const SolverRegistry registry = makeDefaultRegistry();
  const Scene scene = sceneAsRun(one.scene, one.sets);
  test::runProcesses(count, [&](Processes& threads) {
    CountedProcesses processes(threads);
    DistributedWorld world(buildWorld(scene, registry), registry, processes);
    for (CountedStep& step : steps) {
      const SentByKind before = processes.sent();
      const StepReport& report = world.step();
      const SentByKind own = processes.sent() - before;
      Real sums[] = {static_cast<Real>(own.messages), static_cast<Real>(own.bytes)};
      std::vector<Real> scratch;
      addUp(processes, sums, scratch);
      if (processes.rank() != 0) continue;
      step = {world.figures(), report.contacts, report.solvesWithin, own};
      step.sent.messages = static_cast<std::int64_t>(sums[0]);
      step.sent.bytes = static_cast<std::int64_t>(sums[1]);
    }
  });
  return steps;
}

}  // namespace

void runTraffic(const StudyOptions& options) {
  CsvFile csv(options, "traffic",
              "scene,processes,step,bodies_most,contacts,ghosts,border_contacts,shared_bodies,"
              "iterations,gathers,gathered_bytes,messages,bytes,within");
  printRow(
      "| scene | processes | step | contacts | ghosts | contacts over borders | shared bodies | "
      "iterations | global sums | messages | kB | within the tolerance |\n"
      "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|---|\n");
  for (const TrafficCase& one : trafficCases()) {
    if (!options.wants(one.scene)) continue;
    for (int count = 1; count <= one.mostProcesses; count *= 2) {
      const std::vector<CountedStep> steps = countSteps(one, count);
      for (int step = 0; step < kCountedSteps; ++step) {
        const CountedStep& at = steps[step];
        const std::int64_t pairs = static_cast<std::int64_t>(count) * (count - 1);
        const std::int64_t messages = at.sent.messages + pairs * at.sent.gathers;
        const std::int64_t bytes = at.sent.bytes + pairs * at.sent.gatheredBytes;
        csv.row(one.name, count, step + 1, at.figures.ownBodiesMost, at.contacts, at.figures.ghosts,
                at.figures.borderContacts, at.figures.sharedBodies, at.figures.sharedIterations,
                at.sent.gathers, at.sent.gatheredBytes, at.sent.messages, at.sent.bytes,
                at.isWithin ? 1 : 0);
        printRow("| {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {:.1f} | {} |\n", one.name,
                 count, step + 1, at.contacts, at.figures.ghosts, at.figures.borderContacts,
                 at.figures.sharedBodies, at.figures.sharedIterations, at.sent.gathers, messages,
                 static_cast<Real>(bytes) / 1e3, at.isWithin ? "yes" : "no");
      }
    }
  }
}

}  // namespace drystone::bench

int main(int argc, char** argv) {
  using namespace drystone;
  using namespace drystone::bench;
  StudyApp app("scale");
  StudyOptions options;
  options.program = "scale";
  std::unique_ptr<Processes> processes;  // of MPI, where a launcher started several
  const auto together = [&]() -> Processes& {
    if (!processes && launchedProcesses() > 1) processes = joinMpi();
    if (!processes) processes = std::make_unique<LoneProcess>();
    return *processes;
  };
  const std::vector<Study> studies = {
      {"traffic",
       "messages and bytes of a step, ghosts, contacts over borders, iterations",
       {"ball_grid_small", "ball_grid_medium"},
       [&] { runTraffic(options); }},
      {"hopper",
       "grains a second out of a bin, ten fillings; also by mpirun",
       {},
       [&] { runHopper(options, together()); },
       true},
      {"recording",
       "gathering and writing a frame beside a step; also by mpirun",
       {"ball_grid_small", "ball_grid_medium", "ball_pile_small"},
       [&] { runRecording(options, together()); }},
      {"sweep",
       "the time of a sweep over that of its runs in a bare loop",
       {"ball_grid_small", "slope_slip"},
       [&] { runSweeps(options); }},
      {"memory",
       "bytes a body and a contact, built and after steps",
       {},
       [&] { runMemory(options); }},
      {"million",
       "two steps of 990,000 spheres: memory and judgement; takes some 12 GB",
       {},
       [&] { runMillion(options); },
       true}};
  return runStudies(app, argc, argv, options, studies, "scale: processes and memory");
}
