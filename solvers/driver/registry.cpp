#include "solvers/driver/registry.h"

#include <algorithm>

#include "core/check.h"
#include "core/input_error.h"
#include "core/wording.h"

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

std::unique_ptr<ContactSolver> SolverRegistry::create(
    std::string_view name, std::span<const SolverSetting> settings) const {
  std::unique_ptr<ContactSolver> solver = find(name).factory();
  for (const SolverSetting& setting : settings) applySetting(*solver, setting.name, setting.value);
  return solver;
}

}  // namespace drystone
