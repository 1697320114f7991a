# What makes a memory error in the compiled module harder to use: for every target of this folder and below, as far as
# compiler and linker know it. The sanitizers find more, and FORTIFY hides calls from them.
include(CheckCXXCompilerFlag)
include(CheckLinkerFlag)
include(CheckCXXSourceCompiles)

foreach(flag -fstack-protector-strong -fstack-clash-protection -fcf-protection)
  string(MAKE_C_IDENTIFIER "FOLIATION_KNOWS${flag}" known)
  check_cxx_compiler_flag("-Werror ${flag}" ${known})
  if(${known})
    add_compile_options(${flag})
  endif()
endforeach()

foreach(flag -Wl,-z,relro -Wl,-z,now -Wl,-z,noexecstack)
  string(MAKE_C_IDENTIFIER "FOLIATION_KNOWS${flag}" known)
  check_linker_flag(CXX ${flag} ${known})
  if(${known})
    add_link_options(${flag})
  endif()
endforeach()

# The C library checks sizes only in optimized code, and says which levels it knows only by a warning.
if(NOT FOLIATION_SANITIZE AND NOT CMAKE_BUILD_TYPE STREQUAL "Debug" AND NOT MSVC)
  foreach(level 3 2)
    set(CMAKE_REQUIRED_FLAGS "-Werror -O2 -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=${level}")
    check_cxx_source_compiles("#include <cstdio>\nint main() {}" FOLIATION_KNOWS_FORTIFY_${level})
    unset(CMAKE_REQUIRED_FLAGS)
    if(FOLIATION_KNOWS_FORTIFY_${level})
      add_compile_options(-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=${level})
      break()
    endif()
  endforeach()
endif()
