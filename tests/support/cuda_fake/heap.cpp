#include "tests/support/cuda_fake/heap.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <new>

namespace drystone::cuda_fake {
namespace {

constexpr std::size_t kAddresses = std::size_t{64} << 30;
constexpr std::size_t kPage = 4096;
constexpr std::size_t kAlignment = 256;  // what CUDA promises
constexpr std::byte kGuard{0xa5};

std::size_t rounded(std::size_t bytes, std::size_t unit) {
  return (bytes + unit - 1) / unit * unit;
}

}  // namespace

Heap::Heap() {
  void* mapping =
      mmap(nullptr, kAddresses, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapping == MAP_FAILED) throw std::bad_alloc();
  base_ = static_cast<std::byte*>(mapping);
}

Heap::~Heap() { munmap(base_, kAddresses); }

void Heap::protect(const Allocation& allocation, bool isOpen) {
  mprotect(allocation.begin, allocation.mapped, isOpen ? PROT_READ | PROT_WRITE : PROT_NONE);
}

void* Heap::allocate(std::size_t bytes) {
  // Guard bytes before it, and behind it up to the end of a page; then a page that always faults.
  const std::size_t mapped = rounded(kAlignment + bytes + 1, kPage);
  if (bytes > room_ - taken_ || mapped + kPage > kAddresses - used_) return nullptr;
  const Allocation allocation{bytes, base_ + used_, mapped};
  used_ += mapped + kPage;
  taken_ += bytes;
  std::byte* data = allocation.begin + mapped - rounded(bytes + 1, kAlignment);
  protect(allocation, true);
  std::memset(allocation.begin, static_cast<int>(kGuard), mapped);
  // Numbers that would show in every result, for what is read before it is written.
  std::memset(data, 0xff, bytes);
  protect(allocation, isOpen_);
  live_.emplace(data, allocation);
  return data;
}

bool Heap::isIntact(const std::byte* data, const Allocation& allocation) {
  const auto isGuard = [](std::byte byte) { return byte == kGuard; };
  const std::byte* const begin = allocation.begin;
  return std::all_of(begin, data, isGuard) &&
         std::all_of(data + allocation.bytes, begin + allocation.mapped, isGuard);
}

bool Heap::free(void* data, bool& isIntact) {
  const auto found = live_.find(static_cast<std::byte*>(data));
  if (found == live_.end()) return false;
  const Allocation& allocation = found->second;
  protect(allocation, true);
  isIntact = Heap::isIntact(found->first, allocation);
  protect(allocation, false);
  madvise(allocation.begin, allocation.mapped, MADV_DONTNEED);
  taken_ -= allocation.bytes;
  live_.erase(found);
  return true;
}

bool Heap::has(const void* data, std::size_t bytes) const {
  const auto* begin = static_cast<const std::byte*>(data);
  auto found = live_.upper_bound(const_cast<std::byte*>(begin));
  if (found == live_.begin()) return false;
  --found;
  const auto offset = static_cast<std::size_t>(begin - found->first);
  return offset <= found->second.bytes && bytes <= found->second.bytes - offset;
}

bool Heap::contains(const void* data) const {
  const std::less<const void*> less;
  return !less(data, base_) && less(data, base_ + kAddresses);
}

void Heap::open() {
  isOpen_ = true;
  for (const auto& [data, allocation] : live_) protect(allocation, true);
}

bool Heap::close() {
  isOpen_ = false;
  bool areIntact = true;
  for (const auto& [data, allocation] : live_) {
    areIntact = areIntact && isIntact(data, allocation);
    protect(allocation, false);
  }
  return areIntact;
}

}  // namespace drystone::cuda_fake
