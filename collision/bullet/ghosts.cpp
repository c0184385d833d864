#include <algorithm>

#include "collision/bullet/implementation.h"
#include "collision/narrow/ghosts.h"

namespace drystone {

void CollisionWorld::Implementation::listStaticContacts(const std::vector<ContactPoint>& contacts) {
  staticContacts.clear();
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const ContactPoint& contact = contacts[i];
    const bool isStaticA = collider(contact.colliderA).isStatic;
    if (isStaticA == collider(contact.colliderB).isStatic) continue;
    staticContacts.emplace_back(isStaticA ? contact.colliderB : contact.colliderA,
                                static_cast<int>(i));
  }
  std::sort(staticContacts.begin(), staticContacts.end());
}

narrow::StaticContact CollisionWorld::Implementation::staticContact(const ContactPoint& contact,
                                                                    int index) const {
  const bool isStaticA = collider(contact.colliderA).isStatic;
  const bullet::Collider& a = collider(contact.colliderA);
  const bullet::Collider& b = collider(contact.colliderB);
  const std::uint64_t child = contact.feature >> narrow::kFeatureBits;
  const std::uint64_t childA = child / b.childCount, childB = child % b.childCount;
  const bullet::Part& still = isStaticA ? a.partOf(childA) : b.partOf(childB);
  const bullet::Part& moving = isStaticA ? b.partOf(childB) : a.partOf(childA);
  narrow::StaticContact out;
  out.moving = &moving.placed;
  out.normal = isStaticA ? contact.normal : Vec3(-contact.normal);
  const Real gapThere = contact.gap - 2 * contact.normal.dot(contact.halfWay);
  out.position = (isStaticA ? contact.onA() : contact.onB()) - gapThere / 2 * out.normal;
  out.gap = contact.gap;
  out.isCorner = vertexOf(contact) == (isStaticA ? ContactVertex::kOfB : ContactVertex::kOfA);
  out.index = index;
  if (!still.surface) {
    out.part.shape = &still.placed;
    return out;
  }
  const std::uint64_t triangle = (isStaticA ? childA : childB) - still.firstChild;
  out.part.corners = still.surface->corners(static_cast<int>(triangle));
  for (Vec3& corner : out.part.corners) {
    corner = still.placed.position + still.placed.rotation * corner;
  }
  return out;
}

void CollisionWorld::Implementation::dropGhosts(std::vector<ContactPoint>& contacts) {
  listStaticContacts(contacts);
  bool anyGhost = false;
  for (std::size_t begin = 0; begin < staticContacts.size();) {
    std::size_t end = begin;
    ofBody.clear();
    while (end < staticContacts.size() &&
           staticContacts[end].first == staticContacts[begin].first) {
      const int index = staticContacts[end++].second;
      ofBody.push_back(staticContact(contacts[static_cast<std::size_t>(index)], index));
    }
    narrow::findGhosts(ofBody, supportingFaces);
    for (const narrow::StaticContact& judged : ofBody) {
      ContactPoint& contact = contacts[static_cast<std::size_t>(judged.index)];
      if (judged.isGhost) {
        contact.colliderA = -1;
        anyGhost = true;
      } else {
        contact.normal =
            collider(contact.colliderA).isStatic ? judged.normal : Vec3(-judged.normal);
        contact.gap = judged.gap;
      }
    }
    begin = end;
  }
  if (anyGhost) {
    std::erase_if(contacts, [](const ContactPoint& contact) { return contact.colliderA < 0; });
  }
}

void CollisionWorld::dropGhosts(std::vector<ContactPoint>& contacts) {
  implementation_->dropGhosts(contacts);
}

}  // namespace drystone
