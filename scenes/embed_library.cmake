# Writes OUTPUT, a source file that holds the text of every scene of the library (FOLDER/*.json), so
# that the program finds them from wherever it runs. Called by the build with cmake -P.
file(GLOB files ${FOLDER}/*.json)
list(SORT files)
set(entries "")
foreach(file IN LISTS files)
  get_filename_component(name ${file} NAME_WE)
  file(READ ${file} text)
  string(APPEND entries "    {\"${name}\", R\"json(${text})json\"},\n")
endforeach()
file(WRITE ${OUTPUT} "// Generated from scenes/library/*.json.
#include \"scenes/scene_library.h\"

namespace drystone {

std::span<const LibraryScene> libraryScenes() {
  static constexpr LibraryScene kScenes[] = {
${entries}  };
  return kScenes;
}

}  // namespace drystone
")
