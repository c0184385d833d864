#pragma once

#include <cstdint>
#include <vector>

#include "solvers/driver/settings.h"
#include "solvers/prox/sweep_plan.h"

namespace drystone {

/// How a unit picks its color among those that no neighbour has (Poulsen 2010, §4.3).
enum class ColorChoice : std::uint8_t {
  kGreedy,    ///< the first: few colors of uneven size
  kBalanced,  ///< the least used of as many as `greedy` needs: colors of even size
};

/// What is colored.
enum class ColorUnit : std::uint8_t {
  kContact,   ///< every contact on its own
  kManifold,  ///< all contacts of a pair of bodies together (Poulsen 2010, §8.3): fewer colors
};

struct ColoringSettings {
  ColorChoice choice = ColorChoice::kGreedy;
  ColorUnit unit = ColorUnit::kManifold;
  Real leastShare = 0.002;  ///< of the units: smaller colors are merged into the unsafe one
  /// Contacts and joint rows of the largest islands that become a unit each, of a first phase, with
  /// their blocks in the order of the colors; 0: none do. Of a problem in body form.
  int islandSize = 0;
  bool operator==(const ColoringSettings&) const = default;

  void visit(SettingVisitor& visitor);
  void visitColors(SettingVisitor& visitor);
  void visitUnit(SettingVisitor& visitor);
};

/// Colors the edges of the contact graph, in which moving bodies are the nodes and joints and
/// contacts the edges; bodies that nothing moves are no nodes, so that contacts with them alone are
/// free of each other. Units of one color share no body and make up a safe phase of the plan. Of a
/// problem in assembled form every block is a unit, and those with an entry of A between them are
/// neighbours.
///
/// There are at most 64 colors. Units that find none of them free, and those of colors that hold
/// less than `leastShare` of all, make up the last phase, the unsafe color, which is swept
/// simultaneously: a phase costs the threads a meeting, whatever its size (Poulsen 2010, §4.3.1).
class Coloring {
 public:
  void reserve(const ProblemSize& size);
  void plan(const ContactProblem& problem, const ColoringSettings& settings, SweepPlan& plan);

 private:
  struct Unit {
    int firstBlock, endBlock;
    int bodyA, bodyB;
    int color;
    int island;  ///< root of its small island, a body; −1: it is in none
  };

  void findUnits(const ContactProblem& problem, ColorUnit unit);
  int colorGreedily();
  void colorEvenly(int colors);
  /// Takes the units of small islands out of the colors.
  void gatherIslands(const ContactProblem& problem, int islandSize);
  int rootOf(int body);
  void mergeSmallColors(Real leastShare);
  void writeIslands(SweepPlan& plan);
  void writePlan(const ContactProblem& problem, SweepPlan& plan);
  /// Bit c: color c is taken by a neighbour.
  std::uint64_t taken(const Unit& unit) const;
  void take(const Unit& unit);

  const BlockSparseMatrix* matrix_ = nullptr;  // of a problem in assembled form
  std::vector<Unit> units_;
  std::vector<std::uint64_t> takenAt_;  // [bodies], or [blocks] in assembled form
  std::vector<int> sizes_;              // [colors + 1] units; the last is the unsafe color
  std::vector<int> cursor_;             // [colors + 1]
  std::vector<int> parent_;             // [bodies] towards the root of its island
  std::vector<int> islandSize_;         // [bodies] of a root: contacts and joint rows
  std::vector<int> islandUnits_;        // units of small islands, island by island
};

}  // namespace drystone
