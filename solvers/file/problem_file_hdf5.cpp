#include "solvers/file/problem_file_hdf5.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "solvers/file/problem_file_hdf5_handle.h"

namespace drystone::detail {
namespace {

// Deflate packs at most 1032 : 1. A dataset that claims more than the file can hold is damaged, and
// its memory is never asked for.
constexpr std::uint64_t kLargestRatio = 1100;
// Below this size compression costs more bytes than it saves.
constexpr std::uint64_t kCompressedFrom = 256;
constexpr hsize_t kChunkRows = 1 << 16;

}  // namespace

struct Hdf5File::State {
  // Declared first: held, and printing off, until the file is closed.
  Hdf5Session session;
  FileErrors& errors;
  Hdf5Handle file;
  std::uint64_t fileSize = 0;

  Hdf5Handle openDataset(const std::string& path, bool required, H5T_class_t& typeClass,
                         std::size_t& count);
  template <class T>
  std::vector<T> read(const std::string& path, bool required, hid_t memoryType, bool allowReal);
  void write(const std::string& path, const void* data, std::size_t count, int columns,
             hid_t fileType, hid_t memoryType);
};

Hdf5File::Hdf5File(std::unique_ptr<State> state) : state_(std::move(state)) {}
Hdf5File::Hdf5File(Hdf5File&&) noexcept = default;
Hdf5File::~Hdf5File() = default;

Hdf5File Hdf5File::open(FileErrors& errors) {
  auto state = std::unique_ptr<State>(new State{{}, errors, Hdf5Handle(), 0});
  // Whatever a damaged file leaves open inside the library closes with the file.
  const Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS));
  H5Pset_fclose_degree(access, H5F_CLOSE_STRONG);
  state->file = Hdf5Handle(H5Fopen(errors.path().c_str(), H5F_ACC_RDONLY, access));
  if (!state->file.valid()) {
    errors.fail("", "is not a whole HDF5 file: it is cut off or damaged, copy or write it again");
  }
  std::error_code ignored;
  state->fileSize = std::filesystem::file_size(errors.path(), ignored);
  return Hdf5File(std::move(state));
}

Hdf5File Hdf5File::create(const std::string& path, FileErrors& errors) {
  auto state = std::unique_ptr<State>(new State{{}, errors, Hdf5Handle(), 0});
  // Format 1.8: its metadata carries checksums, so that damage is noticed, and old tools read it.
  Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS));
  H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_V18);
  state->file = Hdf5Handle(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
  if (!state->file.valid()) {
    errors.fail("", "cannot be written: check folder, permissions and free space");
  }
  return Hdf5File(std::move(state));
}

bool Hdf5File::has(const std::string& path) const {
  // The library wants every group on the way to exist before it is asked about the next.
  for (std::size_t slash = path.find('/');; slash = path.find('/', slash + 1)) {
    if (H5Lexists(state_->file, path.substr(0, slash).c_str(), H5P_DEFAULT) <= 0) return false;
    if (slash == std::string::npos) return true;
  }
}

Hdf5Handle Hdf5File::State::openDataset(const std::string& path, bool required,
                                        H5T_class_t& typeClass, std::size_t& count) {
  Hdf5Handle dataset(H5Dopen2(file, path.c_str(), H5P_DEFAULT));
  if (!dataset.valid()) {
    if (required) errors.add(path, "is missing or damaged");
    return dataset;
  }
  const Hdf5Handle type(H5Dget_type(dataset)), space(H5Dget_space(dataset));
  const hssize_t points = H5Sget_simple_extent_npoints(space);
  typeClass = H5Tget_class(type);
  const std::uint64_t limit = kLargestRatio * fileSize;
  if (points < 0 || static_cast<std::uint64_t>(points) > limit || H5Tget_size(type) > limit ||
      static_cast<std::uint64_t>(points) * H5Tget_size(type) > limit) {
    errors.add(path, "claims more data than the file can hold: the file is damaged");
    return Hdf5Handle();
  }
  count = static_cast<std::size_t>(points);
  return dataset;
}

template <class T>
std::vector<T> Hdf5File::State::read(const std::string& path, bool required, hid_t memoryType,
                                     bool allowReal) {
  H5T_class_t typeClass = H5T_NO_CLASS;
  std::size_t count = 0;
  const Hdf5Handle dataset = openDataset(path, required, typeClass, count);
  if (!dataset.valid()) return {};
  if (typeClass != H5T_INTEGER && !(allowReal && typeClass == H5T_FLOAT)) {
    errors.add(path, allowReal ? "must hold numbers" : "must hold whole numbers");
    return {};
  }
  std::vector<T> values(count);
  if (count > 0 && H5Dread(dataset, memoryType, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0) {
    errors.add(path, "cannot be read: the file is damaged");
    values.clear();
  }
  return values;
}

std::vector<Real> Hdf5File::reals(const std::string& path, bool required) {
  if (!required && !has(path)) return {};
  return state_->read<Real>(path, true, H5T_NATIVE_DOUBLE, true);
}

std::vector<int> Hdf5File::integers(const std::string& path, bool required) {
  if (!required && !has(path)) return {};
  return state_->read<int>(path, true, H5T_NATIVE_INT, false);
}

std::vector<std::uint64_t> Hdf5File::keys(const std::string& path) {
  return state_->read<std::uint64_t>(path, true, H5T_NATIVE_UINT64, false);
}

int Hdf5File::integer(const std::string& path) {
  const int before = state_->errors.count();
  const std::vector<int> values = integers(path);
  if (values.size() == 1) return values[0];
  if (state_->errors.count() == before) {
    state_->errors.add(path, fmt::format("must hold one whole number, got {}", values.size()));
  }
  return 0;
}

std::string Hdf5File::text(const std::string& path) {
  if (!has(path)) return {};
  H5T_class_t typeClass = H5T_NO_CLASS;
  std::size_t count = 0;
  const Hdf5Handle dataset = state_->openDataset(path, false, typeClass, count);
  if (!dataset.valid() || typeClass != H5T_STRING || count != 1) return {};
  const Hdf5Handle type(H5Dget_type(dataset));
  // Variable-length texts lie in a heap whose damage the library does not survive; FCLIB writes
  // fixed ones.
  if (H5Tis_variable_str(type) != 0) return {};
  std::string value(H5Tget_size(type), '\0');
  if (H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, value.data()) < 0) return {};
  return value.substr(0, value.find('\0'));
}

void Hdf5File::State::write(const std::string& path, const void* data, std::size_t count,
                            int columns, hid_t fileType, hid_t memoryType) {
  hsize_t sizes[2] = {count, 1};
  int rank = 1;
  if (columns > 0) {
    sizes[0] = count / static_cast<std::size_t>(columns);
    sizes[1] = static_cast<hsize_t>(columns);
    rank = 2;
  }
  const Hdf5Handle space(H5Screate_simple(rank, sizes, nullptr));
  const Hdf5Handle link(H5Pcreate(H5P_LINK_CREATE)), layout(H5Pcreate(H5P_DATASET_CREATE));
  H5Pset_create_intermediate_group(link, 1);
  if (count >= kCompressedFrom) {
    const hsize_t chunk[2] = {std::min(sizes[0], kChunkRows), sizes[1]};
    H5Pset_chunk(layout, rank, chunk);
    H5Pset_shuffle(layout);
    if (H5Zfilter_avail(H5Z_FILTER_DEFLATE) > 0) H5Pset_deflate(layout, 4);
    H5Pset_fletcher32(layout);
  }
  const Hdf5Handle dataset(
      H5Dcreate2(file, path.c_str(), fileType, space, link, layout, H5P_DEFAULT));
  if (!dataset.valid() ||
      (count > 0 && H5Dwrite(dataset, memoryType, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) < 0)) {
    errors.fail(path, "cannot be written: check the free space");
  }
}

void Hdf5File::writeReals(const std::string& path, std::span<const Real> values, int columns) {
  state_->write(path, values.data(), values.size(), columns, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE);
}

void Hdf5File::writeIntegers(const std::string& path, std::span<const int> values, int columns) {
  state_->write(path, values.data(), values.size(), columns, H5T_STD_I32LE, H5T_NATIVE_INT);
}

void Hdf5File::writeKeys(const std::string& path, std::span<const std::uint64_t> values) {
  state_->write(path, values.data(), values.size(), 0, H5T_STD_U64LE, H5T_NATIVE_UINT64);
}

void Hdf5File::writeText(const std::string& path, const std::string& value) {
  const Hdf5Handle type(H5Tcopy(H5T_C_S1)), space(H5Screate(H5S_SCALAR)),
      link(H5Pcreate(H5P_LINK_CREATE));
  H5Tset_size(type, value.size() + 1);
  H5Pset_create_intermediate_group(link, 1);
  const Hdf5Handle dataset(
      H5Dcreate2(state_->file, path.c_str(), type, space, link, H5P_DEFAULT, H5P_DEFAULT));
  if (!dataset.valid() ||
      H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, value.c_str()) < 0) {
    state_->errors.fail(path, "cannot be written: check the free space");
  }
}

void Hdf5File::close() {
  const bool flushed = H5Fflush(state_->file, H5F_SCOPE_GLOBAL) >= 0;
  if (!state_->file.close() || !flushed) {
    state_->errors.fail("", "could not be written to the end: check the free space");
  }
}

}  // namespace drystone::detail
