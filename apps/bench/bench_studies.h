#pragma once

#include <span>
#include <string_view>

namespace drystone::cli {

/// A study of `drystone bench`: the program bench_NAME, built from bench/.
struct BenchStudy {
  std::string_view name;
  std::string_view summary;  ///< one line
};

/// All that there are, built or not, by name.
std::span<const BenchStudy> benchStudies();

/// The line of a study of that list.
std::string_view benchSummary(std::string_view name);

}  // namespace drystone::cli
