#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "viewer/exporting/exported_run.h"

namespace drystone::viewer {

// The listed frames of a recording as files of other programs: docs/export.md says what is in each.
// All throw InputError where the file would be larger than its format allows.

/// Arrays that `numpy.load` reads, as one NPZ file.
std::string npzFile(const ExportedRun& run, const std::vector<std::int64_t>& frames);

/// The bodies with their motion as binary glTF 2.0 (GLB).
std::string gltfFile(const ExportedRun& run, const std::vector<std::int64_t>& frames);

}  // namespace drystone::viewer
