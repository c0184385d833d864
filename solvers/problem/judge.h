#pragma once

#include <optional>
#include <span>
#include <vector>

#include "solvers/problem/contact_problem.h"
#include "solvers/problem/residual.h"

namespace drystone {

/// How well λ solves a problem, by measures that no solver computes for itself.
struct JudgeReport {
  Real naturalMap = 0;          ///< largest BlockError (M.11) [m/s]
  int worstBlock = -1;          ///< block of that maximum; -1 when there is none
  Real naturalMapNorm = 0;      ///< 2-norm over blocks of the same [m/s]
  Real normalError = 0;         ///< largest of a contact's normal alone [m/s]
  Real largestB = 0;            ///< largest |b|: an error as large says nothing [m/s]
  Real relative = 0;            ///< (M.12), dimensionless, unit-dependent
  Real energyMax = 0;           ///< (M.13) largest E_i [J]
  Real energySum = 0;           ///< [J]
  Real coneExcess = 0;          ///< largest friction excess over the model's bound [N s] (M.14)
  Real normalImpulseMin = 0;    ///< most negative λ_n, or 0 [N s]
  Real complementarityGap = 0;  ///< Σ |λ_n w_n| over contacts [J]
  /// False: some λ or w, bound or friction coefficient is not; every other figure is then +∞.
  bool finite = true;
};

/// What a stretch of blocks adds to the report.
struct JudgePart {
  NaturalMapSum naturalMap;
  RelativeErrorSum relative;
  JudgeReport rest;  ///< all else

  /// Adds the part of blocks that come after those of this one.
  void add(const JudgePart& later);
};

/// What judgeOnce() said last, and of what.
struct Verdict {
  const Real* b = nullptr;   ///< of the problem, which it names; null: nothing was said yet
  std::vector<Real> lambda;  ///< [rows]
  JudgeReport report;
};

/// Work space of the judge; keeps its capacity.
struct JudgeWorkspace {
  int threads = 1;                 ///< that the judge may use; no bit depends on them
  std::vector<Real> w;             ///< [rows] A λ + b of the last call
  std::vector<Vec6> bodyVelocity;  ///< [bodies] M⁻¹ Jᵀ λ
  std::vector<Real> steps;         ///< [blocks] ρ_c of a problem that brings none
  std::vector<Real> diagonal;      ///< [rows] A_ii, likewise
  std::vector<JudgePart> parts;    ///< by stretch of kBlocksAtOnce blocks
  Verdict verdict;
};

/// Measures λ against the problem as given, in double, in its own friction model.
JudgeReport judge(const ContactProblem& problem, std::span<const Real> lambda,
                  JudgeWorkspace& workspace);

/// judge(), or what it said last for the same problem, by the place of its b, and the same λ. A
/// caller whose problem changes in its place sets `verdict.b` to null before.
JudgeReport judgeOnce(const ContactProblem& problem, std::span<const Real> lambda,
                      JudgeWorkspace& workspace);

/// What judge() says of λ where its natural map is at most `tolerance` [m/s], else nothing. Gives
/// up at the first block that misses, and so costs little where λ is no answer.
std::optional<JudgeReport> judgeWithin(const ContactProblem& problem, std::span<const Real> lambda,
                                       Real tolerance, JudgeWorkspace& workspace);

/// The BlockError of every block (M.11) [m/s], [blocks]: what judge() takes the largest of; +∞
/// where it is no number.
void blockResiduals(const ContactProblem& problem, std::span<const Real> lambda,
                    JudgeWorkspace& workspace, std::span<Real> residuals);

}  // namespace drystone
