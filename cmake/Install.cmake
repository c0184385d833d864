# drystone::drystone, the target that users link: in this tree and, once installed, through
# find_package(drystone). The public headers are those of include/drystone; what they include is
# internal, and is installed below them, to include/drystone/internal.
include(CMakePackageConfigHelpers)

option(DRYSTONE_INSTALL "Make the install rules" ${PROJECT_IS_TOP_LEVEL})

# The name drystone belongs to the program.
add_library(drystone_drystone INTERFACE)
add_library(drystone::drystone ALIAS drystone_drystone)
target_link_libraries(drystone_drystone INTERFACE
  drystone::core drystone::solvers drystone::gpu drystone::collision drystone::engine
  drystone::scenes drystone::importing)
target_include_directories(drystone_drystone INTERFACE
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:include>)

if(NOT DRYSTONE_INSTALL)
  return()
endif()

# What the program needs at hand is of the component runtime, all else of dev unless it says otherwise.
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME dev)

file(GLOB next CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/include/drystone/*.h)
set(internal_headers "")
while(next)
  list(POP_FRONT next header)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${header})
  file(STRINGS ${header} lines REGEX "^#include \"")
  foreach(line IN LISTS lines)
    string(REGEX REPLACE "^#include \"(.*)\"" "\\1" included "${line}")
    if(NOT included IN_LIST internal_headers)
      list(APPEND internal_headers ${included})
      list(APPEND next ${PROJECT_SOURCE_DIR}/${included})
    endif()
  endforeach()
endwhile()
foreach(header IN LISTS internal_headers)
  cmake_path(GET header PARENT_PATH folder)
  install(FILES ${PROJECT_SOURCE_DIR}/${header} DESTINATION include/drystone/internal/${folder})
endforeach()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/drystone DESTINATION include)

# All that drystone::drystone stands on: the layers but the viewer's, the program's and that of MPI.
get_property(parts GLOBAL PROPERTY DRYSTONE_LAYERS)
list(FILTER parts EXCLUDE REGEX "^(viewer_|distributed$|solids$|solid_contact$|cli$)")
list(APPEND parts engine gpu bullet hdf5 drystone)
if(DRYSTONE_HAS_CUDA)
  list(APPEND parts cuda_runtime)
  install(FILES ${CUDA_cudart_static_LIBRARY} DESTINATION ${CMAKE_INSTALL_LIBDIR}/drystone)
endif()
foreach(part IN LISTS parts)
  set_target_properties(drystone_${part} PROPERTIES EXPORT_NAME ${part})
  install(TARGETS drystone_${part} EXPORT drystoneTargets
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
endforeach()
install(TARGETS drystone RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT runtime)
# The schema of scene files, for editors, as the program writes it.
install(CODE "execute_process(COMMAND \"$<TARGET_FILE:drystone>\" list keys --json
  OUTPUT_FILE \"${PROJECT_BINARY_DIR}/scene.schema.json\" COMMAND_ERROR_IS_FATAL ANY)"
  COMPONENT runtime)
install(FILES ${PROJECT_BINARY_DIR}/scene.schema.json
  DESTINATION ${CMAKE_INSTALL_DATADIR}/drystone COMPONENT runtime)
# The program has the scenes of the library in itself; these are to be read and changed.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/scenes/library/
  DESTINATION ${CMAKE_INSTALL_DATADIR}/drystone/scenes COMPONENT runtime)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT runtime)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES ${PROJECT_SOURCE_DIR}/README.md DESTINATION ${CMAKE_INSTALL_DOCDIR})

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/drystone)
install(EXPORT drystoneTargets NAMESPACE drystone:: DESTINATION ${package_folder})
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/drystoneConfig.cmake.in
  ${PROJECT_BINARY_DIR}/drystoneConfig.cmake INSTALL_DESTINATION ${package_folder})
# Before 1.0 a new minor version may break what used the last one.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/drystoneConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/drystoneConfig.cmake
  ${PROJECT_BINARY_DIR}/drystoneConfigVersion.cmake DESTINATION ${package_folder})

# Sanitizer builds are not for installing.
if(DRYSTONE_BUILD_TESTS AND NOT DRYSTONE_SANITIZER)
  add_test(NAME Package.InstalledLibrary_BuildsAndRunsAConsumer
    COMMAND ${CMAKE_COMMAND} -DBUILD=${PROJECT_BINARY_DIR} -DCONFIG=$<CONFIG>
      -DCONSUMER=${PROJECT_SOURCE_DIR}/tests/package -DGENERATOR=${CMAKE_GENERATOR}
      -DCOMPILER=${CMAKE_CXX_COMPILER} -DC_COMPILER=${CMAKE_C_COMPILER}
      -DHAS_CUDA=${DRYSTONE_HAS_CUDA} -DHAS_C=$<TARGET_EXISTS:drystone_c> -P ${PROJECT_SOURCE_DIR}/tests/package/run.cmake)
  set_tests_properties(Package.InstalledLibrary_BuildsAndRunsAConsumer PROPERTIES
    LABELS package TIMEOUT 300 COST 20)
endif()
