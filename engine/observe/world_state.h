#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace drystone {

struct ContactSnapshot;
struct StepContact;
struct WorldParts;
struct WorldSnapshot;

/// A contact of the last step, with what it transmits.
ContactSnapshot snapshotOf(const WorldParts& world, const StepContact& contact);

/// Copies poses, velocities, bounding boxes, and the last step's contacts and joints with what they
/// transmit. Allocates nothing once `out` has the capacity.
void takeSnapshot(const WorldParts& world, WorldSnapshot& out);

/// Hash of time, poses, velocities, loads, warm starts and joint impulses. Worlds built the same
/// way whose hashes agree step after step are doing the same; the cached collision features, which
/// are saved too, are not part of it.
std::uint64_t hashWorld(const WorldParts& world);
/// The bytes that hashWorld() hashes, for whoever hashes them later. Reuses the capacity of `out`.
void copyState(const WorldParts& world, std::vector<std::byte>& out);

/// All that evolves, as bytes of this build on this machine: a header with a fingerprint of the
/// world's structure, the state, and a checksum. Reuses the capacity of `out`.
void saveWorld(const WorldParts& world, std::vector<std::byte>& out);

/// Fingerprint of what a saved state must find in place to go on bit for bit: the settings that
/// enter the step's arithmetic, bodies with their masses and shapes, joints, materials. Left out is
/// what may differ without harm: names, thread count, and the solver, which can be switched.
std::uint64_t structureOf(const WorldParts& world);

/// Throws InputError, and changes nothing, when the bytes are damaged or come from a world with
/// other settings, bodies, joints or materials.
void restoreWorld(WorldParts& world, std::span<const std::byte> state);

}  // namespace drystone
