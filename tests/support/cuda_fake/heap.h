#pragma once

#include <cstddef>
#include <map>

namespace drystone::cuda_fake {

/// Memory of the device: faults when the program touches it while it is closed, or beyond an
/// allocation, or after it was freed. Addresses are not used again before `reset`.
class Heap {
 public:
  Heap();
  Heap(const Heap&) = delete;
  Heap& operator=(const Heap&) = delete;
  ~Heap();

  /// Aligned to 256 bytes, filled with 0xff; null: there is no room.
  void* allocate(std::size_t bytes);
  /// False: nothing of this address is allocated. `isIntact`: no guard byte around it was written.
  bool free(void* data, bool& isIntact);
  /// All of these bytes are of one allocation.
  bool has(const void* data, std::size_t bytes) const;
  bool contains(const void* data) const;
  /// While it is open, kernels and copies may touch it.
  void open();
  /// Returns whether all guard bytes are as they were.
  bool close();

  /// Bytes that there are for all allocations together.
  void setRoom(std::size_t bytes) { room_ = bytes; }
  std::size_t allocations() const { return live_.size(); }

 private:
  struct Allocation {
    std::size_t bytes;
    std::byte* begin;  ///< of its pages
    std::size_t mapped;
  };
  static void protect(const Allocation& allocation, bool isOpen);
  static bool isIntact(const std::byte* data, const Allocation& allocation);

  std::byte* base_;
  std::size_t used_ = 0;  ///< addresses
  std::size_t room_ = std::size_t{1} << 30, taken_ = 0;
  bool isOpen_ = false;
  std::map<std::byte*, Allocation> live_;
};

}  // namespace drystone::cuda_fake
