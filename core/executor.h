#pragma once

#include <memory>
#include <string_view>

namespace drystone {

/// Runs loops on threads: those of drystone, of OpenMP, or of a host program, such as its job
/// system. World::setExecutor() gives one to a world; the bits do not depend on it.
class Parallel {
 public:
  using Body = void (*)(void* context, int index, int thread);

  virtual ~Parallel() = default;

  /// Calls `body(context, index, thread)` once for each index in [0, count), in any order, and
  /// returns when all calls have returned. The caller then sees what they wrote. `thread` is in
  /// [0, threads), and two calls that run at the same time have different ones: `index` will do
  /// where count <= threads, as in all calls by drystone. Each index is then a share of the work
  /// for one thread, and takes what the others leave. So the first of them does all of it where the
  /// others begin late, and these have nothing left to do. `body` throws nothing and starts no loop
  /// of its own. Worlds on several threads that share an executor call this at the same time.
  virtual void run(int count, int threads, void* context, Body body) = 0;

  /// The most threads that a loop gets, the caller's counted if it takes part; at least 1. With 1
  /// loops run in the caller, without run().
  virtual int threads() const = 0;
};

/// Threads of its own, started when a loop first asks for them. They look for the next loop for
/// a tenth of a millisecond, then sleep. It serves one loop at a time: one that comes meanwhile,
/// from another thread, runs in its caller alone.
std::shared_ptr<Parallel> makeThreadPool();

/// The threads of OpenMP; null where drystone was built without. Its threads meet at the end of
/// every loop, those too that got nothing to do. How long they spin there before they sleep is said
/// by OMP_WAIT_POLICY: `passive` on a machine that others use.
std::shared_ptr<Parallel> makeOpenMp();

/// What runs the loops of a thread that no executor was given to: `openmp` or `pool`, as the build
/// option DRYSTONE_THREADS says.
std::string_view defaultExecutorName();

/// While it lives, loops of the thread that it lives on run on `executor`, which must live as long;
/// null: on what they ran on before.
class ExecutorScope {
 public:
  explicit ExecutorScope(Parallel* executor);
  ~ExecutorScope();
  ExecutorScope(const ExecutorScope&) = delete;
  ExecutorScope& operator=(const ExecutorScope&) = delete;

 private:
  Parallel* before_;
};

}  // namespace drystone
