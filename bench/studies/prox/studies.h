#pragma once

#include <span>

#include "bench/studies/prox/prox_run.h"
#include "bench/studies/study.h"

namespace drystone::bench {

struct ProxOptions : StudyOptions {
  std::vector<int> threads;  ///< numbers of threads to measure, ascending
  int sweeps = 50;  ///< of the sequential Gauss–Seidel that sets the quality (Poulsen 2010, §3.8)
};

/// Poulsen 2010, §3.8, tables 3.2 to 3.5.
struct PublishedBalls {
  std::string scene;
  int bodies, contacts, nonZeros;
  int jacobiSweeps;  ///< to the quality of 50 Gauss–Seidel sweeps; 0: not published
  std::string greedyColors;
};
std::span<const PublishedBalls> publishedBalls();

// The scenes of the studies that have any.
std::vector<std::string> ballScenes();
std::vector<std::string> bandwidthScenes();
std::vector<std::string> threadScenes();
std::vector<std::string> weakScenes();

// The studies: each prints its table.
void studyBandwidth(const ProxOptions& options);
void studyGenerated(const ProxOptions& options);
void studyProblems(const ProxOptions& options);
void studyQuality(const ProxOptions& options);
void studySchemes(const ProxOptions& options);
void studyThreads(const ProxOptions& options);
void studyWeakScaling(const ProxOptions& options);

/// Scheme by order of the updates, for the studies of threads.
std::span<const ProxRun> parallelRuns();

}  // namespace drystone::bench
