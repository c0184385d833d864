#pragma once

#include "viewer/draw/draw_list.h"

namespace drystone::viewer {

/// A coarser mesh of the same outline: the vertices of each cell of a grid, `cells` along the
/// longest side of the bounding box, become one. For copies that are a few pixels large.
TriangleMeshf clusterVertices(const TriangleMeshf& mesh, int cells);

}  // namespace drystone::viewer
