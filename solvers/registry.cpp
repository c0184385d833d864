#include "solvers/registry.h"

#include <algorithm>

#include "engine/core/check.h"
#include "engine/core/input_error.h"
#include "engine/core/near_names.h"
#include "solvers/direct/direct_solvers.h"
#include "solvers/first_order/apgd.h"
#include "solvers/krylov/krylov_solvers.h"
#include "solvers/prox/nsgs.h"
#include "solvers/prox/prox_solver.h"
#include "solvers/prox/sor_prox_wide.h"
#include "solvers/staggered/staggered.h"

namespace drystone {

void SolverRegistry::add(Factory factory) {
  const std::unique_ptr<ContactSolver> solver = factory();
  DRYSTONE_ASSERT(!contains(solver->traits().name));
  entries_.push_back({factory, solver->traits()});
}

std::vector<std::string> SolverRegistry::names() const {
  std::vector<std::string> names;
  for (const Entry& entry : entries_) names.emplace_back(entry.traits.name);
  return names;
}

bool SolverRegistry::contains(std::string_view name) const {
  return std::any_of(entries_.begin(), entries_.end(),
                     [&](const Entry& entry) { return entry.traits.name == name; });
}

const SolverRegistry::Entry& SolverRegistry::find(std::string_view name) const {
  const auto found = std::find_if(entries_.begin(), entries_.end(),
                                  [&](const Entry& entry) { return entry.traits.name == name; });
  if (found == entries_.end()) {
    throw InputError("there is no solver \"" + std::string(name) + "\"; " +
                     didYouMean(name, names()));
  }
  return *found;
}

const SolverTraits& SolverRegistry::traits(std::string_view name) const {
  return find(name).traits;
}

std::unique_ptr<ContactSolver> SolverRegistry::create(std::string_view name) const {
  return find(name).factory();
}

SolverRegistry makeDefaultRegistry() {
  SolverRegistry registry;
  registry.add(&makeMurtySolver);
  registry.add(&makeKellerSolver);
  registry.add(&makeLemkeSolver);
  registry.add(&makeBppSolver);
  registry.add(&makeBppDowndateSolver);
  registry.add(&makeBppSkylineSolver);
  registry.add(&makeBppCachedSolver);
  registry.add(&makeBppSparseSolver);
  registry.add(&makeBppAutoSolver);
  registry.add(&makeBppPcgSolver);
  registry.add(&makePgcgSolver);
  registry.add(
      []() -> std::unique_ptr<ContactSolver> { return std::make_unique<SorProxSolver>(); });
  registry.add(
      []() -> std::unique_ptr<ContactSolver> { return std::make_unique<JacobiProxSolver>(); });
  registry.add(
      []() -> std::unique_ptr<ContactSolver> { return std::make_unique<SorProxColoredSolver>(); });
  registry.add(
      []() -> std::unique_ptr<ContactSolver> { return std::make_unique<SorProxWideSolver>(); });
  registry.add(&makeNsgs);
  registry.add(&makeApgd);
  registry.add(
      []() -> std::unique_ptr<ContactSolver> { return std::make_unique<StaggeredSolver>(); });
  return registry;
}

}  // namespace drystone
