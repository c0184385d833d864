#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include "engine/recording/recording_hdf5.h"
#include "solvers/file/problem_file_hdf5_handle.h"

/// HDF5's side of NumberType, of errors and of processes. Private to the writer and the reader of
/// arrays.
namespace drystone::detail {

/// How a number lies in files.
inline hid_t fileType(NumberType type) {
  const std::array<hid_t, 5> types = {H5T_STD_U8LE, H5T_STD_I32LE, H5T_STD_I64LE, H5T_STD_U64LE,
                                      H5T_IEEE_F64LE};
  return types[static_cast<std::size_t>(type)];
}

/// How it lies in memory.
inline hid_t memoryType(NumberType type) {
  const std::array<hid_t, 5> types = {H5T_NATIVE_UINT8, H5T_NATIVE_INT32, H5T_NATIVE_INT64,
                                      H5T_NATIVE_UINT64, H5T_NATIVE_DOUBLE};
  return types[static_cast<std::size_t>(type)];
}

/// What the operating system said in the library's last error; empty when it was not asked.
inline std::string systemError() {
  std::string found;
  H5Ewalk2(
      H5E_DEFAULT, H5E_WALK_UPWARD,
      [](unsigned, const H5E_error2_t* error, void* out) -> herr_t {
        constexpr std::string_view kMark = "error message = '";
        const std::string_view text = error->desc == nullptr ? "" : error->desc;
        const std::size_t start = text.find(kMark);
        if (start == std::string_view::npos) return 0;
        const std::string_view message = text.substr(start + kMark.size());
        *static_cast<std::string*>(out) = message.substr(0, message.find('\''));
        return 1;
      },
      &found);
  return found;
}

// Files that all processes of MPI write. Builds without parallel HDF5 must not call these:
// canShareFiles().

/// Whether this process is the first one, which writes what all have alike.
bool isFirstOfAll();

/// How all open a file together. Between two flushes the file keeps its older metadata.
Hdf5Handle accessOfAll();

/// How each of them writes rows of its own, in a call that all make.
Hdf5Handle transferOfAll();

}  // namespace drystone::detail
