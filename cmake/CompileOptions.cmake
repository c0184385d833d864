if(DRYSTONE_FUZZERS AND NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  message(FATAL_ERROR "DRYSTONE_FUZZERS needs clang: configure with --preset fuzz")
endif()

# Options of our own targets.
function(drystone_options name)
  target_include_directories(${name} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}> $<INSTALL_INTERFACE:include/drystone/internal>)
  target_compile_features(${name} PUBLIC cxx_std_20)
  target_compile_options(${name} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor
    -Woverloaded-virtual -Wno-missing-field-initializers -Werror)
  # GCC 12 reports string concatenation falsely at -O3 (GCC bug 105651).
  target_compile_options(${name} PRIVATE $<$<AND:$<CONFIG:Release>,$<CXX_COMPILER_ID:GNU>>:-Wno-restrict>)
  # In a unity build no file is the main one, which this warning asks for.
  if(CMAKE_UNITY_BUILD)
    target_compile_options(${name} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
  endif()
  # Contraction to fused multiply-add would make results depend on the compiler's mood; the state
  # hashes promise more.
  target_compile_options(${name} PUBLIC -ffp-contract=off)
  target_compile_options(${name} PRIVATE -fno-math-errno -fno-trapping-math)
  # GCC spends a sixth of its time tidying its memory, which a unity build fills; a job then takes up
  # to 1.2 GiB.
  target_compile_options(${name} PRIVATE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:--param=ggc-min-expand=100
    --param=ggc-min-heapsize=524288>)
  if(DRYSTONE_SANITIZER)
    target_compile_options(${name} PUBLIC -fno-omit-frame-pointer -fsanitize=${DRYSTONE_SANITIZER})
    target_link_options(${name} PUBLIC -fsanitize=${DRYSTONE_SANITIZER})
    # With its checks in between, GCC no longer sees that a value is set; the manual says so of
    # -fsanitize. The builds without a sanitizer keep the warning.
    target_compile_options(${name} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
    if(DRYSTONE_SANITIZER STREQUAL "address")
      # Without those of every pointer and reference, which took half of the time to compile: the
      # address sanitizer sees null and foreign memory too.
      target_compile_options(${name} PUBLIC -fsanitize=undefined -fno-sanitize-recover=undefined
        -fno-sanitize=null,alignment,vptr,object-size)
      target_link_options(${name} PUBLIC -fsanitize=undefined)
    endif()
  endif()
  # Counters of what an input reaches. Numbers that a file makes as large as it likes must not become
  # integers unseen.
  if(DRYSTONE_FUZZERS)
    target_compile_options(${name} PUBLIC -fsanitize=fuzzer-no-link,float-cast-overflow
      -fno-sanitize-recover=float-cast-overflow)
  endif()
endfunction()

# Those of all but tests besides: the layers become part of a shared object (bindings/python), and whose
# precompiled headers are theirs must be compiled alike. No other library replaces a function of
# these, so that calls stay as direct, and as fast, as in a program.
function(drystone_shared_options name)
  target_compile_options(${name} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-fPIC>
    $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fno-semantic-interposition>)
endfunction()

# Those of layers besides that read, print and draw: they wait for files and people, so that fast
# compiling is worth more than fast code.
function(drystone_tool_options name)
  target_compile_options(${name} PRIVATE -O1)
endfunction()

# Those of tests besides.
function(drystone_test_options name)
  # Thousands of assertions take GCC long at -O2, longest with what a sanitizer adds to them, and the
  # tests are none the faster for it.
  target_compile_options(${name} PRIVATE -O1)
  # Undefined behaviour is looked for in what is tested: assertions full of it take twice as long. The
  # checks of addresses are calls, which compile faster than code in place.
  if(DRYSTONE_SANITIZER STREQUAL "address")
    target_compile_options(${name} PRIVATE -fno-sanitize=undefined
      --param=asan-instrumentation-with-call-threshold=0)
  endif()
endfunction()

# Call drystone_target(name) on each target, or drystone_target(name HEADERS set) where its precompiled
# headers are another set (PrecompiledHeaders.cmake).
function(drystone_target name)
  drystone_options(${name})
  cmake_parse_arguments(PARSE_ARGV 1 target "" HEADERS "")
  if(NOT target_HEADERS)
    set(target_HEADERS headers)
  endif()
  if(NOT target_HEADERS STREQUAL "test_headers")
    drystone_shared_options(${name})
  endif()
  if(TARGET drystone_${target_HEADERS})
    target_precompile_headers(${name} REUSE_FROM drystone_${target_HEADERS})
    # -fpch-preprocess is for ccache, which reads what the preprocessor leaves. GCC 12 then guesses
    # falsely about strings of the standard library; builds without these headers keep the errors.
    target_compile_options(${name} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess
      -Wno-array-bounds -Wno-restrict -Wno-stringop-overflow -Wno-stringop-overread
      -Wno-maybe-uninitialized -Wno-free-nonheap-object -Wno-use-after-free>)
  endif()
endfunction()
