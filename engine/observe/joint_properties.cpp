#include "engine/observe/joint_properties.h"

#include <algorithm>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/input_error.h"
#include "engine/observe/property_streams.h"

namespace drystone {
namespace {

/// What is made from a list of pairs of numbers, as schedules and tables are: anew where it is
/// read.
template <class Stream, class Made, class Pair>
void walkMade(Stream& stream, Made& made, std::vector<Pair> list, Real Pair::*first,
              Real Pair::*second) {
  walkList(stream, list, [&](Pair& pair) {
    stream.value(pair.*first);
    stream.value(pair.*second);
  });
  if constexpr (Stream::kReads) made = list.empty() ? Made() : Made(std::move(list));
}

void walkTable(auto& stream, auto& table) {
  using Point = ForceTable::Point;
  walkMade(stream, table, table.points(), &Point::at, &Point::force);
}

void walkSpring(auto& stream, auto& spring) {
  stream.value(spring.stiffness);
  stream.value(spring.damping);
  stream.value(spring.rest);
  walkTable(stream, spring.forceTable);
  walkTable(stream, spring.damperTable);
}

void walkMotor(auto& stream, auto& motor) {
  using Key = Schedule::Key;
  stream.value(motor.kind);
  walkMade(stream, motor.target, motor.target.keys(), &Key::time, &Key::value);
  stream.value(motor.maxForce);
  walkOptional(stream, motor.servo, [&](auto& servo) { walkSpring(stream, servo); });
}

void walkJoint(auto& stream, auto& joint) {
  walkPose(stream, joint.definedA);
  walkPose(stream, joint.definedB);
  for (auto& axis : joint.axes) {
    stream.value(axis.lower);
    stream.value(axis.upper);
    walkOptional(stream, axis.spring, [&](auto& spring) { walkSpring(stream, spring); });
    walkOptional(stream, axis.motor, [&](auto& motor) { walkMotor(stream, motor); });
    stream.value(axis.friction);
  }
  stream.value(joint.swingLimit);
  stream.value(joint.gearAxis1);
  stream.value(joint.gearAxis2);
  stream.value(joint.gearRatio);
  stream.value(joint.gearStart);
  stream.value(joint.wrapFriction);
  stream.value(joint.drumRadius);
  stream.value(joint.drumStart);
  walkOptional(stream, joint.compliance, [&](auto& compliance) { stream.value(compliance); });
  stream.value(joint.breakingImpulse);
  stream.value(joint.collide);
}

struct PairMaterial {
  MaterialId a = 0, b = 0;  ///< a direction is that of a's body
  Material material;
};

void walkMaterials(auto& stream, std::vector<Material>& materials,
                   std::vector<PairMaterial>& pairs) {
  FieldStream<std::remove_reference_t<decltype(stream)>> fields(stream);
  walkList(stream, materials, [&](Material& material) { visitFields(material, fields); });
  walkList(stream, pairs, [&](PairMaterial& pair) {
    stream.value(pair.a);
    stream.value(pair.b);
    visitFields(pair.material, fields);
  });
}

}  // namespace

void writeProperties(const JointProperties& joint, StateWriter& writer) {
  walkJoint(writer, joint);
}

void readProperties(StateReader& reader, JointProperties& joint) { walkJoint(reader, joint); }

void writeMaterials(const MaterialTable& materials, StateWriter& writer) {
  // Copies are walked, since visitors may write.
  std::vector<Material> all = materials.materials();
  std::vector<PairMaterial> pairs;
  for (const auto& [ids, pair] : materials.pairs()) {
    const MaterialId other = pair.owner == ids.first ? ids.second : ids.first;
    pairs.push_back({pair.owner, other, pair.material});
  }
  walkMaterials(writer, all, pairs);
}

void readMaterials(StateReader& reader, MaterialTable& materials) {
  std::vector<Material> all;
  std::vector<PairMaterial> list;
  walkMaterials(reader, all, list);
  MaterialTable::Pairs pairs;
  for (const PairMaterial& pair : list)
    pairs[std::minmax(pair.a, pair.b)] = {pair.a, pair.material};
  materials.restore(std::move(all), std::move(pairs));
}

}  // namespace drystone
