#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
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

struct Category {
  std::string_view title;
  std::vector<Entry> entries;
};

/// By the first kind whose word begins the name; what no kind has is `single bodies and friction`.
constexpr std::pair<std::string_view, std::string_view> kKinds[] = {
    {"stack", "stacks and walls"},
    {"pyramid", "stacks and walls"},
    {"brick", "stacks and walls"},
    {"wall", "stacks and walls"},
    {"tower", "stacks and walls"},
    {"card_house", "stacks and walls"},
    {"arch", "stacks and walls"},
    {"domino", "stacks and walls"},
    {"heavy_on", "stacks and walls"},
    {"ball_", "piles"},
    {"pile", "piles"},
    {"boxes", "piles"},
    {"cylinders", "piles"},
    {"rocks", "piles"},
    {"spheres", "piles"},
    {"chain", "chains and ropes"},
    {"rope", "chains and ropes"},
    {"breakable", "chains and ropes"},
    {"newton", "chains and ropes"},
    {"joint_grid", "chains and ropes"},
    {"cart", "machines and robots"},
    {"conveyor", "machines and robots"},
    {"crane", "machines and robots"},
    {"fork", "machines and robots"},
    {"forw", "machines and robots"},
    {"gripper", "machines and robots"},
    {"human", "machines and robots"},
    {"loop_", "machines and robots"},
    {"mug", "machines and robots"},
    {"offshore", "machines and robots"},
    {"suction", "machines and robots"},
    {"truck", "machines and robots"},
    {"vehicle", "machines and robots"},
    {"winch", "machines and robots"}};

std::string_view kindOf(std::string_view name) {
  const auto kind =
      std::ranges::find_if(kKinds, [&](const auto& one) { return name.starts_with(one.first); });
  return kind == std::end(kKinds) ? "single bodies and friction" : kind->second;
}

/// In the order in which the library has the first of each.
std::vector<Category> libraryCategories() {
  std::vector<Category> categories;
  for (const LibraryScene& scene : libraryScenes()) {
    const std::string_view title = kindOf(scene.name);
    auto at = std::ranges::find(categories, title, &Category::title);
    if (at == categories.end()) at = categories.insert(at, {title, {}});
    at->entries.push_back({std::string(scene.name), sceneDescription(scene)});
  }
  return categories;
}

bool contains(const std::string& text, const std::string& part) {
  const auto isSame = [](char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) ==
           std::tolower(static_cast<unsigned char>(b));
  };
  return part.empty() ||
         std::search(text.begin(), text.end(), part.begin(), part.end(), isSame) != text.end();
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
    ImGui::BeginChild("scenes", {0, 8.5f * ImGui::GetTextLineHeightWithSpacing()}, true);
    bool any = false;
    for (const Category& category : categories_) any = drawCategory(app, category) || any;
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
  /// Its title above those of its scenes that are searched for. False: there is none.
  bool drawCategory(AppState& app, const Category& category) {
    bool any = false;
    for (const Entry& entry : category.entries) {
      if (!contains(entry.name, search_) && !contains(entry.description, search_)) continue;
      if (!any) dimText(std::string(category.title));
      any = true;
      drawEntry(app, entry);
    }
    return any;
  }

  void drawEntry(AppState& app, const Entry& entry) {
    const bool isThis = entry.name == app.frame->scene->name;
    if (ImGui::Selectable(entry.name.c_str(), isThis)) app.openScene(entry.name);
    tooltip(entry.description);
    // Where keys or a script chose it, the list goes along.
    if (isThis && shown_ != entry.name) {
      ImGui::SetScrollHereY();
      shown_ = entry.name;
    }
  }

  std::vector<Category> categories_ = libraryCategories();
  std::string search_, path_, shown_;
};

}  // namespace

Section sceneSection() {
  return {"scene", "Scene", true, true,
          [panel = ScenePanel()](AppState& app) mutable { panel.draw(app); }};
}

}  // namespace drystone::viewer
