#pragma once

#include <drystone.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "core/input_error.h"
#include "engine/observe/snapshot.h"
#include "engine/step/step_events.h"
#include "scenes/keyed_world.h"
#include "solvers/file/problem_file.h"

struct drystone_world {
  drystone::KeyedWorld keyed;
  bool isStepping = false;  ///< a callback that destroys it would come back to nothing
  std::vector<drystone_recorder*> recorders{};  ///< that are open
};
struct drystone_shape {
  drystone::Shape shape;
};
struct drystone_problem {
  drystone::ReadProblem read;
};

/// What the files of the C API share: no exception leaves it, and no pointer is taken on trust.
namespace drystone::c {

/// Of the exception that is being handled; keeps its message for drystone_last_error().
drystone_error keepError() noexcept;

/// A buffer that does not hold what there is.
class TooSmall : public InputError {
 public:
  using InputError::InputError;
};

/// Runs what a function of the API does, and makes an error of what it throws.
template <class Call>
drystone_error guarded(Call&& call) noexcept {
  try {
    call();
    return DRYSTONE_OK;
  } catch (...) {
    return keepError();
  }
}

/// What an argument points to. Throws InputError where it is null.
template <class T>
T& given(T* pointer, const char* name) {
  if (pointer == nullptr) throw InputError(std::string(name) + " must not be null");
  return *pointer;
}

World& worldOf(drystone_world* world);
void requireIdle(const drystone_world& world, const char* function);  ///< throws within a callback
KeyedWorld& keyedOf(drystone_world* world);
std::string textOf(const char* text, const char* name);
/// An array of so many; throws InputError where it is null and not empty.
template <class T>
std::span<const T> spanOf(const T* values, std::size_t count, const char* name) {
  if (count > 0) given(values, name);
  return {values, count};
}
/// Three finite numbers, and a pose of such with a unit rotation. Throw InputError otherwise.
Vec3 vectorOf(const double* values, const char* name);
Pose poseOf(const drystone_pose* pose, const char* name);
void requireFinite(std::span<const double> values, const char* name);
void put(const Vec3& vector, double* out);
drystone_pose toPose(const Pose& pose);

/// Ids have the same members on both sides.
template <class Id>
auto fromId(Id id) {
  if constexpr (std::is_same_v<Id, drystone_body_id>) {
    return BodyId{id.index, id.generation};
  } else {
    return JointId{id.index, id.generation};
  }
}
inline drystone_body_id toId(BodyId id) { return {id.index, id.generation}; }
inline drystone_joint_id toId(JointId id) { return {id.index, id.generation}; }

/// Throws InputError unless the size is one of this struct, of this version or an earlier one.
template <class T>
void requireSize(std::size_t size, const char* name) {
  if (size > sizeof(std::size_t) && size <= sizeof(T)) return;
  throw InputError(std::string(name) + ": size is " + std::to_string(size) + ", must be sizeof, " +
                   std::to_string(sizeof(T)) +
                   (size > sizeof(T) ? ": the library is older than its header" : ""));
}

/// The struct of a caller, what it is too short for from the defaults.
template <class T>
T readStruct(const T* from, const T& defaults, const char* name) {
  const std::size_t size = given(from, name).size;
  requireSize<T>(size, name);
  T whole = defaults;
  std::memcpy(&whole, from, size);
  return whole;
}

/// Writes as much as the caller's struct holds, but its size.
template <class T>
void writeStruct(const T& from, T* to, std::size_t size) {
  constexpr std::size_t kStart = sizeof(std::size_t);
  std::memcpy(reinterpret_cast<char*>(to) + kStart, reinterpret_cast<const char*>(&from) + kStart,
              size - kStart);
}

/// A function of the API that sets a struct of the caller to its defaults.
template <class T>
drystone_error setDefaults(const T& defaults, T* to, std::size_t size, const char* name) {
  return guarded([&] {
    given(to, name);
    requireSize<T>(size, name);
    writeStruct(defaults, to, size);
    to->size = size;
  });
}

/// Throws TooSmall, with the count set, unless so many elements fit into the buffer. False: only
/// the count was asked for.
bool fits(std::size_t needed, const void* buffer, std::size_t capacity, std::size_t* count);

/// Copies elements to a buffer of the caller whose own are of some size.
template <class T>
void writeElements(const std::vector<T>& elements, T* buffer, std::size_t elementSize,
                   std::size_t capacity, std::size_t* count) {
  requireSize<T>(elementSize, "element_size");
  if (!fits(elements.size(), buffer, capacity, count)) return;
  char* to = reinterpret_cast<char*>(buffer);
  for (const T& element : elements) {
    std::memcpy(to, &element, elementSize);
    to += elementSize;
  }
}

/// Ids to a buffer of the caller.
template <class Id, class Out>
void writeIds(const std::vector<Id>& ids, Out* buffer, std::size_t capacity, std::size_t* count) {
  if (!fits(ids.size(), buffer, capacity, count)) return;
  std::ranges::transform(ids, buffer, [](Id id) { return toId(id); });
}

drystone_contact contactOf(const ContactSnapshot& from);
std::vector<drystone_event> eventsOf(const StepEvents& from);  ///< by kind

/// Steps once, and adds the step to the recordings of the world; one that cannot take it ends.
void stepRecorded(drystone_world& world);
/// Ends the recordings of a world that goes, as far as they can be written.
void endRecordings(drystone_world& world) noexcept;
void requireNotRecorded(const drystone_world& world, const char* function);

SolverRegistry allSolvers();  ///< with those for CUDA devices
/// Pairs of texts, as what the engine calls them.
template <class Pair>
std::vector<Pair> textsOf(const drystone_setting* settings, std::size_t count, const char* name) {
  std::vector<Pair> list;
  for (const drystone_setting& one : spanOf(settings, count, name)) {
    list.push_back({textOf(one.key, name), textOf(one.value, name)});
  }
  return list;
}

}  // namespace drystone::c
