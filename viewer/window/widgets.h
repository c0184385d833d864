#pragma once

#include <string>
#include <string_view>

#include <imgui.h>

#include "core/types.h"

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

/// What a number may be.
struct NumberRange {
  Real low = 0, high = 1;
  Real usual = 0;  ///< the default, see SliderScale
  bool whole = false;
  std::string_view unit;  ///< shown unless it has several words
};

enum class NumberEdit {
  kNone,
  kMoving,  ///< the slider was moved and is still held
  kDone,    ///< it was let go, or a value was typed or gone back to
};

/// A slider as wide as there is room; a right click takes an exact value or goes back to the
/// default. Its id is that of the stack alone.
NumberEdit numberField(Real& value, const NumberRange& range);

}  // namespace drystone::viewer
