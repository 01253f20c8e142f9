# library.headers: every header, and a client of both (both.c), is C and C++ without a warning.
#   cmake -DCC=... -DCXX=... -DCLIENT=.../both.c -P headers.cmake      CXX may be missing
cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/../strict.cmake)

foreach(file ${CLIENT} "/dev/null -include field_lib.h" "/dev/null -include swarm_lib.h")
  separate_arguments(words UNIX_COMMAND "${file}")
  check_strict(${CC} c c99 ${words})
  check_strict(${CC} c c17 ${words})
  if(CXX)
    check_strict(${CXX} c++ c++11 ${words})
    check_strict(${CXX} c++ c++17 ${words})
  endif()
endforeach()
