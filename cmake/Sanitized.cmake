# ddr_sanitized_archive(TARGET OPTIONS option... SOURCES file... DEPENDS file...): libTARGET.a of C files that
# lie below the repository, with AddressSanitizer and UBSan.
#
# Their reports name files as the C compiler was told them, whatever -ffile-prefix-map says. So it
# runs in the folder of the repository, and the archive is the same bytes wherever that is.
function(ddr_sanitized_archive target)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "" "OPTIONS;SOURCES;DEPENDS")
  string(TOUPPER "${CMAKE_BUILD_TYPE}" type)
  separate_arguments(options UNIX_COMMAND "${CMAKE_C_FLAGS} ${CMAKE_C_FLAGS_${type}}")
  list(APPEND options -std=c17 -fPIC -fvisibility=hidden -O1 -g1 ${DDR_SANITIZED_FLAGS}
    -ffile-prefix-map=${PROJECT_SOURCE_DIR}=. ${ARG_OPTIONS})
  set(objects "")
  foreach(source IN LISTS ARG_SOURCES)
    get_source_file_property(own ${source} COMPILE_OPTIONS)
    if(NOT own)
      set(own "")
    endif()
    cmake_path(ABSOLUTE_PATH source)
    cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${PROJECT_SOURCE_DIR})
    string(REPLACE / - object ${source})
    set(object ${CMAKE_CURRENT_BINARY_DIR}/${target}.dir/${object}.o)
    add_custom_command(OUTPUT ${object}
      COMMAND ${CMAKE_C_COMPILER_LAUNCHER} ${CMAKE_C_COMPILER} ${options} ${own} -c ${source} -o ${object}
      DEPENDS ${PROJECT_SOURCE_DIR}/${source} ${ARG_DEPENDS}
      WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
      COMMENT "Building C object ${source} with sanitizers" VERBATIM COMMAND_EXPAND_LISTS)
    list(APPEND objects ${object})
  endforeach()
  file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/${target}.dir)
  set_source_files_properties(${objects} PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
  add_library(${target} STATIC ${objects})
  set_target_properties(${target} PROPERTIES LINKER_LANGUAGE C)
endfunction()
