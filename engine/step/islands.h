#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "engine/model/body_store.h"
#include "engine/step/contacts.h"
#include "engine/step/joint_row_list.h"

namespace drystone {

/// What a block of rows comes from.
struct BlockSource {
  enum class Kind : std::uint8_t { kJoint, kContact };
  Kind kind = Kind::kContact;
  int index = -1;  ///< into JointRowList::blocks or the contacts

  bool isJoint() const { return kind == Kind::kJoint; }
  bool isContact() const { return kind == Kind::kContact; }
};

/// The slots of its bodies A and B.
inline std::pair<int, int> bodiesOf(BlockSource source, std::span<const StepJointBlock> joints,
                                    std::span<const StepContact> contacts) {
  return source.isJoint() ? std::pair(joints[source.index].bodyA, joints[source.index].bodyB)
                          : std::pair(contacts[source.index].bodyA, contacts[source.index].bodyB);
}

/// Groups of bodies that share constraints, numbered by their lowest dynamic body.
struct Islands {
  std::vector<int> ofBody;           ///< [body slots] island, or -1: no constraint holds the body
  std::vector<int> localBody;        ///< [body slots] index within the island, or -1
  std::vector<int> bodyStart;        ///< [count + 1] into `bodies`
  std::vector<int> bodies;           ///< body slots, ascending in each island
  std::vector<int> blockStart;       ///< [count + 1] into `sources`
  std::vector<BlockSource> sources;  ///< joints first, then contacts, each ascending
  std::vector<int> rowStart;         ///< [count + 1] into the row arrays
  std::vector<int> parent;           ///< union–find work space

  int count() const { return static_cast<int>(bodyStart.size()) - 1; }
};

/// The part of one island in an array of all, whose parts begin at `start`.
template <class Array>
auto partOf(Array& array, const std::vector<int>& start, int island) {
  return std::span(array).subspan(start[island], start[island + 1] - start[island]);
}
/// The same of an array of rows.
template <class Array>
auto rowsOf(const Islands& islands, Array& array, int island) {
  return partOf(array, islands.rowStart, island);
}

/// Groups dynamic bodies that contacts or joints connect, by union–find, and orders the blocks by
/// island. Static and kinematic bodies connect nothing. Sets StepContact::block and
/// StepJointBlock::block.
void findIslands(const BodyStore& bodies, FrictionModel friction, std::span<StepJointBlock> joints,
                 std::span<StepContact> contacts, Islands& islands);

}  // namespace drystone
