#pragma once

#include <ctime>

#include "bench/studies/staggered/random_band.h"
#include "bench/studies/study.h"

namespace drystone::bench {

struct StaggeredOptions : StudyOptions {
  int size = 8000;       ///< variables of the random QPs and band matrices
  int bandwidth = 1000;  ///< their diagonals below the main one
  int rounds = 50;       ///< of a solve at most
};

/// Processor time of the program, which has one thread: what else the machine does hardly counts.
class ProcessorTimer {
 public:
  double milliseconds() const {
    return 1e3 * static_cast<double>(std::clock() - start_) / CLOCKS_PER_SEC;
  }

 private:
  std::clock_t start_ = std::clock();
};

// The scenes of the studies.
std::vector<std::string> factorScenes();
std::vector<std::string> collisionScenes();
std::vector<std::string> convergenceScenes();

// The studies: each prints its tables.
void studyRandomQps(const StaggeredOptions& options);
void studyBanded(const StaggeredOptions& options);
void studyFactors(const StaggeredOptions& options);
void studyCollision(const StaggeredOptions& options);
void studyConvergence(const StaggeredOptions& options);

}  // namespace drystone::bench
