# The manual pages: filled from the tables of the documents (doc/man/fill.awk) into build/PRESET/man.
find_program(AWK NAMES awk mawk gawk REQUIRED)
file(GLOB tables CONFIGURE_DEPENDS doc/tables/*.md doc/*.md)
set(DDR_PAGES "")
foreach(page diderotc.1 ddr-array.1 diderot-api.3 ddr-array.3)
  set(result ${PROJECT_BINARY_DIR}/man/${page})
  add_custom_command(OUTPUT ${result}
    COMMAND ${CMAKE_COMMAND} -DAWK=${AWK} -DROOT=${PROJECT_SOURCE_DIR} -DPAGE=${page}
      -DVERSION=${PROJECT_VERSION} -DDATE=${DDR_VERSION_DATE} -DRESULT=${result}
      -P ${PROJECT_SOURCE_DIR}/doc/man/fill.cmake
    DEPENDS doc/man/${page}.in doc/man/fill.awk doc/man/fill.cmake ${tables}
    VERBATIM)
  list(APPEND DDR_PAGES ${result})
endforeach()
add_custom_target(manual ALL DEPENDS ${DDR_PAGES})
