# What the tests of installed files share.
include(${CMAKE_CURRENT_LIST_DIR}/../readme/extract.cmake)

# Runs a command. Its output is in `output`; where it fails it is the message.
function(run_or_fail)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    string(JOIN " " command ${ARGN})
    message(FATAL_ERROR "${command}\nfailed (${result}):\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

# Builds and runs the consumer in C++ with what is installed below a prefix. Further arguments go to its
# configuration. Takes the variables of run.cmake.
function(use_consumer prefix)
  run_or_fail(${CMAKE_COMMAND} -S ${CONSUMER} -B ${work}/build -G ${GENERATOR} ${ARGN}
    -DCMAKE_BUILD_TYPE=${CONFIG} -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_PREFIX_PATH=${prefix})
  run_or_fail(${CMAKE_COMMAND} --build ${work}/build --config ${CONFIG})
  if(HAS_CUDA)
    run_or_fail(${work}/build/consumer with-cuda)
  else()
    run_or_fail(${work}/build/consumer without-cuda)
  endif()
endfunction()

# The same of the consumer in C.
function(use_c_consumer prefix)
  run_or_fail(${CMAKE_COMMAND} -S ${CONSUMER} -B ${work}/build_c -G ${GENERATOR} -DONLY_C=ON
    -DCMAKE_BUILD_TYPE=${CONFIG} -DCMAKE_C_COMPILER=${C_COMPILER} -DCMAKE_PREFIX_PATH=${prefix})
  run_or_fail(${CMAKE_COMMAND} --build ${work}/build_c --config ${CONFIG})
  run_or_fail(${work}/build_c/consumer)
endfunction()

# The same of the project that the tutorial shows, with the text of its page alone.
function(use_tutorial prefix)
  file(READ ${CONSUMER}/../../docs/tutorial/3-embed_in_cpp.md page)
  extract_between("${page}" "<!-- file: CMakeLists.txt -->\n```cmake\n" "\n```" lists)
  extract_between("${page}" "<!-- program: tutorial_sliding -->\n```cpp\n" "\n```" program)
  file(WRITE ${work}/tutorial/CMakeLists.txt "${lists}\n")
  file(WRITE ${work}/tutorial/sliding.cpp "${program}\n")
  run_or_fail(${CMAKE_COMMAND} -S ${work}/tutorial -B ${work}/tutorial/build -G ${GENERATOR}
    -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_PREFIX_PATH=${prefix})
  run_or_fail(${CMAKE_COMMAND} --build ${work}/tutorial/build --config ${CONFIG})
  run_or_fail(${work}/tutorial/build/sliding)
  if(NOT output MATCHES "^slid 0\\.893 m")
    message(FATAL_ERROR "the program of the tutorial says: ${output}")
  endif()
endfunction()
