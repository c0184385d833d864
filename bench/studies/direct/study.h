#pragma once

#include "bench/studies/study.h"

namespace drystone::bench {

/// Lefebvre 2020, tables 2.2 and 2.3.
struct PublishedMachine {
  std::string scene;
  Real massRatio;
  int rows;
  std::string condition;
  Real fullMs;
  std::string downdate, skyline;  ///< milliseconds and speed-up
};
std::span<const PublishedMachine> publishedMachines();

// The scenes of the studies that have any.
std::vector<std::string> machineScenes();
std::vector<std::string> scalingScenes();
std::vector<std::string> errorScenes();
std::vector<std::string> cacheScenes();
std::vector<std::string> spacesScenes();
std::vector<std::string> cyclesScenes();

// The studies: each prints its tables.
void studyMachines(const StudyOptions& options);
void studyTimes(const StudyOptions& options);
void studyScaling(const StudyOptions& options);
void studyErrors(const StudyOptions& options);
void studyTightRows(const StudyOptions& options);
void studyRandomMatrices(const StudyOptions& options);
void studyCache(const StudyOptions& options);
void studySpaces(const StudyOptions& options);
void studyExponential(const StudyOptions& options);
void studyCycles(const StudyOptions& options);

}  // namespace drystone::bench
