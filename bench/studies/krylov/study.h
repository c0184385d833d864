#pragma once

#include <span>

#include "bench/studies/study.h"

namespace drystone::bench {

struct KrylovOptions : StudyOptions {
  int frames = 12;     ///< looked at of each scene
  int rounds = 2000;   ///< outer iterations of a solve at most; 20,000 in the thesis
  int rows = 130'000;  ///< of the largest problem of "growth"
};

/// A scene of Ho 2022, ch. 6, and the part of it in which much happens.
struct PublishedScene {
  std::string scene;
  Real first, seconds;  ///< simulated before and in the study [s]
  bool onlyJoints;      ///< no row can be tight: every frame counts
  std::string massRatio, rows, condition;
  // By bpp-pcg, pgcg, bpp.
  std::string outer[3], error[3], milliseconds[3];
};
std::span<const PublishedScene> publishedScenes();
const PublishedScene& publishedScene(const std::string& scene);

/// The scene as the thesis has it, with friction bounds that a step holds fixed, and `overrides`.
Scene krylovScene(const std::string& name, std::vector<std::string> overrides = {});
/// Frames spread over `seconds` of the scene after the `first` ones.
FrameRange sampledFrames(const Scene& scene, Real first, Real seconds, int frames);

/// A solver with the limits of outer iterations and of time, and what else is set.
ShadowRun krylovRun(const KrylovOptions& options, const std::string& solver,
                    std::vector<std::pair<std::string, std::string>> settings = {},
                    bool startsFree = false);

// What one run did in a frame, over its islands.
struct FrameFigures {
  int rows = 0, tightRows = 0;
  Real outer = 0, inner = 0, energyMax = 0;
  Real ms = 0;  ///< of processor time
  int regularizedRows = 0;
  Real slip = 0;  ///< largest that regularization allows [m/s]
  SolveStatus status = SolveStatus::kConverged;

  bool solved() const { return status == SolveStatus::kConverged; }
};
FrameFigures figuresOf(std::span<const ShadowRecord> records, std::size_t run);

// The scenes of the studies.
std::vector<std::string> publishedSceneNames();
std::vector<std::string> preconditionerScenes();
std::vector<std::string> regularizationScenes();
std::vector<std::string> cycleScenes();
std::vector<std::string> growthScenes();

// The studies: each prints its tables.
void studyScenes(const KrylovOptions& options);
void studyPreconditioners(const KrylovOptions& options);
void studyRegularization(const KrylovOptions& options);
void studyKrylovCycles(const KrylovOptions& options);
void studyGrowth(const KrylovOptions& options);

}  // namespace drystone::bench
