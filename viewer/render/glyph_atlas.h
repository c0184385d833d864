#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace drystone::viewer {

/// Where a character lies in the atlas and how it is set. Lengths in pixels of the atlas; y down.
struct Glyph {
  int x = 0, y = 0, width = 0, height = 0;
  float offsetX = 0, offsetY = 0;  ///< of its upper left corner from the pen on the base line
  float advance = 0;               ///< of the pen
};

/// Characters of the built-in font as distances to their outline, made when they are first asked
/// for. No OpenGL.
class GlyphAtlas {
 public:
  GlyphAtlas();
  ~GlyphAtlas();
  /// What the font lacks, or the full atlas has no place for, is the font's empty box or a blank.
  const Glyph& of(char32_t character);

  static constexpr int kSide = 512;       ///< [pixels]
  static constexpr float kFontSize = 30;  ///< from ascender to descender
  static constexpr float kReach = 6;      ///< distance from 0.5 on the outline to 0
  const std::vector<std::uint8_t>& pixels() const { return pixels_; }
  /// True once after characters were added: the texture is out of date.
  bool takeChanged();

 private:
  struct Font;
  std::unique_ptr<Font> font_;
  std::unordered_map<char32_t, Glyph> glyphs_;
  std::vector<std::uint8_t> pixels_;
  int shelfX_ = 0, shelfY_ = 0, shelfHeight_ = 0;
  bool changed_ = true;
};

/// The characters of UTF-8; what is none becomes U+FFFD.
std::u32string decodeUtf8(const std::string& text);

}  // namespace drystone::viewer
