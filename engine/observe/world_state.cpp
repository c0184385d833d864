#include "engine/observe/world_state.h"

#include <algorithm>
#include <cstring>
#include <type_traits>
#include <utility>

#include "core/hash.h"
#include "core/input_error.h"
#include "engine/step/joint_reactions.h"
#include "engine/step/world_parts.h"

namespace drystone {
namespace {

constexpr std::uint64_t kMagic = 0x35656e6f74737964ULL;  // "dystone5"

/// Appends plain values to a byte array.
class Writer {
 public:
  static constexpr bool kReads = false;
  Writer() = default;
  /// Starts with the capacity of `reused`.
  explicit Writer(std::vector<std::byte>&& reused) : out_(std::move(reused)) { out_.clear(); }
  template <class T>
  void value(const T& value) {
    values(&value, 1);
  }
  template <class T>
  void values(const T* data, int count) {
    const auto* bytes = reinterpret_cast<const std::byte*>(data);
    out_.insert(out_.end(), bytes, bytes + static_cast<std::size_t>(count) * sizeof(T));
  }
  void count(std::size_t& size) { value(static_cast<std::uint64_t>(size)); }
  std::vector<std::byte>& bytes() { return out_; }

 private:
  std::vector<std::byte> out_;
};

/// Takes them back, in the same order.
class Reader {
 public:
  static constexpr bool kReads = true;
  explicit Reader(std::span<const std::byte> in) : in_(in) {}
  template <class T>
  void value(T& value) {
    if (in_.size() < sizeof(T)) throw InputError("saved world: the data ends early");
    std::memcpy(static_cast<void*>(&value), in_.data(), sizeof(T));
    in_ = in_.subspan(sizeof(T));
  }
  template <class T>
  void values(T* data, int count) {
    for (int i = 0; i < count; ++i) value(data[i]);
  }
  void count(std::size_t& size) {
    std::uint64_t stored = 0;
    value(stored);
    if (stored > in_.size()) throw InputError("saved world: a length is damaged");
    size = stored;
  }
  std::span<const std::byte> take(std::size_t size) {
    const auto taken = in_.first(size);
    in_ = in_.subspan(size);
    return taken;
  }

 private:
  std::span<const std::byte> in_;
};

/// Feeds the same walk to a hash.
class HashSink {
 public:
  static constexpr bool kReads = false;
  template <class T>
  void value(const T& value) {
    hasher_.bytes(&value, sizeof(T));
  }
  template <class T>
  void values(const T* data, int count) {
    hasher_.bytes(data, static_cast<std::size_t>(count) * sizeof(T));
  }
  void count(std::size_t& size) { value(size); }
  std::uint64_t result() const { return hasher_.value(); }

 private:
  Hasher hasher_;
};

void vector(auto& stream, auto& values) {
  stream.values(values.data(), static_cast<int>(values.size()));
}

/// Their lists and the timestep that they are of.
void warmStarts(auto& stream, auto& joints, auto& timestep, auto& contacts) {
  using Stream = std::remove_reference_t<decltype(stream)>;
  std::size_t jointCount = joints.size();
  stream.count(jointCount);
  if constexpr (Stream::kReads) joints.resize(jointCount);
  for (auto& warm : joints) {
    stream.value(warm.joint);
    stream.value(warm.key);
    stream.value(warm.lambda);
    stream.value(warm.state);
  }
  stream.value(timestep);
  std::size_t contactCount = contacts.size();
  stream.count(contactCount);
  if constexpr (Stream::kReads) contacts.resize(contactCount);
  for (auto& warm : contacts) {
    stream.value(warm.colliderA);
    stream.value(warm.colliderB);
    stream.value(warm.feature);
    vector(stream, warm.impulse);
    stream.value(warm.torsion);
    stream.value(warm.soft.average);
    stream.value(warm.soft.wait);
    stream.value(warm.soft.backoff);
    vector(stream, warm.position);
    for (auto& state : warm.state) stream.value(state);
  }
}
void warmStarts(auto& stream, const WarmStarts& warm) {
  const auto joints = warm.joints();
  const auto contacts = warm.contacts();
  const Real timestep = warm.timestep();
  warmStarts(stream, joints, timestep, contacts);
}
void warmStarts(Reader& reader, WarmStarts& warm) {
  std::vector<WarmJointRow> joints;
  std::vector<WarmContact> contacts;
  Real timestep = 0;
  warmStarts(reader, joints, timestep, contacts);
  warm.restore(contacts, joints, timestep);
}

/// The one list of what evolves; saving, restoring and hashing all walk it.
template <class Stream, class Parts>
void walkState(Stream& stream, Parts& world) {
  stream.value(world.time);
  stream.value(world.stepCount);
  stream.value(world.settings.timestep);
  vector(stream, world.settings.gravity);
  auto& bodies = world.bodies;
  for (int i = 0; i < bodies.slots(); ++i) {
    vector(stream, bodies.position[i]);
    auto&& rotation = bodies.rotation[i].coeffs();
    vector(stream, rotation);
    vector(stream, bodies.velocity[i]);
    vector(stream, bodies.load[i]);
    if (world.settings.integrator == Integrator::kMoreau) vector(stream, bodies.jointTorque[i]);
    if (world.settings.sleeping.enabled) {
      stream.value(bodies.asleep[i]);
      stream.value(bodies.disturbed[i]);
      stream.value(bodies.stillTime[i]);
    }
  }
  for (auto& joint : world.joints) {
    stream.value(joint.broken);
    for (auto& target : joint.target) stream.value(target);
    for (auto& angle : joint.angle) stream.value(angle);
    if (world.settings.jointRows == JointRows::kMean) {
      for (auto& lock : joint.lockRate) {
        stream.value(lock.kept);
        stream.value(lock.path);
      }
    }
    vector(stream, joint.impulse);
    vector(stream, joint.angularImpulse);
    vector(stream, joint.force);
  }
  warmStarts(stream, world.data.warm);
}

/// What the lists of sleeping and other contacts hold: all to be saved, or read into one list.
std::vector<WarmContact> contactsOf(const WarmStarts& warm) { return warm.contacts(); }
std::span<WarmContact> contactsOf(WarmStarts& warm) { return warm.awakeContacts(); }
std::vector<ContactEvent> touchingOf(const EventTracker& tracker) { return allTouching(tracker); }
std::vector<ContactEvent>& touchingOf(EventTracker& tracker) {
  tracker.resting.clear();
  tracker.restingVersion = 0;
  return tracker.touching;
}

void bodyId(auto& stream, auto& id) {
  stream.value(id.index);
  stream.value(id.generation);
}

/// Errors of the joints, which sleeping ones keep, overlap that is forgiven, and who touches whom:
/// no part of the motion, but what the next step's report and events are made from.
template <class Stream, class Parts>
void walkObserved(Stream& stream, Parts& world) {
  auto&& warm = contactsOf(world.data.warm);
  auto&& pairs = touchingOf(world.events);
  for (auto& joint : world.joints) {
    stream.value(joint.drift);
    stream.value(joint.turnError);
  }
  for (auto& contact : warm) stream.value(contact.forgiven);
  vector(stream, world.bodies.placed);
  auto& tracker = world.events;
  std::size_t touching = pairs.size();
  stream.count(touching);
  if constexpr (Stream::kReads) pairs.resize(touching);
  for (auto& pair : pairs) {
    bodyId(stream, pair.bodyA);
    bodyId(stream, pair.bodyB);
    vector(stream, pair.position);
    vector(stream, pair.normal);
  }
  std::size_t sensing = tracker.sensing.size();
  stream.count(sensing);
  if constexpr (Stream::kReads) tracker.sensing.resize(sensing);
  for (auto& pair : tracker.sensing) {
    bodyId(stream, pair.sensor);
    bodyId(stream, pair.visitor);
  }
}

std::uint64_t checksum(std::span<const std::byte> bytes) {
  Hasher hasher;
  hasher.bytes(bytes.data(), bytes.size());
  return hasher.value();
}

}  // namespace

std::uint64_t hashWorld(const WorldParts& world) {
  HashSink sink;
  walkState(sink, world);
  return sink.result();
}

void copyState(const WorldParts& world, std::vector<std::byte>& out) {
  Writer writer(std::move(out));
  walkState(writer, world);
  out = std::move(writer.bytes());
}

void saveWorld(const WorldParts& world, std::vector<std::byte>& out) {
  Writer writer(std::move(out));
  writer.value(kMagic);
  writer.value(structureOf(world));
  std::vector<std::byte> collision;
  world.collision.saveState(collision);
  std::size_t size = collision.size();
  writer.count(size);
  writer.bytes().insert(writer.bytes().end(), collision.begin(), collision.end());
  walkState(writer, world);
  walkObserved(writer, world);
  writer.value(checksum(writer.bytes()));
  out = std::move(writer.bytes());
}

void restoreWorld(WorldParts& world, std::span<const std::byte> state) {
  if (state.size() < 3 * sizeof(std::uint64_t))
    throw InputError("saved world: the data ends early");
  const auto body = state.first(state.size() - sizeof(std::uint64_t));
  std::uint64_t stored = 0;
  Reader(state.last(sizeof(std::uint64_t))).value(stored);
  if (stored != checksum(body)) throw InputError("saved world: the data is damaged (checksum)");
  Reader reader(body);
  std::uint64_t magic = 0, structure = 0;
  reader.value(magic);
  reader.value(structure);
  if (magic != kMagic) throw InputError("saved world: not a state of this version of drystone");
  if (structure != structureOf(world)) {
    throw InputError(
        "saved world: it has other settings, bodies, joints or materials than this world; build "
        "the "
        "world the same way before restoring");
  }
  std::size_t size = 0;
  reader.count(size);
  world.collision.loadState(reader.take(size));
  // Checksum and structure held, so the walk cannot fail half way.
  walkState(reader, world);
  beginEvents(world.events);
  walkObserved(reader, world);
  for (const Joint& joint : world.joints) {
    if (joint.alive) updateConnectedCollision(world.bodies, world.joints, joint, world.collision);
  }
  world.bodies.noteChange();
  forgetSleepers(world.data.sleep);
  world.data.contacts.clear();
  std::fill(world.data.islands.ofBody.begin(), world.data.islands.ofBody.end(), -1);
  for (int i = 0; i < world.bodies.slots(); ++i) {
    world.bodies.updateInverseInertia(i);
    if (world.bodies.collider[i] >= 0) {
      world.collision.setPose(world.bodies.collider[i], world.bodies.referencePose(i));
    }
  }
}

}  // namespace drystone
