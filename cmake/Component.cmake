# What every part of the compiler is built with, and the functions its folder calls:
#
#   ddr_component(check DEPS syntax)            static library ddr-check from the *.c of this folder
#   ddr_unit_test(check scope unify)            tests/unit/check/{scope,unify}_test.c, label unit
#   ddr_defaults(target)                        the warnings, for targets that are no component
#   ddr_starts_often(target)                    a program that tests start again and again
#
# Includes are spelled from the repository root. Every header of a component joins its header set,
# so `all_verify_interface_header_sets` (test lint.headers) compiles each one alone.

include(Coverage)

set(DDR_WARNINGS
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes
  -Wimplicit-fallthrough -Wvla -Wcast-qual -Wformat=2 -Wundef -Wwrite-strings -Werror)

function(ddr_defaults target)
  target_compile_options(${target} PRIVATE ${DDR_WARNINGS})
endfunction()

# DDR_PRELOAD is what LD_PRELOAD must name for a program that is not ours and loads one of our sanitized libraries,
# which want their sanitizers loaded before anything else. DDR_CAN_PRELOAD is whether the compiler has them as files.
set(DDR_PRELOAD "")
set(DDR_CAN_PRELOAD ON)
if(DDR_SANITIZE STREQUAL ON)
  set(names libasan.so libubsan.so)
  if(CMAKE_C_COMPILER_ID MATCHES Clang) # one file for both
    set(names libclang_rt.asan-${CMAKE_SYSTEM_PROCESSOR}.so)
  endif()
  foreach(name IN LISTS names)
    execute_process(COMMAND ${CMAKE_C_COMPILER} -print-file-name=${name}
      OUTPUT_VARIABLE file OUTPUT_STRIP_TRAILING_WHITESPACE)
    if(NOT IS_ABSOLUTE "${file}")
      set(DDR_CAN_PRELOAD OFF)
    endif()
    list(APPEND DDR_PRELOAD ${file})
  endforeach()
  list(JOIN DDR_PRELOAD " " DDR_PRELOAD)
elseif(DDR_SANITIZE) # ThreadSanitizer's is inside of programs
  set(DDR_CAN_PRELOAD OFF)
endif()

# Of linkers that are there, the fastest: gold links in two thirds of the time of GNU ld, mold in a tenth. Clang warns
# where nothing is linked, and gold of clang's checks.
set(DDR_LINKER "")
if(DDR_SANITIZE STREQUAL ON AND CMAKE_C_COMPILER_ID STREQUAL GNU)
  find_program(DDR_MOLD ld.mold)
  find_program(DDR_GOLD ld.gold)
  if(DDR_MOLD AND CMAKE_C_COMPILER_VERSION VERSION_GREATER_EQUAL 12.1) # which knows its name
    set(DDR_LINKER -fuse-ld=mold)
  elseif(DDR_GOLD)
    set(DDR_LINKER -fuse-ld=gold)
  endif()
endif()

add_link_options("$<$<AND:$<LINK_LANGUAGE:C,CXX>,$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>>:${DDR_LINKER}>")

# With its sanitizers inside, and places fixed when it is linked, a program starts in two thirds of the
# time. Not for what loads sanitized libraries, which have to share its sanitizers.
set(DDR_STARTS_OFTEN_OPTIONS "")
if(DDR_SANITIZE STREQUAL ON)
  set(DDR_STARTS_OFTEN_OPTIONS -no-pie)
  if(CMAKE_C_COMPILER_ID STREQUAL GNU)
    list(APPEND DDR_STARTS_OFTEN_OPTIONS -static-libasan -static-libubsan)
  endif()
endif()
function(ddr_starts_often target)
  target_link_options(${target} PRIVATE ${DDR_STARTS_OFTEN_OPTIONS})
endfunction()

# C compilers for generated programs that tests run for a moment, for DIDEROT_CC and DDR_SHIM_CC, in sanitized
# builds, linked without what debuggers read.
#
# DDR_BRIEF_CC has all checks. Those of AddressSanitizer are calls, compiled in half the time and run in three
# times; those of UBSan end the program without a word (diderotc --sanitize tells), which saves a quarter of
# what is left. Nothing is optimised, which takes a fifth less and hides nothing from them.
#
# DDR_PLAIN_CC has none and optimises, in two thirds of that time, where another test has all checks of a
# program of the same kind.
#
# DDR_USUAL_CC has the build's options. All three link as above. Where ccache is, all keep what they make of
# generated programs, so that tests compile again only what has changed; in this folder, because -march=native is
# another on other machines.
set(DDR_KEPT -)
find_program(DDR_CCACHE ccache)
if(DDR_CCACHE)
  set(DDR_KEPT ${PROJECT_BINARY_DIR}/tests/kept)
endif()
set(DDR_LINKING -) # how compile-with links
if(DDR_SANITIZE STREQUAL ON)
  string(JOIN "," DDR_LINKING ${DDR_LINKER} -Xlinker -S)
endif()
set(DDR_COMPILE_WITH ${PROJECT_SOURCE_DIR}/tests/compile-with)
set(DDR_USUAL_CC "${DDR_COMPILE_WITH} - ${DDR_LINKING} ${DDR_KEPT} ${CMAKE_C_COMPILER}")
set(DDR_BRIEF_CC ${CMAKE_C_COMPILER})
if(DDR_SANITIZE STREQUAL ON AND CMAKE_C_COMPILER_ID STREQUAL GNU)
  list(APPEND DDR_BRIEF_CC
    ${DDR_STARTS_OFTEN_OPTIONS} --param=asan-instrumentation-with-call-threshold=0)
endif()
list(JOIN DDR_BRIEF_CC " " DDR_BRIEF_CC)
set(DDR_PLAIN_CC ${DDR_BRIEF_CC})
if(DDR_SANITIZE STREQUAL ON)
  string(PREPEND DDR_BRIEF_CC "${DDR_COMPILE_WITH} -O0,-fsanitize-undefined-trap-on-error ${DDR_LINKING} ${DDR_KEPT} ")
  string(PREPEND DDR_PLAIN_CC "${DDR_COMPILE_WITH} -fno-sanitize=all ${DDR_LINKING} ${DDR_KEPT} ") # -Og, of diderotc
endif()

# SOURCES replaces the glob; EXTRA adds generated files to it; SYSTEM names foreign libraries.
function(ddr_component name)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "" "DEPS;SOURCES;EXTRA;SYSTEM")
  file(GLOB headers CONFIGURE_DEPENDS *.h)
  if(NOT ARG_SOURCES)
    file(GLOB ARG_SOURCES CONFIGURE_DEPENDS *.c)
  endif()
  list(TRANSFORM ARG_DEPS PREPEND ddr-)

  set(target ddr-${name})
  if(ARG_SOURCES OR ARG_EXTRA)
    set(scope PUBLIC)
    add_library(${target} STATIC ${ARG_SOURCES} ${ARG_EXTRA})
    ddr_defaults(${target})
  else() # headers alone
    set(scope INTERFACE)
    add_library(${target} INTERFACE)
  endif()
  target_include_directories(${target} ${scope} ${PROJECT_SOURCE_DIR})
  target_link_libraries(${target} ${scope} ${ARG_DEPS} ${ARG_SYSTEM})
  if(headers)
    target_sources(${target} ${scope}
      FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR} FILES ${headers})
  endif()
endfunction()

# One executable and one test unit.<component>.<file> per file named; DEPS are further components.
# A file that does not exist is a test that fails.
function(ddr_unit_test component)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "" "DEPS")
  list(TRANSFORM ARG_DEPS PREPEND ddr-)
  foreach(file IN LISTS ARG_UNPARSED_ARGUMENTS)
    set(target test-${component}-${file})
    set(source ${PROJECT_SOURCE_DIR}/tests/unit/${component}/${file}_test.c)
    if(NOT EXISTS ${source}) # one part in the making must not stop the others
      add_test(NAME unit.${component}.${file} COMMAND ${CMAKE_COMMAND} -E cat ${source})
      continue()
    endif()
    add_executable(${target} ${source})
    ddr_defaults(${target})
    ddr_starts_often(${target})
    target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR})
    target_link_libraries(${target} PRIVATE ddr-${component} ${ARG_DEPS} m)
    add_test(NAME unit.${component}.${file} COMMAND ${target})
    set_tests_properties(unit.${component}.${file} PROPERTIES
      LABELS unit TIMEOUT 60 SKIP_RETURN_CODE 77 WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
      ENVIRONMENT ASAN_OPTIONS=quarantine_size_mb=8) # whose pages take time to map
  endforeach()
endfunction()

# A test with its own allocations instead of the library's (tests/unit/failing.h); GNU linkers and LLD know how.
function(ddr_fails_at_will target)
  target_link_options(${target} PRIVATE
    LINKER:--wrap=malloc LINKER:--wrap=calloc LINKER:--wrap=realloc LINKER:--wrap=aligned_alloc)
endfunction()
