#include "apps/support/state_file.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <vector>

#include "core/input_error.h"
#include "engine/world/world.h"

namespace drystone::cli {
namespace fs = std::filesystem;
namespace {

std::vector<std::byte> contentOf(const std::string& path) {
  std::error_code error;
  const auto size = fs::file_size(path, error);
  std::ifstream file(path, std::ios::binary);
  if (error || !file) {
    throw InputError(fmt::format("--restore: cannot read '{}': {}", path,
                                 error ? error.message() : std::strerror(errno)));
  }
  std::vector<std::byte> bytes(size);
  file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(size));
  if (!file) throw InputError(fmt::format("--restore: '{}' ends early", path));
  return bytes;
}

}  // namespace

void restoreFromFile(const std::string& path, World& world) {
  if (path.empty()) return;
  const std::vector<std::byte> state = contentOf(path);
  try {
    world.restore(state);
  } catch (const InputError& error) {
    throw InputError(fmt::format("--restore {}: {}", path, error.what()));
  }
}

void saveToFile(const StateFiles& files, const World& world) {
  const std::vector<std::byte> state = world.save();
  const std::string aside = files.save + ".part";
  std::ofstream file(aside, std::ios::binary | std::ios::trunc);
  file.write(reinterpret_cast<const char*>(state.data()),
             static_cast<std::streamsize>(state.size()));
  file.close();
  if (!file) {
    const int reason = errno;
    std::error_code ignored;
    fs::remove(aside, ignored);
    throw std::runtime_error(
        fmt::format("cannot write '{}': {}", files.save, std::strerror(reason)));
  }
  fs::rename(aside, files.save);
}

}  // namespace drystone::cli
