#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "solvers/driver/contact_solver.h"

namespace drystone {

/// Name → factory of solvers. An object, not a global: the program makes one (see
/// `makeDefaultRegistry`) and hands it to whoever needs solvers.
class SolverRegistry {
 public:
  using Factory = std::unique_ptr<ContactSolver> (*)();

  /// Registers under the name that the solver's traits give. Names are unique.
  void add(Factory factory);
  std::vector<std::string> names() const;  ///< in order of registration
  bool contains(std::string_view name) const;
  /// Both throw InputError with near names when there is no such solver.
  const SolverTraits& traits(std::string_view name) const;
  /// With these settings, the others as the solver has them; throws as `applySetting` does.
  std::unique_ptr<ContactSolver> create(std::string_view name,
                                        std::span<const SolverSetting> settings = {}) const;

 private:
  struct Entry {
    Factory factory;
    SolverTraits traits;
  };
  const Entry& find(std::string_view name) const;

  std::vector<Entry> entries_;
};

}  // namespace drystone
