#include "viewer/render/image.h"

#include <png.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "core/input_error.h"
#include "viewer/render/whole_file.h"

namespace drystone::viewer {
namespace {

struct FileCloser {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, FileCloser>;

}  // namespace

void writePng(const Image& image, const std::string& path) {
  // Not png_image_write_to_file, which removes what stood there when it fails.
  WholeFile whole(path);
  File file(std::fopen(whole.written().c_str(), "wb"));
  if (!file) failWriting(path, std::strerror(errno));
  png_image header = {};
  header.version = PNG_IMAGE_VERSION;
  header.width = static_cast<png_uint_32>(image.width);
  header.height = static_cast<png_uint_32>(image.height);
  header.format = PNG_FORMAT_RGB;
  errno = 0;
  if (png_image_write_to_stdio(&header, file.get(), 0, image.pixels.data(), 0, nullptr) == 0) {
    failWriting(path, errno != 0 ? std::strerror(errno) : header.message);
  }
  // What the C library still holds back may not fit the disk.
  if (std::fflush(file.get()) != 0) failWriting(path, std::strerror(errno));
  if (std::fclose(file.release()) != 0) failWriting(path, std::strerror(errno));
  whole.complete();
}

Image readPng(const std::string& path) {
  const File file(std::fopen(path.c_str(), "rb"));
  if (!file) throw InputError("cannot read '" + path + "': " + std::strerror(errno));
  png_image header = {};
  header.version = PNG_IMAGE_VERSION;
  const auto fail = [&] {
    const std::string reason = header.message;
    png_image_free(&header);
    throw InputError("'" + path + "' is no picture that can be read (PNG): " + reason);
  };
  if (png_image_begin_read_from_stdio(&header, file.get()) == 0) fail();
  header.format = PNG_FORMAT_RGB;
  Image image{static_cast<int>(header.width), static_cast<int>(header.height), {}};
  image.pixels.resize(PNG_IMAGE_SIZE(header));
  const png_color white = {255, 255, 255};
  if (png_image_finish_read(&header, &white, image.pixels.data(), 0, nullptr) == 0) fail();
  return image;
}

}  // namespace drystone::viewer
