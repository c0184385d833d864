#pragma once

#include <memory>
#include <vector>

#include "solvers/driver/contact_solver.h"
#include "solvers/problem/residual.h"
#include "solvers/prox/nsgs_anderson.h"
#include "solvers/staggered/joint_steps.h"
#include "solvers/staggered/qp_half.h"

namespace drystone {

/// How the rounds of the loop are sped up.
enum class StaggeredAcceleration : std::uint8_t {
  kNone,      ///< the plain rounds of the literature
  kAnderson,  ///< the friction of the next round combines that of the last ones
  kNewton,    ///< that, and Newton steps and proximal points on the whole problem
};

struct StaggeredSettings {
  Real metricTolerance = 1e-6;  ///< share of the friction's energy that the last round may change
  int maxTurns = 100;           ///< of the diamonds of `cone`
  QpEngine engine = QpEngine::kSchurpa;
  StaggeredFactor factor = StaggeredFactor::kAuto;
  Real qpTolerance = 1e-10;  ///< KKT error of each QP over the largest |b|
  StaggeredAcceleration acceleration = StaggeredAcceleration::kNewton;
  int memory = 20;      ///< rounds that the acceleration combines
  int maxSolves = 500;  ///< columns of the Schur complement before a new factor

  void visit(SettingVisitor& visitor);
  /// Without `factor`, for solvers that have one of their own.
  void visitRounds(SettingVisitor& visitor);
};

/// Staggered projections (Kaufman et al. 2008; Litven 2013, alg. 4.1 and 4.2): the contact QP, of
/// normals and joint rows with friction held, and the friction QP, of tangents with normal impulses
/// held, take turns until neither changes what the other sees. Both are convex, and both keep one
/// factor for the whole solve. Where the turns creep or circle, Newton steps on both at once end
/// them, and proximal points where such steps wander. It ends when the natural map of the whole
/// problem [m/s] meets the tolerance handed to it.
class StaggeredSolver : public ContactSolver {
 public:
  StaggeredSolver();

  const SolverTraits& traits() const override { return traits_; }
  /// Totals of the last solve.
  const QpTotals& contactTotals() const { return contact_.totals; }
  const QpTotals& frictionTotals() const { return friction_.totals; }

  StaggeredSettings settings;

 protected:
  static SolverTraits staggeredTraits();
  /// With factors of band matrices of its own, one for each QP.
  StaggeredSolver(SolverTraits traits, std::unique_ptr<BandFactor> contact,
                  std::unique_ptr<BandFactor> friction);
  void visitSettings(SettingVisitor& visitor) override { settings.visit(visitor); }

 private:
  /// A contact with friction that follows its normal impulse.
  struct Pair {
    int block, normal, row;  ///< variable of the contact QP; first tangent row
    Real share;              ///< half-width of the square over λ_n
  };

  void reserveOwn(const ProblemSize& size) override;
  void run(const ContactProblem& problem, const SolveContext& context, ImpulseView impulses,
           SolverReport& report) override;
  void split(ImpulseView impulses);
  void splitContact(int block, ImpulseView impulses);
  /// Corners of the diamonds along λ_t − ρ w_t of each contact. False: none has moved.
  bool turnToSlip();
  void attachHalves();
  void attachFriction();
  void solveContact();
  void solveFriction();
  /// The friction that the next contact QP sees: a combination of the last rounds'.
  void accelerate();
  /// Newton steps from the best iterate, or from this one where that was tried. True: to a better
  /// start of the next round, or to a solution, which the status then says.
  bool stepJointly(const SolveContext& context, SolverReport& report);
  /// Makes the point of `joint_` the iterate.
  void adoptJoint(SolverReport& report);
  /// Half-widths of the squares from the normal impulses.
  void setWidths();
  bool turns() const;
  /// Turns the diamonds, if `max_turns` allows it. False: none has moved.
  bool turn(SolverReport& report);
  /// λ_t := the friction half's x.
  void spreadFriction();
  /// w of both halves from that of the rows.
  void gather();
  void measure();
  void iterate(const SolveContext& context, SolverReport& report);
  void keepBest();
  void writeBest(ImpulseView impulses) const;
  QpSettings qpSettings() const;

  SolverTraits traits_;
  int threads_ = 1;  // of the solve at work
  RowSystem rows_;
  RowBounds bounds_;
  QpHalf contact_, friction_;
  std::vector<Pair> pairs_;
  AndersonAcceleration anderson_;
  std::vector<Real> weights_, start_;  // of the friction variables
  JointSteps joint_;
  Real triedError_ = 0;  // of the best iterate that Newton steps started from
  Real lastChange_ = 0;
  int rest_ = 0, resting_ = 0;     // rounds without acceleration: next time, and still to come
  std::vector<PairFrame> frames_;  // of the friction variables
  std::vector<Real> lambda_, w_;   // [rows]
  std::vector<Real> contactW_, frictionW_, tangents_;
  Real error_ = 0, bestError_ = 0;
  std::vector<Real> bestLambda_;
  std::vector<RowState> bestContactSets_, bestFrictionSets_;
};

}  // namespace drystone
