#pragma once

#include <memory>

#include "distributed/processes.h"

namespace drystone {

/// Whether this build has MPI (CMake: DRYSTONE_MPI).
bool hasMpi();

/// How many processes a launcher of MPI started together with this one: 1 where none did. It reads
/// the environment only: OMPI_COMM_WORLD_SIZE of Open MPI, PMI_SIZE of MPICH and Intel MPI, or
/// SLURM_STEP_NUM_TASKS of srun.
int launchedProcesses();

/// Starts MPI and joins its processes: those of MPI_COMM_WORLD. Once a program, on the thread that
/// then makes all calls. MPI ends with the object: every process must come there. A call of MPI
/// that fails ends all processes. Throws InputError in builds without MPI.
std::unique_ptr<Processes> joinMpi();

}  // namespace drystone
