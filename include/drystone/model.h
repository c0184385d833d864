#pragma once

/// What a world is made from. Read `internal/engine/model/body.h` and `joint.h` first.
///
/// - `BodyDefinition`: shape, mass, pose and velocity of a body; dynamic, static or kinematic.
/// - `JointDefinition`: two bodies, their frames, and what each of six coordinates may do: free,
///   locked, limited, on a spring, driven by a motor, with friction. `hingeJoint`, `sliderJoint`,
///   `ballJoint` and others make the usual ones, whose fields may then be changed.
/// - `Material`: friction and restitution; a world combines those of two bodies, or is told a pair.
/// - `WorldSettings`: gravity, time step, time stepping, solver, tolerance, threads, sleeping.
///   Each field says its unit, its range and its default. `applyPreset` sets its budget by one
///   word: exact, robust or realtime.
///
/// A door on a hinge that swings between 0 and 1.5 rad:
///
///     auto hinge = drystone::hingeJoint(frame, door, {{0, 0, 1}}, {{-0.4, 0, 0}});
///     hinge.axes[drystone::kAboutX] = drystone::JointAxis::limited(0, 1.5);
///     world.addJoint(hinge);
///
/// A crate of 5 kg with the inertia of its shape:
///
///     const drystone::Shape box = drystone::Box{{0.3, 0.2, 0.1}};
///     world.addBody({.name = "crate", .shape = box, .mass = drystone::massOf(box, 5)});
///
/// Ids stay stale once what they name was removed, also where another takes its place.
///
/// Definitions are plain data. World::addBody and World::addJoint check and copy them, and return
/// the `BodyId` or `JointId` by which World::body and World::joint find the thing again.
///
/// Frames: a shape, the mass properties and the frames of joints are given in the reference frame
/// of their body, which is the frame that `pose` places in the world.

#include "engine/model/body.h"
#include "engine/model/cable.h"
#include "engine/model/joint.h"
#include "engine/model/material.h"
#include "engine/model/solver_presets.h"
#include "engine/model/world_settings.h"
