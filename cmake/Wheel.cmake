# What is in a wheel of Python besides the module: `cmake --install` puts it below diderot/_prefix in
# the package. Teem comes along, and the shared library of arrays lies where diderot.array looks first.
# Files have one name each, because wheels have no links.
#
#   _prefix/bin/diderotc, bin/ddr-array
#   _prefix/include/ddr/
#   _prefix/lib/libddr-runtime.so
#   _prefix/lib/diderot/libddr-runtime.a
#   _prefix/lib/diderot/teem/include/teem/, lib/libteem.so.2
#   libddr-array.so
set(component COMPONENT diderot)
set(teem lib/diderot/teem)
find_package(Teem REQUIRED)
file(REAL_PATH ${TEEM_LIBRARY} library)
execute_process(COMMAND ${CMAKE_READELF} -d ${library} OUTPUT_VARIABLE sections COMMAND_ERROR_IS_FATAL ANY)
if(NOT sections MATCHES "Library soname: \\[(libteem[.]so[.][^]]+)\\]")
  message(FATAL_ERROR "${library} is no shared library of Teem")
endif()
install(PROGRAMS ${library} DESTINATION ${teem}/lib RENAME ${CMAKE_MATCH_1} ${component})
install(DIRECTORY ${TEEM_INCLUDE_DIR}/teem DESTINATION ${teem}/include ${component} FILES_MATCHING PATTERN *.h)

foreach(library ddr-runtime-shared ddr-array-shared)
  set_property(TARGET ${library} PROPERTY VERSION)
  set_property(TARGET ${library} PROPERTY SOVERSION)
endforeach()
set_property(TARGET diderotc ddr-array PROPERTY INSTALL_RPATH "$ORIGIN/../${teem}/lib")
set_property(TARGET ddr-runtime-shared PROPERTY INSTALL_RPATH "$ORIGIN/diderot/teem/lib")
set_property(TARGET ddr-array-shared PROPERTY INSTALL_RPATH "$ORIGIN")

install(TARGETS diderotc ddr-array RUNTIME DESTINATION bin ${component})
install(TARGETS ddr-runtime ddr-viewed ARCHIVE DESTINATION lib/diderot ${component})
install(TARGETS ddr-runtime-shared LIBRARY DESTINATION lib ${component})
install(TARGETS ddr-array-shared LIBRARY DESTINATION .. ${component})
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/include/ddr/array.h DESTINATION include/ddr ${component})
install(DIRECTORY runtime/include/ddr DESTINATION include ${component} FILES_MATCHING PATTERN *.h PATTERN *.def)

add_custom_target(wheel DEPENDS diderotc ddr-array ddr-runtime ddr-viewed ddr-runtime-shared ddr-array-header ddr-array-shared)
