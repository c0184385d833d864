#pragma once

#include <string>

#include "engine/world/world.h"
#include "tests/support/constants.h"
#include "tests/support/worlds.h"

namespace drystone::test {

constexpr Real kPaneMass = 3;  // [kg]

struct PaneSetup {
  std::string name = "Euler", solver = "bpp-auto";
  Integrator integrator = Integrator::kSemiImplicitEuler;
  int substeps = 1;
  bool mayRest = false;
  Stepping stepping = Stepping::kExact;
  int threads = 1;
  bool bySurfaces = false;  ///< the pull is that of the pair of materials, not of the ceiling
};

inline World paneWorld(const PaneSetup& setup) {
  WorldSettings settings = settingsFor(setup.solver);
  settings.integrator = setup.integrator;
  settings.substeps = setup.substeps;
  settings.sleeping.enabled = setup.mayRest;
  settings.stepping = setup.stepping;
  settings.threads = setup.threads;
  return World(settings, registry());
}

/// A ceiling whose lower side is at z = 0, and a flat box of 3 kg below it.
struct HungPane {
  World world;
  BodyId ceiling, pane;

  explicit HungPane(Real pull, const PaneSetup& setup = {}, Real gap = 0)
      : world(paneWorld(setup)) {
    ceiling = world.addBody({.name = "ceiling",
                             .kind = BodyKind::kStatic,
                             .shape = Box{{2, 2, 0.5}},
                             .pose = {{0, 0, 0.5}, Quat::Identity()}});
    pane = addBody(world, Box{{0.5, 0.3, 0.05}}, kPaneMass, {{0, 0, -0.05 - gap}});
    if (setup.bySurfaces) {
      world.setMaterialPair(0, 0, {.adhesion = pull});
    } else {
      world.body(ceiling).setAdhesion(pull);
    }
  }
  Real height() const { return world.body(pane).centerOfMass().z() + 0.05; }
  Real speed() const { return world.body(pane).linearVelocity().z(); }
  /// What adhesion pulled with in the last inner step, of all contacts [N].
  Real pull() const {
    WorldSnapshot snapshot;
    world.observe().snapshot(snapshot);
    Real sum = 0;
    for (const ContactSnapshot& contact : snapshot.contacts) sum += contact.attraction;
    return sum / world.settings().substep();
  }
};

}  // namespace drystone::test
