#pragma once

#include "engine/model/body_store.h"
#include "engine/model/joint_store.h"

namespace drystone {

/// Wakes a body and lets it be slow from now on.
void wakeBody(BodyStore& bodies, int body);
void wakeAll(BodyStore& bodies);

/// True for a pair of which one sleeps and none is awake.
bool areAsleep(const BodyStore& bodies, int a, int b);
/// True when the joint acts on sleeping bodies only.
bool isAsleep(const BodyStore& bodies, const Joint& joint);

int countAsleep(const BodyStore& bodies);

}  // namespace drystone
