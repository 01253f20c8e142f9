# Jansson reads JSON (Debian: libjansson-dev): the target Jansson::jansson.
find_path(JANSSON_INCLUDE_DIR jansson.h)
find_library(JANSSON_LIBRARY jansson)
mark_as_advanced(JANSSON_INCLUDE_DIR JANSSON_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Jansson
  REQUIRED_VARS JANSSON_LIBRARY JANSSON_INCLUDE_DIR
  REASON_FAILURE_MESSAGE "the fuzz target of diderotc, whose documents it checks, is left out \
(on Debian and Ubuntu: apt-get install libjansson-dev)")

if(JANSSON_FOUND AND NOT TARGET Jansson::jansson)
  add_library(Jansson::jansson UNKNOWN IMPORTED)
  set_target_properties(Jansson::jansson PROPERTIES
    IMPORTED_LOCATION ${JANSSON_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES ${JANSSON_INCLUDE_DIR})
endif()
