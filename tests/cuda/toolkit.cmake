# run.shim.toolkit, cuda.toolkit: the compiler of the toolkit is run where names are odd, leaves nothing
# behind, and what stands in its way is told in one line.
#   cmake -DDIDEROTC=... -DRUNTIME=... -DINCLUDE=... -DDEVICE_RUNTIME=... -DFOLDER=... -P toolkit.cmake
cmake_minimum_required(VERSION 3.25)
file(REMOVE_RECURSE ${FOLDER})
set(odd "${FOLDER}/it's $one, two & \"three\"")
file(MAKE_DIRECTORY "${odd}/lib/diderot" "${odd}/tmp")
file(CREATE_LINK ${INCLUDE} "${odd}/include" SYMBOLIC)
file(CREATE_LINK ${RUNTIME} "${odd}/lib/diderot/libddr-runtime.a" SYMBOLIC)
file(CREATE_LINK ${DEVICE_RUNTIME} "${odd}/lib/diderot/libddr-runtime-cuda.a" SYMBOLIC)
file(WRITE "${odd}/one.diderot" [=[
#version 2.0
strand one (int i) {
  output int n = i;
  update { n *= 2; stabilize; }
}
create_array { one(i) | i in 1..3 }
]=])
set(ENV{TMPDIR} "${odd}/tmp")
set(ENV{DIDEROT_HOME} "${odd}")
if(DEFINED ENV{DIDEROT_CUDA_RUNTIME})
  set(ENV{DIDEROT_CUDA_RUNTIME} "${odd}/lib/diderot/libddr-runtime-cuda.a")
endif()

function(check_clean when)
  file(GLOB left "${odd}/tmp/*" "${odd}/tmp/.*")
  if(left)
    message(FATAL_ERROR "${when} left ${left}")
  endif()
endfunction()

function(compile expected) # OPTION...
  execute_process(COMMAND ${DIDEROTC} --target=cuda ${ARGN} one.diderot WORKING_DIRECTORY "${odd}"
    RESULT_VARIABLE status ERROR_VARIABLE said)
  check_clean("${ARGN}")
  if(expected STREQUAL "")
    if(NOT status EQUAL 0 OR NOT said STREQUAL "")
      message(FATAL_ERROR "${ARGN}: status ${status}, ${said}")
    endif()
  elseif(NOT status EQUAL 1 OR NOT said MATCHES "Error: no [a-z]+ was made: ${expected}\n$")
    message(FATAL_ERROR "${ARGN}: status ${status}, \"${expected}\" is not the end of\n${said}")
  endif()
endfunction()

compile("" --exec)
execute_process(COMMAND ./one -o n.txt WORKING_DIRECTORY "${odd}" COMMAND_ERROR_IS_FATAL ANY)
file(READ "${odd}/n.txt" found)
if(NOT found STREQUAL "2\n4\n6\n")
  message(FATAL_ERROR "one: ${found}")
endif()
compile("" --exec --object -o one.o)
compile("")
foreach(made one.o one.so one.h)
  if(NOT EXISTS "${odd}/${made}")
    message(FATAL_ERROR "there is no ${made}")
  endif()
endforeach()

set(nvcc "$ENV{DIDEROT_NVCC}")
set(ENV{DIDEROT_NVCC} ${FOLDER}/absent)
compile("cannot run the CUDA compiler '[^']*/absent': No such file or directory: install the CUDA \
toolkit, or set DIDEROT_NVCC to its nvcc" --exec)
file(WRITE ${FOLDER}/broken "#!/bin/sh\ntest \"$1\" = --version\n")
file(WRITE ${FOLDER}/idle "#!/bin/sh\n")
file(WRITE ${FOLDER}/old "#!/bin/sh\necho 'Cuda compilation tools, release 9.2, V9.2.88'\n")
file(CHMOD ${FOLDER}/broken ${FOLDER}/idle ${FOLDER}/old PERMISSIONS OWNER_READ OWNER_EXECUTE)
set(ENV{DIDEROT_NVCC} ${FOLDER}/broken)
compile("the CUDA compiler '[^']*/broken' failed" --exec)
set(ENV{DIDEROT_NVCC} ${FOLDER}/idle)
compile("the CUDA compiler '[^']*/idle' made nothing")
if(NOT DEFINED ENV{DIDEROT_CUDA_RUNTIME})
  set(ENV{DIDEROT_NVCC} ${FOLDER}/old)
  compile("the CUDA compiler '[^']*/old' is of release 9.2, expected [0-9.]+, of which this \
installation's runtime is, or later")
  set(ENV{DIDEROT_NVCC} "${nvcc}")
  file(REMOVE "${odd}/lib/diderot/libddr-runtime-cuda.a")
  compile("this installation has no runtime for CUDA: install the CUDA toolkit and build diderotc \
again")
endif()
