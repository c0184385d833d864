#include "viewer/draw/mesh_cache.h"

namespace drystone::viewer {
MeshCache::Stretched MeshCache::meshOf(const Shape& shape, MeshDetail detail) {
  const MeshForm form = meshForm(shape);
  if (!form.isRound) detail = MeshDetail::kFine;
  const Key key{shape.index(), detail, form.data.get(), form.proportion};
  const auto [at, isNew] = entries_.try_emplace(key);
  if (isNew) at->second = {form.data, std::make_shared<const TriangleMeshf>(form.mesh(detail))};
  return {at->second.mesh, form.factors.cast<float>()};
}

void MeshCache::dropUnused() {
  std::erase_if(entries_, [](const auto& entry) { return entry.second.mesh.use_count() == 1; });
}

}  // namespace drystone::viewer
