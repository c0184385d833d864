# Writes OUTPUT, a source file that holds the text of every scene of the library (FOLDER/*.json) and
# of the SCHEMA's template, so that the program finds them from wherever it runs. Called by the build
# with cmake -P.
file(GLOB files ${FOLDER}/*.json)
list(SORT files)
set(entries "")
foreach(file IN LISTS files)
  get_filename_component(name ${file} NAME_WE)
  file(READ ${file} text)
  string(APPEND entries "    {\"${name}\", R\"json(${text})json\"},\n")
endforeach()
file(READ ${SCHEMA} schema)
file(WRITE ${OUTPUT} "// Generated from scenes/library/*.json and scenes/schema/scene.template.json.
#include \"scenes/scene_library.h\"

namespace drystone {

std::span<const LibraryScene> libraryScenes() {
  static constexpr LibraryScene kScenes[] = {
${entries}  };
  return kScenes;
}

std::string_view schemaTemplate() { return R\"json(${schema})json\"; }

}  // namespace drystone
")
