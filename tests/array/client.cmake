# run.array.tomography: a client in C++ is compiled against the header of the build, and runs.
#   cmake -DCXX=... -DFLAGS=... -DBUILD=... -DLIBRARY=... -DSOURCE=... -DPROGRAM=... -P client.cmake
cmake_minimum_required(VERSION 3.25)
cmake_path(GET LIBRARY PARENT_PATH folder)
foreach(command
    "${CXX};-std=c++17;-O1;-Wall;-Wextra;-Wpedantic;-Werror;${FLAGS};-I${BUILD}/include;-o;${PROGRAM};${SOURCE};${LIBRARY};-Wl,-rpath,${folder}"
    "${PROGRAM}")
  execute_process(COMMAND ${command} COMMAND_ECHO NONE RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${command}: status ${status}")
  endif()
endforeach()
