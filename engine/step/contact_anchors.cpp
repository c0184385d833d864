// Contacts that are followed over the poses instead of being detected anew. Equations:
// docs/theory/options.md, "Contacts carried along".
#include "engine/step/contact_anchors.h"

#include <cmath>

#include "collision/collision_world.h"
#include "core/parallel.h"

namespace drystone {
namespace {

using Kind = LocalSurface::Kind;
using Rule = ContactAnchor::Rule;
using Rider = ContactAnchor::Rider;

/// Lines at a smaller angle than this sine count as side by side: their common normal is ill
/// conditioned.
constexpr Real kParallelSine = 0.1;

bool isFace(const LocalSurface& surface) { return surface.kind == Kind::kFace; }
bool isLine(const LocalSurface& surface) { return surface.kind == Kind::kLine; }
bool isRim(const LocalSurface& surface) { return surface.kind == Kind::kRim; }

/// Which surface holds the normal, and whose point the contact is.
void followFace(const BodyStore& bodies, const StepContact& contact, bool faceA, bool faceB,
                ContactAnchor& anchor) {
  ContactVertex vertex = faceA ? ContactVertex::kOfB : ContactVertex::kOfA;
  if (faceA && faceB) vertex = vertexOf(contact.point);
  if (vertex == ContactVertex::kNone) {  // edges that cross between two faces
    anchor.rider = Rider::kBoth;
    anchor.carrier = bodies.isDynamic(contact.bodyB) ? contact.bodyA : contact.bodyB;
  } else {
    anchor.rider = vertex == ContactVertex::kOfA ? Rider::kA : Rider::kB;
    anchor.carrier = vertex == ContactVertex::kOfA ? contact.bodyB : contact.bodyA;
  }
}

/// Neither surface is flat.
void followCores(const BodyStore& bodies, const StepContact& contact, const LocalSurface& a,
                 const LocalSurface& b, ContactAnchor& anchor) {
  if (isLine(a) && isLine(b) && a.axis.cross(b.axis).norm() > kParallelSine) {
    anchor.rule = Rule::kAcrossLines;
  } else if (!isRim(a) && !isRim(b) && a.radius + b.radius > 0 &&
             contact.point.gap + a.radius + b.radius > 0) {
    anchor.rule = Rule::kBetweenCores;
  } else if (!bodies.isDynamic(contact.bodyA) || !bodies.isDynamic(contact.bodyB)) {
    anchor.carrier = bodies.isDynamic(contact.bodyA) ? contact.bodyB : contact.bodyA;
  }
}

/// Unit vector along which a surface lies off its core, given the normal out of it.
Vec3 outOfCore(const Vec3& outwards, bool isRim, const Quat& rotation, const Vec3& axis) {
  if (!isRim) return outwards;
  const Vec3 along = rotation * axis;
  return (outwards - along.dot(outwards) * along).normalized();
}

}  // namespace

ContactAnchor anchorContact(const BodyStore& bodies, const CollisionWorld& collision,
                            const StepContact& contact) {
  const auto [a, b] = collision.localSurfaces(contact.point);
  ContactAnchor anchor;
  if (isFace(a) || isFace(b)) {
    followFace(bodies, contact, isFace(a), isFace(b), anchor);
  } else {
    followCores(bodies, contact, a, b, anchor);
  }
  const Quat toA = bodies.rotation[contact.bodyA].conjugate();
  const Quat toB = bodies.rotation[contact.bodyB].conjugate();
  anchor.onA = toA * (a.core - bodies.position[contact.bodyA]);
  anchor.onB = toB * (b.core - bodies.position[contact.bodyB]);
  anchor.axisA = toA * a.axis;
  anchor.axisB = toB * b.axis;
  anchor.radiusA = a.radius;
  anchor.radiusB = b.radius;
  anchor.isRimA = isRim(a);
  anchor.isRimB = isRim(b);
  anchor.normal = anchor.carrier < 0
                      ? contact.point.normal
                      : bodies.rotation[anchor.carrier].conjugate() * contact.point.normal;
  return anchor;
}

void anchorContacts(const BodyStore& bodies, const CollisionWorld& collision,
                    std::span<const StepContact> contacts, int threads,
                    std::vector<ContactAnchor>& anchors) {
  const int count = static_cast<int>(contacts.size());
  anchors.resize(contacts.size());
  parallelRanges(count, kContactsPerRange, threads, [&](int begin, int end) {
    for (int c = begin; c < end; ++c) anchors[c] = anchorContact(bodies, collision, contacts[c]);
  });
}

ContactPlace placeContact(const BodyStore& bodies, const StepContact& contact,
                          const ContactAnchor& anchor) {
  const int a = contact.bodyA, b = contact.bodyB;
  Vec3 onA = bodies.position[a] + bodies.rotation[a] * anchor.onA;
  Vec3 onB = bodies.position[b] + bodies.rotation[b] * anchor.onB;
  ContactPlace place;
  switch (anchor.rule) {
    case Rule::kCarried:
      place.normal =
          anchor.carrier < 0 ? anchor.normal : bodies.rotation[anchor.carrier] * anchor.normal;
      break;
    case Rule::kBetweenCores: {
      // A core on a line goes along it to where it faces the other one.
      if (!anchor.axisA.isZero(0)) {
        const Vec3 axis = bodies.rotation[a] * anchor.axisA;
        onA += axis.dot(onB - onA) * axis;
      } else if (!anchor.axisB.isZero(0)) {
        const Vec3 axis = bodies.rotation[b] * anchor.axisB;
        onB -= axis.dot(onB - onA) * axis;
      }
      const Real distance = (onB - onA).norm();
      place.normal = distance > 0 ? Vec3((onB - onA) / distance) : contact.point.normal;
      break;
    }
    case Rule::kAcrossLines: {
      const Vec3 axisA = bodies.rotation[a] * anchor.axisA;
      const Vec3 axisB = bodies.rotation[b] * anchor.axisB;
      const Vec3 d = onB - onA;
      const Real cosine = axisA.dot(axisB), along = d.dot(axisA), other = d.dot(axisB);
      const Real sine2 = std::max(1 - cosine * cosine, kParallelSine * kParallelSine / 4);
      onA += (along - cosine * other) / sine2 * axisA;
      onB += (cosine * along - other) / sine2 * axisB;
      // Lines that turn past each other keep the side they are on.
      const Vec3 across = axisA.cross(axisB);
      const Vec3& last = contact.point.normal;
      place.normal = across.norm() < kParallelSine / 2 ? last
                     : across.dot(last) < 0            ? Vec3(-across.normalized())
                                                       : across.normalized();
      break;
    }
  }
  if (anchor.radiusA > 0) {
    onA +=
        anchor.radiusA * outOfCore(place.normal, anchor.isRimA, bodies.rotation[a], anchor.axisA);
  }
  if (anchor.radiusB > 0) {
    onB +=
        anchor.radiusB * outOfCore(-place.normal, anchor.isRimB, bodies.rotation[b], anchor.axisB);
  }
  place.gap = place.normal.dot(onB - onA);
  switch (anchor.rider) {
    case Rider::kA:
      place.position = onA + place.gap / 2 * place.normal;
      break;
    case Rider::kB:
      place.position = onB - place.gap / 2 * place.normal;
      break;
    case Rider::kBoth:
      place.position = 0.5 * (onA + onB);
      break;
  }
  return place;
}

void carryContacts(const BodyStore& bodies, const MaterialTable& materials,
                   std::span<const ContactAnchor> anchors, int threads,
                   std::span<StepContact> contacts) {
  const int count = static_cast<int>(contacts.size());
  parallelRanges(count, kContactsPerRange, threads, [&](int begin, int end) {
    for (int c = begin; c < end; ++c) {
      StepContact& contact = contacts[c];
      const ContactPlace place = placeContact(bodies, contact, anchors[c]);
      contact.point.position = place.position;
      contact.point.gap = place.gap;
      if (contact.hasGrain) {
        contact.point.normal = place.normal;
        followGrainAgain(bodies.referencePose(contact.bodyA).rotation,
                         bodies.referencePose(contact.bodyB).rotation, materials, contact);
        continue;
      }
      if (place.normal == contact.point.normal) continue;  // as on all that stands still
      setNormal(place.normal, contact);
    }
  });
}

}  // namespace drystone
