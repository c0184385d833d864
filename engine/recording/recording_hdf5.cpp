// Growing arrays in HDF5. The file is written in the library's single-writer, multiple-reader mode:
// every metadata block reaches the file before what refers to it, so that whoever opens the file of
// a running or killed program finds the state of the last flush or a later one. A later one can
// have rows whose values are still to come; the mark tells how far all of them are there. A file
// that all processes write has no such mode: its metadata reaches it at a flush, and the mark after
// it.
#include "engine/recording/recording_hdf5.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <utility>

#include "engine/recording/recording_hdf5_types.h"
#include "engine/recording/written_files.h"

namespace drystone::detail {
namespace {

// Small enough that rewriting a part-filled one at each flush costs little, large enough for the
// compression, which looks back 32 KiB.
constexpr std::size_t kChunkBytes = 64 << 10;

Hdf5Handle pathOfGroups() {
  Hdf5Handle link(H5Pcreate(H5P_LINK_CREATE));
  H5Pset_create_intermediate_group(link, 1);
  return link;
}

Hdf5Handle accessOfOne() {
  Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS));
  H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
  return access;
}

void setFilters(NumberType type, hid_t layout) {
  // Whole numbers pack to little. The bits of floating-point ones are noise: deflate would take off
  // a quarter of a pile's recording, for more time than its steps take.
  if (isWhole(type)) {
    H5Pset_shuffle(layout);
    if (H5Zfilter_avail(H5Z_FILTER_DEFLATE) > 0) H5Pset_deflate(layout, 1);
  }
  H5Pset_fletcher32(layout);
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
  std::string failure;    ///< of the first write that failed
  bool isShared = false;  ///< all processes write it
  bool writes = true;     ///< this one writes what all have alike
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
  /// Makes an array longer by `total` rows, of which it writes some.
  void put(GrowingArray& array, const std::byte* rows, std::size_t count, const RowPart& part,
           bool withAll);
  /// Writes what all have alike.
  void putWhole(const Hdf5Handle& dataset, hid_t type, const void* value) {
    require(dataset.valid());
    if (writes) require(H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, value) >= 0);
  }
};

ArrayFileWriter::ArrayFileWriter(const std::string& path, Writers writers) : state_(new State) {
  const Hdf5Session session;
  state_->isShared = writers == Writers::kAllProcesses;
  state_->writes = !state_->isShared || isFirstOfAll();
  state_->path = path;
  if (const std::string why = whyNotWritten(path); !why.empty()) {
    throw std::runtime_error(fmt::format("cannot write '{}': {}", path, why));
  }
  const Hdf5Handle access = state_->isShared ? accessOfAll() : accessOfOne();
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
  state_->putWhole(dataset, type, text.empty() ? "" : text.data());
}

void ArrayFileWriter::number(const std::string& path, std::uint64_t value) {
  const Hdf5Session session;
  const Hdf5Handle space(H5Screate(H5S_SCALAR)), link = pathOfGroups();
  const Hdf5Handle dataset(
      H5Dcreate2(state_->file, path.c_str(), H5T_STD_U64LE, space, link, H5P_DEFAULT, H5P_DEFAULT));
  state_->putWhole(dataset, H5T_NATIVE_UINT64, &value);
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
  if (state_->isShared) {
    // All chunks are there before they are written, so that who writes which needs no agreement.
    H5Pset_fill_time(layout, H5D_FILL_TIME_NEVER);
  } else {
    setFilters(spec.type, layout);
  }
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
  state_->require(state_->mark.valid());
  if (!state_->isShared) state_->require(H5Fstart_swmr_write(state_->file) >= 0);
}

void ArrayFileWriter::setNumber(const std::string& path, std::uint64_t value) {
  const Hdf5Session session;
  state_->requireNoFailure();
  const Hdf5Handle dataset(H5Dopen2(state_->file, path.c_str(), H5P_DEFAULT));
  state_->putWhole(dataset, H5T_NATIVE_UINT64, &value);
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

void ArrayFileWriter::appendPart(int number, const void* rows, std::size_t count,
                                 const RowPart& part) {
  const Hdf5Session session;
  state_->requireNoFailure();
  GrowingArray& array = state_->arrays[static_cast<std::size_t>(number)];
  state_->write(array, true);
  state_->put(array, static_cast<const std::byte*>(rows), count, part, true);
}

void ArrayFileWriter::State::write(GrowingArray& array, bool all) {
  std::size_t rows = array.pending.size() / array.spec.rowBytes();
  if (!all) {
    const std::size_t end = (array.written + rows) / array.chunkRows * array.chunkRows;
    rows = end > array.written ? end - array.written : 0;
  }
  if (rows == 0) return;
  put(array, array.pending.data(), writes ? rows : 0, {.first = 0, .total = rows}, false);
  array.pending.erase(
      array.pending.begin(),
      array.pending.begin() + static_cast<std::ptrdiff_t>(rows * array.spec.rowBytes()));
}

void ArrayFileWriter::State::put(GrowingArray& array, const std::byte* rows, std::size_t count,
                                 const RowPart& part, bool withAll) {
  if (part.total == 0) return;
  const hsize_t width = static_cast<hsize_t>(array.spec.width);
  const hsize_t size[2] = {array.written + part.total, width},
                first[2] = {array.written + part.first, 0}, block[2] = {count, width};
  require(H5Dset_extent(array.dataset, size) >= 0);
  array.written += part.total;
  array.dirty = true;
  if (count == 0 && !withAll) return;
  const Hdf5Handle there(H5Dget_space(array.dataset)),
      here(H5Screate_simple(array.spec.width > 1 ? 2 : 1, block, nullptr)),
      transfer = withAll ? transferOfAll() : Hdf5Handle();
  require(count > 0
              ? H5Sselect_hyperslab(there, H5S_SELECT_SET, first, nullptr, block, nullptr) >= 0
              : H5Sselect_none(there) >= 0 && H5Sselect_none(here) >= 0);
  require(H5Dwrite(array.dataset, memoryType(array.spec.type), here, there,
                   withAll ? hid_t{transfer} : H5P_DEFAULT, rows) >= 0);
}

void ArrayFileWriter::flush(std::uint64_t mark) {
  const Hdf5Session session;
  state_->requireNoFailure();
  for (GrowingArray& array : state_->arrays) {
    state_->write(array, true);
    if (!std::exchange(array.dirty, false) || state_->isShared) continue;
    state_->require(H5Dflush(array.dataset) >= 0);
  }
  if (state_->isShared) state_->require(H5Fflush(state_->file, H5F_SCOPE_GLOBAL) >= 0);
  state_->putWhole(state_->mark, H5T_NATIVE_UINT64, &mark);
  if (!state_->isShared) state_->require(H5Dflush(state_->mark) >= 0);
}

void ArrayFileWriter::close() {
  const Hdf5Session session;
  state_->requireNoFailure();
  for (GrowingArray& array : state_->arrays) state_->require(array.dataset.close());
  state_->require(state_->mark.close() && state_->file.close());
  filesBeingWritten().erase(std::exchange(state_->identity, {}));
}

}  // namespace drystone::detail
