#pragma once

/// The simulated world. Read `internal/engine/world/world.h` first, then the handles beside it.
///
/// - `World`: adds and removes bodies, joints and materials, and advances them step by step.
/// - `BodyHandle`, `JointHandle`: one body or joint, got by `world.body(id)` and `world.joint(id)`:
///   poses, velocities, forces, joint coordinates, motor targets, reactions, and the contacts and
///   joints of a body. What sensors measure, as `ImuReading`, `ContactForce` and `AxisForce`:
///   docs/sensors.md. All that a body is made of can be changed between steps. A const world gives
///   a `ConstBodyHandle` or `ConstJointHandle`, which only read.
/// - `World::setPairFilter`, `World::setContactModifier`: which pairs meet, and what becomes of a
///   contact point (`ContactChange`); docs/callbacks.md.
/// - `WorldQueries`, got by `world.queries()`: ray casts, shape casts, overlaps, closest points.
///   A `QueryFilter` says which bodies they see, a `BodyHit` what a ray or a moved shape hits.
/// - `WorldBatch`: many copies of a world, stepped side by side and read as arrays;
///   docs/learning.md.
/// - `World::setExecutor`: the step's loops on threads of the host program, by a `Parallel` that it
///   implements, as with its job system; docs/threads.md.
/// - `Statics`: whether a world stands as it is, and how much load it bears; docs/verdict.md.
/// - `InverseDynamics`: which forces make a motion; docs/inverse_dynamics.md.
/// - `StepDerivative`: how the end of a step answers to its start, loads, masses, joints and
///   friction; docs/theory/derivatives.md. `linearize(world)` is the same as a sparse matrix of
///   bodies, and `TrajectoryDerivative` goes through many steps, forward or back.
/// - `WorldObserver`, got by `world.observe()`: snapshots, hashes, and what the solvers were given.
///
/// A box that falls for a second:
///
///     drystone::World world({}, drystone::makeDefaultRegistry());  // <drystone/solvers.h>
///     const drystone::BodyId box = world.addBody({.shape = drystone::Box{{0.5, 0.5, 0.5}}});
///     for (int i = 0; i < 60; ++i) world.step();
///     const drystone::Vec3 position = world.body(box).pose().position;
///
/// What lies under it, the box itself left out, and what it touches:
///
///     const drystone::Vec3 down = position - drystone::Vec3(0, 0, 10);
///     const auto under = world.queries().rayCast(position, down, {.without = {&box, 1}});
///     const bool isFalling = !under && world.body(box).contacts().empty();
///
/// Handles, queries and observers point into the world and cost nothing to copy. They are valid as
/// long as the world is, also after it was moved. A handle of a body or joint that was removed
/// throws InputError.
///
/// `World::save` keeps all that evolves as bytes, with what bodies are made of. A world of the same
/// bodies and joints that restores them goes on bit for bit, whatever its number of threads. With
/// other ones a `RestoreMode` pairs them by ids or by names, and a `RestoreReport` says what was
/// left out: docs/live_changes.md.
///
/// Bodies and joints are named by ids. `World::findBody` and `World::findJoint` find them by name.
///
/// One thread at a time for one world, const members included; different worlds are independent.

#include "core/executor.h"
#include "engine/gradients/step_derivative.h"
#include "engine/gradients/step_matrix.h"
#include "engine/gradients/trajectory_derivative.h"
#include "engine/statics/inverse_dynamics.h"
#include "engine/statics/statics.h"
#include "engine/world/world.h"
#include "engine/world/world_batch.h"
