#include "core/text_file.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "core/input_error.h"

namespace drystone {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kChunk = std::size_t{1} << 16;  // [bytes] as much as a pipe holds

[[noreturn]] void failTooLarge(const std::string& path, const WantedText& wanted) {
  std::ostringstream message;
  message << path << ": is larger than " << (wanted.mostBytes >> 20) << " MiB; " << wanted.remedy;
  throw InputError(message.str());
}

}  // namespace

std::string readTextFile(const std::string& path, const WantedText& wanted) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) throw InputError(path + ": there is no such file: check the path");
  if (fs::is_directory(status)) {
    throw InputError(path + ": is a folder; name a " + wanted.kind + " in it");
  }
  std::string text;
  if (fs::is_regular_file(status)) {
    const std::uintmax_t size = fs::file_size(path, error);
    if (error) throw InputError(path + ": cannot be read: " + error.message());
    if (size > wanted.mostBytes) failTooLarge(path, wanted);
    text.reserve(static_cast<std::size_t>(size));
  }
  std::ifstream file(path, std::ios::binary);
  if (!file) throw InputError(path + ": cannot be opened for reading: check the permissions");
  std::array<char, kChunk> chunk;
  while (file) {
    file.read(chunk.data(), chunk.size());
    text.append(chunk.data(), static_cast<std::size_t>(file.gcount()));
    if (text.size() > wanted.mostBytes) failTooLarge(path, wanted);
  }
  if (file.bad()) throw InputError(path + ": reading failed");
  return text;
}

}  // namespace drystone
