# The Debian package: cpack -G DEB, or ./dev package, which builds with the folders of Debian (preset
# package). What is in it is what `cmake --install` installs, with what Debian's policy asks for.
set(DDR_MAINTAINER "The authors of this Diderot compiler <diderot@localhost>" CACHE STRING
  "Who answers for the package: Name <address>")
execute_process(COMMAND date -u -d ${DDR_VERSION_DATE} +%s
  OUTPUT_VARIABLE DDR_VERSION_EPOCH OUTPUT_STRIP_TRAILING_WHITESPACE)
execute_process(COMMAND date -u -d ${DDR_VERSION_DATE} "+%a, %d %b %Y %H:%M:%S +0000"
  OUTPUT_VARIABLE version_date OUTPUT_STRIP_TRAILING_WHITESPACE)

file(READ LICENSE license)
string(REGEX REPLACE "^[^\n]*\n\nCopyright [^\n]*\n\n" "" license "${license}") # title, whose it is
string(REGEX REPLACE "\n$" "" license "${license}")
string(REGEX REPLACE "\n\n" "\n.\n" license "${license}")
string(REGEX REPLACE "\n" "\n " license " ${license}")
file(STRINGS LICENSE holder REGEX "^Copyright")
string(REGEX REPLACE "^Copyright *(\\(c\\))? *" "" holder "${holder}")
set(debian ${CMAKE_CURRENT_BINARY_DIR}/debian)
configure_file(cmake/debian/copyright.in ${debian}/copyright @ONLY)
configure_file(cmake/debian/changelog.in ${debian}/changelog @ONLY)
configure_file(cmake/debian/overrides.in ${debian}/overrides @ONLY)
configure_file(cmake/debian/tree.cmake.in ${debian}/tree.cmake @ONLY)
configure_file(cmake/debian/options.cmake.in ${debian}/options.cmake @ONLY)
configure_file(cmake/debian/shlibs.in ${debian}/shlibs @ONLY)
configure_file(cmake/debian/triggers ${debian}/triggers COPYONLY)
set(scripts ${debian}/shlibs ${debian}/triggers)
if(DDR_INSTALL_PYTHONDIR MATCHES "dist-packages") # where Python leaves what it compiled
  foreach(script postinst prerm)
    configure_file(cmake/debian/${script} ${debian}/${script} COPYONLY
      FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
    list(APPEND scripts ${debian}/${script})
  endforeach()
endif()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME diderot)
set(CPACK_PACKAGE_CONTACT "${DDR_MAINTAINER}")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "compiler for image analysis and visualization programs")
set(CPACK_PACKAGE_DESCRIPTION "Diderot is a language for image analysis and visualization: a program says what
one of many small parallel strands computes, in the mathematics of continuous
fields of images, their derivatives and tensors. This is a compiler for it,
which makes executables and libraries for C and Python, with its runtime, a
tool for arrays in nrrd files, documents and examples.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_PROJECT_CONFIG_FILE ${debian}/options.cmake)
set(CPACK_PRE_BUILD_SCRIPTS ${debian}/tree.cmake)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
# Programs are made by the C compiler, objcopy and Teem's headers; what else is needed is looked up.
set(CPACK_DEBIAN_PACKAGE_DEPENDS "gcc | c-compiler, binutils, libc6-dev | libc-dev, libteem-dev")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "man-db, libtiff6 | libtiff5, libfftw3-double3, libfftw3-single3, libmicrohttpd12 | libmicrohttpd12t64") # libraries that are loaded when they are needed
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "python3, python3-numpy, cmake, pkgconf, nvidia-cuda-toolkit")
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS OFF) # it would call ldconfig instead of its trigger
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA "${scripts}")
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
include(CPack)
