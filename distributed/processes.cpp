#include "distributed/processes.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <limits>
#include <string>

#include "core/check.h"

namespace drystone {

void Processes::gather(std::span<const Real> own, std::vector<Real>& all) {
  all.resize(own.size() * static_cast<std::size_t>(count()));
  gatherAll(own, all);
  traffic_.messages += count() - 1;
  traffic_.bytes += (count() - 1) * static_cast<std::int64_t>(own.size_bytes());
}

void Processes::swap(const std::vector<std::vector<std::byte>>& out,
                     std::vector<std::vector<std::byte>>& in) {
  DRYSTONE_ASSERT(static_cast<int>(out.size()) == count());
  DRYSTONE_ASSERT(static_cast<int>(in.size()) == count());
  DRYSTONE_ASSERT(out[rank()].empty() && in[rank()].empty());
  swapAll(out, in);
  for (const std::vector<std::byte>& message : out) {
    if (message.empty()) continue;
    ++traffic_.messages;
    traffic_.bytes += static_cast<std::int64_t>(message.size());
  }
}

void Processes::exchange(const std::vector<std::vector<std::byte>>& out,
                         std::vector<std::vector<std::byte>>& in) {
  sizes_.clear();
  for (const auto& message : out) sizes_.push_back(static_cast<Real>(message.size()));
  gather(sizes_, allSizes_);
  in.resize(out.size());
  for (int from = 0; from < count(); ++from) {
    in[from].resize(static_cast<std::size_t>(allSizes_[from * count() + rank()]));
  }
  swap(out, in);
}

void addUp(Processes& processes, std::span<Real> numbers, std::vector<Real>& scratch) {
  processes.gather(numbers, scratch);
  std::ranges::fill(numbers, 0);
  for (std::size_t i = 0; i < scratch.size(); ++i) numbers[i % numbers.size()] += scratch[i];
}

void takeLargest(Processes& processes, std::span<Real> numbers, std::vector<Real>& scratch) {
  processes.gather(numbers, scratch);
  for (std::size_t i = 0; i < scratch.size(); ++i) {
    Real& largest = numbers[i % numbers.size()];
    const Real number = std::isnan(scratch[i]) ? std::numeric_limits<Real>::infinity() : scratch[i];
    largest = i < numbers.size() ? number : std::max(largest, number);
  }
}

bool doOnAll(Processes& processes, int code, const std::function<void()>& work) {
  std::exception_ptr thrown;
  std::string message;
  try {
    work();
  } catch (const std::exception& error) {
    thrown = std::current_exception();
    message = error.what();
  }
  const Real failed = thrown ? 1 : 0;
  std::vector<Real> all;
  processes.gather({&failed, 1}, all);
  const bool firstFailed = all.front() != 0;
  if (thrown && !firstFailed) processes.abort(message, code);
  if (thrown && processes.rank() == 0) std::rethrow_exception(thrown);
  return std::ranges::count(all, Real{0}) == processes.count();
}

void LoneProcess::abort(std::string_view message, int code) {
  std::fprintf(stderr, "%.*s\n", static_cast<int>(message.size()), message.data());
  std::exit(code);
}

void LoneProcess::gatherAll(std::span<const Real> own, std::span<Real> all) {
  std::ranges::copy(own, all.begin());
}

void LoneProcess::swapAll(const std::vector<std::vector<std::byte>>&,
                          std::vector<std::vector<std::byte>>&) {}

}  // namespace drystone
