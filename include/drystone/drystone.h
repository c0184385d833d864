#pragma once

/// The whole library in one include: `#include <drystone/drystone.h>` and link drystone::drystone.
/// A simulation needs a SolverRegistry (makeDefaultRegistry()), a World made with it, or a scene
/// read by readScene() and turned into a World by buildWorld(). Stored contact problems are read by
/// readProblemFile() and solved by solve(). gpu::addGpuSolvers() adds the solvers for CUDA devices.

#include "collision/collision_world.h"
#include "collision/mass_properties.h"
#include "collision/shape.h"
#include "engine/core/input_error.h"
#include "engine/core/types.h"
#include "engine/model/world.h"
#include "engine/observe/recorder.h"
#include "engine/observe/recording.h"
#include "engine/observe/snapshot.h"
#include "engine/observe/step_report.h"
#include "gpu/devices.h"
#include "gpu/gpu_solvers.h"
#include "scenes/scene.h"
#include "scenes/scene_builder.h"
#include "scenes/scene_library.h"
#include "scenes/scene_reader.h"
#include "solvers/judge.h"
#include "solvers/problem_file.h"
#include "solvers/problem_ops.h"
#include "solvers/registry.h"
#include "solvers/solve.h"
