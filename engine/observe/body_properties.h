#pragma once

#include "engine/model/body_store.h"
#include "engine/observe/state_streams.h"

namespace drystone {

// What of a body may be changed between two steps, as a part of saved states. Bytes tell whether a
// body is still made of the same: then nothing of it is touched.

/// What a body was made of when the state was saved.
struct SavedProperties {
  int collider = -1;
  BodyDefinition definition;     ///< without name, pose and velocities
  bool hasAddedShape = true;     ///< the shape that it was added with, which is not saved then
  std::vector<std::byte> bytes;  ///< as they were saved, without the shape
  std::vector<std::byte> shapeBytes;
};

/// Appends the properties; the shape only if another one took the place of that which the body was
/// added with, since that one is in every world where the state fits.
void writeProperties(const BodyRecord& record, StateWriter& writer);

/// Takes them back, all but the collider.
void readProperties(StateReader& reader, SavedProperties& properties);

/// The properties of a body as such bytes.
SavedProperties propertiesOf(const BodyRecord& record);

}  // namespace drystone
