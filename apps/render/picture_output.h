#pragma once

#include <memory>
#include <string>

#include "apps/render/render_options.h"
#include "viewer/render/image.h"

namespace drystone::cli {

enum class PictureKind { kPicture, kVideo, kGif, kFolder };

/// By the ending of the path; throws UsageError for one that is not known.
PictureKind pictureKind(const std::string& out);

struct PictureSize {
  int width = 0, height = 0;  ///< [pixels]
};

/// WIDTHxHEIGHT; throws UsageError with what is wrong.
PictureSize parsePictureSize(const std::string& text);

/// Where pictures go: one file, a video or a folder.
class PictureOutput {
 public:
  virtual ~PictureOutput() = default;
  virtual void add(const viewer::Image& image) = 0;
  /// Makes the file complete; without it there is none of a video.
  virtual void finish() {}
};

/// Throws UsageError where nothing can be written there; makes nothing. `inputs` are refused.
void checkPictureOutput(const RenderOptions& options, PictureKind kind,
                        const std::vector<std::string>& inputs);

/// Throws NoDeviceError where ffmpeg is needed and missing.
std::unique_ptr<PictureOutput> openPictureOutput(const RenderOptions& options, PictureKind kind,
                                                 const PictureSize& size);

}  // namespace drystone::cli
