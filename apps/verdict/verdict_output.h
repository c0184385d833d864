#pragma once

#include <string>

#include "apps/support/json_values.h"
#include "engine/statics/statics.h"
#include "engine/world/world.h"

namespace drystone::cli {

// How a verdict is shown: in plain words for people, as JSON for scripts. Names of bodies are those
// of the scene.

/// What `verdict` tells of a scene.
struct ToldVerdict {
  std::string scene;      ///< as asked for
  std::string load;       ///< as asked for
  bool isWeights = true;  ///< the factor is one of gravity, else of the force
  StaticAnswer answer;
  int contacts = 0, rows = 0;  ///< in the balance
  int apart = 0;               ///< near contacts that are not
  int alone = 0;               ///< dynamic bodies without any contact or joint
  int moving = 0;              ///< bodies that move at the start
  Real reach = 0;              ///< [m]
};

/// The verdict, the factor, the contacts at their limit and the mechanism, in plain words.
std::string verdictText(const ToldVerdict& told, const World& world);
/// The same with all contacts and bodies: docs/cli.md lists the fields.
Json verdictJson(const ToldVerdict& told, const World& world);

}  // namespace drystone::cli
