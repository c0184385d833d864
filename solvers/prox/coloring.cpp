#include "solvers/prox/coloring.h"

#include <array>
#include <bit>
#include <numeric>

namespace drystone {
namespace {

constexpr int kMaxColors = 64;  // of one word
static_assert(kMaxColors < SweepPlan::kMaxPhases);
constexpr int kUnsafe = kMaxColors;

/// Columns of the row of A that belongs to a unit.
std::span<const int> columnsOf(const BlockSparseMatrix& matrix, int block) {
  return std::span(matrix.blockColumn)
      .subspan(matrix.blockStart[block], matrix.blockStart[block + 1] - matrix.blockStart[block]);
}

}  // namespace

void ColoringSettings::visit(SettingVisitor& visitor) {
  visitColors(visitor);
  visitUnit(visitor);
}

void ColoringSettings::visitUnit(SettingVisitor& visitor) {
  static constexpr std::array<std::string_view, 2> kUnits = {"contact", "manifold"};
  visitor.choice({"color_unit", "", "what is colored"}, unit, kUnits);
}

void ColoringSettings::visitColors(SettingVisitor& visitor) {
  static constexpr std::array<std::string_view, 2> kChoices = {"greedy", "balanced"};
  visitor.choice({"coloring", "", "which free color a unit takes"}, choice, kChoices);
}

void Coloring::reserve(const ProblemSize& size) {
  units_.reserve(size.blocks);
  takenAt_.reserve(size.bodies);
  sizes_.reserve(kMaxColors + 1);
  cursor_.reserve(kMaxColors + 1);
}

void Coloring::findUnits(const ContactProblem& problem, ColorUnit unit) {
  units_.clear();
  for (int i = 0; i < problem.blockCount(); ++i) {
    const ProblemBlock& block = problem.blocks[i];
    if (unit == ColorUnit::kManifold && matrix_ == nullptr && !units_.empty()) {
      Unit& last = units_.back();
      const bool isSamePair = last.bodyA == block.bodyA && last.bodyB == block.bodyB;
      if (isSamePair && problem.blocks[last.firstBlock].law == block.law) {
        last.endBlock = i + 1;
        continue;
      }
    }
    units_.push_back({i, i + 1, block.bodyA, block.bodyB, kUnsafe});
  }
}

std::uint64_t Coloring::taken(const Unit& unit) const {
  std::uint64_t colors = 0;
  if (matrix_ != nullptr) {
    // What neighbours before it have marked here, and, should A have the entry on this side only,
    // their own colors.
    colors = takenAt_[unit.firstBlock];
    for (const int block : columnsOf(*matrix_, unit.firstBlock)) {
      if (units_[block].color != kUnsafe) colors |= std::uint64_t{1} << units_[block].color;
    }
    return colors;
  }
  if (unit.bodyA >= 0) colors |= takenAt_[unit.bodyA];
  if (unit.bodyB >= 0) colors |= takenAt_[unit.bodyB];
  return colors;
}

void Coloring::take(const Unit& unit) {
  const std::uint64_t bit = std::uint64_t{1} << unit.color;
  if (matrix_ != nullptr) {
    for (const int block : columnsOf(*matrix_, unit.firstBlock)) takenAt_[block] |= bit;
    return;
  }
  if (unit.bodyA >= 0) takenAt_[unit.bodyA] |= bit;
  if (unit.bodyB >= 0) takenAt_[unit.bodyB] |= bit;
}

/// Returns how many colors it needs.
int Coloring::colorGreedily() {
  int colors = 0;
  for (Unit& unit : units_) {
    unit.color = std::countr_one(taken(unit));
    if (unit.color == kMaxColors) continue;  // the unsafe one
    take(unit);
    colors = std::max(colors, unit.color + 1);
  }
  return colors;
}

/// A unit that finds none of the colors free opens another.
void Coloring::colorEvenly(int colors) {
  std::fill(takenAt_.begin(), takenAt_.end(), 0);
  for (Unit& unit : units_) unit.color = kUnsafe;
  std::array<int, kMaxColors> uses{};
  for (Unit& unit : units_) {
    const std::uint64_t unavailable = taken(unit);
    for (int color = 0; color < colors; ++color) {
      const bool isFree = (unavailable >> color & 1) == 0;
      if (isFree && (unit.color == kUnsafe || uses[color] < uses[unit.color])) unit.color = color;
    }
    if (unit.color == kUnsafe && colors < kMaxColors) unit.color = colors++;
    if (unit.color == kUnsafe) continue;
    ++uses[unit.color];
    take(unit);
  }
}

void Coloring::mergeSmallColors(Real leastShare) {
  const Real least = leastShare * static_cast<Real>(units_.size());
  sizes_.assign(kMaxColors + 1, 0);
  for (const Unit& unit : units_) ++sizes_[unit.color];
  for (Unit& unit : units_) {
    if (unit.color != kUnsafe && sizes_[unit.color] < least) unit.color = kUnsafe;
  }
  sizes_.assign(kMaxColors + 1, 0);
  for (const Unit& unit : units_) ++sizes_[unit.color];
}

/// Colors in order, the unsafe one last: it is mostly made up of contacts that many others lean on,
/// which converge faster so (Poulsen 2010, §7.4).
void Coloring::writePlan(const ContactProblem& problem, SweepPlan& plan) {
  plan.phases.clear();
  plan.phaseOf.resize(problem.blockCount());
  plan.blocks.clear();
  plan.unitStart.assign(1, 0);
  cursor_.assign(kMaxColors + 1, 0);
  int first = 0;
  for (int color = 0; color <= kMaxColors; ++color) {
    cursor_[color] = first;
    if (sizes_[color] == 0) continue;
    plan.phases.push_back({first, first + sizes_[color], color == kUnsafe});
    first += sizes_[color];
  }
  // Units by color, in their own order: a counting sort.
  std::vector<int>& order = plan.unitStart;
  order.resize(units_.size() + 1);
  for (std::size_t i = 0; i < units_.size(); ++i) {
    order[cursor_[units_[i].color]++] = static_cast<int>(i);
  }
  int phase = 0;
  for (std::size_t i = 0; i < units_.size(); ++i) {
    const Unit& unit = units_[order[i]];
    if (static_cast<int>(i) == plan.phases[phase].endUnit) ++phase;
    order[i] = plan.blockCount();
    for (int block = unit.firstBlock; block < unit.endBlock; ++block) {
      plan.blocks.push_back(block);
      plan.phaseOf[block] = phase;
    }
  }
  order.back() = plan.blockCount();
}

void Coloring::plan(const ContactProblem& problem, const ColoringSettings& settings,
                    SweepPlan& plan) {
  matrix_ = problem.assembled;
  findUnits(problem, settings.unit);
  takenAt_.assign(matrix_ != nullptr ? problem.blockCount() : problem.bodyCount(), 0);
  const int colors = colorGreedily();
  if (settings.choice == ColorChoice::kBalanced) colorEvenly(colors);
  mergeSmallColors(settings.leastShare);
  writePlan(problem, plan);
}

}  // namespace drystone
