# Jansson reads JSON (Debian: libjansson-dev): the target Jansson::jansson, static where it can be, so that
# the compiler starts as fast as without and needs no other file.
find_path(JANSSON_INCLUDE_DIR jansson.h)
find_library(JANSSON_LIBRARY NAMES libjansson.a jansson NAMES_PER_DIR)
mark_as_advanced(JANSSON_INCLUDE_DIR JANSSON_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Jansson
  REQUIRED_VARS JANSSON_LIBRARY JANSSON_INCLUDE_DIR
  REASON_FAILURE_MESSAGE "diderotc lsp, and the fuzz target of diderotc, whose documents it checks, are left out \
(on Debian and Ubuntu: apt-get install libjansson-dev)")

if(JANSSON_FOUND AND NOT TARGET Jansson::jansson)
  add_library(Jansson::jansson UNKNOWN IMPORTED)
  set_target_properties(Jansson::jansson PROPERTIES
    IMPORTED_LOCATION ${JANSSON_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES ${JANSSON_INCLUDE_DIR})
endif()
