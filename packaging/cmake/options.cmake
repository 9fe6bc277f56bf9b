# Compile options shared by every target: warnings are errors, no contraction of floats, optional sanitizers.
set(PLUMBLINE_SANITIZE "" CACHE STRING "Sanitizers to build with, e.g. address,undefined")

add_compile_options(-Wall -Wextra -Wpedantic -Wshadow -Werror)
# The product compares single roundings: the compiler must never fuse a*b+c by itself.
add_compile_options(-ffp-contract=off)

if(PLUMBLINE_SANITIZE)
  add_compile_options(-fsanitize=${PLUMBLINE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${PLUMBLINE_SANITIZE})
endif()

find_program(PLUMBLINE_CCACHE ccache)
if(PLUMBLINE_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${PLUMBLINE_CCACHE})
endif()
