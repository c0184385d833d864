#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/timer.h"
#include "solvers/linear/block_factor.h"
#include "solvers/problem/contact_problem.h"

namespace drystone {

/// A problem without its bilateral rows. Rows without bounds (B) hold with equality and need no
/// complementarity: they are eliminated. What is left is a problem of the other rows (K), of
/// contacts, limits and motors, in assembled form:
///   S = A_KK − A_KB A_BB⁻¹ A_BK,  b_S = b_K − A_KB A_BB⁻¹ b_B,
/// and afterwards λ_B = −A_BB⁻¹ (b_B + A_BK λ_K) [Cottle, Pang & Stone 1992, §2.3].
///
/// Bodies that joints connect make a cluster. A_BB couples joints of one body, and has a sparse
/// factor L Lᵀ with one block a joint; S = A_KK − YᵀY with Y = L⁻¹ A_BK has a block for any two
/// kept blocks that touch the same cluster. Redundant joints make A_BB singular: its diagonal gets
/// a floor, and λ_B is refined on the problem as given.
class CondensedProblem {
 public:
  /// Sorts the rows of a problem in body form and finds its clusters. Its arrays must outlive the
  /// use. Keeps its storage from problem to problem.
  void analyze(const ContactProblem& full);
  int eliminatedRows() const { return full_.rowCount() - keptRows(); }
  int keptRows() const { return static_cast<int>(rowOf_.size()); }
  /// [kept rows] The row of the full problem, ascending.
  std::span<const int> rowsKept() const { return rowOf_; }

  /// Values that S stores at most.
  std::int64_t storage() const { return storage_; }

  /// Makes S and b_S. False: a number is not finite, or no λ_B brings |w_B|
  /// below `tolerance` [m/s], as where joints contradict each other.
  bool make(Real tolerance, const Deadline& deadline = {});
  /// Makes b_S anew after the numbers in b changed, as S is. False as `make`.
  bool renew(Real tolerance);
  /// The condensed problem. Valid until the next `analyze`.
  ContactProblem problem() const;

  /// Takes the impulses of the kept rows from those of all.
  void restrict(std::span<const Real> lambda, std::span<const RowState> states);
  ImpulseView impulses() { return {lambda_, states_}; }
  /// Solves for λ_B with the impulses of the kept rows. Returns the largest |w_B| that is left
  /// [m/s].
  Real expand();
  /// Moves b_S by what S λ_K + b_S differs from w of the full problem, which `expand` left: a step
  /// of iterative refinement, for where S has lost digits. Returns the largest difference [m/s].
  Real correct();
  /// Writes all impulses and states, of the rows that were eliminated too.
  void write(ImpulseView impulses) const;

 private:
  /// The bilateral rows of a block.
  struct Node {
    int block = -1;
    int rows = 0;
    int row[kMaxBlockRows] = {};  // of the full problem
  };
  /// The other rows of a block.
  struct Kept {
    int block = -1;
    int firstRow = 0, rows = 0;  // of the condensed problem
    int cluster[2] = {-1, -1};   // that its bodies belong to
  };
  struct Cluster {
    std::vector<int> kept;  // ascending
    std::int64_t rows = 0;  // of those
  };
  /// The order of one graph of joints, for exactly this graph: it decides the last bits.
  struct KnownPattern {
    int nodes = -1;
    std::vector<std::pair<int, int>> pairs;  // ascending, each once
    BlockPattern pattern;
  };
  static constexpr std::size_t kPatterns = 16;
  /// Y of a kept block at one node: as many columns as the block has rows.
  struct Piece {
    int place;   // of the node, in the order of the factor
    int column;  // the first one in `response_`
  };

  bool isBilateral(const ProblemBlock& block, int row) const;
  void splitRows();
  void findClusters();
  void fillClusters();
  void layOut();
  void findPattern();
  bool factor();
  void fillJoints(Real floor);
  void respond(int cluster, const Kept& kept);
  void addCluster(int cluster);
  void addPair(int cluster, std::size_t i, std::size_t j);
  int parentOf(int place) const;
  void addCompliance();
  Real refineJoints(std::span<Real> lambda);
  /// The larger of two sizes; infinite, and so for good, where one is not a number.
  static Real largerOrInfinite(Real largest, Real size) {
    return std::isnan(size) ? kInfinity : std::max(largest, size);
  }
  /// The stored block of S of two kept blocks.
  Real* valuesOf(int row, int column);
  /// J_row M⁻¹ J_otherᵀ over the bodies of a cluster, or of all (-1).
  Real product(int cluster, const ProblemBlock& block, int row, const ProblemBlock& other,
               int otherRow) const;

  ContactProblem full_;
  std::vector<Node> nodes_;
  std::vector<Kept> kept_;
  std::int64_t storage_ = 0;
  std::vector<int> rowOf_;      // [kept rows] row of the full problem
  std::vector<int> parent_;     // [bodies] union–find
  std::vector<int> clusterOf_;  // [bodies]
  std::vector<Cluster> clusters_;
  int clusterCount_ = 0;

  std::vector<Vec6> weightedA_, weightedB_;  // [rows] M⁻¹ J
  std::vector<int> bodyStart_, bodyNodes_;   // nodes by body
  std::vector<int> cursor_, neighbours_;
  std::vector<std::pair<int, int>> pairs_;
  std::vector<KnownPattern> patterns_;  // of the last graphs; islands take turns in one solver
  std::size_t oldest_ = 0;
  const BlockPattern* pattern_ = nullptr;
  BlockFactor factor_;
  std::vector<Vec6> nodeVector_;  // [nodes]
  std::vector<int> nodeAt_;       // [nodes] by position in the order
  std::vector<Vec6> response_;    // columns of Y
  std::vector<Piece> pieces_;     // of the kept blocks of a cluster, by `pathStart_`
  std::vector<int> pathStart_;    // [kept of the cluster + 1]
  std::vector<int> pieceOf_;      // [nodes] by position; -1: none

  BlockSparseMatrix schur_;
  std::vector<ProblemBlock> blocks_;
  std::vector<Real> b_, lower_, upper_, arms_;
  std::vector<Real> lambda_, w_;  // of the kept rows
  std::vector<RowState> states_;
  std::vector<Real> fullLambda_, fullW_;
  std::vector<Vec6> bodyVelocity_;
};

}  // namespace drystone
