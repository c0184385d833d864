#include "bindings/c/boundary.h"

#include <cmath>
#include <exception>
#include <new>
#include <string_view>

#include "gpu/gpu_solvers.h"
#include "solvers/default_registry.h"

namespace drystone::c {
namespace {

std::string& lastMessage() {
  thread_local std::string message;
  return message;
}

drystone_error keep(std::string_view message, drystone_error error) noexcept {
  try {
    lastMessage() = message;
  } catch (...) {  // without memory for the message the code alone has to do
    lastMessage().clear();
  }
  return error;
}

}  // namespace

drystone_error keepError() noexcept {
  try {
    throw;
  } catch (const TooSmall& error) {
    return keep(error.what(), DRYSTONE_TOO_SMALL);
  } catch (const InputError& error) {
    return keep(error.what(), DRYSTONE_BAD_INPUT);
  } catch (const std::bad_alloc&) {
    return keep("out of memory", DRYSTONE_NO_MEMORY);
  } catch (const std::exception& error) {
    return keep(error.what(), DRYSTONE_FAILED);
  } catch (...) {
    return keep("a callback threw what is no std::exception", DRYSTONE_FAILED);
  }
}

World& worldOf(drystone_world* world) { return given(world, "world").keyed.world; }
KeyedWorld& keyedOf(drystone_world* world) { return given(world, "world").keyed; }

std::string textOf(const char* text, const char* name) { return &given(text, name); }

void requireFinite(std::span<const double> values, const char* name) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!std::isfinite(values[i])) {
      throw InputError(std::string(name) + " must be finite, got " + std::to_string(values[i]) +
                       " at place " + std::to_string(i));
    }
  }
}

Vec3 vectorOf(const double* values, const char* name) {
  requireFinite(spanOf(values, 3, name), name);
  return Vec3(values);
}

Pose poseOf(const drystone_pose* pose, const char* name) {
  const drystone_pose& from = given(pose, name);
  requireFinite(from.position, name);
  requireFinite(from.orientation, name);
  const double* q = from.orientation;
  const Quat rotation(q[0], q[1], q[2], q[3]);
  if (std::abs(rotation.norm() - 1) > 1e-3) {  // as scene files
    throw InputError(std::string(name) +
                     ": orientation must be a unit quaternion w, x, y, z, got length " +
                     std::to_string(rotation.norm()));
  }
  return {.position = Vec3(from.position), .rotation = rotation.normalized()};
}

void put(const Vec3& vector, double* out) { std::copy_n(vector.data(), 3, out); }

drystone_pose toPose(const Pose& pose) {
  const Quat& q = pose.rotation;
  drystone_pose result = {{}, {q.w(), q.x(), q.y(), q.z()}};
  put(pose.position, result.position);
  return result;
}

bool fits(std::size_t needed, const void* buffer, std::size_t capacity, std::size_t* count) {
  given(count, "count");
  if (buffer == nullptr && capacity > 0) throw InputError("the buffer must not be null");
  *count = needed;
  if (buffer == nullptr) return false;
  if (capacity < needed) {
    throw TooSmall("the buffer holds " + std::to_string(capacity) + " elements, and there are " +
                   std::to_string(needed));
  }
  return true;
}

SolverRegistry allSolvers() {
  SolverRegistry registry = makeDefaultRegistry();
  gpu::addGpuSolvers(registry);
  return registry;
}

extern "C" {

const char* drystone_last_error(void) { return lastMessage().c_str(); }

const char* drystone_version(void) { return DRYSTONE_VERSION; }

}  // extern "C"

}  // namespace drystone::c
