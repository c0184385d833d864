#pragma once

#include "viewer/window/mouse.h"
#include "viewer/window/panels/section.h"
#include "viewer/window/panels/windows.h"
#include "viewer/window/style.h"

namespace drystone::viewer {

/// All that Dear ImGui draws: side bars of sections, the transport bar, windows and what stands on
/// the scene.
class Interface {
 public:
  /// Says where the scene goes (AppState::view).
  void place(AppState& app) const;
  void draw(AppState& app);

  const std::vector<Section>& sections() const { return sections_; }
  RaceWindow& race() { return race_; }

 private:
  static SideBars bars(const AppState& app);
  void drawSideBar(AppState& app, bool isLeft);
  static void drawFold(AppState& app, bool isLeft, bool isFolded);

  std::vector<Section> sections_ = makeSections();
  TransportBar transport_;
  RaceWindow race_;
  MouseControl mouse_;
};

}  // namespace drystone::viewer
