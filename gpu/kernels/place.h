#pragma once

namespace drystone::gpu {

/// Which thread of which block runs.
///
/// A kernel is a plain object, copied to the device, whose members are views. One of a single phase
/// has `operator()(int index)`, where every index is a thread. One whose threads work together is
/// written as phases with a barrier of the block between any two of them:
///
///   using Shared = Scalar;             // element of the memory that a block shares
///   struct State { … };                // what a thread keeps from phase to phase
///   int sharedCount() const;           // elements of it
///   int phaseCount() const;
///   void phase(int phase, const Place&, Shared* shared, State& state) const;
///
/// so that the processor runs the same code without threads: all threads through the first phase,
/// then all through the second.
struct Place {
  int block, thread;
  int blocks, threads;  ///< of the grid, of a block
};

}  // namespace drystone::gpu
