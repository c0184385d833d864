#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/observe/restore_report.h"

namespace drystone {

struct BodyRecord;
struct ContactSnapshot;
struct Joint;
struct StepContact;
struct WorldParts;
struct WorldSnapshot;

/// A contact of the last step, with what it transmits.
ContactSnapshot snapshotOf(const WorldParts& world, const StepContact& contact);

/// Copies poses, velocities, bounding boxes, and the last step's contacts and joints with what they
/// transmit. Allocates nothing once `out` has the capacity.
void takeSnapshot(const WorldParts& world, WorldSnapshot& out);

/// Hash of time, poses, velocities, loads, warm starts and joint impulses, of what is in the world:
/// slots of removed bodies and joints are left out. Worlds built the same
/// way whose hashes agree step after step are doing the same; the cached collision features, which
/// are saved too, are not part of it.
std::uint64_t hashWorld(const WorldParts& world);
/// The bytes that hashWorld() hashes, for whoever hashes them later. Reuses the capacity of `out`.
void copyState(const WorldParts& world, std::vector<std::byte>& out);

/// All that evolves or may be changed between steps, as bytes of this build on this machine: a
/// header, the settings, which bodies and joints there are, what they and the materials are made
/// of, the state, and a checksum. Reuses the capacity of `out`.
void saveWorld(const WorldParts& world, std::vector<std::byte>& out);

constexpr std::uint64_t kStateMagic = 0x68656e6f74737964ULL;  // "dystoneh"
std::uint64_t checksum(std::span<const std::byte> bytes);

/// Fingerprints of what a saved state must find in place: the shape that a body was added with, and
/// the geometry of a joint with its bodies or the joints that it couples. Left out is what may
/// differ without harm, as names, and what is part of the state.
std::uint64_t structureOf(const BodyRecord& body);
std::uint64_t structureOf(const Joint& joint);

/// Brings a saved state back; see World::restore(). Throws InputError, and changes nothing, when
/// the bytes are damaged or come from a world with other settings or more materials, where a gear
/// of the world would not suit what comes back, and under kExact with fewer materials or other
/// bodies or joints.
RestoreReport restoreWorld(WorldParts& world, std::span<const std::byte> state, RestoreMode mode);

}  // namespace drystone
