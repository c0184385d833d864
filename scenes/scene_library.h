#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace drystone {

/// A scene that comes with the program, compiled in, so that it is found from anywhere.
struct LibraryScene {
  std::string_view name;
  std::string_view text;  ///< the file, scenes/library/NAME.json
};

/// All of them, by name.
std::span<const LibraryScene> libraryScenes();
std::vector<std::string> librarySceneNames();

/// Null when there is none of that name.
const LibraryScene* findLibraryScene(std::string_view name);

/// The JSON schema of scene files, for editors. Parts that list their fields write their own part
/// of it; the others stand in its template, scenes/schema/scene.template.json.
std::string sceneSchema();
/// The text of that template, compiled in like the scenes.
std::string_view schemaTemplate();

/// What the scene says of itself in one line.
std::string sceneDescription(const LibraryScene& scene);

/// Message for a name that the library does not have, with near names.
std::string unknownSceneMessage(std::string_view name);

}  // namespace drystone
