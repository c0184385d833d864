#include "solvers/reference/reference_solvers.h"

#include "solvers/linear/cached_factor.h"
#include "solvers/linear/chosen_factor.h"
#include "solvers/pivoting/block_method.h"
#include "solvers/pivoting/bpp.h"
#include "solvers/pivoting/mlcp_solver.h"
#include "solvers/reference/keller.h"
#include "solvers/reference/lemke.h"
#include "solvers/reference/murty.h"

namespace drystone {
namespace {

template <class Method>
std::unique_ptr<ContactSolver> pivotSolver(SolverTraits traits, std::unique_ptr<FreeFactor> factor,
                                           PivotSettings settings = {}) {
  return std::make_unique<MlcpSolver>(std::move(traits),
                                      std::make_unique<Method>(std::move(factor), settings));
}

std::unique_ptr<FreeFactor> envelopeFactor(EnvelopeSettings settings) {
  return std::make_unique<SymmetricFactor>(std::make_unique<EnvelopeFactor>(settings));
}

}  // namespace

std::unique_ptr<ContactSolver> makeMurtySolver() {
  return pivotSolver<MurtyMethod>(
      directTraits("murty", "principal pivoting, one row at a time, the least index first",
                   "Murty 1974; Ho 2022, §2.5.2"),
      std::make_unique<RowFactor>(), {.maxRounds = 5'000});
}

std::unique_ptr<ContactSolver> makeKellerSolver() {
  return pivotSolver<KellerMethod>(
      directTraits("keller",
                   "principal pivoting that descends within the bounds, one row at a time",
                   "Keller 1973; Júdice 1994"),
      std::make_unique<RowFactor>(), {.maxRounds = 20'000});
}

std::unique_ptr<ContactSolver> makeLemkeSolver() {
  SolverTraits traits =
      directTraits("lemke", "complementary pivoting on a dense tableau, for any A; no warm start",
                   "Lemke 1965; Cottle, Pang and Stone 1992, §4.4");
  traits.usesWarmStart = false;
  return std::make_unique<MlcpSolver>(std::move(traits), std::make_unique<LemkeMethod>());
}

std::unique_ptr<ContactSolver> makeBppSolver() {
  return std::make_unique<BlockPrincipalPivotingSolver>(
      directTraits("bpp",
                   "block principal pivoting with a fresh factor of A_FF for every candidate",
                   "Júdice and Pires 1994; Ho 2022, §2.5; Lefebvre 2020, §2.1"),
      std::make_unique<RowFactor>());
}

std::unique_ptr<ContactSolver> makeBppDowndateSolver() {
  return pivotSolver<BlockMethod>(
      directTraits("bpp-downdate",
                   "block pivoting; tight rows are taken out of the dense factor of A",
                   "Lefebvre 2020, §2.2.1"),
      envelopeFactor({.reorder = false, .update = EnvelopeUpdate::kDowndate}));
}

std::unique_ptr<ContactSolver> makeBppSkylineSolver() {
  return pivotSolver<BlockMethod>(
      directTraits("bpp-skyline", "as bpp-downdate inside the envelope of a Cuthill-McKee order",
                   "Lefebvre 2020, §2.2.3"),
      envelopeFactor({.reorder = true, .update = EnvelopeUpdate::kCheaper}));
}

std::unique_ptr<ContactSolver> makeBppCachedSolver() {
  return pivotSolver<BlockMethod>(
      directTraits("bpp-cached",
                   "as bpp-downdate, keeping the factors of every prefix of tight rows",
                   "Lefebvre 2020, ch. 3"),
      std::make_unique<SymmetricFactor>(std::make_unique<CachedFactor>()));
}

}  // namespace drystone
