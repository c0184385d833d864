#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/model/body.h"
#include "engine/model/joint.h"

namespace drystone {

/// What a restore asks of the bodies and joints of a world.
enum class RestoreMode : std::uint8_t {
  kExact,     ///< those of the saved state, all and no others: the world goes on bit for bit
  kMatching,  ///< those that are in both are restored, and the others are left out
  /// Likewise, those of the same name being the same, whatever their ids: for bodies that were
  /// removed and added again, and for worlds that were built anew. The ids of this world stay.
  kByName,
};

/// What a restore left out: bodies and joints of one side alone, or that are not the same on both.
/// A body is the same where its id is, and the shape that it was added with; a joint where its id
/// is, its geometry, and its bodies or the joints that it couples. Under kByName the name counts in
/// place of the id: what has none, or shares it with another one of its side, is left out.
struct RestoreReport {
  struct LeftOutBody {
    BodyId id;
    std::string name;
  };
  struct LeftOutJoint {
    JointId id;
    std::string name;
  };
  std::vector<LeftOutBody> bodiesNotHere;    ///< saved, and not in the world
  std::vector<LeftOutBody> bodiesNotSaved;   ///< of the world, where they stay as they are
  std::vector<LeftOutJoint> jointsNotHere;   ///< saved, and not in the world
  std::vector<LeftOutJoint> jointsNotSaved;  ///< of the world, where they stay as they are

  bool isComplete() const {
    return bodiesNotHere.empty() && bodiesNotSaved.empty() && jointsNotHere.empty() &&
           jointsNotSaved.empty();
  }
};

}  // namespace drystone
