#include "viewer/render/video.h"

#include <atomic>
#include <filesystem>
#include <optional>
#include <sstream>
#include <system_error>
#include <vector>

#include "core/check.h"
#include "viewer/render/child_process.h"
#include "viewer/render/whole_file.h"

namespace drystone::viewer {
namespace {

using Words = std::vector<std::string>;

constexpr std::uintmax_t kHeadSize = 1200;  // more than what stands before the first second [bytes]

std::string requireFfmpeg() {
  std::string program = findProgram("ffmpeg");
  if (program.empty()) {
    throw MissingProgramError(
        "videos are made by the program ffmpeg, which is not in PATH: install ffmpeg, or name a "
        "folder for pictures");
  }
  return program;
}

bool hasEncoder(const std::string& ffmpeg, const std::string& encoder) {
  std::istringstream lines(outputOf({ffmpeg, "-hide_banner", "-encoders"}));
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string flags, name;
    if (words >> flags >> name && name == encoder) return true;
  }
  return false;
}

/// One palette for the whole film, of what moves: still parts do not flicker.
const char* const kGifFilter =
    "split[a][b];[a]palettegen=stats_mode=full[p];[b][p]paletteuse=dither=sierra2_4a:"
    "diff_mode=rectangle";

/// H.264 wants even sides. Colors are converted, and marked, as players take them to be.
const char* const kMp4Filter =
    "pad=ceil(iw/2)*2:ceil(ih/2)*2,scale=out_color_matrix=bt709:out_range=tv,format=yuv420p";

Words gifOptions() { return {"-filter_complex", kGifFilter, "-f", "gif"}; }

/// The fast way encodes every picture when it comes, so that the end has nothing to catch up with.
Words h264Options(bool live) {
  Words words = {"-c:v", "libx264", "-crf", "18", "-preset", live ? "veryfast" : "medium"};
  if (live) words.insert(words.end(), {"-tune", "zerolatency"});
  return words;
}

Words mp4Options(const std::string& ffmpeg, bool live, std::string& note) {
  Words words = {"-vf",   kMp4Filter,   "-colorspace", "bt709",        "-color_primaries",
                 "bt709", "-color_trc", "bt709",       "-color_range", "tv"};
  const bool h264 = hasEncoder(ffmpeg, "libx264");
  const Words encoder = h264 ? h264Options(live) : Words{"-c:v", "mpeg4", "-q:v", "3"};
  if (!h264) {
    note =
        "this ffmpeg has no libx264 (H.264): the video is MPEG-4 part 2, which is larger and "
        "which browsers do not play";
  }
  words.insert(words.end(), encoder.begin(), encoder.end());
  // Either a second at a time, whole in itself, or the index first, so that players on the web
  // begin at once.
  const Words parts = live ? Words{"-g",
                                   "30",
                                   "-movflags",
                                   "+frag_keyframe+empty_moov+default_base_moof",
                                   "-flush_packets",
                                   "1"}
                           : Words{"-movflags", "+faststart"};
  words.insert(words.end(), parts.begin(), parts.end());
  words.insert(words.end(), {"-f", "mp4"});
  return words;
}

}  // namespace

struct VideoWriter::State {
  State(const std::string& path_, const VideoSettings& settings_)
      : path(path_), settings(settings_), ffmpeg(requireFfmpeg()), file(path_) {
    Words words = {ffmpeg,
                   "-hide_banner",
                   "-loglevel",
                   "error",
                   "-y",
                   "-f",
                   "rawvideo",
                   "-pix_fmt",
                   "rgb24",
                   "-video_size",
                   std::to_string(settings.width) + "x" + std::to_string(settings.height),
                   "-framerate",
                   std::to_string(settings.framesPerSecond),
                   "-i",
                   "pipe:0",
                   "-an"};
    const Words output =
        path.ends_with(".gif") ? gifOptions() : mp4Options(ffmpeg, settings.live, note);
    words.insert(words.end(), output.begin(), output.end());
    words.push_back("file:" + file.written());
    process.emplace(std::move(words));
  }

  /// Whether all of it was written. On a full disk ffmpeg complains, and ends with 0 all the same.
  bool finish() { return process->finish() && process->errorText().empty(); }

  [[noreturn]] void fail() {
    process->finish();
    const std::string words = process->errorText();
    failWriting(
        path, "ffmpeg gave up (" + process->endText() + ")" + (words.empty() ? "" : ": " + words));
  }

  /// Whether a live video can be kept as it is.
  bool hasPart() const {
    std::error_code error;
    return settings.live && std::filesystem::file_size(file.written(), error) > kHeadSize && !error;
  }

  std::string path;
  VideoSettings settings;
  std::string ffmpeg, note;
  WholeFile file;
  std::optional<ChildProcess> process;
  std::atomic<bool> isCut = false;
};

VideoWriter::VideoWriter(const std::string& path, const VideoSettings& settings)
    : state_(std::make_unique<State>(path, settings)) {}

VideoWriter::~VideoWriter() = default;

void VideoWriter::add(const Image& image) {
  DRYSTONE_ASSERT(image.width == state_->settings.width && image.height == state_->settings.height);
  if (state_->process->write(image.pixels.data(), image.pixels.size())) return;
  if (!state_->isCut) state_->fail();
}

void VideoWriter::finish() {
  if (!state_->finish() && !(state_->isCut && state_->hasPart())) state_->fail();
  state_->file.complete();
}

void VideoWriter::cutOff() {
  state_->isCut = true;
  state_->process->kill();
}

const std::string& VideoWriter::note() const { return state_->note; }

}  // namespace drystone::viewer
