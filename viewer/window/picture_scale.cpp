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
  if (rest_ > 0) --rest_;
  if (finer_ > 0 && mean > kGain * finer_) {
    rest_ = kRest;
    --level_;
    finer_ = 0;
    return;
  }
  finer_ = 0;
  if (mean > kWanted) {
    if (rest_ > 0 || level_ + 1 == kScales.size()) return;
    finer_ = mean;
    ++level_;
  } else if (level_ > 0 && mean * pixelsOf(level_ - 1) < kGain * kWanted * pixelsOf(level_)) {
    --level_;
  }
}

}  // namespace drystone::viewer
