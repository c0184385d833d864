#pragma once

/// The whole library in one include: `#include <drystone/drystone.h>` and link drystone::drystone.
/// The headers below can be included one by one; each says what is in it and what to read. What
/// they include is internal and lies in `internal/` once installed.
///
/// A simulation needs a SolverRegistry (makeDefaultRegistry()) and a World made with it, which is
/// filled by hand (addBody(), addJoint()) or made from a scene (readScene(), buildWorld()). Then:
///
/// 1. `world.addBody()`, `world.addJoint()` and `world.addMaterial()` build it up.
/// 2. `world.step()` advances it, and its report tells how that went.
/// 3. `world.body(id)` and `world.joint(id)` read and change one body or joint.
/// 4. `world.queries()` finds bodies by rays and shapes; `world.observe()` copies all of it.
///
/// Read world.h first: World is the front door, and its comments name the other types as they come
/// up. Then model.h, for what worlds are made from.
///
/// All is in namespace drystone. Lengths are in metres, masses in kilograms, times in seconds and
/// angles in radians; axes are right-handed. Bad arguments throw InputError in every build.
///
/// Stored contact problems are read by readProblemFile() and solved by solveProblem().

#include <drystone/model.h>
#include <drystone/recordings.h>
#include <drystone/report.h>
#include <drystone/scenes.h>
#include <drystone/shapes.h>
#include <drystone/solvers.h>
#include <drystone/types.h>
#include <drystone/world.h>
