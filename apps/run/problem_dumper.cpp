#include "apps/run/problem_dumper.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <stdexcept>

#include "apps/support/command_line.h"
#include "apps/support/output_file.h"
#include "apps/support/program.h"
#include "solvers/file/problem_file.h"

namespace drystone::cli {
void parseDumpWhen(const std::string& text, DumpOptions& options) {
  constexpr std::string_view kStepPrefix = "step=";
  if (text.starts_with(kStepPrefix)) {
    const char* first = text.data() + kStepPrefix.size();
    const char* last = text.data() + text.size();
    const auto [end, error] = std::from_chars(first, last, options.step);
    if (error != std::errc() || end != last || options.step < 1) {
      throw UsageError(fmt::format("--dump-when step=N needs a step from 1 on, got '{}'", text));
    }
    options.when = DumpWhen::kStep;
    return;
  }
  static const std::array<std::string, 4> kNames = {"all", "failed", "largest", "step=N"};
  options.when = static_cast<DumpWhen>(chooseName("value of --dump-when", text, kNames));
  if (options.when == DumpWhen::kStep) throw UsageError("--dump-when step=N: N is a number");
}

ProblemDumper::ProblemDumper(const DumpOptions& options, const std::string& scene)
    : options_(options), scene_(scene) {
  checkWritableDirectory(options_.folder, "--dump-problems");
}

void ProblemDumper::afterStep(const World& world) {
  if (options_.when == DumpWhen::kLargest) {
    keepIfLargest(world);
    return;
  }
  for (int island = 0; island < world.observe().islandCount(); ++island) {
    if (wanted(world.lastReport(), island)) write(world, island);
  }
}

bool ProblemDumper::wanted(const StepReport& report, int island) const {
  if (options_.when == DumpWhen::kAll) return true;
  if (options_.when == DumpWhen::kStep) return report.step == options_.step;
  const SolveResult& result = report.islands[static_cast<std::size_t>(island)].result;
  const bool answeredFirst = result.reason == SolveReason::kAsked || !wasSolved(result.reason);
  return !result.withinTolerance || !answeredFirst;
}

void ProblemDumper::write(const World& world, int island) {
  const std::string name = nameOf(world, island), info = infoOf(world, island);
  const WorldObserver observer = world.observe();
  writeProblemFile(pathOf(name), observer.islandProblem(island),
                   {.name = name,
                    .info = info,
                    .warmStart = observer.islandWarmStart(island),
                    .warmStates = observer.islandWarmStates(island),
                    .solution = observer.islandImpulses(island)});
  ++written_;
}

void ProblemDumper::keepIfLargest(const World& world) {
  const WorldObserver observer = world.observe();
  int best = -1;
  int rows = largest_ ? static_cast<int>(largest_->problem.b.size()) : 0;
  for (int island = 0; island < observer.islandCount(); ++island) {
    const int candidate = observer.islandProblem(island).rowCount();
    if (candidate == 0 || candidate < rows) continue;
    rows = candidate;
    best = island;
  }
  if (best < 0) return;
  // Copied, not written: a pile that grows has a new largest island in every step.
  const std::span<const Real> start = observer.islandWarmStart(best);
  const std::span<const RowState> states = observer.islandWarmStates(best);
  const std::span<const Real> answer = observer.islandImpulses(best);
  largest_ = Kept{nameOf(world, best),
                  infoOf(world, best),
                  storedCopy(observer.islandProblem(best)),
                  {start.begin(), start.end()},
                  {answer.begin(), answer.end()},
                  {states.begin(), states.end()}};
}

int ProblemDumper::finish() {
  if (largest_) {
    writeProblemFile(pathOf(largest_->name), largest_->problem.view(),
                     {.name = largest_->name,
                      .info = largest_->info,
                      .warmStart = largest_->warmStart,
                      .warmStates = largest_->warmStates,
                      .solution = largest_->solution});
    largest_.reset();
    ++written_;
  }
  return written_;
}

std::string ProblemDumper::nameOf(const World& world, int island) const {
  return fmt::format("step{:06}_island{:03}", world.lastReport().step, island);
}

std::string ProblemDumper::infoOf(const World& world, int island) const {
  const SolveResult& result = world.lastReport().islands[static_cast<std::size_t>(island)].result;
  const SolverChoice& choice = world.settings().solver;
  return fmt::format(
      "scene {}\nstep {}, time {} s, island {}\nsolver {}: {}, natural map {} m/s, answer: {}",
      scene_, world.lastReport().step, world.lastReport().time, island,
      result.usedFallback ? choice.fallback : choice.name, solveStatusName(result.solver.status),
      result.judge.naturalMap, solveReasonName(result.reason));
}

std::string ProblemDumper::pathOf(const std::string& name) const {
  return (options_.folder / (name + "." + options_.extension)).string();
}

}  // namespace drystone::cli
