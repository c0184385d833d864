#include "tests/support/known_problem.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "solvers/problem/problem_ops.h"
#include "tests/support/matrices.h"
#include "tests/support/problem_builder.h"

namespace drystone::test {
namespace {

bool chance(Random& random, Real share) { return random.uniform() < share; }
int pick(Random& random, int count) { return static_cast<int>(random.uniform() * count); }

Vec3 randomVector(Random& random) {
  return {random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
}
Vec3 randomDirection(Random& random) {
  const Vec3 v = randomVector(random);
  return v.norm() > 0.1 ? Vec3(v.normalized()) : Vec3::UnitX();
}

/// The norm by which a model bounds friction, and its dual, by which friction works.
Real boundNorm(FrictionModel model, const Real* t) {
  if (model == FrictionModel::kDiamond) return std::abs(t[0]) + std::abs(t[1]);
  if (model == FrictionModel::kCone) return std::hypot(t[0], t[1]);
  if (model == FrictionModel::kContensou) return std::hypot(t[0], t[1], 1.5 * t[2]);
  return std::max(std::abs(t[0]), std::abs(t[1]));
}

/// The impulse of friction with radius 1 against a slip w_t ≠ 0.
void slipImpulse(FrictionModel model, const Real* w, Real* t) {
  if (model == FrictionModel::kDiamond) {
    const bool first = std::abs(w[0]) >= std::abs(w[1]);
    t[0] = first ? -std::copysign(1, w[0]) : 0;
    t[1] = first ? 0 : -std::copysign(1, w[1]);
  } else if (model == FrictionModel::kCone) {
    for (int i = 0; i < 2; ++i) t[i] = -w[i] / std::hypot(w[0], w[1]);
  } else if (model == FrictionModel::kContensou) {
    const Real norm = std::hypot(w[0], w[1], w[2] / 1.5);
    for (int i = 0; i < 2; ++i) t[i] = -w[i] / norm;
    t[2] = -w[2] / (1.5 * 1.5 * norm);
  } else {
    for (int i = 0; i < 2; ++i) t[i] = -std::copysign(1, w[i]);
  }
}

/// Bodies, contacts of one model and joints, of mass ratios to 1e6, compliance to 1e4/m, μ to 1e6.
StoredProblem randomProblem(Random& random, FrictionModel model) {
  ProblemBuilder builder(model);
  const int bodies = 1 + pick(random, 4);
  std::vector<Vec3> positions;
  for (int i = 0; i < bodies; ++i) {
    const Real mass = logUniform(random, 1e-3, 1e3);
    const Real radius = logUniform(random, 0.1, 20);
    const Vec3 radii = radius * Vec3(random.uniform(0.3, 1), random.uniform(0.3, 1), 1);
    positions.push_back(3 * randomVector(random));
    builder.addBody(mass, mass * radii.cwiseAbs2(), positions.back());
  }
  const int blocks = 2 + pick(random, 5);
  for (int i = 0; i < blocks; ++i) {
    const int b = pick(random, bodies);
    const int a = pick(random, b + 1) - 1;
    const Vec3 point = positions[b] + randomVector(random);
    if (i == 0 || chance(random, 0.7)) {
      const Real friction = chance(random, 0.1) ? 0 : logUniform(random, 1e-3, 1e6);
      builder.addContact(a, b, point, randomDirection(random), friction,
                         logUniform(random, 1e-3, 1e3));
    } else if (chance(random, 0.5)) {
      builder.addBallJoint(a, b, point);
    } else {
      const Real lower = chance(random, 0.3) ? -kInfinity : random.uniform(-2, 0);
      const bool isFixed = std::isfinite(lower) && chance(random, 0.2);
      const Real upper = isFixed ? lower : chance(random, 0.3) ? kInfinity : 1;
      builder.addAngularRow(a, b, randomDirection(random), lower, upper);
    }
  }
  if (chance(random, 0.5)) builder.setCompliance(logUniform(random, 1e-6, 1e4));
  return builder.build();
}

}  // namespace

Real logUniform(Random& random, Real low, Real high) {
  return std::exp(random.uniform(std::log(low), std::log(high)));
}

KnownProblem::KnownProblem(Random& random, FrictionModel model, Real speed)
    : random_(random), model_(model), speed_(speed), problem_(randomProblem(random, model)) {
  exact_.lambda.assign(problem_.b.size(), 0);
  exact_.w.assign(problem_.b.size(), 0);
  for (int block = 0; block < blockCount(); ++block) {
    DiagonalBlock diagonal;
    diagonalBlock(problem_.view(), block, diagonal.data());
    const int size = rowsOf(block);
    const Eigen::Map<const MatX> matrix(diagonal.data(), size, size);
    velocityOfUnit_.push_back(symmetricEigenvalues(matrix)[size - 1]);
    makeExact(block);
  }
}

JudgeReport KnownProblem::judged(const Pair& pair) {
  std::vector<Vec6> bodyVelocity(problem_.bodies.size());
  std::vector<Real> product(pair.w.size());
  applyDelassus(problem_.view(), pair.lambda, bodyVelocity, product);
  roundOff_ = 0;
  for (std::size_t row = 0; row < product.size(); ++row) {
    problem_.b[row] = pair.w[row] - product[row];
    roundOff_ = std::max(roundOff_, 1e-15 * std::abs(product[row]));
  }
  for (int block = 0; block < blockCount(); ++block) {
    for (int row = firstOf(block); row < firstOf(block) + rowsOf(block); ++row) {
      const Real size = velocityOfUnit_[block] * std::abs(pair.lambda[row]);
      roundOff_ = std::max(roundOff_, 1e-15 * size);
    }
  }
  return judge(problem_.view(), pair.lambda, workspace_);
}

Real KnownProblem::largestFriction() const {
  Real largest = 0;
  for (const ProblemBlock& block : problem_.blocks) largest = std::max(largest, block.friction);
  return largest;
}

JudgeReport KnownProblem::changed(Real v) {
  std::vector<Real> change(exact_.lambda.size(), 0), moved(change.size());
  const int first = pick(random_, blockCount());
  const int count = 1 + pick(random_, blockCount() - first);
  for (int block = first; block < first + count; ++block) {
    for (int row = firstOf(block); row < firstOf(block) + rowsOf(block); ++row) {
      change[row] = random_.uniform(-1, 1) / velocityOfUnit_[block];
    }
  }
  std::vector<Vec6> bodyVelocity(problem_.bodies.size());
  applyDelassus(problem_.view(), change, bodyVelocity, moved);
  Real fastest = 0;
  for (const Real w : moved) fastest = std::max(fastest, std::abs(w));
  for (std::size_t row = 0; row < change.size(); ++row) {
    change[row] = exact_.lambda[row] + v / fastest * change[row];
  }
  return judge(problem_.view(), change, workspace_);
}

std::string KnownProblem::breakLaw(Real v, Pair& pair) {
  const int block = pick(random_, blockCount());
  if (problem_.blocks[block].law == BlockLaw::kRows) return breakRow(block, v, pair);
  return breakContact(block, v, pair);
}

void KnownProblem::randomTangent(int count, Real* t) {
  Real squared = 0;
  for (int i = 0; i < count; ++i) {
    t[i] = random_.uniform(0.2, 1) * (chance(random_, 0.5) ? 1 : -1);
    squared += t[i] * t[i];
  }
  for (int i = 0; i < count; ++i) t[i] /= std::sqrt(squared);
}

void KnownProblem::setFriction(const ProblemBlock& block, bool slips, Real slip, Real share,
                               Pair& pair) {
  const int tangents = block.rows - 1;
  if (tangents == 0) return;
  Real* t = &pair.lambda[block.firstRow + 1];
  Real* w = &pair.w[block.firstRow + 1];
  Real direction[3] = {};
  randomTangent(tangents, direction);
  for (int i = 0; i < tangents; ++i) w[i] = slips ? slip * direction[i] : 0;
  const Real size = radius(block, pair.lambda[block.firstRow]);
  if (slips) {
    slipImpulse(model_, direction, t);
    for (int i = 0; i < tangents; ++i) t[i] *= size;
  } else {
    const Real norm = boundNorm(model_, direction);
    for (int i = 0; i < tangents; ++i) t[i] = share * size / norm * direction[i];
  }
}

void KnownProblem::makeExact(int index) {
  ProblemBlock& block = problem_.blocks[index];
  const Real unit = velocityOfUnit_[index];
  Real* lambda = &exact_.lambda[block.firstRow];
  Real* w = &exact_.w[block.firstRow];
  if (block.law == BlockLaw::kRows) {
    for (int i = 0; i < block.rows; ++i) makeExactRow(block.firstRow + i, unit);
    return;
  }
  block.normalBound *= speed_ / unit;
  const bool isOpen = chance(random_, 0.3);
  w[0] = isOpen ? speed() : 0;
  lambda[0] = isOpen ? 0 : speed() / unit;
  // An open contact moves as it likes.
  const bool slips = isOpen || chance(random_, 0.5);
  setFriction(block, slips, speed(), random_.uniform(0, 0.9), exact_);
}

void KnownProblem::makeExactRow(int row, Real unit) {
  Real& lower = problem_.lower[row];
  Real& upper = problem_.upper[row];
  lower *= speed_ / unit;
  upper *= speed_ / unit;
  const int at = lower == upper ? 1 + pick(random_, 2) : pick(random_, 3);
  if (at == 1 && std::isfinite(lower)) {
    exact_.lambda[row] = lower;
    exact_.w[row] = speed();
  } else if (at == 2 && std::isfinite(upper)) {
    exact_.lambda[row] = upper;
    exact_.w[row] = -speed();
  } else {
    const Real low = std::isfinite(lower) ? lower : -speed() / unit;
    const Real high = std::isfinite(upper) ? upper : speed() / unit;
    exact_.lambda[row] = random_.uniform(low, high);
  }
}

std::string KnownProblem::breakRow(int block, Real v, Pair& pair) {
  const int row = firstOf(block) + pick(random_, rowsOf(block));
  const Real impulse = 1.5 * v / velocityOfUnit_[block];
  const Real lower = problem_.lower[row];
  const Real upper = problem_.upper[row];
  const int way = pick(random_, 3);
  if (way == 0 && std::isfinite(upper)) {
    pair.lambda[row] = upper + impulse;
    return "an impulse beyond its upper bound";
  }
  if (way == 1 && std::isfinite(lower)) {
    pair.lambda[row] = lower - impulse;
    return "an impulse beyond its lower bound";
  }
  if (lower == upper) return "";
  const bool isUp = chance(random_, 0.5);
  // A row may move off the bound that it is at, not off the other.
  const Real bound = isUp ? lower : upper;
  pair.w[row] = isUp ? 1.5 * v : -1.5 * v;
  if (!std::isfinite(bound)) return "a row that moves away from no bound";
  pair.lambda[row] = bound + (isUp ? impulse : -impulse);
  return "a row that moves before it is at its bound";
}

std::string KnownProblem::breakContact(int index, Real v, Pair& pair) {
  const ProblemBlock& block = problem_.blocks[index];
  const Real unit = velocityOfUnit_[index];
  const int way = pick(random_, 8);
  return way < 4 ? breakNormal(way, block, unit, v, pair)
                 : breakFriction(way, block, unit, v, pair);
}

std::string KnownProblem::breakNormal(int way, const ProblemBlock& block, Real unit, Real v,
                                      Pair& pair) {
  const int tangents = block.rows - 1;
  const Real mu = block.friction;
  Real* lambda = &pair.lambda[block.firstRow];
  Real* w = &pair.w[block.firstRow];
  if (way == 0) {
    // With the slip whose shift hides it.
    lambda[0] = 2 * speed() / unit;
    setFriction(block, false, 0, 0.5, pair);
    if (tangents > 0 && mu > 0) randomTangent(tangents, w + 1);
    for (int i = 1; i <= tangents && mu > 0; ++i) w[i] *= v / mu;
    w[0] = -v;
    return "penetration at V";
  }
  if (way == 1) {
    lambda[0] = -1.01 * v / unit;
    return "a contact that pulls";
  }
  if (way == 2) {
    w[0] = v;
    lambda[0] = v / unit;
    setFriction(block, false, 0, random_.uniform(0, 1), pair);
    return "an open contact that pushes";
  }
  if (tangents == 0 || !followsNormal() || !(mu > 1e-3)) return "";
  // Friction alone, of a normal impulse as small as it may be.
  w[0] = v * logUniform(random_, 1, 1e3);
  lambda[0] = 4 * v / unit / mu;
  setFriction(block, false, 0, 1, pair);
  return "an open contact with friction";
}

std::string KnownProblem::breakFriction(int way, const ProblemBlock& block, Real unit, Real v,
                                        Pair& pair) {
  const int tangents = block.rows - 1;
  if (tangents == 0) return "";
  const Real mu = block.friction;
  Real* lambda = &pair.lambda[block.firstRow];
  Real* w = &pair.w[block.firstRow];
  lambda[0] = std::max(lambda[0], speed() / unit);
  w[0] = 0;
  const Real size = radius(block, lambda[0]);
  // Euclidean distance and the bounding norm differ by less than 2.
  const Real margin = 2 * (1 + mu) * v / unit;
  if (way == 4) {
    setFriction(block, chance(random_, 0.5), speed(), 1, pair);
    const Real norm = boundNorm(model_, lambda + 1);
    for (int i = 1; i <= tangents && norm > 0; ++i) lambda[i] *= (size + margin) / norm;
    if (norm == 0) lambda[1] = margin;
    return "friction beyond its bound";
  }
  if (mu == 0 || (model_ == FrictionModel::kBox && !(size > 2 * margin))) return "";
  // Room in the set, so that no exact pair near by is at its edge.
  lambda[0] = std::max(lambda[0], 4 * margin / mu);
  if (way == 5) {
    setFriction(block, false, 0, 0.4, pair);
    randomTangent(tangents, w + 1);
    for (int i = 1; i <= tangents; ++i) w[i] *= v;
    return "slip without all of the friction";
  }
  setFriction(block, true, 2 * v * logUniform(random_, 1, 1e3), 0, pair);
  for (int i = 1; i <= tangents; ++i) lambda[i] = -lambda[i];
  return "friction along the slip";
}

}  // namespace drystone::test
