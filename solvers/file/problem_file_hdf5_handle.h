#pragma once

#include <hdf5.h>

#include <mutex>
#include <utility>

/// What everything that talks to the HDF5 library shares: problem files and recordings.
namespace drystone::detail {

/// Holds the library for this thread (it need not be built thread-safe) and keeps it from printing
/// its errors.
class Hdf5Session {
 public:
  Hdf5Session() : lock_(mutex()) {
    // Everything is closed by its owner; the library's own round at exit only complains about what
    // damaged files have left inside it.
    [[maybe_unused]] static const herr_t kNoRoundAtExit = H5dont_atexit();
    H5Eget_auto2(H5E_DEFAULT, &print_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  ~Hdf5Session() { H5Eset_auto2(H5E_DEFAULT, print_, data_); }
  Hdf5Session(const Hdf5Session&) = delete;
  Hdf5Session& operator=(const Hdf5Session&) = delete;

 private:
  static std::recursive_mutex& mutex() {
    static std::recursive_mutex one;
    return one;
  }

  std::unique_lock<std::recursive_mutex> lock_;
  H5E_auto2_t print_ = nullptr;
  void* data_ = nullptr;
};

/// Owner of one HDF5 identifier.
class Hdf5Handle {
 public:
  explicit Hdf5Handle(hid_t id = H5I_INVALID_HID) : id_(id) {}
  Hdf5Handle(Hdf5Handle&& other) noexcept : id_(std::exchange(other.id_, H5I_INVALID_HID)) {}
  Hdf5Handle& operator=(Hdf5Handle&& other) noexcept {
    std::swap(id_, other.id_);
    return *this;
  }
  ~Hdf5Handle() { close(); }
  bool close() {
    const hid_t id = std::exchange(id_, H5I_INVALID_HID);
    if (id < 0) return true;
    const Hdf5Session session;  // an owner that is half made has none any more
    // A file closes by H5Fclose, which flushes; everything else by its reference count.
    return (H5Iget_type(id) == H5I_FILE ? H5Fclose(id) : H5Idec_ref(id)) >= 0;
  }
  operator hid_t() const { return id_; }
  bool valid() const { return id_ >= 0; }

 private:
  hid_t id_;
};

}  // namespace drystone::detail
