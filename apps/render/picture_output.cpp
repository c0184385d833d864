#include "apps/render/picture_output.h"

#include <fmt/format.h>

#include <charconv>
#include <filesystem>

#include "apps/support/command_line.h"
#include "apps/support/log.h"
#include "apps/support/output_file.h"
#include "apps/support/program.h"
#include "viewer/render/video.h"

namespace drystone::cli {
namespace fs = std::filesystem;
namespace {

constexpr int kSmallestSide = 16, kLargestSide = 16384;  // [pixels]

class OnePicture final : public PictureOutput {
 public:
  explicit OnePicture(std::string path) : path_(std::move(path)) {}
  void add(const viewer::Image& image) override { writePng(image, path_); }

 private:
  std::string path_;
};

class PictureFolder final : public PictureOutput {
 public:
  explicit PictureFolder(fs::path folder) : folder_(std::move(folder)) {
    checkWritableDirectory(folder_, "--out");
  }
  void add(const viewer::Image& image) override {
    writePng(image, (folder_ / fmt::format("frame_{:05}.png", ++count_)).string());
  }

 private:
  fs::path folder_;
  int count_ = 0;
};

class Video final : public PictureOutput {
 public:
  Video(const std::string& path, const viewer::VideoSettings& settings) : writer_(path, settings) {
    if (!writer_.note().empty()) logWarning(writer_.note());
  }
  void add(const viewer::Image& image) override { writer_.add(image); }
  void finish() override { writer_.finish(); }

 private:
  viewer::VideoWriter writer_;
};

int picturesIn(const fs::path& folder) {
  int count = 0;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("frame_") && name.ends_with(".png")) ++count;
  }
  return count;
}

/// Of "a/b/" the folder is b, and its parent a.
fs::path withoutSlash(const std::string& path) {
  const fs::path whole(path);
  return whole.has_filename() ? whole : whole.parent_path();
}

void checkFolder(const fs::path& folder) {
  std::error_code error;
  if (fs::exists(folder, error)) {
    checkWritableDirectory(folder, "--out");
    if (const int there = picturesIn(folder); there > 0) {
      logWarning(fmt::format(
          "--out: '{}' already holds {}; those of the same name are replaced, the others stay "
          "among the new ones",
          folder.string(), counted(there, "picture")));
    }
    return;
  }
  const fs::path parent = folder.parent_path().empty() ? "." : folder.parent_path();
  if (fs::is_directory(parent, error)) return;
  throw UsageError(fmt::format("--out: there is no folder '{}'; make it first", parent.string()));
}

}  // namespace

PictureKind pictureKind(const std::string& out) {
  const fs::path path(out);
  std::error_code error;
  const std::string ending = path.extension().string();
  if (fs::is_directory(path, error)) return PictureKind::kFolder;
  if (ending == ".png") return PictureKind::kPicture;
  if (ending == ".mp4") return PictureKind::kVideo;
  if (ending == ".gif") return PictureKind::kGif;
  if (ending.empty()) return PictureKind::kFolder;
  throw UsageError(
      fmt::format("--out: '{}' ends in '{}'; what is made is told by the ending: .png a picture, "
                  ".mp4 or .gif a "
                  "video, none a folder of pictures",
                  out, ending));
}

PictureSize parsePictureSize(const std::string& text) {
  const auto fail = [&] {
    throw UsageError(
        fmt::format("--size: must be WIDTHxHEIGHT, each from {} to {} pixels, as "
                    "1280x720; got '{}'",
                    kSmallestSide, kLargestSide, text));
  };
  int sides[2] = {};
  const std::vector<std::string> parts = split(text, 'x');
  if (parts.size() != 2) fail();
  for (std::size_t i = 0; i < 2; ++i) {
    const char* end = parts[i].data() + parts[i].size();
    const auto [at, error] = std::from_chars(parts[i].data(), end, sides[i]);
    if (error != std::errc() || at != end) fail();
    if (sides[i] < kSmallestSide || sides[i] > kLargestSide) fail();
  }
  return {sides[0], sides[1]};
}

void checkPictureOutput(const RenderOptions& options, PictureKind kind,
                        const std::vector<std::string>& inputs) {
  if (kind == PictureKind::kFolder) {
    checkFolder(withoutSlash(options.out));
  } else {
    refuseInputFile(options.out, "--out", inputs);
    checkWritableFile(options.out, "--out");
  }
}

std::unique_ptr<PictureOutput> openPictureOutput(const RenderOptions& options, PictureKind kind,
                                                 const PictureSize& size) {
  if (kind == PictureKind::kPicture) return std::make_unique<OnePicture>(options.out);
  if (kind == PictureKind::kFolder) {
    return std::make_unique<PictureFolder>(withoutSlash(options.out));
  }
  try {
    return std::make_unique<Video>(
        options.out, viewer::VideoSettings{size.width, size.height, options.videoRate()});
  } catch (const viewer::MissingProgramError& error) {
    throw NoDeviceError(fmt::format("--out: {}", error.what()));
  }
}

}  // namespace drystone::cli
