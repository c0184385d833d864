// Contacts at seams of the static world that nothing real can cause. Derivation:
// docs/theory/contacts.md, "Contacts across seams".
#include "collision/narrow/ghosts.h"

#include <algorithm>
#include <cmath>

#include "collision/narrow/manifold.h"
#include "collision/narrow/triangle_surface.h"
#include "collision/shape/shape_operations.h"

namespace drystone::narrow {
namespace {

/// Faces within this height go on over a seam [m]: half as much again as the 0.1 mm to which tiles
/// are laid, so that the overlap of a body at rest comes on top.
constexpr Real kSeamHeight = 1.5e-4;
/// The same for small bodies, relative to their thickness.
constexpr Real kRelativeSeam = 1e-2;
/// Normals are equal below this sine.
constexpr Real kSameNormal = 1e-9;
/// Most faces of a body that are compared with its contacts: it bounds the cost on rough ground,
/// where each triangle is a face of its own.
constexpr std::size_t kMostFaces = 16;

Real thicknessOf(const PlacedShape& shape) { return operationsOf(shape.kind).thickness(shape); }

/// Height that counts as none for a shape [m].
Real seamOf(const PlacedShape& shape) {
  return std::min(kSeamHeight, kRelativeSeam * thicknessOf(shape));
}

/// Sine of the angle by which a shape leans that stands on two faces which differ by a seam.
Real leanOf(const PlacedShape& shape) { return 2 * seamOf(shape) / thicknessOf(shape); }

Real sineBetween(const Vec3& a, const Vec3& b) { return a.cross(b).norm(); }

/// The part's face that is the squarest to a direction; zero for round parts.
Vec3 faceTowards(const StaticPart& part, const Vec3& direction) {
  if (part.shape == nullptr) {
    const Vec3 normal = triangleNormal(part.corners);
    return normal.dot(direction) < 0 ? Vec3(-normal) : normal;
  }
  const PlacedShape& shape = *part.shape;
  if (shape.kind == ShapeKind::kPlane) return shape.axis(2);
  if (shape.polytope == nullptr) return Vec3::Zero();
  const Vec3 local = shape.rotation.transpose() * direction;
  const auto& faces = shape.polytope->faces;
  const auto squarest = std::max_element(
      faces.begin(), faces.end(),
      [&](const auto& p, const auto& q) { return p.normal.dot(local) < q.normal.dot(local); });
  return shape.rotation * squarest->normal;
}

/// How far the part reaches along a direction (unit).
Real heightAlong(const StaticPart& part, const Vec3& direction) {
  if (part.shape == nullptr) {
    return std::max({part.corners[0].dot(direction), part.corners[1].dot(direction),
                     part.corners[2].dot(direction)});
  }
  const PlacedShape& shape = *part.shape;
  if (shape.kind == ShapeKind::kPlane) {
    const bool isAcross = sineBetween(shape.axis(2), direction) < kSameNormal;
    return isAcross && shape.axis(2).dot(direction) > 0 ? shape.position.dot(direction)
                                                        : kUnbounded;
  }
  return direction.dot(shape.position + support(shape, direction, false));
}

/// Adds the face that a contact presses on, if it is one and not yet in the list.
void addFace(const StaticContact& contact, std::vector<SupportingFace>& faces) {
  const Vec3 normal = faceTowards(contact.part, contact.normal);
  if (normal.dot(contact.normal) <= 0 ||
      sineBetween(normal, contact.normal) > leanOf(*contact.moving)) {
    return;
  }
  const Real height = normal.dot(contact.position), depth = std::max(-contact.gap, Real(0));
  for (SupportingFace& face : faces) {
    if (sineBetween(face.normal, normal) > kSameNormal || face.normal.dot(normal) < 0 ||
        std::abs(face.height - height) > kSameNormal) {
      continue;
    }
    face.depth = std::max(face.depth, depth);
    return;
  }
  if (faces.size() < kMostFaces) faces.push_back({normal, height, depth});
}

/// Whether the contact's normal lies between the face's and that of the part's own face, as over
/// the convex edge where the two meet.
bool isOverSharedEdge(const StaticContact& contact, const SupportingFace& face, const Vec3& own,
                      Real lean, Real seam) {
  // Away from the face the neighbours of the part are not known.
  if (face.normal.dot(contact.position) < face.height - seam) return true;
  const Vec3 away = (own - own.dot(face.normal) * face.normal).normalized();
  const Real up = contact.normal.dot(face.normal), over = contact.normal.dot(away);
  const Real aside = (contact.normal - up * face.normal - over * away).norm();
  const Real bend = std::atan2(own.dot(away), own.dot(face.normal));
  return aside <= lean && over >= -lean && std::atan2(over, up) <= bend + lean;
}

/// Compares one contact with one face that holds its body; drops or turns it. `atSeam`: the body
/// touches several parts.
void compare(const SupportingFace& face, bool atSeam, StaticContact& contact) {
  const Real sine = sineBetween(contact.normal, face.normal);
  const Real cosine = contact.normal.dot(face.normal);
  if (sine < kSameNormal && cosine > 0) return;
  const PlacedShape& moving = *contact.moving;
  const Real seam = seamOf(moving), lean = leanOf(moving);
  const Real lowest = face.normal.dot(moving.position + support(moving, -face.normal, false));
  if (lowest < face.height - face.depth - seam) return;
  if (heightAlong(contact.part, face.normal) > face.height + seam) return;
  const Vec3 own = faceTowards(contact.part, face.normal);
  if (own.isZero(0)) return;  // a round part falls off at once
  const bool goesOn = sineBetween(own, face.normal) <= lean && own.dot(face.normal) > 0;
  if (!goesOn && isOverSharedEdge(contact, face, own, lean, seam)) return;
  // What leans most is a face of the body that is laid on the part: there are its corners.
  const bool leansLittle = sine <= lean || (contact.isCorner && cosine >= kLaidCosine);
  if (goesOn && cosine > 0 && leansLittle) {
    if (!atSeam && !contact.isCorner) return;
    contact.normal = face.normal;
    contact.gap *= cosine;
  } else {
    contact.isGhost = atSeam;
  }
}

}  // namespace

void findGhosts(std::span<StaticContact> contacts, std::vector<SupportingFace>& faces) {
  faces.clear();
  const bool atSeam = std::any_of(contacts.begin(), contacts.end(), [&](const auto& contact) {
    return contact.part != contacts.front().part;
  });
  for (const StaticContact& contact : contacts) addFace(contact, faces);
  for (StaticContact& contact : contacts) {
    for (const SupportingFace& face : faces) {
      if (!contact.isGhost) compare(face, atSeam, contact);
    }
  }
}

}  // namespace drystone::narrow
