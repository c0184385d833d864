// Reads a saved state as a whole, and refuses what does not fit the settings of a world.
#include "engine/observe/saved_state.h"

#include <fmt/format.h>

#include <optional>
#include <string_view>
#include <utility>

#include "core/field_visitor.h"
#include "core/input_error.h"
#include "engine/observe/joint_properties.h"
#include "engine/observe/property_streams.h"
#include "engine/observe/state_walks.h"
#include "engine/observe/world_state.h"
#include "engine/step/world_parts.h"

namespace drystone {
namespace {

/// The settings with those at their defaults that need not be equal.
WorldSettings fixedSettings(WorldSettings settings) {
  const WorldSettings any;
  settings.gravity = any.gravity;  // a part of the state, as the timestep
  settings.timestep = any.timestep;
  settings.threads = any.threads;
  settings.jointTolerance = any.jointTolerance;
  settings.overlapTolerance = any.overlapTolerance;
  return settings;
}

/// Lists the fields that it visits with their values, as a message shows them.
class FieldTexts : public FieldVisitor {
 public:
  struct Field {
    std::string name, text;
  };

  using FieldVisitor::part;
  void real(const SettingInfo& info, Real& value, Real, Real) override {
    add(info, fmt::format("{}", value));
  }
  void optional(const SettingInfo& info, std::optional<Real>& value, Real, Real) override {
    add(info, value ? fmt::format("{}", *value) : "none");
  }
  void integer(const SettingInfo& info, int& value, int, int) override {
    add(info, fmt::format("{}", value));
  }
  void boolean(const SettingInfo& info, bool& value) override {
    add(info, value ? "true" : "false");
  }
  void choice(const SettingInfo& info, int& value,
              std::span<const std::string_view> names) override {
    add(info, std::string(names[static_cast<std::size_t>(value)]));
  }
  void vector(const SettingInfo& info, Vec3& value, Real, Real) override {
    add(info, fmt::format("({}, {}, {})", value.x(), value.y(), value.z()));
  }
  void part(const SettingInfo& info, const VisitPart& visit) override {
    const std::string before = std::exchange(prefix_, prefix_ + std::string(info.name) + ".");
    visit(*this, false);
    prefix_ = before;
  }
  const std::vector<Field>& fields() const { return fields_; }

 private:
  void add(const SettingInfo& info, std::string text) {
    fields_.push_back({prefix_ + std::string(info.name), std::move(text)});
  }

  std::string prefix_;
  std::vector<Field> fields_;
};

std::vector<FieldTexts::Field> fieldsOf(WorldSettings settings) {
  FieldTexts texts;
  visitFields(settings, texts);
  return texts.fields();
}

/// Throws InputError that names each setting that is another one.
void requireSettings(const WorldSettings& then, const WorldSettings& now) {
  const auto saved = fieldsOf(then), here = fieldsOf(fixedSettings(now));
  std::vector<std::string> problems;
  for (std::size_t i = 0; i < saved.size(); ++i) {
    if (saved[i].text == here[i].text) continue;
    problems.push_back(
        fmt::format("saved world: the setting {} was {}, and is {} in this world; build the world "
                    "with the same one before restoring",
                    saved[i].name, saved[i].text, here[i].text));
  }
  if (!problems.empty()) throw InputError(std::move(problems));
}

void requireMaterials(int then, int now, RestoreMode mode) {
  if (then == now || (then < now && mode != RestoreMode::kExact)) return;
  throw InputError(fmt::format(
      "saved world: it has {} materials, and this world {}; {}", then, now,
      then > now ? "add the others before restoring"
                 : "restore it with RestoreMode::kMatching or kByName, which leave the others"));
}

void readEntries(StateReader& reader, std::vector<SavedEntry>& entries) {
  walkList(reader, entries, [&](SavedEntry& entry) {
    reader.value(entry.alive);
    if (!entry.alive) return;
    reader.value(entry.generation);
    reader.value(entry.structure);
    reader.text(entry.name);
  });
}

/// What is between the header and the checksum.
std::span<const std::byte> contentOf(std::span<const std::byte> state) {
  if (state.size() < 3 * sizeof(std::uint64_t)) {
    throw InputError("saved world: the data ends early");
  }
  const auto body = state.first(state.size() - sizeof(std::uint64_t));
  std::uint64_t stored = 0;
  StateReader(state.last(sizeof(std::uint64_t))).value(stored);
  if (stored != checksum(body)) throw InputError("saved world: the data is damaged (checksum)");
  StateReader reader(body);
  std::uint64_t magic = 0;
  reader.value(magic);
  if (magic != kStateMagic) {
    throw InputError(
        "saved world: not a state of this version of drystone; restore it with the version that "
        "saved it, or save the world again");
  }
  return reader.rest();
}

}  // namespace

void writeSettings(const WorldSettings& settings, StateWriter& writer) {
  WorldSettings copy = fixedSettings(settings);
  FieldStream<StateWriter> fields(writer);
  visitFields(copy, fields);
}

SavedState readState(const WorldParts& world, std::span<const std::byte> state, RestoreMode mode) {
  StateReader reader(contentOf(state));
  WorldSettings then;
  FieldStream<StateReader> fields(reader);
  visitFields(then, fields);
  requireSettings(then, world.settings);
  SavedState saved;
  saved.settings = world.settings;
  readEntries(reader, saved.bodyEntries);
  readEntries(reader, saved.jointEntries);
  saved.properties.resize(saved.bodyEntries.size());
  saved.bodies.resize(static_cast<int>(saved.bodyEntries.size()));
  for (std::size_t slot = 0; slot < saved.properties.size(); ++slot) {
    saved.bodies.record[slot].alive = saved.bodyEntries[slot].alive;
    if (!saved.bodyEntries[slot].alive) continue;
    reader.value(saved.properties[slot].collider);
    readProperties(reader, saved.properties[slot]);
  }
  for (const SavedEntry& entry : saved.jointEntries) {
    Joint joint;
    if (entry.alive) readProperties(reader, joint);
    const JointId id = saved.joints.add(std::move(joint));
    saved.joints[id.index].alive = entry.alive;
  }
  readMaterials(reader, saved.materials);
  requireMaterials(saved.materials.count(), world.materials.count(), mode);
  std::size_t size = 0;
  reader.count(size);
  const auto collision = reader.take(size);
  checkCollisionState(collision);
  saved.collision.assign(collision.begin(), collision.end());
  walkState(reader, saved);
  walkObserved(reader, saved);
  return saved;
}

}  // namespace drystone
