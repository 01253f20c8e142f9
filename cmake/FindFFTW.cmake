# FFTW in double and single precision (Debian: libfftw3-dev has both): the target FFTW::fftw.
find_path(FFTW_INCLUDE_DIR fftw3.h)
find_library(FFTW_LIBRARY fftw3)
find_library(FFTW_FLOAT_LIBRARY fftw3f)
mark_as_advanced(FFTW_INCLUDE_DIR FFTW_LIBRARY FFTW_FLOAT_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(FFTW
  REQUIRED_VARS FFTW_LIBRARY FFTW_FLOAT_LIBRARY FFTW_INCLUDE_DIR
  REASON_FAILURE_MESSAGE "convolutions by Fourier transforms are left out \
(on Debian and Ubuntu: apt-get install libfftw3-dev)")

if(FFTW_FOUND AND NOT TARGET FFTW::fftw)
  add_library(FFTW::fftw UNKNOWN IMPORTED)
  set_target_properties(FFTW::fftw PROPERTIES
    IMPORTED_LOCATION ${FFTW_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES ${FFTW_INCLUDE_DIR}
    INTERFACE_LINK_LIBRARIES "${FFTW_FLOAT_LIBRARY};m")
endif()
