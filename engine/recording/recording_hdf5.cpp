// Growing arrays in HDF5. The file is written in the library's single-writer, multiple-reader mode:
// every metadata block reaches the file before what refers to it, so that whoever opens the file of
// a running or killed program finds the state of the last flush or a later one. A later one can
// have rows whose values are still to come; the mark tells how far all of them are there.
#include "engine/recording/recording_hdf5.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <map>
#include <memory>
#include <stdexcept>
#include <utility>

#include "core/input_error.h"
#include "engine/recording/written_files.h"
#include "solvers/file/problem_file_hdf5_handle.h"

namespace drystone::detail {
namespace {

// Small enough that rewriting a part-filled one at each flush costs little, large enough for the
// compression, which looks back 32 KiB.
constexpr std::size_t kChunkBytes = 64 << 10;

// How often a reader looks again at what a writer may be writing at that moment. The library waits
// from 1 ns on, twice as long each time: 67 ms in all. By its own count of 100 it would wait for
// good where a writer was killed in the middle.
constexpr unsigned kReadAttempts = 27;

// Deflate packs at most 1032 : 1. A dataset that claims more than the file can hold is damaged, and
// its memory is never asked for.
constexpr std::uint64_t kLargestRatio = 1100;

hid_t fileType(NumberType type) {
  const std::array<hid_t, 5> types = {H5T_STD_U8LE, H5T_STD_I32LE, H5T_STD_I64LE, H5T_STD_U64LE,
                                      H5T_IEEE_F64LE};
  return types[static_cast<std::size_t>(type)];
}

hid_t memoryType(NumberType type) {
  const std::array<hid_t, 5> types = {H5T_NATIVE_UINT8, H5T_NATIVE_INT32, H5T_NATIVE_INT64,
                                      H5T_NATIVE_UINT64, H5T_NATIVE_DOUBLE};
  return types[static_cast<std::size_t>(type)];
}

/// What the operating system said in the library's last error; empty when it was not asked.
std::string systemError() {
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

Hdf5Handle pathOfGroups() {
  Hdf5Handle link(H5Pcreate(H5P_LINK_CREATE));
  H5Pset_create_intermediate_group(link, 1);
  return link;
}

struct GrowingArray {
  ArraySpec spec;
  Hdf5Handle dataset;
  std::size_t chunkRows = 0;
  std::size_t written = 0;         ///< rows
  std::vector<std::byte> pending;  ///< rows that wait for their chunk to fill
  bool dirty = false;              ///< something was written since the last flush
};

}  // namespace

struct ArrayFileWriter::State {
  std::string path;
  FileIdentity identity;
  bool hasFailed = false;
  std::string failure;  ///< of the first write that failed
  Hdf5Handle file, mark;
  std::vector<GrowingArray> arrays;
  State* abandonedBefore = nullptr;

  [[noreturn]] void fail() {
    if (file.valid() && !hasFailed) filesBeingWritten()[identity] = Writing::kHasFailed;
    hasFailed = true;
    if (failure.empty()) {
      const std::string reason = systemError();
      failure = fmt::format("cannot write '{}': {}", path,
                            reason.empty() ? "check folder, permissions and free space, and that "
                                             "this program does not read it"
                                           : reason);
    }
    throw std::runtime_error(failure);
  }
  void require(bool ok) {
    if (!ok) fail();
  }
  /// The library does not survive that more is written after an error, nor that the file is closed.
  void requireNoFailure() {
    if (hasFailed) fail();
  }
  /// Keeps the state of such a file for good, without taking memory: the file is as that of a
  /// killed program.
  static void abandon(std::unique_ptr<State> state) {
    static State* last = nullptr;
    state->abandonedBefore = std::exchange(last, state.get());
    static_cast<void>(state.release());
  }
  /// Writes pending rows: all of them, or those that fill chunks.
  void write(GrowingArray& array, bool all);
};

ArrayFileWriter::ArrayFileWriter(const std::string& path) : state_(new State) {
  const Hdf5Session session;
  state_->path = path;
  if (const std::string why = whyNotWritten(path); !why.empty()) {
    throw std::runtime_error(fmt::format("cannot write '{}': {}", path, why));
  }
  const Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS));
  H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
  state_->file = Hdf5Handle(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
  state_->require(state_->file.valid());
  state_->identity = identityOf(path);
  filesBeingWritten()[state_->identity] = Writing::kGoesOn;
}

ArrayFileWriter::~ArrayFileWriter() {
  const Hdf5Session session;
  if (state_->hasFailed) {
    State::abandon(std::move(state_));
    return;
  }
  filesBeingWritten().erase(std::exchange(state_->identity, {}));
  state_.reset();
}

void ArrayFileWriter::text(const std::string& path, std::string_view text) {
  const Hdf5Session session;
  const Hdf5Handle type(H5Tcopy(H5T_C_S1)), space(H5Screate(H5S_SCALAR)), link = pathOfGroups();
  // At least one byte: HDF5 has no empty texts. Its length tells where the text ends.
  H5Tset_size(type, std::max<std::size_t>(text.size(), 1));
  H5Tset_strpad(type, H5T_STR_NULLPAD);
  H5Tset_cset(type, H5T_CSET_UTF8);
  const Hdf5Handle dataset(
      H5Dcreate2(state_->file, path.c_str(), type, space, link, H5P_DEFAULT, H5P_DEFAULT));
  state_->require(dataset.valid() && H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT,
                                              text.empty() ? "" : text.data()) >= 0);
}

void ArrayFileWriter::number(const std::string& path, std::uint64_t value) {
  const Hdf5Session session;
  const Hdf5Handle space(H5Screate(H5S_SCALAR)), link = pathOfGroups();
  const Hdf5Handle dataset(
      H5Dcreate2(state_->file, path.c_str(), H5T_STD_U64LE, space, link, H5P_DEFAULT, H5P_DEFAULT));
  state_->require(dataset.valid() &&
                  H5Dwrite(dataset, H5T_NATIVE_UINT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, &value) >= 0);
}

int ArrayFileWriter::addArray(const ArraySpec& spec) {
  const Hdf5Session session;
  GrowingArray array{.spec = spec,
                     .dataset = Hdf5Handle(),
                     .chunkRows = std::max<std::size_t>(kChunkBytes / spec.rowBytes(), 1),
                     .pending = {}};
  const hsize_t width = static_cast<hsize_t>(spec.width);
  const int rank = spec.width > 1 ? 2 : 1;
  const hsize_t size[2] = {0, width}, most[2] = {H5S_UNLIMITED, width},
                chunk[2] = {array.chunkRows, width};
  const Hdf5Handle space(H5Screate_simple(rank, size, most)), link = pathOfGroups(),
                                                              layout(H5Pcreate(H5P_DATASET_CREATE)),
                                                              access(H5Pcreate(H5P_DATASET_ACCESS));
  H5Pset_chunk(layout, rank, chunk);
  // Whole numbers pack to little. The bits of floating-point ones are noise: deflate would take off
  // a quarter of a pile's recording, for more time than its steps take.
  if (isWhole(spec.type)) {
    H5Pset_shuffle(layout);
    if (H5Zfilter_avail(H5Z_FILTER_DEFLATE) > 0) H5Pset_deflate(layout, 1);
  }
  H5Pset_fletcher32(layout);
  H5Pset_chunk_cache(access, 17, 2 * kChunkBytes, 1);
  array.dataset = Hdf5Handle(H5Dcreate2(state_->file, spec.path.c_str(), fileType(spec.type), space,
                                        link, layout, access));
  state_->require(array.dataset.valid());
  if (!spec.unit.empty()) {
    const Hdf5Handle type(H5Tcopy(H5T_C_S1)), one(H5Screate(H5S_SCALAR));
    H5Tset_size(type, spec.unit.size());
    H5Tset_cset(type, H5T_CSET_UTF8);
    const Hdf5Handle unit(H5Acreate2(array.dataset, "unit", type, one, H5P_DEFAULT, H5P_DEFAULT));
    state_->require(unit.valid() && H5Awrite(unit, type, spec.unit.data()) >= 0);
  }
  state_->arrays.push_back(std::move(array));
  return static_cast<int>(state_->arrays.size()) - 1;
}

void ArrayFileWriter::start(const std::string& markPath) {
  const Hdf5Session session;
  number(markPath, 0);
  state_->mark = Hdf5Handle(H5Dopen2(state_->file, markPath.c_str(), H5P_DEFAULT));
  state_->require(state_->mark.valid() && H5Fstart_swmr_write(state_->file) >= 0);
}

void ArrayFileWriter::setNumber(const std::string& path, std::uint64_t value) {
  const Hdf5Session session;
  state_->requireNoFailure();
  const Hdf5Handle dataset(H5Dopen2(state_->file, path.c_str(), H5P_DEFAULT));
  state_->require(dataset.valid() &&
                  H5Dwrite(dataset, H5T_NATIVE_UINT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, &value) >= 0);
}

void ArrayFileWriter::append(int number, const void* rows, std::size_t count) {
  GrowingArray& array = state_->arrays[static_cast<std::size_t>(number)];
  const auto* bytes = static_cast<const std::byte*>(rows);
  array.pending.insert(array.pending.end(), bytes, bytes + count * array.spec.rowBytes());
  if (array.pending.size() < kChunkBytes) return;
  const Hdf5Session session;
  state_->requireNoFailure();
  state_->write(array, false);
}

void ArrayFileWriter::State::write(GrowingArray& array, bool all) {
  std::size_t rows = array.pending.size() / array.spec.rowBytes();
  if (!all) {
    const std::size_t end = (array.written + rows) / array.chunkRows * array.chunkRows;
    rows = end > array.written ? end - array.written : 0;
  }
  if (rows == 0) return;
  const hsize_t width = static_cast<hsize_t>(array.spec.width);
  const hsize_t size[2] = {array.written + rows, width}, first[2] = {array.written, 0},
                count[2] = {rows, width};
  require(H5Dset_extent(array.dataset, size) >= 0);
  const Hdf5Handle there(H5Dget_space(array.dataset)),
      here(H5Screate_simple(array.spec.width > 1 ? 2 : 1, count, nullptr));
  require(H5Sselect_hyperslab(there, H5S_SELECT_SET, first, nullptr, count, nullptr) >= 0 &&
          H5Dwrite(array.dataset, memoryType(array.spec.type), here, there, H5P_DEFAULT,
                   array.pending.data()) >= 0);
  array.written += rows;
  array.pending.erase(
      array.pending.begin(),
      array.pending.begin() + static_cast<std::ptrdiff_t>(rows * array.spec.rowBytes()));
  array.dirty = true;
}

void ArrayFileWriter::flush(std::uint64_t mark) {
  const Hdf5Session session;
  state_->requireNoFailure();
  for (GrowingArray& array : state_->arrays) {
    state_->write(array, true);
    if (!std::exchange(array.dirty, false)) continue;
    state_->require(H5Dflush(array.dataset) >= 0);
  }
  state_->require(H5Dwrite(state_->mark, H5T_NATIVE_UINT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, &mark) >=
                      0 &&
                  H5Dflush(state_->mark) >= 0);
}

void ArrayFileWriter::close() {
  const Hdf5Session session;
  state_->requireNoFailure();
  for (GrowingArray& array : state_->arrays) state_->require(array.dataset.close());
  state_->require(state_->mark.close() && state_->file.close());
  filesBeingWritten().erase(std::exchange(state_->identity, {}));
}

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
