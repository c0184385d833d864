#include "solvers/problem/contact_lanes.h"

#include <cstring>

#include "core/lanes.h"
#include "solvers/problem/cone_math.h"
#include "solvers/problem/judge.h"

namespace drystone {
namespace {

using V = wide::Lanes<Real>;
constexpr int kWidth = wide::kLanes<Real>;

/// Blocks in the lanes. Where fewer are left, the last of them takes the other lanes too.
struct Quad {
  int at;                            ///< of the first one in arrays by block
  int used;                          ///< lanes with a block of their own
  const ProblemBlock* info[kWidth];  ///< of the lane
  int row[kWidth];                   ///< first of the block
};

DRYSTONE_INLINE Quad quadAt(const LaneBlocks& blocks, int first) {
  const int left = blocks.last - first;
  Quad quad;
  quad.at = first - blocks.first;
  quad.used = left < kWidth ? left : kWidth;
  for (int lane = 0; lane < kWidth; ++lane) {
    quad.info[lane] = &blocks.problem.blocks[first + (lane < left ? lane : left - 1)];
    quad.row[lane] = quad.info[lane]->firstRow;
  }
  return quad;
}

/// One row of each block.
DRYSTONE_INLINE V loadRow(const Quad& quad, const Real* values, int i) {
  return V{values[quad.row[0] + i], values[quad.row[1] + i], values[quad.row[2] + i],
           values[quad.row[3] + i]};
}
DRYSTONE_INLINE void loadRows(const Quad& quad, const Real* values, V* rows) {
  for (int i = 0; i < 3; ++i) rows[i] = loadRow(quad, values, i);
}
DRYSTONE_INLINE V loadFriction(const Quad& quad) {
  return V{quad.info[0]->friction, quad.info[1]->friction, quad.info[2]->friction,
           quad.info[3]->friction};
}
DRYSTONE_INLINE void storeRow(const Quad& quad, const V& row, int i, Real* values) {
  for (int lane = 0; lane < quad.used; ++lane) values[quad.row[lane] + i] = row[lane];
}

/// Of each block, in arrays by block.
DRYSTONE_INLINE V loadBlocks(const Quad& quad, const Real* values) {
  V loaded;
  for (int lane = 0; lane < kWidth; ++lane) {
    loaded[lane] = values[quad.at + (lane < quad.used ? lane : quad.used - 1)];
  }
  return loaded;
}

/// kCount ≥ 4 numbers of each lane that lie one after another. The last four may overlap others.
template <int kCount>
DRYSTONE_INLINE void loadMany(const Real* const* from, V* values) {
  for (int k = 0; k < kCount; k += kWidth) {
    const int at = k + kWidth <= kCount ? k : kCount - kWidth;
    V four[kWidth] = {wide::loadLanes(from[0] + at), wide::loadLanes(from[1] + at),
                      wide::loadLanes(from[2] + at), wide::loadLanes(from[3] + at)};
    wide::transpose(four);
    for (int i = 0; i < kWidth; ++i) values[at + i] = four[i];
  }
}

constexpr int kJacobian = 18;  ///< numbers of three rows
/// Stands for whatever a lane without a body would read.
constexpr Real kNothing[kJacobian] = {};

/// Rows of J on one body of each block.
struct Side {
  int body[kWidth];
  V jacobian[kJacobian];
};

DRYSTONE_INLINE Side loadSide(const Quad& quad, int ProblemBlock::*body,
                              std::span<const Vec6> jacobian) {
  Side side;
  const Real* from[kWidth];
  for (int lane = 0; lane < kWidth; ++lane) {
    side.body[lane] = quad.info[lane]->*body;
    from[lane] = side.body[lane] < 0 ? kNothing : jacobian[quad.row[lane]].data();
  }
  loadMany<kJacobian>(from, side.jacobian);
  return side;
}

/// x · y in the order of two lanes, as Eigen has it.
DRYSTONE_INLINE V dotOfSix(const V* x, const V* y) {
  const V even = x[0] * y[0] + (x[2] * y[2] + x[4] * y[4]);
  const V odd = x[1] * y[1] + (x[3] * y[3] + x[5] * y[5]);
  return even + odd;
}

constexpr int kUpper = 6;                ///< entries of a symmetric matrix, row by row
constexpr int kDiagonal[3] = {0, 3, 5};  ///< those on the diagonal

/// Adds J M⁻¹ Jᵀ of one body of each block.
DRYSTONE_INLINE void addToDiagonal(const Side& side, std::span<const InverseInertia> bodies,
                                   V* upper) {
  const Real* from[kWidth];
  V mass{}, inertia[9];
  for (int lane = 0; lane < kWidth; ++lane) {
    const int body = side.body[lane];
    from[lane] = body < 0 ? kNothing : bodies[body].inverseInertia.data();
    mass[lane] = body < 0 ? 0 : bodies[body].inverseMass;
  }
  loadMany<9>(from, inertia);
  for (int i = 0; i < 3; ++i) {
    const V* row = side.jacobian + 6 * i;
    V weighted[6];
    for (int k = 0; k < 3; ++k) weighted[k] = mass * row[k];
    // Eigen takes the first two entries as one vector, and has another order for the third.
    for (int k = 0; k < 2; ++k) {
      weighted[3 + k] = inertia[k] * row[3] + inertia[3 + k] * row[4] + inertia[6 + k] * row[5];
    }
    weighted[5] = inertia[2] * row[3] + (inertia[5] * row[4] + inertia[8] * row[5]);
    for (int j = i; j < 3; ++j) *upper++ += dotOfSix(weighted, side.jacobian + 6 * j);
  }
}

DRYSTONE_INLINE bool areAll(const Quad& quad, const bool* marks) {
  bool are = true;
  for (int lane = 0; lane < quad.used; ++lane) are = are && marks[quad.at + lane];
  return are;
}

DRYSTONE_INLINE void measureLanes(const LaneBlocks& blocks, const bool* skip, Real* diagonal,
                                  Real* largest) {
  const ContactProblem& problem = blocks.problem;
  for (int first = blocks.first; first < blocks.last; first += kWidth) {
    const Quad quad = quadAt(blocks, first);
    if (skip != nullptr && areAll(quad, skip)) continue;
    V upper[kUpper] = {};
    addToDiagonal(loadSide(quad, &ProblemBlock::bodyA, problem.jacobianA), problem.bodies, upper);
    addToDiagonal(loadSide(quad, &ProblemBlock::bodyB, problem.jacobianB), problem.bodies, upper);
    for (int i = 0; i < 3; ++i) {
      V& entry = upper[kDiagonal[i]];
      if (!problem.compliance.empty()) entry += loadRow(quad, problem.compliance.data(), i);
      storeRow(quad, entry, i, diagonal);
    }
    const V eigenvalue = largestEigenvalueOfThree<V>(upper);
    for (int lane = 0; lane < quad.used; ++lane) largest[quad.at + lane] = eigenvalue[lane];
  }
}

/// Adds J v of one body of each block.
DRYSTONE_INLINE void addVelocity(const Side& side, const Vec6* bodyVelocity, V* y) {
  const Real* from[kWidth];
  for (int lane = 0; lane < kWidth; ++lane) {
    from[lane] = side.body[lane] < 0 ? kNothing : bodyVelocity[side.body[lane]].data();
  }
  V velocity[6];
  loadMany<6>(from, velocity);
  for (int i = 0; i < 3; ++i) y[i] += dotOfSix(side.jacobian + 6 * i, velocity);
}

DRYSTONE_INLINE void velocityLanes(const LaneBlocks& blocks, const Vec6* bodyVelocity,
                                   const Real* x, Real* y) {
  const ContactProblem& problem = blocks.problem;
  for (int first = blocks.first; first < blocks.last; first += kWidth) {
    const Quad quad = quadAt(blocks, first);
    V sum[3] = {};
    for (int i = 0; i < 3 && !problem.compliance.empty(); ++i) {
      sum[i] = loadRow(quad, problem.compliance.data(), i) * loadRow(quad, x, i);
    }
    addVelocity(loadSide(quad, &ProblemBlock::bodyA, problem.jacobianA), bodyVelocity, sum);
    addVelocity(loadSide(quad, &ProblemBlock::bodyB, problem.jacobianB), bodyVelocity, sum);
    for (int i = 0; i < 3; ++i) storeRow(quad, sum[i], i, y);
  }
}

DRYSTONE_INLINE void errorLanes(const LaneBlocks& blocks, const Real* steps, const Real* lambda,
                                const Real* w, BlockError* errors) {
  for (int first = blocks.first; first < blocks.last; first += kWidth) {
    const Quad quad = quadAt(blocks, first);
    const V rho = loadBlocks(quad, steps);
    V ownLambda[3], ownW[3], f[3];
    loadRows(quad, lambda, ownLambda);
    loadRows(quad, w, ownW);
    coneMap<V>(loadFriction(quad), rho, ownLambda, ownW, f);
    V squared{}, impulse{};
    for (int i = 0; i < 3; ++i) {
      squared += f[i] * f[i];
      impulse += ownLambda[i] * ownLambda[i];
    }
    const V normal = partingError<V>(rho, impulse, ownLambda[0], ownW[0]);
    const V whole = wholeError<V>(squared / (rho * rho), normal);
    for (int lane = 0; lane < quad.used; ++lane) {
      errors[quad.at + lane] = {whole[lane], normal[lane]};
    }
  }
}

/// E of the three rows; friction binds each tangent as the other one leaves it (frictionSlice).
DRYSTONE_INLINE void coneEnergies(const V& mu, const V* diagonal, const V* lambda, const V* w,
                                  V* energy) {
  energy[0] = energyError<V>(diagonal[0], lambda[0], w[0], V{}, V{} + kInfinity);
  const V radius = mu * maximum<V>(V{}, lambda[0]);
  for (int i = 1; i < 3; ++i) {
    const V used = squareRoot(lambda[3 - i] * lambda[3 - i]);
    const V high = squareRoot(maximum<V>(V{}, (radius - used) * (radius + used)));
    energy[i] = energyError<V>(diagonal[i], lambda[i], w[i], -high, high);
  }
}

DRYSTONE_INLINE V squareOf(const V& x) { return x * x; }

DRYSTONE_INLINE void figureLanes(const LaneBlocks& blocks, const bool* idle, const Real* diagonal,
                                 const Real* lambda, const Real* w, JudgePart& part) {
  V relative;  // the four sums, which one block after another adds to
  std::memcpy(&relative, part.relative.sums, sizeof relative);
  Real energySum = part.rest.energySum, gap = part.rest.complementarityGap;
  V largestB{}, energyMax{}, excess{}, lowest{};
  V nothing{};  // 0 as long as all numbers are finite
  for (int first = blocks.first; first < blocks.last; first += kWidth) {
    const Quad quad = quadAt(blocks, first);
    const V mu = loadFriction(quad);
    V ownLambda[3], ownW[3], ownB[3], ownDiagonal[3], f[3], own[4];
    loadRows(quad, lambda, ownLambda);
    loadRows(quad, w, ownW);
    loadRows(quad, blocks.problem.b.data(), ownB);
    loadRows(quad, diagonal, ownDiagonal);
    coneMap<V>(mu, V{} + 1, ownLambda, ownW, f);
    V squares[3][kWidth];
    for (int i = 0; i < 3; ++i) {
      squares[i][0] = squareOf(f[i]);
      squares[i][1] = squareOf(ownB[i]);
      squares[i][2] = squareOf(ownLambda[i]);
      squares[i][3] = squareOf(ownW[i]);
      wide::transpose(squares[i]);
      largestB = maximum<V>(largestB, magnitude<V>(ownB[i]));
      nothing += ownLambda[i] * 0 + ownW[i] * 0;
    }
    nothing += mu * 0;
    coneEnergies(mu, ownDiagonal, ownLambda, ownW, own);
    own[3] = magnitude<V>(ownLambda[0] * ownW[0]);
    const V tangent = squareRoot(squareOf(ownLambda[1]) + squareOf(ownLambda[2]));
    const V beyond = tangent - mu * maximum<V>(V{}, ownLambda[0]);
    excess = maximum<V>(excess, beyond);
    lowest = minimum<V>(lowest, ownLambda[0]);
    wide::transpose(own);
    for (int lane = 0; lane < quad.used; ++lane) {
      for (int i = 0; i < 3; ++i) relative += squares[i][lane];
      gap += own[lane][3];
      if (idle[quad.at + lane]) continue;
      for (int i = 0; i < 3; ++i) energySum += own[lane][i];
      own[lane][3] = 0;
      energyMax = maximum<V>(energyMax, own[lane]);
    }
  }
  std::memcpy(part.relative.sums, &relative, sizeof relative);
  JudgeReport& report = part.rest;
  report.energySum = energySum;
  report.complementarityGap = gap;
  for (int lane = 0; lane < kWidth; ++lane) {
    report.largestB = maximum<Real>(report.largestB, largestB[lane]);
    report.energyMax = maximum<Real>(report.energyMax, energyMax[lane]);
    report.coneExcess = maximum<Real>(report.coneExcess, excess[lane]);
    report.normalImpulseMin = minimum<Real>(report.normalImpulseMin, lowest[lane]);
    report.finite = report.finite && nothing[lane] == 0;
  }
}

void measurePlain(const LaneBlocks& blocks, const bool* skip, Real* diagonal, Real* largest) {
  measureLanes(blocks, skip, diagonal, largest);
}
void velocityPlain(const LaneBlocks& blocks, const Vec6* bodyVelocity, const Real* x, Real* y) {
  velocityLanes(blocks, bodyVelocity, x, y);
}
void errorsPlain(const LaneBlocks& blocks, const Real* steps, const Real* lambda, const Real* w,
                 BlockError* errors) {
  errorLanes(blocks, steps, lambda, w, errors);
}
void figuresPlain(const LaneBlocks& blocks, const bool* idle, const Real* diagonal,
                  const Real* lambda, const Real* w, JudgePart& part) {
  figureLanes(blocks, idle, diagonal, lambda, w, part);
}

constexpr ContactLanes kPlainLanes{measurePlain, velocityPlain, errorsPlain, figuresPlain};

#ifdef __x86_64__
#define DRYSTONE_AVX2 __attribute__((target("avx2")))
DRYSTONE_AVX2 void measureAvx2(const LaneBlocks& blocks, const bool* skip, Real* diagonal,
                               Real* largest) {
  measureLanes(blocks, skip, diagonal, largest);
}
DRYSTONE_AVX2 void velocityAvx2(const LaneBlocks& blocks, const Vec6* bodyVelocity, const Real* x,
                                Real* y) {
  velocityLanes(blocks, bodyVelocity, x, y);
}
DRYSTONE_AVX2 void errorsAvx2(const LaneBlocks& blocks, const Real* steps, const Real* lambda,
                              const Real* w, BlockError* errors) {
  errorLanes(blocks, steps, lambda, w, errors);
}
DRYSTONE_AVX2 void figuresAvx2(const LaneBlocks& blocks, const bool* idle, const Real* diagonal,
                               const Real* lambda, const Real* w, JudgePart& part) {
  figureLanes(blocks, idle, diagonal, lambda, w, part);
}
#undef DRYSTONE_AVX2

constexpr ContactLanes kAvx2Lanes{measureAvx2, velocityAvx2, errorsAvx2, figuresAvx2};
#endif

}  // namespace

const ContactLanes& plainContactLanes() { return kPlainLanes; }

const ContactLanes& contactLanes() {
#ifdef __x86_64__
  if (wide::hasAvx2()) return kAvx2Lanes;
#endif
  return kPlainLanes;
}

}  // namespace drystone
