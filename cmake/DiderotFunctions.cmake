# Programs in Diderot as targets of CMake.
#
#   diderot_add_executable(NAME PROGRAM.diderot
#     [OPTIONS option...]           further options of diderotc: --double --target=parallel ...
#     [ARCH name...]                kinds of processors that it is for: native (default), generic, x86-64-v3 ...
#     [SHARED_RUNTIME]              the runtime is no part of it, but loaded when it runs
#     [DEPENDS file...]             more that the program depends on; proxy images are known
#     [WORKING_DIRECTORY folder])   where proxy images are looked for; default: of the CMakeLists.txt
#
#   diderot_add_library(NAME PROGRAM.diderot
#     [STATIC | SHARED]             default: as BUILD_SHARED_LIBS says
#     [NAMESPACE prefix]            of its functions; default: NAME, with _ for what C does not allow
#     [SHARED_RUNTIME]
#     [JSON]                        NAME.json and NAME.so for programs that load it at run time
#     [OPTIONS ...] [ARCH ...] [DEPENDS ...] [WORKING_DIRECTORY ...])
#
# The targets are like any other: executables can be run by tests, what is linked with a library finds
# its header NAME.h, all can be installed, headers by FILE_SET HEADERS. In the configuration Debug a
# program is compiled with --debug. What diderotc makes is in the folder NAME.diderot of the build.

# Compiles PROGRAM to OBJECT and, besides it, BYPRODUCTS by diderotc with the options MODE and OPTIONS.
# Proxy images and the program itself are dependencies that diderotc tells of.
function(_diderot_compile caller program object)
  cmake_parse_arguments(PARSE_ARGV 3 ARG "" "WORKING_DIRECTORY" "OPTIONS;ARCH;DEPENDS;MODE;BYPRODUCTS")
  if(ARG_UNPARSED_ARGUMENTS OR ARG_KEYWORDS_MISSING_VALUES)
    message(FATAL_ERROR
      "${caller}: do not understand '${ARG_UNPARSED_ARGUMENTS}${ARG_KEYWORDS_MISSING_VALUES}'")
  endif()
  cmake_path(ABSOLUTE_PATH program BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}")
  get_source_file_property(is_generated "${program}" GENERATED)
  if(NOT is_generated AND NOT EXISTS "${program}")
    message(FATAL_ERROR "${caller}: there is no ${program}")
  endif()
  if(NOT ARG_WORKING_DIRECTORY)
    set(ARG_WORKING_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}")
  endif()
  if(ARG_ARCH)
    list(JOIN ARG_ARCH "," names)
    list(APPEND ARG_MODE --arch=${names})
  endif()
  cmake_path(GET object PARENT_PATH folder)
  file(MAKE_DIRECTORY "${folder}")
  cmake_path(GET program FILENAME file)
  add_custom_command(OUTPUT "${object}" ${ARG_BYPRODUCTS}
    COMMAND ${CMAKE_COMMAND} -E env "DIDEROT_CC=${CMAKE_C_COMPILER}"
      $<TARGET_FILE:Diderot::diderotc> ${ARG_MODE} "$<$<CONFIG:Debug>:--debug>" ${ARG_OPTIONS}
      --depfile=${object}.d -o ${object} ${program}
    DEPENDS "${program}" ${ARG_DEPENDS} Diderot::diderotc
    DEPFILE "${object}.d"
    WORKING_DIRECTORY "${ARG_WORKING_DIRECTORY}"
    COMMENT "Compiling ${file}"
    COMMAND_EXPAND_LISTS VERBATIM)
endfunction()

# What objects for GPUs (doc/cuda.md) and sanitized ones need besides, if the options say that there are any.
function(_diderot_link_special name scope)
  if("--target=cuda" IN_LIST ARGN)
    target_link_libraries(${name} ${scope} stdc++ ${CMAKE_DL_LIBS} rt)
  endif()
  if("--sanitize" IN_LIST ARGN)
    target_link_options(${name} ${scope} ${DIDEROT_SANITIZE_OPTIONS})
  endif()
endfunction()

function(diderot_add_executable name program)
  cmake_parse_arguments(PARSE_ARGV 2 ARG "SHARED_RUNTIME" "" "")
  if(ARG_SHARED_RUNTIME AND "--sanitize" IN_LIST ARGN)
    message(FATAL_ERROR "diderot_add_executable: --sanitize does not go with SHARED_RUNTIME")
  endif()
  set(object "${CMAKE_CURRENT_BINARY_DIR}/${name}.diderot/${name}.o")
  _diderot_compile(diderot_add_executable "${program}" "${object}" ${ARG_UNPARSED_ARGUMENTS}
    MODE --object)
  add_executable(${name} "${object}")
  set_target_properties(${name} PROPERTIES LINKER_LANGUAGE C)
  set(runtime Diderot::runtime)
  if("--sanitize" IN_LIST ARGN)
    set(runtime Diderot::runtime-sanitized)
  endif()
  if(ARG_SHARED_RUNTIME) # of the other one nothing but main()
    target_link_libraries(${name} PRIVATE Diderot::runtime-shared)
  endif()
  target_link_libraries(${name} PRIVATE ${runtime})
  _diderot_link_special(${name} PRIVATE ${ARGN})
endfunction()

function(diderot_add_library name program)
  cmake_parse_arguments(PARSE_ARGV 2 ARG "STATIC;SHARED;SHARED_RUNTIME;JSON" "NAMESPACE" "")
  set(type STATIC)
  if(ARG_SHARED OR (BUILD_SHARED_LIBS AND NOT ARG_STATIC))
    set(type SHARED)
  endif()
  if(NOT DEFINED ARG_NAMESPACE)
    string(MAKE_C_IDENTIFIER ${name} ARG_NAMESPACE)
  endif()
  set(mode --namespace=${ARG_NAMESPACE})
  if(ARG_SHARED_RUNTIME)
    list(APPEND mode --shared-runtime)
  endif()
  set(base "${CMAKE_CURRENT_BINARY_DIR}/${name}.diderot/${name}")
  set(besides "${base}.h")
  if(ARG_JSON)
    list(APPEND mode --json)
    list(APPEND besides "${base}.json" "${base}.so")
  else()
    list(APPEND mode --static)
  endif()
  _diderot_compile(diderot_add_library "${program}" "${base}.o" ${ARG_UNPARSED_ARGUMENTS}
    MODE ${mode} BYPRODUCTS ${besides})
  add_library(${name} ${type} "${base}.o")
  set_target_properties(${name} PROPERTIES LINKER_LANGUAGE C)
  target_sources(${name} PUBLIC FILE_SET HEADERS
    BASE_DIRS "${CMAKE_CURRENT_BINARY_DIR}/${name}.diderot" FILES "${base}.h")
  if(ARG_SHARED_RUNTIME)
    target_link_libraries(${name} PUBLIC Diderot::runtime-shared)
  endif()
  target_link_libraries(${name} PUBLIC Teem::teem Threads::Threads m)
  _diderot_link_special(${name} PUBLIC ${ARGN})
  target_link_options(${name} PUBLIC ${DIDEROT_LINK_OPTIONS})
endfunction()
