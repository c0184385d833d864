#pragma once

#include <vector>

#include "engine/model/joint_store.h"

namespace drystone {

struct StepData;
struct StepReport;
struct WorldParts;

// Islands at rest are left out of the step: their bodies keep poses and zero velocities, their
// contacts and joints make no rows and keep their impulses for the warm start. Only dynamic bodies
// sleep. All of an island sleeps or none of it: a group of bodies that contacts or joints connect
// and of which one is awake wakes before the rows are made.

/// Wakes a body and lets it be slow from now on.
void wakeBody(BodyStore& bodies, int body);
void wakeAll(BodyStore& bodies);
/// Wakes a body and all that touched it in the last step or hang on it. To be called before it is
/// changed from outside. What it meets in the next step wakes too.
void disturbBody(WorldParts& world, int body);

/// True for a pair of which one sleeps and none is awake.
bool areAsleep(const BodyStore& bodies, int a, int b);
/// True when the joint acts on sleeping bodies only.
bool isAsleep(const BodyStore& bodies, const Joint& joint);

int countAsleep(const BodyStore& bodies);

/// Wakes the islands that are disturbed, after the detection, and drops the contacts of the others.
void wakeIslands(WorldParts& world, StepData& data);

/// Keeps the warm starts of sleeping pairs and joints over storeWarmStarts(), which forgets what
/// has no rows: before it, with the timestep of the rows [s], and after it.
void setAsideWarmStarts(const WorldParts& world, Real timestep, StepData& data);
void putBackWarmStarts(StepData& data);

/// At the end of a step: puts the islands to sleep that have been slow for long enough and whose
/// last solve met its tolerance, books their kinetic energy, and reports why the others stay awake.
void fallAsleep(WorldParts& world, const StepData& data, StepReport& report);

}  // namespace drystone
