#pragma once

#include <imgui.h>

#include <string>

namespace drystone::viewer {

/// A table of figures: names on the left, values on the right.
bool beginFigures(const char* id);
/// `help` shows under the mouse.
void figure(const char* name, const std::string& value, const char* help = "");
void figure(const char* name, const std::string& value, const ImVec4& color, const char* help = "");
void endFigures();

/// Dim text that breaks at the width of the window.
void dimText(const std::string& text);
/// Shows the text while the mouse is over the last item.
void tooltip(const std::string& text);

enum class Icon { kPlay, kPause, kNext, kPrevious, kStart };
/// A square button; its sign is drawn, so that no font needs to have it.
bool iconButton(const char* id, Icon icon, const char* help);

}  // namespace drystone::viewer
