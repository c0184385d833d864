#include "viewer/window/picture_scale.h"

namespace drystone::viewer {

void PictureScale::take(double time) {
  sum_ += time;
  if (++pictures_ < kPictures) return;
  const double mean = sum_ / pictures_;
  pictures_ = 0;
  sum_ = 0;
  judge(mean);
}

void PictureScale::judge(double mean) {
  if (finer_ > 0 && mean > kGain * finer_) {
    isUseless_ = true;
    --level_;
    finer_ = 0;
    return;
  }
  finer_ = 0;
  if (mean > kWanted) {
    if (isUseless_ || level_ + 1 == kScales.size()) return;
    finer_ = mean;
    ++level_;
  } else if (level_ > 0 && mean * pixelsOf(level_ - 1) < kGain * kWanted * pixelsOf(level_)) {
    --level_;
  }
}

}  // namespace drystone::viewer
