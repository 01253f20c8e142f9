# unit.layout.headers: the headers of layouts are C11 and C++11, alone and without a warning.
#   cmake -DCC=... -DCXX=... -P headers.cmake        from the root; CXX may be missing
cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/../../strict.cmake)

foreach(file runtime/layout/layout.h runtime/layout/ndview.h runtime/layout/pitch.h)
  check_strict(${CC} c c11 -include ${file} /dev/null)
  if(CXX)
    check_strict(${CXX} c++ c++11 -include ${file} /dev/null)
    check_strict(${CXX} c++ c++20 -include ${file} /dev/null)
  endif()
endforeach()
