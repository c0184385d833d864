#pragma once

#include <map>
#include <memory>
#include <tuple>

#include "viewer/draw/meshes.h"

namespace drystone::viewer {

/// The meshes of shapes, each made once. Shapes that only stretch the same form share one.
class MeshCache {
 public:
  /// A mesh and the factors along its axes that make the shape of it.
  struct Stretched {
    std::shared_ptr<const TriangleMeshf> mesh;
    Vec3f factors = Vec3f::Ones();
  };
  /// The mesh of a shape that is no compound; planes give the square, which their user stretches.
  Stretched meshOf(const Shape& shape, MeshDetail detail) {
    const MeshForm form = meshForm(shape);
    if (!form.isRound) detail = MeshDetail::kFine;
    const Key key{shape.index(), detail, form.data.get(), form.proportion};
    const auto [at, isNew] = entries_.try_emplace(key);
    if (isNew) at->second = {form.data, std::make_shared<const TriangleMeshf>(form.mesh(detail))};
    return {at->second.mesh, form.factors.cast<float>()};
  }
  /// Forgets the meshes that nobody else holds.
  void dropUnused() {
    std::erase_if(entries_, [](const auto& entry) { return entry.second.mesh.use_count() == 1; });
  }

 private:
  /// Kind, detail, address of shared data, proportion.
  using Key = std::tuple<std::size_t, MeshDetail, const void*, Real>;
  struct Entry {
    std::shared_ptr<const void> data;  ///< held, so that its address stays its own
    std::shared_ptr<const TriangleMeshf> mesh;
  };
  std::map<Key, Entry> entries_;
};

}  // namespace drystone::viewer
