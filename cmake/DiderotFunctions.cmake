# Programs in Diderot as targets of CMake.
#
#   diderot_add_executable(NAME PROGRAM.diderot
#     [OPTIONS option...]           further options of diderotc: --double --target=parallel ...
#     [DEPENDS file...]             more that the program depends on; proxy images are known
#     [WORKING_DIRECTORY folder])   where proxy images are looked for; default: of the CMakeLists.txt
#
# The target is an executable like any other: it can be run by tests, installed, and so on. In the
# configuration Debug the program is compiled with --debug.
#
#   diderot_add_library(NAME PROGRAM.diderot ...)     the same words
#
# The target is a static library. What links it finds its header NAME.h; functions are NAME_... .

# Compiles PROGRAM to OBJECT by diderotc with the options given, and declares the other files that
# are made of it. Proxy images and the program itself are dependencies that diderotc tells of.
function(_diderot_compile caller program object)
  cmake_parse_arguments(PARSE_ARGV 3 ARG "" "WORKING_DIRECTORY" "OPTIONS;DEPENDS;MODE;BYPRODUCTS")
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

function(diderot_add_executable name program)
  set(object "${CMAKE_CURRENT_BINARY_DIR}/${name}.diderot/${name}.o")
  _diderot_compile(diderot_add_executable "${program}" "${object}" ${ARGN} MODE --object)
  add_executable(${name} "${object}")
  set_target_properties(${name} PROPERTIES LINKER_LANGUAGE C)
  target_link_libraries(${name} PRIVATE Diderot::runtime)
endfunction()

function(diderot_add_library name program)
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/${name}.diderot")
  _diderot_compile(diderot_add_library "${program}" "${folder}/${name}.o" ${ARGN}
    MODE --static --namespace=${name} BYPRODUCTS "${folder}/${name}.h")
  add_library(${name} STATIC "${folder}/${name}.o")
  set_target_properties(${name} PROPERTIES LINKER_LANGUAGE C)
  target_include_directories(${name} INTERFACE "${folder}")
  target_link_libraries(${name} INTERFACE Teem::teem Threads::Threads m)
  target_link_options(${name} INTERFACE
    $<TARGET_PROPERTY:Diderot::runtime,INTERFACE_LINK_OPTIONS>)
endfunction()
