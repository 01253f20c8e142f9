# Teem (Debian: libteem-dev): the target Teem::teem. Its shared library names what it needs itself
# (zlib, bzip2, libpng); only a static one would want them listed.
find_path(TEEM_INCLUDE_DIR teem/nrrd.h HINTS $ENV{DIDEROT_TEEM_DIR}/include)
find_library(TEEM_LIBRARY teem HINTS $ENV{DIDEROT_TEEM_DIR}/lib)
mark_as_advanced(TEEM_INCLUDE_DIR TEEM_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Teem
  REQUIRED_VARS TEEM_LIBRARY TEEM_INCLUDE_DIR
  REASON_FAILURE_MESSAGE "on Debian and Ubuntu: apt-get install libteem-dev")

if(Teem_FOUND AND NOT TARGET Teem::teem)
  add_library(Teem::teem UNKNOWN IMPORTED)
  set_target_properties(Teem::teem PROPERTIES
    IMPORTED_LOCATION ${TEEM_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES ${TEEM_INCLUDE_DIR}
    INTERFACE_LINK_LIBRARIES m)
endif()
