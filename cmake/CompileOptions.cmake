# Options of our own targets. Call drystone_target(name) on each.
function(drystone_target name)
  target_include_directories(${name} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}> $<INSTALL_INTERFACE:include/drystone>)
  target_compile_features(${name} PUBLIC cxx_std_20)
  target_compile_options(${name} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor
    -Woverloaded-virtual -Wno-missing-field-initializers -Werror)
  # GCC 12 reports string concatenation falsely at -O3 (GCC bug 105651).
  target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:-Wno-restrict>)
  # Contraction to fused multiply-add would make results depend on the compiler's mood; the state
  # hashes promise more.
  target_compile_options(${name} PUBLIC -ffp-contract=off)
  target_compile_options(${name} PRIVATE -fno-math-errno -fno-trapping-math)
  if(DRYSTONE_SANITIZER)
    target_compile_options(${name} PUBLIC -fno-omit-frame-pointer -fsanitize=${DRYSTONE_SANITIZER})
    target_link_options(${name} PUBLIC -fsanitize=${DRYSTONE_SANITIZER})
    # With its checks in between, GCC no longer sees that a value is set; the manual says so of
    # -fsanitize. The builds without a sanitizer keep the warning.
    target_compile_options(${name} PRIVATE -Wno-maybe-uninitialized)
    if(DRYSTONE_SANITIZER STREQUAL "address")
      target_compile_options(${name} PUBLIC -fsanitize=undefined -fno-sanitize-recover=undefined)
      target_link_options(${name} PUBLIC -fsanitize=undefined)
    endif()
  endif()
endfunction()
