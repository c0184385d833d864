#include "viewer/session/race_runner.h"

#include <chrono>
#include <exception>
#include <utility>

#include "viewer/session/race.h"

namespace drystone::viewer {
namespace {

constexpr int kNone = 0;

void finish(RaceResult& result, const std::string& noteOfOthers) {
  for (RaceEntry& entry : result.entries) {
    if (!entry.finished && entry.note.empty()) entry.note = noteOfOthers;
    entry.finished = true;
  }
  result.finished = true;
}

}  // namespace

RaceRunner::RaceRunner(const SolverRegistry& registry)
    : registry_(registry), thread_([this](const std::stop_token& stop) { run(stop); }) {}

RaceRunner::~RaceRunner() {
  cancel();
  thread_.request_stop();
}

void RaceRunner::start(RaceProblem problem, const std::vector<SolverChoice>& solvers) {
  Job job;
  job.result.step = problem.step;
  job.result.islands = problem.islands;
  job.result.fromZero = problem.fromZero;
  job.result.rows = static_cast<int>(problem.problem.b.size());
  for (const SolverChoice& solver : solvers) job.result.entries.push_back({.solver = solver});
  job.problem = std::move(problem);
  {
    const std::scoped_lock lock(mutex_);
    job.number = wanted_ = ++started_;
    result_ = std::make_shared<RaceResult>(job.result);
    next_ = std::move(job);
  }
  wake_.notify_one();
}

void RaceRunner::cancel() {
  const std::scoped_lock lock(mutex_);
  next_.reset();
  if (std::exchange(wanted_, kNone) == kNone) return;
  auto cancelled = std::make_shared<RaceResult>(*result_);
  if (!cancelled->finished) finish(*cancelled, "cancelled");
  result_ = std::move(cancelled);
}

std::shared_ptr<const RaceResult> RaceRunner::result() const {
  const std::scoped_lock lock(mutex_);
  return result_;
}

void RaceRunner::run(const std::stop_token& stop) {
  while (true) {
    std::optional<Job> job;
    {
      std::unique_lock lock(mutex_);
      if (!wake_.wait(lock, stop, [this] { return next_.has_value(); })) return;
      job = std::exchange(next_, std::nullopt);
    }
    try {
      race(*job);
    } catch (const std::exception& error) {  // out of memory
      finish(job->result, error.what());
      publish(*job);
    }
  }
}

void RaceRunner::race(Job& job) {
  const std::chrono::duration<double> limit(RaceResult::kTimePerSolver);
  for (RaceEntry& entry : job.result.entries) {
    raceSolver(job.problem, registry_, limit, entry, [&] { return publish(job); });
    entry.finished = true;
    if (!publish(job)) return;
  }
  job.result.finished = true;
  publish(job);
}

bool RaceRunner::publish(const Job& job) {
  auto shown = std::make_shared<RaceResult>(job.result);
  const std::scoped_lock lock(mutex_);
  if (wanted_ != job.number) return false;
  result_ = std::move(shown);
  return true;
}

}  // namespace drystone::viewer
