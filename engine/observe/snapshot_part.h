#pragma once

#include <cstddef>

#include "engine/observe/snapshot.h"

namespace drystone {

/// Where rows of one process lie among those of all.
struct RowPart {
  std::size_t first = 0, total = 0;
};

/// What one of several processes has of a snapshot. The rows of all processes, one after the other,
/// are those of the whole.
struct SnapshotPart {
  WorldSnapshot snapshot;
  RowPart bodies, contacts;
};

/// What is written of a frame: all of it, or of the rows of all processes those of this one.
struct FrameRows {
  const WorldSnapshot& snapshot;
  const RowPart* bodies = nullptr;  ///< null: all
  const RowPart* contacts = nullptr;

  FrameRows(const WorldSnapshot& whole) : snapshot(whole) {}
  FrameRows(const SnapshotPart& part)
      : snapshot(part.snapshot), bodies(&part.bodies), contacts(&part.contacts) {}
};

}  // namespace drystone
