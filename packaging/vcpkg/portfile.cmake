# A port for vcpkg: vcpkg install drystone --overlay-ports=packaging/vcpkg
# Not tried: it needs vcpkg, which builds every dependency anew.
vcpkg_cmake_configure(
  SOURCE_PATH ${CMAKE_CURRENT_LIST_DIR}/../..
  OPTIONS -DDRYSTONE_BUILD_TESTS=OFF -DDRYSTONE_BUILD_EXAMPLES=OFF -DDRYSTONE_BUILD_VIEWER=OFF
          -DDRYSTONE_BUILD_PYTHON=OFF -DDRYSTONE_INSTALL=ON)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/drystone)
vcpkg_copy_tools(TOOL_NAMES drystone AUTO_CLEAN)
file(REMOVE_RECURSE ${CURRENT_PACKAGES_DIR}/debug/include ${CURRENT_PACKAGES_DIR}/debug/share)
vcpkg_install_copyright(FILE_LIST ${CMAKE_CURRENT_LIST_DIR}/../../LICENSE)
