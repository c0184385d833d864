#pragma once

#include <memory>

namespace drystone::bench {

/// False where this program was built without MuJoCo.
bool hasMujocoBatch();

/// The force on the cart of a copy, or on the first joint of another robot [N], [N m].
inline double pushOf(int copy) { return 0.1 * (copy % 7); }

/// Copies of the library scene cart_pole in MuJoCo: one model, one state a copy.
class MujocoBatch {
 public:
  explicit MujocoBatch(int copies);
  ~MujocoBatch();
  MujocoBatch(const MujocoBatch&) = delete;
  MujocoBatch& operator=(const MujocoBatch&) = delete;

  void restart(int copy);  ///< at the start of the scene, with its push
  /// Different copies may be stepped by different threads.
  void step(int copy, int steps);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace drystone::bench
