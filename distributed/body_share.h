#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

#include "engine/step/world_parts.h"
#include "engine/world/world.h"

namespace drystone {

/// The motion of a body as it goes from process to process, to the bit.
struct BodyState {
  std::int64_t body = -1;  ///< global id
  Real position[3] = {};   ///< of the centre of mass [m]
  Real rotation[4] = {};   ///< of the principal axes: w, x, y, z
  Real velocity[6] = {};   ///< (v, ω), world
  Real load[6] = {};       ///< applied in the coming step [N], [N m]
};
static_assert(std::is_trivially_copyable_v<BodyState>);

/// The share of a process in the bodies of all. Each has a global id: its place in the world that
/// the processes began with. What cannot be moved by others, static and kinematic bodies, every
/// process has.
struct BodyShare {
  std::vector<BodyDefinition> catalog;  ///< [global ids] what every body is made of
  std::vector<BodyId> ids;              ///< [global ids] in the world that all began with
  std::vector<char> isBound;            ///< [global ids] joints hold it: it stays with its process
  std::vector<int> slotOf;              ///< [global ids] in the process's world; -1: not there
  std::vector<int> globalOf;            ///< [slots] -1: none

  /// Adds a body of the catalog to the world, as its own or as a ghost. Returns its slot.
  int add(int body, bool isGhost, World& world, BodyStore& bodies);
  void remove(int body, World& world, const BodyStore& bodies);
  /// Slots of the dynamic bodies that the process owns, by ascending global id.
  std::vector<int> owned(const BodyStore& bodies) const;
  BodyState stateOf(int slot, const BodyStore& bodies) const;
};

/// Puts a body into a state that it has elsewhere: the same bits.
void putState(const BodyState& state, int slot, BodyStore& bodies);

/// Appends the bytes of a value to a message.
template <class T>
void pack(const T& value, std::vector<std::byte>& message) {
  const auto* bytes = reinterpret_cast<const std::byte*>(&value);
  message.insert(message.end(), bytes, bytes + sizeof(T));
}

/// Appends a list, after its length.
template <class T>
void packList(const std::vector<T>& list, std::vector<std::byte>& message) {
  pack(static_cast<std::int64_t>(list.size()), message);
  for (const T& one : list) pack(one, message);
}

/// Takes the bytes of a value off a message.
template <class T>
T unpack(const std::byte*& at) {
  T value;
  std::memcpy(static_cast<void*>(&value), at, sizeof(T));
  at += sizeof(T);
  return value;
}

/// Takes a list off a message, and appends it to another one.
template <class T>
void unpackList(const std::byte*& at, std::vector<T>& list) {
  for (auto left = unpack<std::int64_t>(at); left > 0; --left) list.push_back(unpack<T>(at));
}

}  // namespace drystone
