#include "solvers/linear/interior_sides.h"

namespace drystone {

Real InteriorSides::add(int index, Real lower, Real upper, Real gap, Real x) {
  Unknown& unknown = unknowns_.emplace_back(Unknown{.index = index});
  if (lower == -kInfinity) {
    unknown.upper.gap = std::max(upper - x, gap);
    return upper - unknown.upper.gap;
  }
  unknown.lower.gap = std::clamp(x - lower, gap, upper - lower - gap);
  unknown.upper.gap = upper - lower - unknown.lower.gap;
  return lower + unknown.lower.gap;
}

void InteriorSides::start(Real product) {
  product /= std::max<Real>(static_cast<Real>(unknowns_.size()), 1);
  for (Unknown& unknown : unknowns_) {
    unknown.lower.take = product / unknown.lower.gap;
    unknown.upper.take = product / unknown.upper.gap;
  }
}

void InteriorSides::addPulls(std::span<Real> right) const {
  for (const Unknown& unknown : unknowns_) {
    right[unknown.index] += unknown.lower.pull - unknown.upper.pull;
  }
}

void InteriorSides::move(Real share) {
  for (Unknown& unknown : unknowns_) {
    unknown.lower.gap += share * unknown.step;
    unknown.upper.gap -= share * unknown.step;
    unknown.lower.take += share * unknown.lower.takeStep;
    unknown.upper.take += share * unknown.upper.takeStep;
  }
}

void InteriorSides::aim(Real target, bool corrects) {
  const auto pull = [&](const Side& side, Real gapStep) {
    return (target - (corrects ? gapStep * side.takeStep : 0)) / side.gap;
  };
  for (Unknown& unknown : unknowns_) {
    unknown.lower.pull = pull(unknown.lower, unknown.step);
    unknown.upper.pull = pull(unknown.upper, -unknown.step);
  }
}

void InteriorSides::follow(std::span<const Real> step) {
  for (Unknown& unknown : unknowns_) {
    unknown.step = step[unknown.index];
    Side& lower = unknown.lower;
    Side& upper = unknown.upper;
    lower.takeStep = lower.pull - lower.take * (1 + unknown.step / lower.gap);
    upper.takeStep = upper.pull - upper.take * (1 - unknown.step / upper.gap);
  }
}

Real InteriorSides::longestStep() const {
  Real share = kInfinity;
  const auto limit = [&](Real value, Real step) {
    if (step < 0) share = std::min(share, -value / step);
  };
  for (const Unknown& unknown : unknowns_) {
    limit(unknown.lower.gap, unknown.step);
    limit(unknown.upper.gap, -unknown.step);
    limit(unknown.lower.take, unknown.lower.takeStep);
    limit(unknown.upper.take, unknown.upper.takeStep);
  }
  return share;
}

InteriorSides::Products InteriorSides::products(Real share) const {
  Products products;
  const auto add = [&](const Side& side, Real gapStep) {
    if (!(side.gap < kInfinity)) return;
    const Real product = (side.gap + share * gapStep) * (side.take + share * side.takeStep);
    products.sum += product;
    ++products.count;
  };
  for (const Unknown& unknown : unknowns_) {
    add(unknown.lower, unknown.step);
    add(unknown.upper, -unknown.step);
  }
  return products;
}

}  // namespace drystone
