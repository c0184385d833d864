#pragma once

#include <array>
#include <cstddef>

namespace drystone::viewer {

/// Pixels of the scene's picture for one of the window, along a side. Where pictures of a scene
/// that moves come too slowly they get coarser, in two steps down to half of the pixels. Where that
/// makes them no faster, as where the simulation takes the time, they stay fine.
class PictureScale {
 public:
  static constexpr double kWanted = 1.0 / 30;  ///< time of a picture [s] that looks like a motion

  /// Takes the time between two pictures of a scene that moves [s].
  void take(double time);
  double value() const { return kScales[level_]; }
  /// Another scene, or another size of the window: begins fine.
  void startAnew() { *this = {}; }

 private:
  static constexpr std::array<double, 3> kScales = {1, 0.84, 0.7};
  static constexpr int kPictures = 15;  // half a second: a mean over fewer follows every hitch
  static constexpr double kGain = 0.9;  // of the time: less of a gain is not worth the look
  static constexpr int kRest = 40;      // means without another try: 20 s and more

  double pixelsOf(std::size_t level) const { return kScales[level] * kScales[level]; }
  void judge(double mean);

  std::size_t level_ = 0;
  double finer_ = 0;  // mean time at the finer level that was left [s]
  int rest_ = 0;      // means to wait, since coarser pictures came no faster
  int pictures_ = 0;  // in the sum
  double sum_ = 0;    // [s]
};

}  // namespace drystone::viewer
