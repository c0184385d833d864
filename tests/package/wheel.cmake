# Makes the wheel of the Python package from this build, unpacks it to a folder of its own, and uses what is
# there alone. Run by ctest with BUILD, SOURCE, PYTHON, VERSION and HAS_VIEWER.
execute_process(COMMAND ${PYTHON} -c "import build, skbuild" RESULT_VARIABLE missing OUTPUT_QUIET ERROR_QUIET)
if(missing)
  message("skipped: python3-build or python3-skbuild missing")
  return()
endif()
include(${CMAKE_CURRENT_LIST_DIR}/consumers.cmake)
set(work ${BUILD}/wheel_test)
file(REMOVE_RECURSE ${work})

# Of the sources no more than what describes the wheel: it is made where they are.
foreach(file IN ITEMS CMakeLists.txt LICENSE README.md pyproject.toml setup.py packaging/wheel bindings/python/drystone)
  cmake_path(GET file PARENT_PATH folder)
  file(COPY ${SOURCE}/${file} DESTINATION ${work}/source/${folder})
endforeach()
run_or_fail(${CMAKE_COMMAND} -E chdir ${work}/source ${CMAKE_COMMAND} -E env
  "SKBUILD_CONFIGURE_OPTIONS=-DDRYSTONE_BUILD=${BUILD} -DDRYSTONE_COMPILE=OFF"
  ${PYTHON} -m build --wheel --no-isolation --outdir ${work})

file(GLOB wheels ${work}/*.whl)
list(LENGTH wheels count)
if(NOT count EQUAL 1 OR NOT wheels MATCHES "/drystone-${VERSION}-cp[0-9]+-cp[0-9]+-linux_")
  message(FATAL_ERROR "one wheel of version ${VERSION} for one Python should be in ${work}, got: ${wheels}")
endif()
file(ARCHIVE_EXTRACT INPUT ${wheels} DESTINATION ${work}/root)
set(wanted __init__.py world.py _drystone.pyi _render.pyi py.typed)
foreach(file IN LISTS wanted)
  if(NOT EXISTS ${work}/root/drystone/${file})
    message(FATAL_ERROR "the wheel lacks drystone/${file}")
  endif()
endforeach()
file(READ ${work}/root/drystone-${VERSION}.dist-info/METADATA metadata)
if(NOT metadata MATCHES "\nRequires-Dist: numpy" OR NOT metadata MATCHES "\nRequires-Python: >=3.9")
  message(FATAL_ERROR "the wheel does not say what it needs:\n${metadata}")
endif()

set(program "import drystone
assert drystone.__file__.startswith('${work}/root'), drystone.__file__
assert drystone.__version__ == '${VERSION}'
assert drystone.load('arch').step(3).within_tolerance")
if(HAS_VIEWER)
  string(APPEND program "\nfrom drystone import _render")
endif()
run_or_fail(${CMAKE_COMMAND} -E env PYTHONPATH=${work}/root ${CMAKE_COMMAND} -E chdir ${work} ${PYTHON} -c "${program}")
