# run.package: the Debian package of this build can be made, twice the same; what is in it works
# wherever it lies, and says what it needs.   cmake -DBUILD=... -DCC=... -DFOLDER=... -P package.cmake
cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/../commands.cmake)
foreach(tool dpkg-deb dpkg-shlibdeps gzip)
  find_program(found_${tool} ${tool})
  if(NOT found_${tool})
    message("skipped: there is no ${tool}")
    return()
  endif()
endforeach()
file(REMOVE_RECURSE ${FOLDER})
file(MAKE_DIRECTORY ${FOLDER})
set(ENV{DIDEROT_CC} ${CC})

# Not compressed, which would take longer than everything else.
foreach(copy first second)
  must(${CMAKE_CPACK_COMMAND} --config ${BUILD}/CPackConfig.cmake -G DEB -B ${FOLDER}/${copy}
    -D CPACK_DEBIAN_COMPRESSION_TYPE=none)
  file(GLOB package ${FOLDER}/${copy}/*.deb)
  file(SHA256 "${package}" sum_${copy})
endforeach()
if(NOT sum_first STREQUAL sum_second)
  message(SEND_ERROR "two packages of the same files are not the same")
endif()

must(dpkg-deb -f ${package} Package Version Depends Maintainer)
foreach(line "Package: diderot\n" "Version: ${VERSION}\n" "Depends: [^\n]*gcc" "Depends: [^\n]*libteem-dev"
    "Depends: [^\n]*libc6 " "Depends: [^\n]*libteem2")
  if(NOT out MATCHES "${line}")
    message(SEND_ERROR "the package does not say '${line}':\n${out}")
  endif()
endforeach()
must(dpkg-deb -x ${package} ${FOLDER}/root)
set(usr ${FOLDER}/root/usr)
foreach(file share/doc/diderot/copyright share/doc/diderot/changelog.gz share/man/man1/diderotc.1.gz)
  if(NOT EXISTS ${usr}/${file})
    message(SEND_ERROR "the package has no ${file}")
  endif()
endforeach()
set(ENV{XDG_CACHE_HOME} ${FOLDER}/cache)
must(${usr}/bin/diderotc run ${usr}/share/doc/diderot/examples/heron/heron.diderot -- -o-root root.txt)
file(READ ${FOLDER}/root.txt roots)
if(NOT roots MATCHES "^1[.0-9]*\n1[.]41421[0-9]*\n1[.]73205[0-9]*\n2[.0-9]*\n2[.]2360[0-9]*\n")
  message(SEND_ERROR "the example of the package prints\n${roots}")
endif()

# The sums that dpkg --verify compares.
must(dpkg-deb -e ${package} ${FOLDER}/control)
execute_process(COMMAND md5sum --quiet -c ${FOLDER}/control/md5sums WORKING_DIRECTORY ${FOLDER}/root
  COMMAND_ERROR_IS_FATAL ANY)
file(REMOVE_RECURSE ${FOLDER}) # it is large
