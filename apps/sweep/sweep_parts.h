#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace drystone::cli {

/// Every N-th run of a study: those with the numbers K, K + N, …
struct SweepPart {
  std::int64_t number = 1, count = 1;

  bool holds(std::int64_t run) const { return (run - number) % count == 0 && run >= number; }
};

/// Reads "K/N"; throws UsageError where it is none, or K is not from 1 to N.
SweepPart parsePart(const std::string& text);

/// Joins tables that the parts of one study made into one; the number of its runs. Throws
/// InputError where one is of another study, a run is there twice, or runs are missing: nothing is
/// written then.
std::int64_t joinParts(const std::vector<std::string>& files, const std::filesystem::path& output);

/// The script of a Slurm job array in which each task does a part, with the command that joins the
/// parts.
std::string slurmScript(const std::string& study, const std::filesystem::path& output,
                        std::int64_t parts);

}  // namespace drystone::cli
