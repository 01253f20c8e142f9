# What `cmake --install` puts below a prefix, and the target `uninstall`. Nothing that is installed
# knows the prefix: the tree may be moved. The folders are those of GNUInstallDirs.
#
#   bin/diderotc, bin/ddr-array
#   include/ddr/                what generated C includes; array.h, array-cuda.h
#   lib/libddr-runtime.so       the shared runtime
#   lib/libddr-array.{a,so}     arrays (doc/arrays.md)
#   lib/libddr-array-cuda.{a,so}     arrays on devices, where DDR_CUDA is ON
#   lib/diderot/                the runtime that becomes part of programs, and the same with sanitizers; the
#                               package diderot of Python
#   lib/cmake/Diderot/          find_package(Diderot)
#   lib/pkgconfig/              pkg-config diderot
#   share/man/                  manual pages
#   share/doc/diderot/          documents and examples, with the folders that their links expect
#   share/vim/vimfiles/, share/emacs/site-lisp/, share/diderot/      editors/CMakeLists.txt
include(CMakePackageConfigHelpers)
set(component COMPONENT diderot)
set(bin ${CMAKE_INSTALL_BINDIR})
set(lib ${CMAKE_INSTALL_LIBDIR})
set(include ${CMAKE_INSTALL_INCLUDEDIR})
set(doc ${CMAKE_INSTALL_DATAROOTDIR}/doc/diderot)
set(DDR_INSTALL_PYTHONDIR ${lib}/diderot CACHE STRING "Below the prefix: where the package diderot goes")

# Folders that were not there before go again when all is uninstalled: they are written down beside
# the manifest, with the prefix before them. Files come first: none is installed when this runs.
set(folders ${bin} ${include}/ddr ${lib}/diderot ${lib}/cmake/Diderot ${lib}/pkgconfig
  ${CMAKE_INSTALL_MANDIR}/man1 ${CMAKE_INSTALL_MANDIR}/man3 ${doc}/doc ${doc}/examples ${doc}/editors ${DDR_INSTALL_PYTHONDIR}/diderot
  share/vim/vimfiles share/emacs/site-lisp share/diderot/vscode)
configure_file(cmake/record.cmake.in record.cmake @ONLY)
install(SCRIPT ${CMAKE_CURRENT_BINARY_DIR}/record.cmake ${component})

install(TARGETS diderotc ddr-array RUNTIME DESTINATION ${bin} ${component})
install(TARGETS ddr-runtime ARCHIVE DESTINATION ${lib}/diderot ${component})
if(TARGET ddr-runtime-sanitized)
  install(TARGETS ddr-runtime-sanitized ARCHIVE DESTINATION ${lib}/diderot ${component})
endif()
install(TARGETS ddr-runtime-shared LIBRARY DESTINATION ${lib} ${component})
install(TARGETS ddr-array-static ARCHIVE DESTINATION ${lib} ${component})
install(TARGETS ddr-array-shared LIBRARY DESTINATION ${lib} ${component})
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/include/ddr/array.h DESTINATION ${include}/ddr ${component})
set(has_array_cuda OFF)
if(DDR_CUDA AND TARGET ddr-array-cuda-shared)
  set(has_array_cuda ON)
  find_package(CUDAToolkit QUIET) # whose variables are of one folder
  install(TARGETS ddr-array-cuda-static ARCHIVE DESTINATION ${lib} ${component})
  install(TARGETS ddr-array-cuda-shared LIBRARY DESTINATION ${lib} ${component})
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/include/ddr/array-cuda.h DESTINATION ${include}/ddr ${component})
endif()
if(TARGET ddr-runtime-cuda)
  install(TARGETS ddr-runtime-cuda ARCHIVE DESTINATION ${lib}/diderot ${component})
endif()
install(TARGETS ddr-viewed ARCHIVE DESTINATION ${lib}/diderot ${component})
if(TARGET ddr-runtime-hip)
  get_target_property(hip_library ddr-runtime-hip DDR_FILE)
  install(FILES ${hip_library} DESTINATION ${lib}/diderot ${component})
endif()
if(TARGET ddr-mpi)
  install(TARGETS ddr-mpi ARCHIVE DESTINATION ${lib}/diderot ${component})
endif()
install(DIRECTORY runtime/include/ddr DESTINATION ${include} ${component} FILES_MATCHING PATTERN *.h PATTERN *.def)
install(DIRECTORY runtime/python/diderot DESTINATION ${DDR_INSTALL_PYTHONDIR} ${component}
  FILES_MATCHING PATTERN *.py PATTERN py.typed PATTERN __pycache__ EXCLUDE)

# CMake and pkg-config.
set(package ${lib}/cmake/Diderot)
set(DDR_SANITIZED_ARCHIVE libddr-runtime-sanitized.a)
if(DDR_SANITIZE STREQUAL ON)
  set(DDR_SANITIZED_ARCHIVE libddr-runtime.a)
endif()
configure_package_config_file(cmake/DiderotConfig.cmake.in DiderotConfig.cmake
  INSTALL_DESTINATION ${package} NO_SET_AND_CHECK_MACRO)
# What was found by projects for 0.1 is all still there.
write_basic_package_version_file(DiderotConfigVersion.cmake COMPATIBILITY SameMajorVersion)
install(FILES
  ${CMAKE_CURRENT_BINARY_DIR}/DiderotConfig.cmake
  ${CMAKE_CURRENT_BINARY_DIR}/DiderotConfigVersion.cmake
  cmake/DiderotFunctions.cmake cmake/FindTeem.cmake
  DESTINATION ${package} ${component})
get_property(link_args GLOBAL PROPERTY DDR_RUNTIME_LIBRARIES)
list(JOIN link_args " " link_args)
list(JOIN DDR_SANITIZE_FLAGS " " sanitize_flags)
string(REGEX REPLACE "[^/]+" ".." up ${lib}/pkgconfig)
configure_file(cmake/diderot.pc.in diderot.pc @ONLY)
configure_file(cmake/diderot-shared.pc.in diderot-shared.pc @ONLY)
configure_file(cmake/ddr-array.pc.in ddr-array.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/diderot.pc ${CMAKE_CURRENT_BINARY_DIR}/diderot-shared.pc
  ${CMAKE_CURRENT_BINARY_DIR}/ddr-array.pc
  DESTINATION ${lib}/pkgconfig ${component})

if(has_array_cuda)
  configure_file(cmake/ddr-array-cuda.pc.in ddr-array-cuda.pc @ONLY)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/ddr-array-cuda.pc DESTINATION ${lib}/pkgconfig ${component})
endif()

# Documents.
foreach(page IN LISTS DDR_PAGES)
  string(REGEX MATCH "[0-9]$" section ${page})
  install(FILES ${page} DESTINATION ${CMAKE_INSTALL_MANDIR}/man${section} ${component})
endforeach()
file(GLOB top_pages CONFIGURE_DEPENDS *.md)
install(FILES LICENSE NOTICE ${top_pages} DESTINATION ${doc} ${component})
install(FILES editors/README.md DESTINATION ${doc}/editors ${component})
install(DIRECTORY doc examples DESTINATION ${doc} ${component}
  FILES_MATCHING PATTERN *.md PATTERN *.png PATTERN *.diderot PATTERN *.args PATTERN *.nrrd PATTERN *.c
  PATTERN *.py PATTERN man EXCLUDE PATTERN .* EXCLUDE)

add_subdirectory(editors)

# All of that, and no test.
add_custom_target(product DEPENDS manual diderotc ddr-array ddr-runtime ddr-runtime-shared
  ddr-array-header ddr-array-static ddr-array-shared)
if(has_array_cuda)
  add_dependencies(product ddr-array-cuda-static ddr-array-cuda-shared)
endif()
foreach(target ddr-runtime-sanitized ddr-runtime-cuda ddr-runtime-hip ddr-mpi ddr-viewed)
  if(TARGET ${target})
    add_dependencies(product ${target})
  endif()
endforeach()

add_custom_target(uninstall
  COMMAND ${CMAKE_COMMAND} -DMANIFEST=${CMAKE_BINARY_DIR}/install_manifest.txt
    -P ${CMAKE_CURRENT_SOURCE_DIR}/cmake/Uninstall.cmake
  USES_TERMINAL VERBATIM)
