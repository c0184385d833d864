#pragma once

#include "bench/studies/study.h"

namespace drystone {
class Processes;
}  // namespace drystone

namespace drystone::bench {

/// Counts what the processes of a world send each other, on 1 to 64 of them. Threads stand in for
/// them: the counts are those of MPI, and no time is measured.
void runTraffic(const StudyOptions& options);

/// Measures how fast a bin empties through a hole, for ten fillings, on these processes. One is
/// a World without the parts for several.
void runHopper(const StudyOptions& options, Processes& processes);

/// Measures what a frame of a recording takes beside a step: bytes, to gather and to write it.
void runRecording(const StudyOptions& options, Processes& processes);

/// Measures what a sweep takes beside its runs: those by `drystone sweep` on one thread and those
/// of a bare loop of a program, in turns. The best of some rounds counts.
void runSweeps(const StudyOptions& options);

/// Measures the memory of worlds of N and 2N bodies, each in a process of its own, apart and in
/// touch. The differences are the bytes a body and a contact.
void runMemory(const StudyOptions& options);

/// Builds a grid of 990,000 spheres, steps it twice with 20 sweeps and prints memory and judgement.
/// Takes some 17 GB.
void runMillion(const StudyOptions& options);

}  // namespace drystone::bench
