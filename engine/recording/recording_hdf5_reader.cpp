// Arrays of an HDF5 file that is whole, still written, cut off or damaged.
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <map>
#include <utility>

#include "core/input_error.h"
#include "engine/recording/recording_hdf5.h"
#include "engine/recording/recording_hdf5_types.h"
#include "engine/recording/written_files.h"

namespace drystone::detail {
namespace {

// How often a reader looks again at what a writer may be writing at that moment. The library waits
// from 1 ns on, twice as long each time: 67 ms in all. By its own count of 100 it would wait for
// good where a writer was killed in the middle.
constexpr unsigned kReadAttempts = 27;

// Deflate packs at most 1032 : 1. A dataset that claims more than the file can hold is damaged, and
// its memory is never asked for.
constexpr std::uint64_t kLargestRatio = 1100;

}  // namespace

struct ArrayFileReader::State {
  std::string path;
  Hdf5Handle file;
  std::uint64_t fileSize = 0;
  bool closed = false;
  std::map<std::string, Hdf5Handle> datasets;

  [[noreturn]] void fail(const std::string& what) const {
    throw InputError(fmt::format("{}: {}", path, what));
  }
  /// The open dataset at a path.
  hid_t dataset(const std::string& name) {
    auto& handle = datasets.try_emplace(name, H5I_INVALID_HID).first->second;
    if (!handle.valid()) handle = Hdf5Handle(H5Dopen2(file, name.c_str(), H5P_DEFAULT));
    if (!handle.valid()) fail(fmt::format("/{} is missing or damaged", name));
    return handle;
  }
};

ArrayFileReader::ArrayFileReader(const std::string& path) : state_(new State) {
  const Hdf5Session session;
  state_->path = path;
  std::error_code error;
  if (!std::filesystem::exists(path, error)) state_->fail("there is no such file");
  if (std::filesystem::is_directory(path, error)) state_->fail("is a folder, a file is needed");
  state_->fileSize = std::filesystem::file_size(path, error);
  if (const std::string why = whyNotRead(path); !why.empty()) state_->fail(why);
  // Whatever a damaged file leaves open inside the library closes with the file.
  const Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS));
  H5Pset_fclose_degree(access, H5F_CLOSE_STRONG);
  H5Pset_metadata_read_attempts(access, kReadAttempts);
  state_->file = Hdf5Handle(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access));
  state_->closed = state_->file.valid();
  if (!state_->closed) {
    // The mark of a writer is still in the file: it runs, or it was killed.
    state_->file = Hdf5Handle(H5Fopen(path.c_str(), H5F_ACC_RDONLY | H5F_ACC_SWMR_READ, access));
  }
  if (state_->file.valid()) return;
  // HDF5 locks the files that it writes, recordings while they are begun and closed.
  state_->fail(systemError() == std::strerror(EAGAIN)
                   ? "another program is writing it; try again when that has closed it"
                   : "is no HDF5 file, or is cut off or damaged");
}

ArrayFileReader::~ArrayFileReader() {
  const Hdf5Session session;
  state_.reset();
}

ArrayFileReader::ArrayFileReader(ArrayFileReader&&) noexcept = default;

bool ArrayFileReader::closed() const { return state_->closed; }
void ArrayFileReader::fail(const std::string& what) const { state_->fail(what); }

bool ArrayFileReader::has(const std::string& path) const {
  const Hdf5Session session;
  // The library wants every group on the way to exist before it is asked about the next.
  for (std::size_t slash = path.find('/');; slash = path.find('/', slash + 1)) {
    if (H5Lexists(state_->file, path.substr(0, slash).c_str(), H5P_DEFAULT) <= 0) return false;
    if (slash == std::string::npos) return true;
  }
}

std::string ArrayFileReader::text(const std::string& path) {
  const Hdf5Session session;
  const hid_t dataset = state_->dataset(path);
  const Hdf5Handle type(H5Dget_type(dataset)), space(H5Dget_space(dataset));
  // Texts of variable length lie in a heap whose damage the library does not survive.
  if (H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) != 0 ||
      H5Sget_simple_extent_npoints(space) != 1 || H5Tget_size(type) > state_->fileSize) {
    fail(fmt::format("/{} must hold one text", path));
  }
  std::string value(H5Tget_size(type), '\0');
  if (H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, value.data()) < 0) {
    fail(fmt::format("/{} cannot be read: the file is damaged", path));
  }
  if (value == std::string(1, '\0')) value.clear();
  return value;
}

std::uint64_t ArrayFileReader::number(const std::string& path) {
  const Hdf5Session session;
  const hid_t dataset = state_->dataset(path);
  const Hdf5Handle type(H5Dget_type(dataset)), space(H5Dget_space(dataset));
  std::uint64_t value = 0;
  if (H5Tget_class(type) != H5T_INTEGER || H5Sget_simple_extent_npoints(space) != 1 ||
      H5Dread(dataset, H5T_NATIVE_UINT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, &value) < 0) {
    fail(fmt::format("/{} must hold one whole number", path));
  }
  return value;
}

std::int64_t ArrayFileReader::rows(const ArraySpec& spec) {
  const Hdf5Session session;
  const hid_t dataset = state_->dataset(spec.path);
  const Hdf5Handle type(H5Dget_type(dataset)), space(H5Dget_space(dataset));
  hsize_t size[2] = {0, 1};
  const int rank = spec.width > 1 ? 2 : 1;
  if (H5Tequal(type, fileType(spec.type)) <= 0 || H5Sget_simple_extent_ndims(space) != rank ||
      H5Sget_simple_extent_dims(space, size, nullptr) != rank ||
      size[1] != static_cast<hsize_t>(spec.width)) {
    fail(fmt::format("/{} has not the type or width that a recording has there", spec.path));
  }
  if (size[0] > kLargestRatio * state_->fileSize / spec.rowBytes()) {
    fail(fmt::format("/{} claims more data than the file can hold: it is damaged", spec.path));
  }
  return static_cast<std::int64_t>(size[0]);
}

void ArrayFileReader::read(const ArraySpec& spec, std::int64_t first, std::int64_t count,
                           void* out) {
  if (count == 0) return;
  const Hdf5Session session;
  const hid_t dataset = state_->dataset(spec.path);
  const hsize_t start[2] = {static_cast<hsize_t>(first), 0},
                size[2] = {static_cast<hsize_t>(count), static_cast<hsize_t>(spec.width)};
  const Hdf5Handle there(H5Dget_space(dataset)),
      here(H5Screate_simple(spec.width > 1 ? 2 : 1, size, nullptr));
  if (H5Sselect_hyperslab(there, H5S_SELECT_SET, start, nullptr, size, nullptr) < 0 ||
      H5Dread(dataset, memoryType(spec.type), here, there, H5P_DEFAULT, out) < 0) {
    fail(fmt::format("/{} cannot be read: the file is damaged", spec.path));
  }
}

}  // namespace drystone::detail
