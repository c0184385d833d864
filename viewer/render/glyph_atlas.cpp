#include "viewer/render/glyph_atlas.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "viewer/render/embedded.h"

#define STB_TRUETYPE_IMPLEMENTATION
#define STBTT_STATIC
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#include <stb/stb_truetype.h>
#pragma GCC diagnostic pop

namespace drystone::viewer {

struct GlyphAtlas::Font {
  stbtt_fontinfo info = {};
  float scale = 0;
};

GlyphAtlas::GlyphAtlas()
    : font_(std::make_unique<Font>()), pixels_(static_cast<std::size_t>(kSide) * kSide, 0) {
  const auto* file = reinterpret_cast<const unsigned char*>(fontFile().data());
  if (stbtt_InitFont(&font_->info, file, 0) == 0) {
    throw std::logic_error("the built-in font cannot be read");
  }
  font_->scale = stbtt_ScaleForPixelHeight(&font_->info, kFontSize);
}

GlyphAtlas::~GlyphAtlas() = default;

const Glyph& GlyphAtlas::of(char32_t character) {
  const auto [found, added] = glyphs_.try_emplace(character);
  Glyph& glyph = found->second;
  if (!added) return glyph;
  const int codepoint = static_cast<int>(character);
  int advance = 0;
  stbtt_GetCodepointHMetrics(&font_->info, codepoint, &advance, nullptr);
  glyph.advance = static_cast<float>(advance) * font_->scale;
  int width = 0, height = 0, x = 0, y = 0;
  unsigned char* field =
      stbtt_GetCodepointSDF(&font_->info, font_->scale, codepoint, static_cast<int>(kReach), 128,
                            128 / kReach, &width, &height, &x, &y);
  if (field == nullptr) return glyph;  // a space
  if (shelfX_ + width > kSide) {
    shelfX_ = 0;
    shelfY_ += shelfHeight_ + 1;
    shelfHeight_ = 0;
  }
  if (shelfY_ + height <= kSide) {
    glyph.x = shelfX_;
    glyph.y = shelfY_;
    glyph.width = width;
    glyph.height = height;
    glyph.offsetX = static_cast<float>(x);
    glyph.offsetY = static_cast<float>(y);
    for (int row = 0; row < height; ++row) {
      std::copy_n(field + row * width, width, pixels_.begin() + (shelfY_ + row) * kSide + shelfX_);
    }
    shelfX_ += width + 1;
    shelfHeight_ = std::max(shelfHeight_, height);
    changed_ = true;
  }
  stbtt_FreeSDF(field, nullptr);
  return glyph;
}

bool GlyphAtlas::takeChanged() { return std::exchange(changed_, false); }

std::u32string decodeUtf8(const std::string& text) {
  constexpr char32_t kNone = 0xFFFD;
  std::u32string out;
  for (std::size_t i = 0; i < text.size();) {
    const auto first = static_cast<unsigned char>(text[i]);
    const std::size_t length = first < 0x80   ? 1
                               : first < 0xC0 ? 0
                               : first < 0xE0 ? 2
                               : first < 0xF0 ? 3
                               : first < 0xF8 ? 4
                                              : 0;
    if (length == 0 || i + length > text.size()) {
      out += kNone;
      ++i;
      continue;
    }
    char32_t character = length == 1 ? first : first & (0x7FU >> length);
    std::size_t used = 1;
    for (; used < length; ++used) {
      const auto next = static_cast<unsigned char>(text[i + used]);
      if ((next & 0xC0U) != 0x80U) break;
      character = (character << 6U) | (next & 0x3FU);
    }
    out += used == length ? character : kNone;
    i += used;
  }
  return out;
}

}  // namespace drystone::viewer
