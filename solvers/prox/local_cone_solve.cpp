#include "solvers/prox/local_cone_solve.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "solvers/problem/laws.h"

namespace drystone {

LocalConeSolve::LocalConeSolve(const Real* w, Real mu) : mu_(mu) {
  // A normal that the tangents outweigh by round-off cannot be told from one that does not move.
  if (!(w[0] > 1e-300)) return;
  normal_ = w[0];
  inverseNormal_ = 1 / w[0];
  a1_ = w[1] * inverseNormal_;
  a2_ = w[2] * inverseNormal_;
  c1_ = w[3] * inverseNormal_;
  c2_ = w[6] * inverseNormal_;
  s11_ = w[4] * inverseNormal_ - c1_ * a1_;
  s12_ = w[5] * inverseNormal_ - c1_ * a2_;
  s21_ = w[7] * inverseNormal_ - c2_ * a1_;
  s22_ = w[8] * inverseNormal_ - c2_ * a2_;
  // A singular S (redundant tangents, or none that moves) gets the answer of its limit: the shift
  // is below the error that the subtractions above have made.
  const Real size = (w[4] + w[8]) * inverseNormal_;
  const Real shift = 2 * std::numeric_limits<Real>::epsilon() * (size > 0 ? size : 1);
  s11_ += shift;
  s22_ += shift;
  turnTangents(size);
}

/// Turns the tangents to the axes of the symmetric part of a nearly singular S: in between, its
/// determinant and the impulse along its weak axis would be differences of large numbers, and where
/// S is singular nothing but their round-off. Cones are round, so that the problem stays the same.
void LocalConeSolve::turnTangents(Real size) {
  constexpr Real kNearlySingular = 1e-4;
  if (s11_ * s22_ - s12_ * s21_ > kNearlySingular * size * size) return;
  const Real mean = (s11_ + s22_) / 2;
  const Real half = (s11_ - s22_) / 2;
  const Real off = (s12_ + s21_) / 2;
  const Real skew = (s12_ - s21_) / 2;
  const Real radius = std::sqrt(half * half + off * off);
  const auto isRoundOff = [&](Real entry) { return std::abs(entry) <= kRoundOff * size; };
  // What a shift of the size of round-off leaves to axes on which nothing moves.
  const Real nothing = std::numeric_limits<Real>::epsilon() * size;
  if (isRoundOff(mean) && isRoundOff(radius) && isRoundOff(skew)) {
    redundantAxes_ = 2;
    s11_ = s22_ = nothing;
    s12_ = s21_ = 0;
    return;
  }
  if (!(radius > 0)) return;
  // Twice the angle has the cosine half/radius and the sine off/radius.
  const Real larger = std::sqrt((1 + std::abs(half) / radius) / 2);
  const Real smaller = off / (2 * radius * larger);
  cos_ = half >= 0 ? larger : smaller;
  sin_ = half >= 0 ? smaller : larger;
  s11_ = mean + radius;
  s22_ = mean - radius;
  s12_ = skew;
  s21_ = -skew;
  const Real a1 = a1_, c1 = c1_;
  a1_ = cos_ * a1 + sin_ * a2_;
  a2_ = cos_ * a2_ - sin_ * a1;
  c1_ = cos_ * c1 + sin_ * c2_;
  c2_ = cos_ * c2_ - sin_ * c1;
  if (!isRoundOff(s22_) || !isRoundOff(skew)) return;
  redundantAxes_ = 1;
  s22_ = nothing;
  s12_ = s21_ = 0;
}

/// λ_t(s) = −N(s)/d(s) and λ_n(s) = (d + a·N)/d with N = adj(S + s 1) r, d = det(S + s 1).
struct LocalConeSolve::Scaled {
  Real r1, r2;      ///< right-hand side
  Real n1, n2;      ///< N(0)
  Real det, trace;  ///< of S
  Real ar;          ///< a · r
};

bool LocalConeSolve::findSlip(const Scaled& problem, Real& s) const {
  const auto& [r1, r2, n01, n02, det, trace, ar] = problem;
  constexpr int kMaxSteps = 200;
  constexpr Real kEpsilon = std::numeric_limits<Real>::epsilon();
  Real low = 0;
  Real high = std::numeric_limits<Real>::infinity();
  if (!(s > 0 && std::isfinite(s))) s = 0;
  for (int step = 0; step < kMaxSteps; ++step) {
    // h(s) = μ λ_n/‖λ_t‖ − 1, which tends to a straight line for large s.
    const Real n1 = n01 + s * r1;
    const Real n2 = n02 + s * r2;
    const Real d = det + s * (trace + s);
    const Real squared = n1 * n1 + n2 * n2;
    const Real inverseNorm = 1 / std::sqrt(squared);
    const Real normal = mu_ * (d + a1_ * n1 + a2_ * n2);
    const Real h = normal * inverseNorm - 1;
    const Real slope =
        (mu_ * (trace + 2 * s + ar) - normal * (n1 * r1 + n2 * r2) * (inverseNorm * inverseNorm)) *
        inverseNorm;
    if (h < 0) {
      low = s;
    } else if (h > 0) {
      high = s;
    } else {
      return h == 0;  // false: not a number
    }
    Real next = slope > 0 ? s - h / slope : high;
    if (!(next > low && next < high)) {
      next = std::isfinite(high) ? low + (high - low) / 2 : 4 * (low + trace);
    }
    if (!std::isfinite(next)) return false;
    const bool settled = std::abs(next - s) <= 2 * kEpsilon * next;
    s = next;
    if (settled) return true;
  }
  return std::isfinite(high);
}

void LocalConeSolve::solve(const Real* q, Real* lambda, Real& slip) const {
  const Real guess = slip;
  slip = 0;
  if (!(q[0] < 0) || normal_ == 0) {
    lambda[0] = lambda[1] = lambda[2] = 0;
    return;
  }
  const Real speed = -q[0];
  const Real scale = speed * inverseNormal_;
  if (mu_ == 0) {
    lambda[0] = scale;
    lambda[1] = lambda[2] = 0;
    return;
  }
  Scaled problem;
  const Real inverseSpeed = 1 / speed;
  const Real q1 = cos_ * q[1] + sin_ * q[2];
  const Real q2 = cos_ * q[2] - sin_ * q[1];
  Real r1 = q1 * inverseSpeed + c1_;
  Real r2 = q2 * inverseSpeed + c2_;
  // Round-off along an axis on which nothing moves is no slip, and asks for no impulse.
  const Real noise = kRoundOff * ((std::abs(q[1]) + std::abs(q[2])) * inverseSpeed + std::abs(c1_) +
                                  std::abs(c2_));
  if (redundantAxes_ > 0 && std::abs(r2) <= noise) r2 = 0;
  if (redundantAxes_ > 1 && std::abs(r1) <= noise) r1 = 0;
  problem.r1 = r1;
  problem.r2 = r2;
  if (!(std::abs(r1) + std::abs(r2) < 1e100)) {
    // |q_n| is beyond round-off of |q_t|: taking it for 0 opens the contact.
    lambda[0] = lambda[1] = lambda[2] = 0;
    return;
  }
  Real n1 = problem.n1 = s22_ * r1 - s12_ * r2;
  Real n2 = problem.n2 = s11_ * r2 - s21_ * r1;
  Real det = problem.det = s11_ * s22_ - s12_ * s21_;
  Real normal = det + a1_ * n1 + a2_ * n2;
  if (det > 0 && normal >= 0 && n1 * n1 + n2 * n2 <= mu_ * mu_ * normal * normal) {
    const Real tangentScale = -scale / det;
    lambda[0] = scale * (normal / det);
    setTangents(tangentScale * n1, tangentScale * n2, lambda);
    return;
  }
  problem.trace = s11_ + s22_;
  problem.ar = a1_ * r1 + a2_ * r2;
  Real s = guess;
  if (!findSlip(problem, s)) return solveByProjection(q, lambda);
  n1 += s * r1;
  n2 += s * r2;
  det += s * (problem.trace + s);
  normal = (det + a1_ * n1 + a2_ * n2) / det;
  if (!(det > 0 && normal > 0)) return solveByProjection(q, lambda);
  slip = s;
  lambda[0] = scale * normal;
  // On the cone to the last bit; what the root leaves over goes into w_t.
  const Real tangentScale = -mu_ * lambda[0] / std::sqrt(n1 * n1 + n2 * n2);
  setTangents(tangentScale * n1, tangentScale * n2, lambda);
}

/// Back from the turned tangents.
void LocalConeSolve::setTangents(Real t1, Real t2, Real* lambda) const {
  lambda[1] = cos_ * t1 - sin_ * t2;
  lambda[2] = sin_ * t1 + cos_ * t2;
}

void LocalConeSolve::solveByProjection(const Real* q, Real* lambda) const {
  // λ ← P_K(λ − ρ ŵ) with De Saxcé's shift in ŵ (M.11): needs no definite W. It converges linearly
  // where W is definite, and is only a step in the right direction where it is not; the sweeps
  // around it repeat it.
  constexpr int kSteps = 50;
  const Real s11 = s11_ + c1_ * a1_, s12 = s12_ + c1_ * a2_;
  const Real s21 = s21_ + c2_ * a1_, s22 = s22_ + c2_ * a2_;
  // The trace bounds the largest eigenvalue of the symmetric part.
  const Real rho = inverseNormal_ / (1 + std::max<Real>(0, s11) + std::max<Real>(0, s22));
  const Real q1 = cos_ * q[1] + sin_ * q[2];
  const Real q2 = cos_ * q[2] - sin_ * q[1];
  Real turned[3] = {lambda[0], cos_ * lambda[1] + sin_ * lambda[2],
                    cos_ * lambda[2] - sin_ * lambda[1]};
  for (int step = 0; step < kSteps; ++step) {
    const Real w0 = q[0] + normal_ * (turned[0] + a1_ * turned[1] + a2_ * turned[2]);
    const Real w1 = q1 + normal_ * (c1_ * turned[0] + s11 * turned[1] + s12 * turned[2]);
    const Real w2 = q2 + normal_ * (c2_ * turned[0] + s21 * turned[1] + s22 * turned[2]);
    turned[0] -= rho * (w0 + mu_ * std::sqrt(w1 * w1 + w2 * w2));
    turned[1] -= rho * w1;
    turned[2] -= rho * w2;
    projectCone(mu_, turned);
  }
  lambda[0] = turned[0];
  setTangents(turned[1], turned[2], lambda);
}

}  // namespace drystone
