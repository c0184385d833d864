#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace drystone::viewer {

/// 8-bit RGB, rows from the top.
struct Image {
  int width = 0, height = 0;
  std::vector<std::uint8_t> pixels;  ///< [3 width height]
};

/// Throws std::runtime_error with the path and the reason when it cannot be written whole; then
/// there is no file, or the one that was there.
void writePng(const Image& image, const std::string& path);
/// Any PNG, without its transparency. Throws InputError with the path and the reason.
Image readPng(const std::string& path);

}  // namespace drystone::viewer
