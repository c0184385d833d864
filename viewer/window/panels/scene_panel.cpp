#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <cctype>
#include <string>
#include <vector>

#include "scenes/scene_library.h"
#include "viewer/window/app_state.h"
#include "viewer/window/panels/section.h"
#include "viewer/window/widgets.h"

namespace drystone::viewer {
namespace {

struct Entry {
  std::string name, description;
};

std::vector<Entry> libraryEntries() {
  std::vector<Entry> entries;
  for (const LibraryScene& scene : libraryScenes()) {
    entries.push_back({std::string(scene.name), sceneDescription(scene)});
  }
  return entries;
}

bool contains(const std::string& text, const std::string& part) {
  return std::ranges::search(
             text, part,
             [](char a, char b) {
               return std::tolower(static_cast<unsigned char>(a)) ==
                      std::tolower(static_cast<unsigned char>(b));
             }).begin() != text.end() ||
         part.empty();
}

class ScenePanel {
 public:
  void draw(AppState& app) {
    ImGui::PushFont(app.bold);
    ImGui::TextUnformatted(app.frame->scene->name.c_str());
    ImGui::PopFont();
    dimText(app.frame->scene->description);
    ImGui::SetNextItemWidth(-1);
    ImGui::InputTextWithHint("##search", "search the library", &search_);
    ImGui::BeginChild("scenes", {0, 6.5f * ImGui::GetTextLineHeightWithSpacing()}, true);
    bool any = false;
    for (const Entry& entry : entries_) any = drawEntry(app, entry) || any;
    if (!any) dimText("No name and no description has this.");
    ImGui::EndChild();
    const float button = 4 * ImGui::GetFontSize();
    ImGui::SetNextItemWidth(-button - ImGui::GetStyle().ItemSpacing.x);
    const bool entered = ImGui::InputTextWithHint("##path", "scene file or recording", &path_,
                                                  ImGuiInputTextFlags_EnterReturnsTrue);
    ImGui::SameLine();
    if ((ImGui::Button("Open", {button, 0}) || entered) && !path_.empty()) app.openScene(path_);
  }

 private:
  /// False: it is not what is searched for.
  bool drawEntry(AppState& app, const Entry& entry) {
    if (!contains(entry.name, search_) && !contains(entry.description, search_)) return false;
    const bool isThis = entry.name == app.frame->scene->name;
    if (ImGui::Selectable(entry.name.c_str(), isThis)) app.openScene(entry.name);
    tooltip(entry.description);
    // Where keys or a script chose it, the list goes along.
    if (isThis && shown_ != entry.name) {
      ImGui::SetScrollHereY();
      shown_ = entry.name;
    }
    return true;
  }

  std::vector<Entry> entries_ = libraryEntries();
  std::string search_, path_, shown_;
};

}  // namespace

Section sceneSection() {
  return {"scene", "Scene", true, true,
          [panel = ScenePanel()](AppState& app) mutable { panel.draw(app); }};
}

}  // namespace drystone::viewer
