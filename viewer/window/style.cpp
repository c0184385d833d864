#include "viewer/window/style.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <string_view>

#include "viewer/render/embedded.h"

namespace drystone::viewer {
namespace {

constexpr float kFontSize = 13;  // [points]

/// Of the same family as the font that is part of the program, where the system has it.
constexpr std::array<const char*, 4> kBoldFonts = {
    "/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf",
    "/usr/share/fonts/TTF/DejaVuSans-Bold.ttf",
    "/usr/share/fonts/dejavu-sans-fonts/DejaVuSans-Bold.ttf",
    "/usr/share/fonts/truetype/liberation/LiberationSans-Bold.ttf"};

/// Latin with µ, ², ·, ±; some Greek; dashes, arrows and the signs of the texts.
constexpr ImWchar kGlyphs[] = {0x20,   0xff,   0x370,  0x3ff,  0x2010, 0x2026, 0x2070, 0x209f,
                               0x2190, 0x2193, 0x2211, 0x221e, 0x2264, 0x2265, 0};

ImFontConfig fontConfig() {
  ImFontConfig config;
  config.OversampleH = 3;
  config.OversampleV = 2;
  return config;
}

ImFont* addPlainFont(float size) {
  ImFontConfig config = fontConfig();
  config.FontDataOwnedByAtlas = false;  // it is part of the program, and only read
  const std::string_view font = fontFile();
  return ImGui::GetIO().Fonts->AddFontFromMemoryTTF(
      const_cast<char*>(font.data()), static_cast<int>(font.size()), size, &config, kGlyphs);
}

/// Null where there is none.
ImFont* addBoldFont(float size) {
  const ImFontConfig config = fontConfig();
  for (const char* path : kBoldFonts) {
    std::error_code error;
    if (!std::filesystem::exists(path, error)) continue;
    return ImGui::GetIO().Fonts->AddFontFromFileTTF(path, size, &config, kGlyphs);
  }
  return nullptr;
}

void setColors(ImVec4* colors) {
  const ImVec4 accent(0.00f, 0.45f, 0.70f, 1);
  const auto withAlpha = [&](float alpha) { return ImVec4(accent.x, accent.y, accent.z, alpha); };
  colors[ImGuiCol_Text] = {0.13f, 0.15f, 0.18f, 1};
  colors[ImGuiCol_TextDisabled] = kTextDim;
  colors[ImGuiCol_WindowBg] = {0.965f, 0.97f, 0.975f, 1};
  colors[ImGuiCol_PopupBg] = {0.995f, 0.995f, 0.995f, 1};
  colors[ImGuiCol_Border] = {0.80f, 0.82f, 0.85f, 1};
  colors[ImGuiCol_FrameBg] = {1, 1, 1, 1};
  colors[ImGuiCol_FrameBgHovered] = withAlpha(0.10f);
  colors[ImGuiCol_FrameBgActive] = withAlpha(0.18f);
  colors[ImGuiCol_TitleBg] = colors[ImGuiCol_TitleBgCollapsed] = {0.90f, 0.915f, 0.93f, 1};
  colors[ImGuiCol_TitleBgActive] = {0.84f, 0.88f, 0.92f, 1};
  colors[ImGuiCol_ScrollbarBg] = {0, 0, 0, 0};
  colors[ImGuiCol_ScrollbarGrab] = {0.78f, 0.80f, 0.83f, 1};
  colors[ImGuiCol_CheckMark] = accent;
  // Light enough that the value can be read on it.
  colors[ImGuiCol_SliderGrab] = withAlpha(0.30f);
  colors[ImGuiCol_SliderGrabActive] = withAlpha(0.50f);
  colors[ImGuiCol_Button] = {0.90f, 0.915f, 0.93f, 1};
  colors[ImGuiCol_ButtonHovered] = withAlpha(0.20f);
  colors[ImGuiCol_ButtonActive] = withAlpha(0.35f);
  colors[ImGuiCol_Header] = {0.895f, 0.91f, 0.93f, 1};
  colors[ImGuiCol_HeaderHovered] = withAlpha(0.16f);
  colors[ImGuiCol_HeaderActive] = withAlpha(0.26f);
  colors[ImGuiCol_Separator] = {0.82f, 0.84f, 0.87f, 1};
  colors[ImGuiCol_SeparatorHovered] = colors[ImGuiCol_SeparatorActive] = accent;
  colors[ImGuiCol_ResizeGrip] = {0, 0, 0, 0};
  colors[ImGuiCol_TableHeaderBg] = {0.92f, 0.93f, 0.945f, 1};
  colors[ImGuiCol_TableBorderLight] = {0.88f, 0.89f, 0.91f, 1};
  colors[ImGuiCol_TableRowBgAlt] = {0, 0, 0, 0.025f};
  colors[ImGuiCol_NavHighlight] = withAlpha(0.6f);
}

}  // namespace

ImFont* setUpStyle(float scale) {
  ImGui::StyleColorsLight();
  ImGuiStyle& style = ImGui::GetStyle();
  style.WindowPadding = {10, 8};
  style.FramePadding = {7, 3};
  style.ItemSpacing = {7, 4};
  style.CellPadding = {4, 2};
  style.FrameRounding = style.GrabRounding = style.PopupRounding = 4;
  style.WindowRounding = 5;
  style.ScrollbarSize = 10;
  style.GrabMinSize = 9;
  style.FrameBorderSize = 1;
  style.WindowMenuButtonPosition = ImGuiDir_None;
  setColors(style.Colors);
  style.ScaleAllSizes(scale);

  ImFont* plain = addPlainFont(kFontSize * scale);
  ImFont* bold = addBoldFont(kFontSize * scale);
  return bold != nullptr ? bold : plain;
}

namespace {

constexpr float kLeastView = 240;                 // width that the bars leave to the scene [points]
constexpr float kLeastBar = 220, kMostBar = 600;  // [points]
constexpr float kStrip = 28;                      // of a folded bar: its button [points]
constexpr float kLeastBesideOne = 100;            // of the scene, beside a bar that is needed

}  // namespace

SideBars sideBarsOf(const Layout& layout, float windowWidth, float scale) {
  SideBars bars;
  if (!layout.panels) return bars;
  const float least = kLeastBar * scale;
  const float room = windowWidth - kLeastView * scale;
  const auto within = [&](float width, float most) {
    return std::floor(std::clamp(width, least, std::max(least, most)));
  };
  bars.leastWidth = std::floor(least);
  const float strip = std::floor(kStrip * scale);
  bars.isOne = room < 2 * least;
  bars.isLeftFolded = layout.foldLeft;
  bars.isRightFolded = layout.foldRight && !bars.isOne;
  if (bars.isOne) {
    if (bars.isLeftFolded) {
      bars.left = strip;
      return bars;
    }
    if (windowWidth < least + kLeastBesideOne * scale) return bars;
    bars.left = within(layout.left * scale, room);
    bars.mostLeft = within(kMostBar * scale, room);
    return bars;
  }
  // What they are too wide is taken from both.
  const float tooWide = std::max(0.0f, (layout.left + layout.right) * scale - room);
  bars.left = within(layout.left * scale - tooWide / 2, room - least);
  bars.right = within(layout.right * scale, room - bars.left);
  bars.mostLeft = within(kMostBar * scale, room - bars.right);
  bars.mostRight = within(kMostBar * scale, room - bars.left);
  if (bars.isLeftFolded) bars.left = strip;
  if (bars.isRightFolded) bars.right = strip;
  return bars;
}

}  // namespace drystone::viewer
