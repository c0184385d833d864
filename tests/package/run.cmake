# Installs the build to a folder of its own, then builds and runs the consumer beside this file
# with nothing but that folder, and so the one in C where the C API is built: run by ctest with BUILD,
# CONFIG, CONSUMER, GENERATOR, COMPILER, C_COMPILER, HAS_CUDA and HAS_C.
set(work ${BUILD}/package_test)
file(REMOVE_RECURSE ${work})

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    string(JOIN " " command ${ARGN})
    message(FATAL_ERROR "${command}\nfailed (${result}):\n${output}")
  endif()
endfunction()

run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${work}/prefix --config ${CONFIG})
run(${CMAKE_COMMAND} -S ${CONSUMER} -B ${work}/build -G ${GENERATOR}
  -DCMAKE_BUILD_TYPE=${CONFIG} -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_PREFIX_PATH=${work}/prefix)
run(${CMAKE_COMMAND} --build ${work}/build --config ${CONFIG})
if(HAS_CUDA)
  run(${work}/build/consumer with-cuda)
else()
  run(${work}/build/consumer without-cuda)
endif()

if(HAS_C)
  run(${CMAKE_COMMAND} -S ${CONSUMER} -B ${work}/build_c -G ${GENERATOR} -DONLY_C=ON
    -DCMAKE_BUILD_TYPE=${CONFIG} -DCMAKE_C_COMPILER=${C_COMPILER} -DCMAKE_PREFIX_PATH=${work}/prefix)
  run(${CMAKE_COMMAND} --build ${work}/build_c --config ${CONFIG})
  run(${work}/build_c/consumer)
endif()
