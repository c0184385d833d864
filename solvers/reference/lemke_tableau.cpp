#include "solvers/reference/lemke_tableau.h"

#include <algorithm>
#include <cmath>

#include "core/hash.h"

namespace drystone {
namespace {

/// Entries of an entering column below this share of its largest are round-off, no pivots.
constexpr Real kLeastPivot = 1e-10;
/// Differences of the rows below this share of the largest entry of the column are ties, in q̄ and
/// in B⁻¹.
constexpr Real kTie = 1e-12;
constexpr Real kInverseTie = 1e-11;
/// Of tied rows, those with pivots below this share of the largest one may not leave: accuracy is
/// worth more than the proof that the method ends.
constexpr Real kLeastTiedPivot = 1e-4;

/// A basis is the exclusive or of these over its variables.
std::uint64_t variableHash(int variable) {
  return mixKeys(static_cast<std::uint64_t>(variable), 0);
}

}  // namespace

void LemkeTableau::reserve(int size) {
  const auto rows = static_cast<std::size_t>(size);
  values_.reserve(rows * (rows + 2));
  for (auto* array : {&basic_, &reference_, &ties_}) array->reserve(rows);
  nonbasic_.reserve(rows + 1);
  place_.reserve(2 * rows + 1);
}

void LemkeTableau::reset(int size) {
  size_ = size;
  pivots_ = 0;
  values_.assign(start(size + 2), 0);
  basic_.resize(size);
  nonbasic_.resize(size + 1);
  reference_.resize(size);
  place_.resize(2 * rows() + 1);
  for (int k = 0; k < size; ++k) basic_[k] = reference_[k] = place_[k] = k;
  for (int k = 0; k <= size; ++k) {
    nonbasic_[k] = size + k;
    place_[size + k] = -1 - k;
  }
  std::fill_n(column(size).begin(), size, -1.0);
}

Real LemkeTableau::ray(int k) const {
  const int place = place_[size_ + k];
  return place >= 0 ? -at(rayColumn_)[place] : place == -1 - rayColumn_ ? 1 : 0;
}

bool LemkeTableau::enter(std::span<const std::uint8_t> basicZ, const Allowance& allowance) {
  for (int k = 0; k < size_; ++k) {
    if (!basicZ[k]) continue;
    if (allowance.isLate()) return false;
    const std::span<const Real> entries = column(-1 - place_[size_ + k]);
    int best = -1;
    Real largest = 0;
    for (int row = 0; row < size_; ++row) {
      if (basic_[row] < size_ && basicZ[basic_[row]] && std::abs(entries[row]) > largest) {
        best = row;
        largest = std::abs(entries[row]);
      }
    }
    if (best < 0 || !std::isfinite(largest)) return false;
    pivot(best, -1 - place_[size_ + k]);
  }
  const std::span<Real> artificial = column(-1 - place_.back());
  std::fill(artificial.begin(), artificial.end(), -1.0);
  std::copy(basic_.begin(), basic_.end(), reference_.begin());
  return true;
}

Real LemkeTableau::z(int k) const {
  const int row = place_[size_ + k];
  return row >= 0 ? at(size_ + 1)[row] : 0;
}

LemkeTableau::Ending LemkeTableau::run(int maxPivots, const Allowance& allowance) {
  pivots_ = 0;
  const int row = firstRow();
  if (row < 0) return Ending::kSolved;
  if (!allowance.take()) return Ending::kPivotLimit;
  int entering = complement(basic_[row]);
  pivot(row, size_);
  // Brent's search for a cycle: the basis at the last power of two, until one equals it.
  std::uint64_t basis = 0, mark = 0;
  int nextMark = 1;
  const int artificial = 2 * size_;
  while (pivots_ < maxPivots && allowance.take()) {
    const int column = -1 - place_[entering];
    const int leaving = leavingRow(column);
    if (leaving < 0) {
      rayColumn_ = column;
      return Ending::kRay;
    }
    const int variable = basic_[leaving];
    if (!std::isfinite(at(column)[leaving])) return Ending::kNotFinite;
    pivot(leaving, column);
    if (variable == artificial) return Ending::kSolved;
    basis ^= variableHash(variable) ^ variableHash(entering);
    if (basis == mark) return Ending::kCycled;
    if (pivots_ >= nextMark) {
      mark = basis;
      nextMark *= 2;
    }
    entering = complement(variable);
  }
  return Ending::kPivotLimit;
}

/// Where z_0 enters: the lexicographically least row of (q̄, I), or −1 when q̄ ≥ 0.
int LemkeTableau::firstRow() const {
  const Real* q = at(size_ + 1);
  Real scale = 0;
  for (int row = 0; row < size_; ++row) scale = std::max(scale, std::abs(q[row]));
  int least = -1;
  for (int row = 0; row < size_; ++row) {
    if (q[row] < -kTie * scale && (least < 0 || q[row] <= q[least])) least = row;
  }
  return least;
}

/// Lexicographic ratio test over the rows of (q̄, B⁻¹), where column k of B⁻¹ is that of the
/// variable that was basic in row k at first; −1: no row limits the column. z_0 leaves whenever it
/// can, since that ends the method.
int LemkeTableau::leavingRow(int column) {
  const Real* entries = at(column);
  const Real* q = at(size_ + 1);
  Real largest = 0, scale = 0;
  for (int row = 0; row < size_; ++row) {
    largest = std::max(largest, std::abs(entries[row]));
    scale = std::max(scale, std::abs(q[row]));
  }
  const Real least = kLeastPivot * largest;
  Real ratio = kInfinity;
  for (int row = 0; row < size_; ++row) {
    if (entries[row] > least) ratio = std::min(ratio, std::max(q[row], 0.0) / entries[row]);
  }
  if (!(ratio < kInfinity)) return -1;
  ties_.clear();
  for (int row = 0; row < size_; ++row) {
    if (entries[row] > least && q[row] <= ratio * entries[row] + kTie * scale) {
      if (basic_[row] == 2 * size_) return row;
      ties_.push_back(row);
    }
  }
  Real largestTied = 0;
  for (const int row : ties_) largestTied = std::max(largestTied, entries[row]);
  std::erase_if(ties_, [&](int row) { return entries[row] < kLeastTiedPivot * largestTied; });
  for (int k = 0; k < size_ && ties_.size() > 1; ++k) {
    const int place = place_[reference_[k]];
    const Real* inverse = place < 0 ? at(-1 - place) : nullptr;
    if (inverse == entries) continue;
    const auto value = [&](int row) { return inverse ? inverse[row] : row == place ? 1 : 0; };
    Real smallest = kInfinity;
    for (const int row : ties_) smallest = std::min(smallest, value(row) / entries[row]);
    const Real slack =
        inverse ? kInverseTie * Eigen::Map<const VecX>(inverse, size_).cwiseAbs().maxCoeff() : 0;
    std::erase_if(ties_, [&](int row) { return value(row) > smallest * entries[row] + slack; });
  }
  return ties_.front();
}

/// Exchanges the variables of a row and a column: a rank-one update by columns, of which those
/// without an entry in the row stay as they are.
void LemkeTableau::pivot(int row, int column) {
  using Column = Eigen::Map<VecX>;
  ++pivots_;
  Column entering(values_.data() + start(column), size_);
  const Real inverse = 1 / entering[row];
  entering[row] = 0;
  for (int k = 0; k < size_ + 2; ++k) {
    Real* other = values_.data() + start(k);
    if (k == column || other[row] == 0) continue;
    const Real factor = other[row] * inverse;
    Column(other, size_) -= factor * entering;
    other[row] = factor;
  }
  entering *= -inverse;
  entering[row] = inverse;
  std::swap(basic_[row], nonbasic_[column]);
  place_[basic_[row]] = row;
  place_[nonbasic_[column]] = -1 - column;
}

}  // namespace drystone
