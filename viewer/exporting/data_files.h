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

// Files of VTK, as ParaView reads them: XML PolyData, one file a frame, and a collection (PVD) that
// says which file is of which time. Numbers stand in the XML, in base 64.

/// The surfaces of all bodies in one frame, triangle by triangle, in the world [m]. Points have the
/// velocity [m/s] of the body there, triangles the number of their body: index into
/// Recording::bodies().
std::string vtkBodies(const BodyMeshes& meshes, const WorldSnapshot& frame);

/// The contact points of one frame with their quantities and the numbers of both bodies.
std::string vtkContacts(const ExportedRun& run, const WorldSnapshot& frame);

/// Name of the file of the frame with this number in the series, such as "bodies_000012.vtp".
std::string vtkFrameName(const std::string& series, std::size_t index);

/// The collection of a series: its frames have the names of vtkFrameName(). `times`: [s]
std::string vtkSeries(const std::string& series, const std::vector<Real>& times);

}  // namespace drystone::viewer
