#pragma once

/// The whole library in one include: `#include <drystone/drystone.h>` and link drystone::drystone.
/// A simulation needs a SolverRegistry (makeDefaultRegistry()), a World made with it, or a scene
/// read by readScene() and turned into a World by buildWorld(). Stored contact problems are read by
/// readProblemFile() and solved by solve(). gpu::addGpuSolvers() adds the solvers for CUDA devices.

#include "collision/collision_world.h"
#include "collision/shape/shape.h"
#include "core/input_error.h"
#include "core/types.h"
#include "engine/observe/snapshot.h"
#include "engine/recording/recorder.h"
#include "engine/recording/recording.h"
#include "engine/step/step_report.h"
#include "engine/world/world.h"
#include "gpu/devices.h"
#include "gpu/gpu_solvers.h"
#include "scenes/scene.h"
#include "scenes/scene_builder.h"
#include "scenes/scene_library.h"
#include "scenes/scene_reader.h"
#include "solvers/default_registry.h"
#include "solvers/driver/solve.h"
#include "solvers/file/problem_file.h"
#include "solvers/problem/judge.h"
#include "solvers/problem/problem_ops.h"
