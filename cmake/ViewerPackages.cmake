# What the viewer is made of: GLFW and Dear ImGui for the window, epoxy for OpenGL and EGL, libpng
# for pictures, stb_truetype and DejaVu Sans for text. On by default where all are there; asked for
# without them, configuring says which one is missing.
find_package(PkgConfig QUIET)
find_package(glfw3 3.3 QUIET)
if(PkgConfig_FOUND)
  pkg_check_modules(IMGUI QUIET IMPORTED_TARGET imgui)
  pkg_check_modules(EPOXY QUIET IMPORTED_TARGET epoxy)
endif()
find_package(PNG QUIET)
find_path(STB_INCLUDE_DIR stb/stb_truetype.h)
find_file(DRYSTONE_FONT_FILE DejaVuSans.ttf PATHS /usr/share/fonts /usr/share/fonts/truetype
  PATH_SUFFIXES dejavu truetype/dejavu TTF DOC "Font that becomes part of the viewer")
mark_as_advanced(STB_INCLUDE_DIR DRYSTONE_FONT_FILE)

set(viewer_missing)
foreach(found IN ITEMS PkgConfig_FOUND/pkg-config glfw3_FOUND/libglfw3-dev IMGUI_FOUND/libimgui-dev
    EPOXY_FOUND/libepoxy-dev PNG_FOUND/libpng-dev STB_INCLUDE_DIR/libstb-dev
    DRYSTONE_FONT_FILE/fonts-dejavu-core)
  cmake_path(GET found PARENT_PATH variable)
  cmake_path(GET found FILENAME package)
  if(NOT ${variable})
    list(APPEND viewer_missing ${package})
  endif()
endforeach()
if(viewer_missing)
  set(viewer_default OFF)
else()
  set(viewer_default ON)
endif()
option(DRYSTONE_BUILD_VIEWER "Build the viewer and the offscreen renderer" ${viewer_default})
if(viewer_missing)
  string(JOIN " " viewer_missing ${viewer_missing})
  if(DRYSTONE_BUILD_VIEWER)
    message(FATAL_ERROR "DRYSTONE_BUILD_VIEWER needs ${viewer_missing}: run scripts/setup")
  endif()
  message(STATUS "No viewer: ${viewer_missing} missing")
endif()
