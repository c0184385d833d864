#pragma once

/// Scene files. Read `internal/scenes/scene_reader.h` first; docs/scene_format.md has the format.
///
/// - `readScene`: a `Scene` from a file, or from the library by its name. All problems of a file
///   are reported together, in one InputError, with line and column.
/// - `ParameterOverride`: another value for any field or parameter of the file.
/// - `buildWorld`: the world that a scene describes. Body i of the scene is the i-th of the world.
/// - `importModel`: a scene file made of a robot in URDF or a model in MJCF.
/// - `libraryScenes`: scenes that come with the library, compiled in.
///
/// A wall of the library, with half the time step:
///
///     const drystone::Scene scene =
///         drystone::readScene("wall", {.overrides = {{"world.timestep", "0.005"}}});
///     drystone::World world = drystone::buildWorld(scene, drystone::makeDefaultRegistry());
///     while (world.time() < scene.duration) world.step();
///
/// Files that a scene names, such as meshes, lie beside it. A scene that was changed in memory, as
/// a `Scene` is plain data, is checked where its world is built.
///
/// The solver's name and settings are checked where the options of the reader have a registry, and
/// otherwise by the world that is built.
///
/// The program has the same: `drystone list scenes`, `drystone list keys` for all fields with their
/// units and ranges, and `drystone validate FILE`. An editor that knows JSON schemas completes
/// scene files with `share/drystone/scene.schema.json`.

#include "scenes/importing/import_model.h"
#include "scenes/scene.h"
#include "scenes/scene_builder.h"
#include "scenes/scene_library.h"
#include "scenes/scene_reader.h"
