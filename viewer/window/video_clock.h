#pragma once

#include <chrono>
#include <cstdint>
#include <ratio>

namespace drystone::viewer {

/// Tells when a video needs its next picture, so that it plays as fast as the clock went: picture n
/// is due n/30 s after the start.
class VideoClock {
 public:
  using Time = std::chrono::steady_clock::time_point;
  static constexpr int kPicturesPerSecond = 30;
  /// After a pause of more pictures the video goes on where it is, without filling it in.
  static constexpr int kLongestGap = 2 * kPicturesPerSecond;

  explicit VideoClock(Time start) : start_(start) {}

  bool isDue(Time now) const { return lacking(now) > 0; }
  /// How often the picture of that time stands in the video: more than once where pictures are
  /// slow.
  int take(Time now) {
    const std::int64_t count = lacking(now);
    due_ += count;
    return count > kLongestGap ? 1 : static_cast<int>(count);
  }

 private:
  std::int64_t lacking(Time now) const {
    using Pictures = std::chrono::duration<std::int64_t, std::ratio<1, kPicturesPerSecond>>;
    return std::chrono::floor<Pictures>(now - start_).count() + 1 - due_;
  }

  Time start_;
  std::int64_t due_ = 0;  // pictures up to now
};

}  // namespace drystone::viewer
