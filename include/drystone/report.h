#pragma once

/// What a step tells. Read `internal/engine/step/step_report.h` first.
///
/// - `StepReport`, from `World::step` and `World::lastReport`: contacts, joint errors, energy, the
///   times of the stages, and for each island how its contact problem was solved. A step never
///   throws for numerics: `withinTolerance` and `status` say how it went.
/// - `StepEvents`, from `World::lastEvents`: contacts that began, went on or ended, with their
///   impulse and approach speed, which tells hits; bodies in sensors; joints that broke.
/// - `WorldSnapshot`, from `WorldObserver::snapshot`: poses, velocities, contacts and reactions at
///   one time, as a viewer draws them. It shares nothing that changes, so that another thread may
///   read it.
///
/// A run that ends where a step misses a tolerance, of its solves, joints or overlaps:
///
///     while (world.time() < 10) {
///       const drystone::StepReport& report = world.step();
///       if (!report.withinTolerance) break;
///       for (const auto& contact : world.lastEvents().contactsBegun) play(contact.normalImpulse);
///     }
///
/// `kStepFigures` lists the figures of a report with their names and units, for tables and plots.
///
/// `IslandReport` says for one island which solver ran, how well it did, and what keeps it awake.
///
/// Reports and events are overwritten by the next step: copy what is to last. Units stand at each
/// field: natural maps in m/s, impulses in N s, energies in J, times in s.

#include "engine/observe/snapshot.h"
#include "engine/step/step_events.h"
#include "engine/step/step_report.h"
