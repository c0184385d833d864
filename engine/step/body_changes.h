#pragma once

#include "engine/model/body_store.h"

namespace drystone {

struct WorldParts;

// Changes of bodies between two steps.

/// Wakes a body and what it touches or hangs on, and starts the mean rows of its joints anew. To be
/// called before it is changed from outside.
void disturb(WorldParts& world, int body);

/// Throws InputError unless the world has the material of a definition.
void checkMaterial(const WorldParts& world, const BodyDefinition& definition);

/// Gives the shape of a body a collider where it is: with the index `at` if that is free, else the
/// lowest free one. Nothing without a shape. Where memory ends, it has none.
void makeCollider(WorldParts& world, int body, int at = -1);
/// Likewise, and lets it collide or not with those that joints connect it with. Where memory ends,
/// a body without joints has none.
void addCollider(WorldParts& world, int body, int at = -1);
/// Takes it away, with the warm starts of its contacts.
void removeCollider(WorldParts& world, int body);

/// Drops the last step's contacts and island of a body, so that no observer sees them on what it
/// has become, or on the next body in its slot.
void forgetContacts(WorldParts& world, int body);

/// Makes a body of other things between two steps, as BodyStore::redefine() does, and wakes what
/// that disturbs. Its collider keeps its index. Impulses of the last step that mean nothing any
/// more are forgotten. Throws InputError, and changes nothing, where the definition is bad. Where
/// memory ends, the world is half done.
void changeBody(WorldParts& world, int body, const BodyDefinition& definition, bool isNewShape);

}  // namespace drystone
