#pragma once

#include <string>
#include <vector>

#include "apps/derive/derivation.h"
#include "apps/support/json_values.h"

namespace drystone::cli {

// How derivatives are shown: as a table for people, as JSON for scripts.

/// What `derive` tells of a scene.
struct ToldDerivatives {
  std::string scene;  ///< as asked for
  int steps = 0;
  Real timestep = 0;  ///< [s]
  std::vector<Derived> derivatives;
};

std::string derivativesText(const ToldDerivatives& told);
/// docs/cli.md lists the fields.
Json derivativesJson(const ToldDerivatives& told);

}  // namespace drystone::cli
