#pragma once

#include <cstdint>

namespace drystone::gpu {

/// What an executor was given to do since it was made. Growing memory is in none of it.
struct ExecutorWork {
  std::int64_t uploads = 0, uploadedBytes = 0;
  std::int64_t downloads = 0, downloadedBytes = 0;
  std::int64_t kernels = 0;     ///< that ran, those of replayed recordings too
  std::int64_t launches = 0;    ///< calls that start kernels: a replay is one, whatever it holds
  std::int64_t recordings = 0;  ///< made, and not run
  double ms = 0;                ///< wall clock within all these calls, waits included

  ExecutorWork& operator+=(const ExecutorWork& other) { return add(other, 1); }
  ExecutorWork& operator-=(const ExecutorWork& other) { return add(other, -1); }

 private:
  ExecutorWork& add(const ExecutorWork& other, int sign) {
    uploads += sign * other.uploads;
    uploadedBytes += sign * other.uploadedBytes;
    downloads += sign * other.downloads;
    downloadedBytes += sign * other.downloadedBytes;
    kernels += sign * other.kernels;
    launches += sign * other.launches;
    recordings += sign * other.recordings;
    ms += sign * other.ms;
    return *this;
  }
};

/// What a solve on a device took, in parts: executor, copies and host do not overlap.
struct DeviceWork {
  ExecutorWork executor;
  int layouts = 0;      ///< made anew, one a precision
  int keptLayouts = 0;  ///< of the last solve
  double copyMs = 0;    ///< between the caller's arrays and the image that is copied, by the host
  double hostMs = 0;    ///< all else that the host did: comparing, coloring, layout, measuring

  DeviceWork& operator+=(const DeviceWork& other) { return add(other, 1); }
  DeviceWork& operator-=(const DeviceWork& other) { return add(other, -1); }

 private:
  DeviceWork& add(const DeviceWork& other, int sign) {
    if (sign > 0) {
      executor += other.executor;
    } else {
      executor -= other.executor;
    }
    layouts += sign * other.layouts;
    keptLayouts += sign * other.keptLayouts;
    copyMs += sign * other.copyMs;
    hostMs += sign * other.hostMs;
    return *this;
  }
};

}  // namespace drystone::gpu
