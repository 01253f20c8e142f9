# What `cmake --install` puts below a prefix, and the target `uninstall`. Nothing that is installed
# knows the prefix: the tree may be moved.
#
#   bin/diderotc, bin/ddr-array
#   include/ddr/              what generated C includes
#   lib/diderot/              the runtime, linked into every executable; what loads libraries in Python
#   lib/cmake/Diderot/        find_package(Diderot)
#   share/doc/diderot/
#   share/vim/vimfiles/, share/emacs/site-lisp/, share/diderot/      editors/CMakeLists.txt
include(CMakePackageConfigHelpers)
set(component COMPONENT diderot)

# Folders that were not there before go again when all is uninstalled; they are written down.
install(CODE [[
  set(record "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}/lib/diderot/folders.txt")
  if(NOT EXISTS "${record}")
    set(made "")
    foreach(folder . bin include include/ddr lib lib/diderot lib/cmake lib/cmake/Diderot
        share share/doc share/doc/diderot share/vim share/vim/vimfiles share/vim/vimfiles/compiler
        share/vim/vimfiles/ftdetect share/vim/vimfiles/ftplugin share/vim/vimfiles/indent
        share/vim/vimfiles/syntax share/emacs share/emacs/site-lisp share/diderot share/diderot/vscode
        share/diderot/vscode/snippets share/diderot/vscode/syntaxes)
      if(NOT EXISTS "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}/${folder}")
        string(PREPEND made "${folder}\n")
      endif()
    endforeach()
    file(WRITE "${record}" "${made}")
  endif()
  list(APPEND CMAKE_INSTALL_MANIFEST_FILES "${CMAKE_INSTALL_PREFIX}/lib/diderot/folders.txt")
]] ${component})

install(TARGETS diderotc ddr-array RUNTIME DESTINATION bin ${component})
install(TARGETS ddr-runtime ARCHIVE DESTINATION lib/diderot ${component})
if(TARGET ddr-runtime-cuda)
  install(TARGETS ddr-runtime-cuda ARCHIVE DESTINATION lib/diderot ${component})
endif()
install(DIRECTORY runtime/include/ddr DESTINATION include ${component} FILES_MATCHING PATTERN *.h)

set(package lib/cmake/Diderot)
configure_package_config_file(cmake/DiderotConfig.cmake.in DiderotConfig.cmake
  INSTALL_DESTINATION ${package} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(DiderotConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES
  ${CMAKE_CURRENT_BINARY_DIR}/DiderotConfig.cmake
  ${CMAKE_CURRENT_BINARY_DIR}/DiderotConfigVersion.cmake
  cmake/DiderotFunctions.cmake cmake/FindTeem.cmake
  DESTINATION ${package} ${component})
install(FILES runtime/python/diderot.py DESTINATION lib/diderot ${component})
install(FILES LICENSE NOTICE doc/language.md doc/unicode.md doc/diderotc.md doc/libraries.md doc/ddr-array.md
  DESTINATION share/doc/diderot ${component})

add_subdirectory(editors)

add_custom_target(uninstall
  COMMAND ${CMAKE_COMMAND} -DMANIFEST=${CMAKE_BINARY_DIR}/install_manifest.txt
    -P ${CMAKE_CURRENT_SOURCE_DIR}/cmake/Uninstall.cmake
  USES_TERMINAL VERBATIM)
