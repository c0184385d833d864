# Writes OUTPUT, a source file that holds the text of every file in FOLDER, so that the program finds
# them from wherever it runs. Called by the build with cmake -P.
file(GLOB files ${FOLDER}/*)
list(SORT files)
set(entries "")
foreach(file IN LISTS files)
  get_filename_component(name ${file} NAME)
  file(READ ${file} text)
  string(APPEND entries "    {\"${name}\", R\"page(${text})page\"},\n")
endforeach()
file(WRITE ${OUTPUT} "// Generated from viewer/exporting/page/.
#include \"viewer/exporting/html_page.h\"

namespace drystone::viewer {

const PageText kPageTexts[] = {
${entries}    {nullptr, nullptr}};

}  // namespace drystone::viewer
")
