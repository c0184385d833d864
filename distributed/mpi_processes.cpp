#include "distributed/processes.h"

#include <cstdlib>

#include "core/input_error.h"

#ifdef DRYSTONE_HAS_MPI
#include <mpi.h>

#include <algorithm>
#include <cstdio>
#endif

namespace drystone {

bool hasMpi() {
#ifdef DRYSTONE_HAS_MPI
  return true;
#else
  return false;
#endif
}

int launchedProcesses() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"}) {
    const char* const value = std::getenv(name);
    if (value != nullptr && std::atoi(value) > 0) return std::atoi(value);
  }
  return 1;
}

#ifdef DRYSTONE_HAS_MPI
namespace {

constexpr int kTag = 1;
/// Bytes of a message at most: MPI counts with int.
constexpr std::size_t kLargestMessage = 1U << 30U;

class MpiProcesses final : public Processes {
 public:
  MpiProcesses() {
    // The default of MPI ends all processes at the first call that fails.
    // Programs have threads of their own, of which one calls.
    int threads = MPI_THREAD_SINGLE;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &threads);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &count_);
    if (threads < MPI_THREAD_FUNNELED) {
      abort("this MPI serves no program with threads: build it with them", EXIT_FAILURE);
    }
  }
  ~MpiProcesses() override { MPI_Finalize(); }
  MpiProcesses(const MpiProcesses&) = delete;
  MpiProcesses& operator=(const MpiProcesses&) = delete;

  int rank() const override { return rank_; }
  int count() const override { return count_; }

  [[noreturn]] void abort(std::string_view message, int code) override {
    std::fprintf(stderr, "process %d of %d: %.*s\n", rank_, count_,
                 static_cast<int>(message.size()), message.data());
    std::fflush(stderr);
    MPI_Abort(MPI_COMM_WORLD, code);
    std::abort();  // MPI_Abort does not return
  }

 protected:
  void gatherAll(std::span<const Real> own, std::span<Real> all) override {
    const int numbers = static_cast<int>(own.size());
    MPI_Allgather(own.data(), numbers, MPI_DOUBLE, all.data(), numbers, MPI_DOUBLE, MPI_COMM_WORLD);
  }

  void swapAll(const std::vector<std::vector<std::byte>>& out,
               std::vector<std::vector<std::byte>>& in) override {
    requests_.clear();
    for (int r = 0; r < count_; ++r) {
      if (in[r].empty()) continue;
      requireSize(in[r].size());
      MPI_Irecv(in[r].data(), static_cast<int>(in[r].size()), MPI_BYTE, r, kTag, MPI_COMM_WORLD,
                &requests_.emplace_back());
    }
    for (int r = 0; r < count_; ++r) {
      if (out[r].empty()) continue;
      requireSize(out[r].size());
      MPI_Isend(out[r].data(), static_cast<int>(out[r].size()), MPI_BYTE, r, kTag, MPI_COMM_WORLD,
                &requests_.emplace_back());
    }
    MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
  }

 private:
  void requireSize(std::size_t bytes) {
    if (bytes > kLargestMessage) {
      abort("a message of more than 1 GiB: take more processes", EXIT_FAILURE);
    }
  }

  int rank_ = 0, count_ = 1;
  std::vector<MPI_Request> requests_;
};

}  // namespace

std::unique_ptr<Processes> joinMpi() { return std::make_unique<MpiProcesses>(); }

#else

std::unique_ptr<Processes> joinMpi() {
  throw InputError(
      "this drystone was built without MPI: install it (Debian: libopenmpi-dev), configure with "
      "-DDRYSTONE_MPI=ON and build again");
}

#endif

}  // namespace drystone
