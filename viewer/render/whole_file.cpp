#include "viewer/render/whole_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <stdexcept>
#include <system_error>

namespace drystone::viewer {
namespace fs = std::filesystem;
namespace {

bool isPlain(const std::string& path) {
  std::error_code error;
  return !fs::exists(path, error) || fs::is_regular_file(path, error);
}

constexpr int kMostLinks = 40;  // one after the other, as the kernel allows

fs::path behindLinks(fs::path path) {
  std::error_code error;
  for (int i = 0; i < kMostLinks && fs::is_symlink(path, error); ++i) {
    path = path.parent_path() / fs::read_symlink(path, error);
  }
  return path;
}

/// Makes a new, empty file; false: it could not, and errno says why.
bool makeNew(const std::string& path) {
  const int descriptor = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  return descriptor >= 0 && close(descriptor) == 0;
}

}  // namespace

WholeFile::WholeFile(const std::string& path)
    : path_(path), place_(behindLinks(path).string()), written_(path) {
  if (!isPlain(path)) return;
  written_ = place_ + ".part";
  isOurs_ = makeNew(written_);
  for (int number = 2; !isOurs_ && errno == EEXIST; ++number) {
    written_ = place_ + ".part" + std::to_string(number);
    isOurs_ = makeNew(written_);
  }
  // Where none could be made, whoever writes there finds out why and says so.
}

WholeFile::~WholeFile() {
  if (!isOurs_) return;
  std::error_code ignored;
  fs::remove(written_, ignored);
}

void WholeFile::complete() {
  if (!isOurs_) return;
  std::error_code error;
  fs::rename(written_, place_, error);
  if (error) failWriting(path_, error.message());
  isOurs_ = false;
}

void failWriting(const std::string& path, const std::string& reason) {
  throw std::runtime_error("cannot write '" + path + "': " + reason);
}

}  // namespace drystone::viewer
