#include "collision/bullet/pair_algorithm.h"

#include <new>

#include "core/check.h"

namespace drystone::bullet {
namespace {

constexpr std::size_t kAlgorithmsPerBlock = 256;

std::unique_ptr<btCollisionConfiguration> smallConfiguration() {
  btDefaultCollisionConstructionInfo info;
  info.m_defaultMaxPersistentManifoldPoolSize = 1;
  info.m_defaultMaxCollisionAlgorithmPoolSize = 1;
  return std::make_unique<btDefaultCollisionConfiguration>(info);
}

}  // namespace

PartCaches& PartCaches::operator=(const PartCaches& other) {
  if (this == &other) return *this;
  if (other.lists_) {
    made() = *other.lists_;
  } else {
    clear();
  }
  return *this;
}

void PartCaches::clear() {
  if (!lists_) return;
  lists_->now.clear();
  lists_->previous.clear();
}

int PairPool::acquire() {
  ++changes_;
  if (free_.empty()) {
    states_.emplace_back();
    free_.reserve(states_.capacity());
    return static_cast<int>(states_.size()) - 1;
  }
  const int slot = free_.back();
  free_.pop_back();
  return slot;
}

void PairPool::release(int slot) {
  ++changes_;
  PairState& state = (*this)[slot];
  state.a = state.b = -1;
  state.enabled = true;
  state.listed = 0;
  forget(state);
  free_.push_back(slot);
}

void PairPool::makeStill(PairState& state) {
  if (state.still >= 0) return;
  state.still = static_cast<int>(still_.size());
  still_.emplace_back();
}

void PairPool::forget(PairState& state) {
  state.cache = {};
  state.parts.clear();
  if (StillPair* const still = stillOf(state)) still->forgetKept();
}

void PairPool::forgetAll() {
  for (PairState& state : states_) forget(state);
  for (StillPair& still : still_) still.contact.count = 0;
}

void PairPool::forgetKept() {
  for (StillPair& still : still_) still.forgetKept();
}

PairAlgorithm::PairAlgorithm(const btCollisionAlgorithmConstructionInfo& info)
    : btCollisionAlgorithm(info), slot_(pool().acquire()) {}

PairAlgorithm::~PairAlgorithm() { pool().release(slot_); }

PairPool& PairAlgorithm::pool() const { return static_cast<Dispatcher*>(m_dispatcher)->pairs(); }

struct Dispatcher::CreateFunction final : btCollisionAlgorithmCreateFunc {
  btCollisionAlgorithm* CreateCollisionAlgorithm(btCollisionAlgorithmConstructionInfo& info,
                                                 const btCollisionObjectWrapper*,
                                                 const btCollisionObjectWrapper*) override {
    void* memory = info.m_dispatcher1->allocateCollisionAlgorithm(sizeof(PairAlgorithm));
    return new (memory) PairAlgorithm(info);
  }
};

Dispatcher::Dispatcher() : Dispatcher(smallConfiguration()) {}

Dispatcher::Dispatcher(std::unique_ptr<btCollisionConfiguration> configuration)
    : btCollisionDispatcher(configuration.get()),
      configuration_(std::move(configuration)),
      create_(std::make_unique<CreateFunction>()) {
  for (int i = 0; i < MAX_BROADPHASE_COLLISION_TYPES; ++i) {
    for (int j = 0; j < MAX_BROADPHASE_COLLISION_TYPES; ++j) {
      registerCollisionCreateFunc(i, j, create_.get());
    }
  }
}

Dispatcher::~Dispatcher() = default;

PairAlgorithm& Dispatcher::algorithmOf(btBroadphasePair& pair) {
  if (pair.m_algorithm == nullptr) {
    const btCollisionObjectWrapper any(nullptr, &anyShape_, nullptr, btTransform::getIdentity(), -1,
                                       -1);
    pair.m_algorithm = findAlgorithm(&any, &any, nullptr, BT_CONTACT_POINT_ALGORITHMS);
  }
  return *static_cast<PairAlgorithm*>(pair.m_algorithm);
}

void* Dispatcher::allocateCollisionAlgorithm([[maybe_unused]] int size) {
  DRYSTONE_ASSERT(size == static_cast<int>(sizeof(PairAlgorithm)));
  if (freeBlocks_.empty()) {
    blocks_.push_back(std::make_unique<std::byte[]>(kAlgorithmsPerBlock * sizeof(PairAlgorithm)));
    freeBlocks_.reserve(blocks_.size() * kAlgorithmsPerBlock);
    for (std::size_t i = kAlgorithmsPerBlock; i-- > 0;) {
      freeBlocks_.push_back(blocks_.back().get() + i * sizeof(PairAlgorithm));
    }
  }
  void* memory = freeBlocks_.back();
  freeBlocks_.pop_back();
  return memory;
}

void Dispatcher::freeCollisionAlgorithm(void* memory) { freeBlocks_.push_back(memory); }

}  // namespace drystone::bullet
