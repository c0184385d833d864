#include "viewer/render/whole_file.h"

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

}  // namespace

WholeFile::WholeFile(const std::string& path)
    : path_(path), written_(isPlain(path) ? path + ".part" : path) {}

WholeFile::~WholeFile() {
  if (!isOpen_ || written_ == path_) return;
  std::error_code ignored;
  fs::remove(written_, ignored);
}

void WholeFile::complete() {
  if (written_ != path_) {
    std::error_code error;
    fs::rename(written_, path_, error);
    if (error) failWriting(path_, error.message());
  }
  isOpen_ = false;
}

void failWriting(const std::string& path, const std::string& reason) {
  throw std::runtime_error("cannot write '" + path + "': " + reason);
}

}  // namespace drystone::viewer
