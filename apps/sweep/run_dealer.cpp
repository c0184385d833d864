#include "apps/sweep/run_dealer.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "core/check.h"
#include "distributed/processes.h"

namespace drystone::cli {
namespace {

/// What stands before the line of a row in a report.
struct RowHead {
  std::int64_t number = 0, end = 0, length = 0;
  double stepsMs = 0;
};

template <class T>
void append(const T& value, std::vector<std::byte>& bytes) {
  const std::size_t begin = bytes.size();
  bytes.resize(begin + sizeof(T));
  std::memcpy(bytes.data() + begin, &value, sizeof(T));
}

/// Takes a value off the front.
template <class T>
T taken(std::span<const std::byte>& bytes) {
  DRYSTONE_ASSERT(bytes.size() >= sizeof(T));
  T value;
  std::memcpy(&value, bytes.data(), sizeof(T));
  bytes = bytes.subspan(sizeof(T));
  return value;
}

void appendReport(const std::vector<EndedRun>& ended, bool stops, std::vector<std::byte>& bytes) {
  append<std::int64_t>(stops ? 1 : 0, bytes);
  for (const EndedRun& one : ended) {
    const std::string& line = one.row.line;
    append(RowHead{.number = one.number,
                   .end = static_cast<std::int64_t>(one.row.end),
                   .length = std::ssize(line),
                   .stepsMs = one.row.stepsMs},
           bytes);
    const std::size_t begin = bytes.size();
    bytes.resize(begin + line.size());
    std::memcpy(bytes.data() + begin, line.data(), line.size());
  }
}

}  // namespace

RunDealer::RunDealer(std::span<const std::int64_t> numbers, int threads, Processes& processes)
    : numbers_(numbers), threads_(threads), processes_(processes) {
  const auto count = static_cast<std::size_t>(processes.count());
  away_.resize(count);
  back_.resize(count);
  dealt_.resize(count);
  out_.resize(count);
}

/// A process has a run for each thread, and in store as many and twice what it ended of late: runs
/// may be shorter than the time between two exchanges. Near the end it has nothing in store, since
/// what waits there could be done elsewhere.
void RunDealer::deal() {
  for (std::size_t rank = 0; rank < dealt_.size(); ++rank) {
    dealt_[rank].clear();
    const std::int64_t left = stops_ ? 0 : std::ssize(numbers_) - static_cast<std::int64_t>(next_);
    const std::int64_t store =
        std::min(threads_ + 2 * back_[rank], left / (2 * static_cast<std::int64_t>(dealt_.size())));
    const std::int64_t more = std::clamp<std::int64_t>(threads_ + store - away_[rank], 0, left);
    const auto runs = numbers_.subspan(next_, static_cast<std::size_t>(more));
    dealt_[rank].assign(runs.begin(), runs.end());
    next_ += runs.size();
    away_[rank] += more;
  }
}

void RunDealer::take(int rank, std::span<const std::byte> report, std::vector<EndedRun>& ended) {
  stops_ = taken<std::int64_t>(report) != 0 || stops_;
  const std::size_t before = ended.size();
  while (!report.empty()) {
    const auto head = taken<RowHead>(report);
    const auto length = static_cast<std::size_t>(head.length);
    DRYSTONE_ASSERT(report.size() >= length);
    std::string line(length, ' ');
    std::memcpy(line.data(), report.data(), length);
    report = report.subspan(length);
    ended.push_back({head.number, {static_cast<RunEnd>(head.end), std::move(line), head.stepsMs}});
  }
  back_[rank] = static_cast<std::int64_t>(ended.size() - before);
  away_[rank] -= back_[rank];
}

DealtRuns RunDealer::exchange(std::vector<EndedRun> ended, bool stops) {
  DealtRuns result;
  for (std::vector<std::byte>& message : out_) message.clear();
  if (processes_.rank() != 0) {
    appendReport(ended, stops, out_[0]);
    processes_.exchange(out_, in_);
    std::span<const std::byte> order = in_[0];
    result.isLast = taken<std::int64_t>(order) != 0;
    while (!order.empty()) result.numbers.push_back(taken<std::int64_t>(order));
    return result;
  }
  stops_ = stops_ || stops;
  back_[0] = std::ssize(ended);
  away_[0] -= back_[0];
  result.ended = std::move(ended);
  deal();
  result.numbers = dealt_[0];
  result.isLast = stops_ || std::ranges::count(away_, 0) == std::ssize(away_);
  for (int rank = 1; rank < processes_.count(); ++rank) {
    append<std::int64_t>(result.isLast ? 1 : 0, out_[rank]);
    for (const std::int64_t number : dealt_[rank]) append(number, out_[rank]);
  }
  processes_.exchange(out_, in_);
  for (int rank = 1; rank < processes_.count(); ++rank) take(rank, in_[rank], result.ended);
  return result;
}

}  // namespace drystone::cli
