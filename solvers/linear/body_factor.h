#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "solvers/linear/block_factor.h"
#include "solvers/linear/free_factor.h"

namespace drystone {

/// Free systems of body form factored in the space of body velocities. With A = G Gᵀ + C and
/// D = Rᵀ C_diag C + E, the system (G_r G_cᵀ + D) y = r is solved by
///   y = D⁻¹ (r − G_r u),  H u = G_cᵀ D⁻¹ r,  H = 1 + G_cᵀ D⁻¹ G_r,
/// which is the Woodbury identity. G = J M^(-1/2) over the free rows, so that for plain rows
///   H = M^(-1/2) (M + Jᵀ C⁻¹ J) M^(-1/2):
/// the effective mass of the bodies with a spring C⁻¹ at every free row. H has one 6x6 block per
/// body and the pattern of the body graph, however many contacts a pair of bodies has. D has a
/// floor relative to the diagonal of A, which covers C = 0. A pivot changes the blocks of two
/// bodies: only what depends on them is factored again.
///
/// Pairs of bodies without an unknown are no edges of the graph. Bricks of a course stand beside
/// each other with a gap: without these pairs the factor of a wall takes 0.4 of the products.
class BodyFactor : public FreeFactor {
 public:
  std::string_view name() const override { return "bodies"; }
  void reserve(const ProblemSize& size) override;
  bool needsMatrix(const ContactProblem&) const override { return false; }
  void analyze(const RowSystem& system, BasisKind kind) override;
  bool factor(const RowSystem& system, const FreeBasis& basis) override;
  void solve(std::span<Real> x) override;
  /// 0 before the first `factor`, which chooses the graph.
  std::int64_t storage() const override;

 private:
  struct Coupling {
    int bodyA, bodyB;  // -1: does not move
    int entry;         // of the pattern; -1 when only one body moves, or the pair is no edge
    bool swapped;      // body A stands after body B in the order

    bool needsEntry() const { return bodyA >= 0 && bodyB >= 0 && entry < 0; }

    bool joinsSame(const Coupling& other) const {
      return bodyA == other.bodyA && bodyB == other.bodyB;
    }
  };

  /// Symbolic work of one body graph. Reused only for exactly this graph: the order of elimination
  /// decides the last bits, and these may not depend on earlier solves.
  struct Analysis {
    int nodes = -1;
    std::vector<std::pair<int, int>> pairs;  // ascending, each once
    BlockPattern pattern;
  };
  static constexpr std::size_t kAnalyses = 16;

  /// Keeps the pattern at hand where it has all pairs with unknowns of this basis and those before.
  void choosePattern(const ContactProblem& problem, const FreeBasis& basis);
  bool hasPairsOf(const ContactProblem& problem, const FreeBasis& basis) const;
  /// Makes `pairs_` the edges of the graph.
  void listPairs(const ContactProblem& problem, const FreeBasis& basis);
  const BlockPattern& findPattern(int bodies);
  void placeBlocks(const ContactProblem& problem);
  void gather(const RowSystem& system, const FreeBasis& basis);
  /// Begins with the columns that differ from the factor at hand, or with all.
  void beginColumns(int blocks);
  bool isSame(int block) const;
  void addBlocks(const Coupling& coupling, int begin, int end, bool symmetric);

  std::vector<Analysis> analyses_;  // of the last graphs; islands take turns in one solver
  std::size_t oldest_ = 0;
  const BlockPattern* pattern_ = nullptr;  // null after `analyze`
  int patterns_ = 0;                       // chosen since `analyze`
  BlockFactor factor_;
  std::vector<std::pair<int, int>> pairs_;
  std::vector<Coupling> couplings_;             // [blocks]
  std::vector<ScaledRow> equations_, columns_;  // [unknowns] G_r; G_c where it differs
  std::vector<Real> inverseCompliance_;         // [unknowns] D⁻¹
  std::vector<int> blockBegin_;                 // [blocks + 1]
  std::vector<Vec6> velocity_;                  // [bodies] u by position in the order
  bool symmetric_ = true;

  // What the factor at hand was made of.
  bool isFactored_ = false, wasSymmetric_ = true;
  std::vector<ScaledRow> oldEquations_, oldColumns_;
  std::vector<Real> oldInverseCompliance_;
  std::vector<int> oldBlockBegin_;
  std::vector<std::uint8_t> isChanged_;  // [bodies] by position in the order
};

}  // namespace drystone
