#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "core/types.h"

namespace drystone {

/// What a process sent to others.
struct Traffic {
  std::int64_t messages = 0;
  std::int64_t bytes = 0;

  Traffic& operator+=(const Traffic& more) {
    messages += more.messages;
    bytes += more.bytes;
    return *this;
  }
};

/// The processes that share a world, numbered from 0, as one of them sees them. All of them call
/// gather(), swap() and exchange() in the same order: a process that waits for another one that
/// does not call waits for ever.
class Processes {
 public:
  virtual ~Processes() = default;

  virtual int rank() const = 0;   ///< of this process
  virtual int count() const = 0;  ///< of all, ≥ 1
  /// Ends all processes, with a message and an exit code. Does not return.
  [[noreturn]] virtual void abort(std::string_view message, int code) = 0;

  /// The numbers of all processes, by rank. Every process gives as many.
  void gather(std::span<const Real> own, std::vector<Real>& all);
  /// Sends out[r] to each process r, and fills in[r] with what it sends, which has that size. What
  /// is empty is not sent. Nothing goes to the process itself.
  void swap(const std::vector<std::vector<std::byte>>& out,
            std::vector<std::vector<std::byte>>& in);
  /// The same where the sizes of what comes are not known: tells them before.
  void exchange(const std::vector<std::vector<std::byte>>& out,
                std::vector<std::vector<std::byte>>& in);

  /// What this process sent since it began. A gather counts as a message to every other process.
  const Traffic& traffic() const { return traffic_; }

 protected:
  virtual void gatherAll(std::span<const Real> own, std::span<Real> all) = 0;
  virtual void swapAll(const std::vector<std::vector<std::byte>>& out,
                       std::vector<std::vector<std::byte>>& in) = 0;

 private:
  Traffic traffic_;
  std::vector<Real> sizes_, allSizes_;
};

/// Adds up numbers over all processes, in the order of their ranks: the bits depend on how many
/// there are, and on nothing else.
void addUp(Processes& processes, std::span<Real> numbers, std::vector<Real>& scratch);
/// Takes the largest of each; NaN counts as infinite.
void takeLargest(Processes& processes, std::span<Real> numbers, std::vector<Real>& scratch);

/// Runs what every process does for itself, and waits for the others; true where it threw on none.
/// Where it throws on the first process, that one throws it on and the others return false: they
/// are to end without a word. Where on others alone, these end all with the message and this code.
bool doOnAll(Processes& processes, int code, const std::function<void()>& work);

/// One process alone.
class LoneProcess final : public Processes {
 public:
  int rank() const override { return 0; }
  int count() const override { return 1; }
  [[noreturn]] void abort(std::string_view message, int code) override;

 protected:
  void gatherAll(std::span<const Real> own, std::span<Real> all) override;
  void swapAll(const std::vector<std::vector<std::byte>>& out,
               std::vector<std::vector<std::byte>>& in) override;
};

// The processes of MPI.

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
