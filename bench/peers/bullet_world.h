#pragma once

#include <memory>
#include <vector>

#include "scenes/scene.h"

namespace drystone::bench {

/// Bullet's own discrete dynamics world (sequential impulse) with the bodies of a scene, as
/// Bullet's users set it up: default margins, no sleeping, no damping, friction √μ per body because
/// Bullet multiplies. Spheres, boxes, planes and compounds of none.
class BulletWorld {
 public:
  BulletWorld(const Scene& scene, int iterations);
  ~BulletWorld();

  void step();
  int contactCount() const;
  /// Centres of mass of the dynamic bodies, in order of the scene [m].
  std::vector<Vec3> positions() const;

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace drystone::bench
