#pragma once

#include <imgui.h>

#include <string>

namespace drystone::viewer {

/// A table of figures: names on the left, values on the right in that share of the width.
bool beginFigures(const char* id, float valueShare = 0.5f);
/// `help` shows under the mouse.
void figure(const char* name, const std::string& value, const char* help = "");
void figure(const char* name, const std::string& value, const ImVec4& color, const char* help = "");
void endFigures();

/// In place of a value that nobody knows.
inline constexpr const char* kNotKnown = "\xE2\x80\x93";
/// A figure whose value is not known, and why.
void unknownFigure(const char* name, const char* why);

/// Dim text that breaks at the width of the window.
void dimText(const std::string& text);
/// Shows the text while the mouse is over the last item.
void tooltip(const std::string& text);

/// The same, above the item: for what stands in a row along the foot of the window.
void tooltipAbove(const std::string& text);

enum class Icon { kPlay, kPause, kNext, kPrevious, kStart };
float iconButtonSide();
/// A square button; its sign is drawn, so that no font needs to have it.
bool iconButton(const char* id, Icon icon, const char* help);

}  // namespace drystone::viewer
