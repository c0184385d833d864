// From a study to its runs: grids, random samples, latin hypercubes.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <utility>

#include "apps/sweep/study.h"
#include "core/hash.h"
#include "core/input_error.h"
#include "core/random.h"

namespace drystone::cli {
namespace {

/// Uniform in [0, 1) by its place alone: more samples or parameters leave those before as they are.
Real shareOf(std::int64_t seed, std::size_t sample, std::size_t parameter) {
  const std::uint64_t ofSample = mixKeys(static_cast<std::uint64_t>(seed), sample);
  return static_cast<Real>(mixKeys(ofSample, parameter) >> 11) * 0x1.0p-53;
}

/// The numbers from 0 to count - 1, shuffled.
std::vector<int> shuffled(int count, std::uint64_t seed) {
  std::vector<int> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), 0);
  Random random(seed);
  for (std::size_t left = order.size(); left > 1; --left) {
    const auto other = static_cast<std::size_t>(random.uniform() * static_cast<Real>(left));
    std::swap(order[left - 1], order[other]);
  }
  return order;
}

std::string sampleText(Real value) { return fmt::format("{}", value); }

Real between(Real from, Real to, Real share, bool isLogarithmic) {
  return isLogarithmic ? from * std::pow(to / from, share) : from + (to - from) * share;
}

/// The place of the first digit of a positive number: 0 of 3.7, -2 of 0.05.
int firstDigit(Real value) { return static_cast<int>(std::floor(std::log10(value))); }

/// A point of a grid as its user would write it: 0.21, where the arithmetic ends at
/// 0.21000000000000002. Keeps 12 digits of `scale`, and three of the step where the grid is finer
/// than these tell.
Real roundedPoint(Real value, Real scale, Real step) {
  constexpr int kDigits = 12, kDigitsOfStep = 3;
  if (step <= 0) return value;  // finer than numbers are
  const int decimals =
      std::max({0, kDigits - 1 - firstDigit(scale), kDigitsOfStep - 1 - firstDigit(step)});
  return std::strtod(fmt::format("{:.{}f}", value, decimals).c_str(), nullptr) + 0.0;  // no -0
}

}  // namespace

std::string StudyParameter::valueAt(Real share) const {
  if (!values.empty()) {
    return values[static_cast<std::size_t>(share * static_cast<Real>(values.size()))];
  }
  if (!isWhole) return sampleText(between(from, to, share, isLogarithmic));
  // Each whole number has the width up to the next one.
  return sampleText(std::min(to, std::floor(between(from, to + 1, share, isLogarithmic))));
}

std::string StudyParameter::gridValue(int i) const {
  if (!values.empty()) return values[static_cast<std::size_t>(i)];
  if (i == 0) return sampleText(from);
  if (i == count - 1) return sampleText(to);
  const auto point = [&](int number) {
    return between(from, to, static_cast<Real>(number) / (count - 1), isLogarithmic);
  };
  const Real value = point(i);
  if (isWhole) return sampleText(std::round(value));
  const Real scale = isLogarithmic ? value : std::max(std::abs(from), std::abs(to));
  return sampleText(roundedPoint(value, scale, value - point(i - 1)));
}

StudyRuns::StudyRuns(const Study& study) : study_(study) {
  count_ = std::max(1, study.repeats);
  const auto multiply = [&](int by) {
    count_ *= by;
    if (count_ > kMostRuns) {
      throw InputError(study.problemAt(
          "/vary", fmt::format("makes more than {} runs; take fewer values", kMostRuns)));
    }
  };
  if (study.sampling != Sampling::kGrid) {
    multiply(study.samples);
  } else {
    for (const StudyParameter& parameter : study.parameters) multiply(parameter.gridCount());
  }
  if (study.sampling != Sampling::kLatinHypercube) return;
  for (std::size_t i = 0; i < study.parameters.size(); ++i) {
    strata_.push_back(shuffled(study.samples, mixKeys(static_cast<std::uint64_t>(study.seed), i)));
  }
}

StudyRun StudyRuns::run(std::int64_t number) const {
  const int repeats = std::max(1, study_.repeats);
  StudyRun run{.number = number, .values = {}, .seed = {}};
  if (study_.repeats > 0) run.seed = study_.seed + (number - 1) % repeats;
  auto sample = static_cast<std::size_t>((number - 1) / repeats);
  const std::size_t parameters = study_.parameters.size();
  run.values.resize(parameters);
  if (study_.sampling == Sampling::kGrid) {
    for (std::size_t i = parameters; i-- > 0;) {
      const auto values = static_cast<std::size_t>(study_.parameters[i].gridCount());
      run.values[i] = study_.parameters[i].gridValue(static_cast<int>(sample % values));
      sample /= values;
    }
    return run;
  }
  for (std::size_t i = 0; i < parameters; ++i) {
    Real share = shareOf(study_.seed, sample, i);
    // The largest number below 1 keeps the last stratum open, whatever the sum rounds to.
    if (!strata_.empty()) {
      share = std::min((strata_[i][sample] + share) / study_.samples, 1 - 0x1.0p-53);
    }
    run.values[i] = study_.parameters[i].valueAt(share);
  }
  return run;
}

}  // namespace drystone::cli
