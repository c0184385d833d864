#pragma once

#include <ctime>
#include <vector>

#include "bench/studies/study.h"
#include "core/random.h"
#include "solvers/linear/banded_cholesky.h"
#include "solvers/linear/symmetric_matrix.h"

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

/// A random symmetric positive definite band matrix: entries uniform in [-1, 1] off the diagonal,
/// on it `kSpread` times what the spectrum of these reaches on both sides of 0.
class RandomBand {
 public:
  RandomBand(int size, int bandwidth, Random& random);
  int size() const { return size_; }
  int bandwidth() const { return bandwidth_; }
  void copyTo(BandFactor& matrix) const;
  SymmetricMatrix symmetric() const;

 private:
  Real entry(int row, int column) const;

  int size_, bandwidth_;
  std::vector<Real> below_;  // row by row, [bandwidth] each: columns row − bandwidth to row − 1
  Real diagonal_;
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
