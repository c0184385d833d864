# Debian packages, by `cpack -G DEB` in the build folder: the program, what one builds with, and the Python
# package. What they depend on is read from the libraries that they link.
if(NOT DRYSTONE_INSTALL OR DRYSTONE_SANITIZER)
  return()
endif()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_VENDOR drystone)
set(CPACK_PACKAGE_CONTACT "drystone maintainers <maintainers@drystone.invalid>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL runtime dev)
if(DRYSTONE_BUILD_C)
  list(APPEND CPACK_COMPONENTS_ALL library)
endif()
if(DRYSTONE_BUILD_PYTHON)
  list(APPEND CPACK_COMPONENTS_ALL python)
endif()

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_COMPRESSION_TYPE zstd)  # a tenth of the time of xz

set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME drystone)
set(CPACK_COMPONENT_RUNTIME_DESCRIPTION "Rigid-body physics with certified contact solvers
 The program drystone: runs, records, renders and shows scenes.")

set(CPACK_DEBIAN_DEV_PACKAGE_NAME libdrystone-dev)
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEV_PACKAGE_SHLIBDEPS OFF)
# What find_package(drystone) looks for, and what the static libraries link.
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS "libeigen3-dev (>= 3.4), libfmt-dev (>= 9), nlohmann-json3-dev (>= 3.11), \
libtinyxml2-dev (>= 9), libbullet-dev, libhdf5-dev, liblapack-dev, libblas-dev")
set(CPACK_COMPONENT_DEV_DESCRIPTION "Headers and libraries of drystone
 For programs in C++ that simulate rigid bodies: find_package(drystone).")

if(DRYSTONE_BUILD_C)
  set(library libdrystone${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
  set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME ${library})
  set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libs)
  set(CPACK_COMPONENT_LIBRARY_DESCRIPTION "drystone for programs in C
 The shared library with the C API; libdrystone-dev has its headers.")
  string(APPEND CPACK_DEBIAN_DEV_PACKAGE_DEPENDS ", ${library} (= ${PROJECT_VERSION})")
endif()

if(DRYSTONE_BUILD_PYTHON)
  # The module is compiled for one version of Python.
  math(EXPR next_minor "${Python_VERSION_MINOR} + 1")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-drystone)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "python3 (>= ${Python_VERSION_MAJOR}.${Python_VERSION_MINOR}), python3 (<< ${Python_VERSION_MAJOR}.${next_minor}), python3-numpy")
  # The program, and what pictures are drawn with.
  set(CPACK_DEBIAN_PYTHON_PACKAGE_RECOMMENDS "drystone, libegl1, libopengl0, libegl-mesa0, libgl1-mesa-dri")
  set(CPACK_COMPONENT_PYTHON_DESCRIPTION "drystone for Python
 Worlds, bodies, joints, queries and contact problems with NumPy arrays.")
endif()
include(CPack)

set(python)
if(DRYSTONE_BUILD_PYTHON)
  set(python ${Python_EXECUTABLE})
endif()
find_program(DRYSTONE_DPKG_DEB dpkg-deb)
find_program(DRYSTONE_SHLIBDEPS dpkg-shlibdeps)
mark_as_advanced(DRYSTONE_DPKG_DEB DRYSTONE_SHLIBDEPS)
if(DRYSTONE_BUILD_TESTS)
  add_test(NAME Package.DebianPackages_HoldWhatWorksAlone
    COMMAND ${CMAKE_COMMAND} -DBUILD=${PROJECT_BINARY_DIR} -DCONFIG=$<CONFIG>
      -DCONSUMER=${PROJECT_SOURCE_DIR}/tests/package -DGENERATOR=${CMAKE_GENERATOR}
      -DCOMPILER=${CMAKE_CXX_COMPILER} -DC_COMPILER=${CMAKE_C_COMPILER}
      -DHAS_CUDA=${DRYSTONE_HAS_CUDA} -DLIBRARY=${CPACK_DEBIAN_LIBRARY_PACKAGE_NAME}
      -DCPACK=${CMAKE_CPACK_COMMAND} -DDPKG_DEB=${DRYSTONE_DPKG_DEB} -DSHLIBDEPS=${DRYSTONE_SHLIBDEPS}
      -DPYTHON=${python} -DPYTHON_DIR=${DRYSTONE_PYTHON_DIR} -P ${PROJECT_SOURCE_DIR}/tests/package/debian.cmake)
  set_tests_properties(Package.DebianPackages_HoldWhatWorksAlone PROPERTIES
    LABELS package TIMEOUT 300 COST 20 SKIP_REGULAR_EXPRESSION "^skipped")
endif()

# The wheel of the Python package, by python3 -m build (packaging/wheel).
if(DRYSTONE_BUILD_TESTS AND DRYSTONE_BUILD_PYTHON)
  add_test(NAME Package.Wheel_HoldsWhatWorksAlone
    COMMAND ${CMAKE_COMMAND} -DBUILD=${PROJECT_BINARY_DIR} -DSOURCE=${PROJECT_SOURCE_DIR} -DPYTHON=${python}
      -DVERSION=${PROJECT_VERSION} -DHAS_VIEWER=${DRYSTONE_BUILD_VIEWER}
      -P ${PROJECT_SOURCE_DIR}/tests/package/wheel.cmake)
  set_tests_properties(Package.Wheel_HoldsWhatWorksAlone PROPERTIES
    LABELS package TIMEOUT 120 SKIP_REGULAR_EXPRESSION "^skipped")
endif()
