#pragma once

#include <optional>
#include <string>
#include <vector>

#include "apps/support/json_values.h"
#include "apps/support/run_setup.h"
#include "engine/statics/statics.h"
#include "engine/world/world.h"

namespace drystone::cli {

// How a verdict is shown: in plain words for people, as JSON for scripts. Names of bodies are those
// of the scene.

struct ToldShares {
  BodyId body;
  std::vector<StaticShare> shares;
};

struct ToldResistance {
  BodyId body;
  StaticResistance resistance;
};

/// What `verdict` tells of a scene.
struct ToldVerdict {
  std::string scene;      ///< as asked for
  std::string load;       ///< as asked for
  bool isWeights = true;  ///< the factor is one of gravity, else of the force
  StaticAnswer answer;
  int contacts = 0, rows = 0;        ///< in the balance
  int apart = 0;                     ///< near contacts that are not
  Real widestGap = 0;                ///< of these [m]
  int alone = 0;                     ///< dynamic bodies without any contact or joint
  Real wider = 0;                    ///< reach that leaves fewer of them [m]; 0: none was found
  int aloneWider = 0;                ///< those that it leaves
  int moving = 0;                    ///< bodies that move at the start
  Real reach = 0;                    ///< [m]
  std::optional<ToldShares> shares;  ///< where it was asked for
  std::optional<ToldResistance> resistance;
};

/// The verdict, the factor, the contacts at their limit and the mechanism, in plain words.
std::string verdictText(const ToldVerdict& told, const World& world);
/// The same with all contacts and bodies: docs/cli.md lists the fields.
Json verdictJson(const ToldVerdict& told, const World& world);

/// Writes how the structure gives way as a recording that `view`, `render` and `export` play: a
/// second at rest with the contact forces of the answer, then three in which the bodies follow the
/// mechanism faster and faster. It is a motion of geometry alone, no simulation: the fastest body
/// of each group moves by half of its least extent. Without a mechanism all of it is rest.
/// Throws InputError or std::runtime_error where the file cannot be written.
void recordMechanism(const std::string& path, RecordingInfo info, const World& world,
                     const StaticAnswer& answer);

}  // namespace drystone::cli
