# run.install: what `cmake --install` makes can be moved, knows nothing of the tree it was built in,
# serves projects that use CMake, and goes without a trace.
#   cmake -DBUILD=... -DSOURCE=... -DCC=... -DGENERATOR=... -DSHIM_RUNTIME=... -DNM=... -DPKG_CONFIG=...
#     -DLIB=lib -DCXX=... -DFLAGS=... -DPYTHON=... -DFOLDER=... -P install.cmake
# Without pkg-config, C++ or Python these parts are left out, and the test says so.
cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/../commands.cmake)
set(first ${FOLDER}/first)
set(prefix "${FOLDER}/a moved prefix")
set(project "${FOLDER}/a project")
file(REMOVE_RECURSE ${FOLDER})
file(MAKE_DIRECTORY ${first} ${FOLDER}/cache)
set(ENV{XDG_CACHE_HOME} ${FOLDER}/cache)
set(ENV{DIDEROT_CC} ${CC})
set(ENV{DIDEROT_NVCC} ${SOURCE}/tests/shim/nvcc)
set(ENV{DIDEROT_CUDA_RUNTIME} ${SHIM_RUNTIME})
set(ENV{DDR_SHIM_CC} ${CC})
set(ENV{DIDEROT_GPU} "")

# --- install and move ------------------------------------------------------------------------------

file(WRITE ${first}/bin/other "somebody else's")
must(${CMAKE_COMMAND} --install ${BUILD} --prefix ${first} --component diderot)
file(RENAME ${BUILD}/install_folders_diderot.txt ${FOLDER}/install_folders_diderot.txt)
file(COPY_FILE ${FOLDER}/install_folders_diderot.txt ${BUILD}/install_folders_diderot.txt)
must(${CMAKE_COMMAND} --install ${BUILD} --prefix ${first} --component diderot) # again: no harm
file(SHA256 ${BUILD}/install_folders_diderot.txt again)
file(SHA256 ${FOLDER}/install_folders_diderot.txt once)
check("folders written down" ${again} ${once})
file(RENAME ${first} ${prefix})
set(diderotc ${prefix}/bin/diderotc)
must(${prefix}/bin/ddr-array --version)
foreach(file vim/vimfiles/ftdetect/diderot.vim vim/vimfiles/syntax/diderot.vim emacs/site-lisp/diderot-mode.el
    diderot/vscode/package.json diderot/vscode/syntaxes/diderot.tmLanguage.json diderot/XCompose)
  if(NOT EXISTS ${prefix}/share/${file})
    message(SEND_ERROR "share/${file} is not installed")
  endif()
endforeach()
must(${diderotc} --exec --verbose -o ${FOLDER}/squares
  ${CMAKE_CURRENT_LIST_DIR}/project/squares.diderot)
foreach(tree ${SOURCE} ${BUILD})
  string(FIND "${err}" "${tree}/runtime" place)
  check("place of ${tree} in the commands" ${place} -1)
endforeach()
must(${FOLDER}/squares -o ${FOLDER}/x.nrrd)
check("output" "${out}" "1\n4\n9\n")

# By another name elsewhere it is the same compiler.
file(CREATE_LINK ${diderotc} ${FOLDER}/compile SYMBOLIC)
must(${FOLDER}/compile run ${CMAKE_CURRENT_LIST_DIR}/project/squares.diderot -- -o ${FOLDER}/x.nrrd)
check("output by a link" "${out}" "1\n4\n9\n")

# Without its runtime it says so, and does not look elsewhere.
file(RENAME ${prefix}/${LIB} ${prefix}/away)
execute_process(COMMAND ${diderotc} --exec --warnings=none -o ${FOLDER}/none squares.diderot
  WORKING_DIRECTORY ${CMAKE_CURRENT_LIST_DIR}/project ERROR_VARIABLE err RESULT_VARIABLE status)
file(RENAME ${prefix}/away ${prefix}/${LIB})
check("status without runtime" "${status}" 1)
check("message without runtime" "${err}" "[squares.diderot] Error: no executable was made: \
the runtime is not installed beside the compiler; set DIDEROT_HOME to its prefix\n")

# --- the shared runtime ----------------------------------------------------------------------------

# It has the functions and variables of the installed headers, and nothing else.
file(GLOB_RECURSE headers ${prefix}/include/ddr/*.h)
set(declared "")
foreach(header IN LISTS headers)
  file(READ ${header} text)
  string(REPLACE ";" "#" text "${text}")
  string(REPLACE "[" "#" text "${text}") # of arrays
  string(REGEX MATCHALL "ddr_[a-z0-9_]+[(#]" words "${text}")
  list(APPEND declared ${words})
endforeach()
must(${NM} -D --defined-only ${prefix}/${LIB}/libddr-runtime.so)
string(REGEX MATCHALL " [A-Z] [^\n]+" exported "${out}")
list(FILTER exported EXCLUDE REGEX "__gcov_|mangle_path|__odr_asan") # libgcov, in preset cover; sanitizers
list(LENGTH exported n)
if(n LESS 50)
  message(SEND_ERROR "the shared runtime has ${n} functions, expected more")
endif()
foreach(symbol IN LISTS exported)
  string(REGEX REPLACE "^ [A-Z] " "" symbol "${symbol}")
  if(NOT "${symbol}(" IN_LIST declared AND NOT "${symbol}#" IN_LIST declared)
    message(SEND_ERROR "the shared runtime has ${symbol}, which no header declares")
  endif()
endforeach()

# Programs find it where it was when they were compiled, and have nothing of it in them.
set(program ${CMAKE_CURRENT_LIST_DIR}/project/squares.diderot)
must(${diderotc} --exec --shared-runtime -o ${FOLDER}/squares ${program})
must(${FOLDER}/squares -o ${FOLDER}/x.nrrd)
check("output with the shared runtime" "${out}" "1\n4\n9\n")
must(${NM} ${FOLDER}/squares)
if(out MATCHES " [tT] ddr_world_new")
  message(SEND_ERROR "an executable with the shared runtime has the runtime in it")
endif()
must(${diderotc} --exec --shared-runtime --target=cuda -o ${FOLDER}/squares ${program})
must(${FOLDER}/squares -gpu required -o ${FOLDER}/x.nrrd)
check("output for devices with the shared runtime" "${out}" "1\n4\n9\n")
file(RENAME ${prefix}/${LIB}/libddr-runtime.so ${prefix}/away)
execute_process(COMMAND ${diderotc} --exec --shared-runtime -o ${FOLDER}/none ${program}
  ERROR_VARIABLE err RESULT_VARIABLE status)
file(RENAME ${prefix}/away ${prefix}/${LIB}/libddr-runtime.so)
if(NOT status EQUAL 1 OR NOT err MATCHES "there is no shared runtime: [^\n]*libddr-runtime.so\n$")
  message(SEND_ERROR "without the shared runtime: status ${status}\n${err}")
endif()

# --- arrays ----------------------------------------------------------------------------------------

# The library has the functions of its header, all of them, and the modes; nothing else.
file(READ ${prefix}/include/ddr/array.h text)
string(REGEX REPLACE "/\\*([^*]|\\*[^/])*\\*/" "" text "${text}")
if(text MATCHES "_Bool")
  message(SEND_ERROR "ddr/array.h has a word that C++ does not have")
endif()
if(text MATCHES "#include \"|[.]def|runtime/")
  message(SEND_ERROR "ddr/array.h includes files that are not installed")
endif()
string(REGEX MATCHALL "ddr_[a-z0-9_]+\\([^)]" declared "${text}")
list(TRANSFORM declared REPLACE "\\(.$" "")
list(REMOVE_DUPLICATES declared)
list(FILTER declared EXCLUDE REGEX "^ddr_(cleanup|row)_function$")
list(APPEND declared ddr_conv_direct ddr_conv_fft ddr_conv_auto)
must(${NM} -D --defined-only ${prefix}/${LIB}/libddr-array.so)
string(REGEX MATCHALL " [A-Z] [^\n]+" exported "${out}")
list(TRANSFORM exported REPLACE "^ [A-Z] " "")
list(FILTER exported EXCLUDE REGEX "__odr_asan|__gcov_|mangle_path")
foreach(symbol IN LISTS exported)
  if(NOT symbol IN_LIST declared)
    message(SEND_ERROR "libddr-array.so has ${symbol}, which its header does not declare")
  endif()
endforeach()
foreach(symbol IN LISTS declared)
  if(NOT symbol IN_LIST exported)
    message(SEND_ERROR "libddr-array.so does not have ${symbol}, which its header declares")
  endif()
endforeach()
list(LENGTH exported n)
if(n LESS 150)
  message(SEND_ERROR "libddr-array.so has ${n} functions, expected more")
endif()

# The archive has others, whose names are those of the library, too.
must(${NM} -g --defined-only ${prefix}/${LIB}/libddr-array.a)
string(REGEX MATCHALL " [A-Z] [^\n]+" exported "${out}")
list(LENGTH exported n_exported)
list(FILTER exported EXCLUDE REGEX "^ [A-Z] (ddr_|__odr_asan|__gcov_|mangle_path)")
if(NOT n_exported GREATER n OR NOT exported STREQUAL "")
  message(SEND_ERROR "libddr-array.a has ${n_exported} names, among them ${exported}")
endif()

# Where it is installed, the library for devices has the functions of its header, all of them, and nothing else.
if(EXISTS ${prefix}/${LIB}/libddr-array-cuda.so)
  file(READ ${prefix}/include/ddr/array-cuda.h text)
  string(REGEX REPLACE "/\\*([^*]|\\*[^/])*\\*/" "" text "${text}")
  string(REGEX MATCHALL "ddr_array_cuda_[a-z0-9_]+" declared "${text}")
  must(${NM} -D --defined-only ${prefix}/${LIB}/libddr-array-cuda.so)
  string(REGEX MATCHALL " [A-Z] [^\n]+" exported "${out}")
  list(TRANSFORM exported REPLACE "^ [A-Z] " "")
  list(FILTER exported EXCLUDE REGEX "__odr_asan|__gcov_|mangle_path")
  list(SORT declared)
  list(SORT exported)
  check("functions of libddr-array-cuda.so" "${exported}" "${declared}")
else()
  message("left out: arrays on devices are not installed (DDR_CUDA)")
endif()

set(said "sum 66, last 11 7 3, smooth 4 6 8, ENULL: an argument is missing\n")
set(arrays ${CMAKE_CURRENT_LIST_DIR}/arrays)
set(with_cxx OFF)
if(CXX)
  set(with_cxx ON -DCMAKE_CXX_COMPILER=${CXX} -DCMAKE_CXX_FLAGS=-Werror)
else()
  message("left out: there is no compiler of C++")
endif()
must(${CMAKE_COMMAND} -S ${arrays} -B ${FOLDER}/arrays -G ${GENERATOR} -DCMAKE_PREFIX_PATH=${prefix}
  -DCMAKE_C_COMPILER=${CC} "-DCMAKE_C_FLAGS=-Wall -Wextra -Werror" -DWITH_CXX=${with_cxx})
must(${CMAKE_COMMAND} --build ${FOLDER}/arrays)
must(${CMAKE_CTEST_COMMAND} --test-dir ${FOLDER}/arrays --output-on-failure)
if(PKG_CONFIG)
  file(WRITE ${FOLDER}/arrays.sh [[
set -eu
client=$1 compiler=$2
eval "$compiler -o shared '$client' $("$PKG_CONFIG" --cflags --libs ddr-array)"
eval "LD_LIBRARY_PATH=$("$PKG_CONFIG" --variable=libdir ddr-array) ./shared"
eval "$compiler -o static '$client' $("$PKG_CONFIG" --static --cflags --libs ddr-array | sed 's/-lddr-array/-l:libddr-array.a/')"
./static
"$PKG_CONFIG" --static --libs ddr-array | grep -qe -ldl || echo "no -ldl, where dlopen was before glibc 2.34"
]])
  set(clients client.c ${CC})
  if(CXX)
    list(APPEND clients client.cpp ${CXX})
  endif()
  while(clients)
    list(POP_FRONT clients client compiler)
    execute_process(COMMAND ${CMAKE_COMMAND} -E env PKG_CONFIG=${PKG_CONFIG} PKG_CONFIG_PATH=${prefix}/${LIB}/pkgconfig
      sh ${FOLDER}/arrays.sh ${arrays}/${client} ${compiler} WORKING_DIRECTORY ${FOLDER}
      OUTPUT_VARIABLE out ERROR_VARIABLE err RESULT_VARIABLE status)
    check("output of ${client} by pkg-config" "${out}${err}" "${said}${said}")
  endwhile()
endif()
if(PKG_CONFIG AND EXISTS ${prefix}/${LIB}/libddr-array-cuda.so)
  file(WRITE ${FOLDER}/array-cuda.sh [[
set -eu
eval "$2 -o device '$1' $("$PKG_CONFIG" --cflags --libs ddr-array-cuda) -lm -lpthread"
eval "LD_LIBRARY_PATH=$("$PKG_CONFIG" --variable=libdir ddr-array-cuda) ./device" || test $? = 77
eval "$2 -o device-static '$1' $("$PKG_CONFIG" --static --cflags --libs ddr-array-cuda |
  sed 's/-lddr-array\(-cuda\)\?/-l:libddr-array\1.a/g')"
./device-static
]])
  execute_process(COMMAND ${CMAKE_COMMAND} -E env PKG_CONFIG=${PKG_CONFIG} PKG_CONFIG_PATH=${prefix}/${LIB}/pkgconfig
    sh ${FOLDER}/array-cuda.sh ${arrays}/device.c ${CC} WORKING_DIRECTORY ${FOLDER}
    OUTPUT_VARIABLE out ERROR_VARIABLE err RESULT_VARIABLE status)
  if(NOT status MATCHES "^(0|77)$")
    message(SEND_ERROR "device.c by pkg-config ddr-array-cuda: status ${status}\n${out}${err}")
  endif()
endif()
if(PYTHON AND NOT FLAGS)
  must(${CMAKE_COMMAND} -E env PYTHONPATH=${prefix}/${LIB}/diderot PYTHONDONTWRITEBYTECODE=1 ${PYTHON} -c
    "from diderot import array, Library\nprint(array.sum([1, 2, 3]))")
  check("sum in Python" "${out}" "6\n")
else()
  message("left out: there is no Python that loads this library")
endif()

# --- the sanitized runtime -------------------------------------------------------------------------

must(${diderotc} --exec --sanitize -o ${FOLDER}/squares ${program})
must(${FOLDER}/squares -o ${FOLDER}/x.nrrd)
check("output with --sanitize" "${out}" "1\n4\n9\n")
must(${NM} ${FOLDER}/squares)
if(NOT out MATCHES " __asan_")
  message(SEND_ERROR "--sanitize leaves AddressSanitizer out")
endif()
set(archive ${prefix}/${LIB}/diderot/libddr-runtime-sanitized.a)
if(EXISTS ${archive}) # else the one runtime is
  file(RENAME ${archive} ${prefix}/away)
  execute_process(COMMAND ${diderotc} --exec --sanitize -o ${FOLDER}/none ${program}
    ERROR_VARIABLE err RESULT_VARIABLE status)
  file(RENAME ${prefix}/away ${archive})
  if(NOT status EQUAL 1 OR NOT err MATCHES "there is no sanitized runtime: [^\n]*-sanitized.a\n$")
    message(SEND_ERROR "without the sanitized runtime: status ${status}\n${err}")
  endif()
  file(STRINGS ${archive} paths REGEX "${SOURCE}")
  check("places in the sanitized runtime" "${paths}" "")
endif()

# --- pkg-config ------------------------------------------------------------------------------------

if(PKG_CONFIG)
  set(ENV{PKG_CONFIG_PATH} ${prefix}/${LIB}/pkgconfig)
  set(ENV{PKG_CONFIG} ${PKG_CONFIG})
  file(WRITE ${FOLDER}/pkg-config.sh [[
set -eu
eval "compiler=$("$PKG_CONFIG" --variable=diderotc diderot)"
"$compiler" --object -o squares.o "$1"
eval "$DIDEROT_CC -o plain squares.o $("$PKG_CONFIG" --libs diderot)"
./plain -o x.nrrd
eval "$DIDEROT_CC -o shared squares.o $("$PKG_CONFIG" --libs diderot-shared)"
eval "LD_LIBRARY_PATH=$("$PKG_CONFIG" --variable=libdir diderot-shared) ./shared -o x.nrrd"
"$compiler" --emit-c --exec "$1" >squares.c
eval "$DIDEROT_CC -Wno-psabi -c squares.c $("$PKG_CONFIG" --cflags diderot)"
]])
  execute_process(COMMAND sh ${FOLDER}/pkg-config.sh ${program} WORKING_DIRECTORY ${FOLDER}
    OUTPUT_VARIABLE out ERROR_VARIABLE err RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    message(SEND_ERROR "pkg-config: ${err}")
  endif()
  check("output of what pkg-config links" "${out}" "1\n4\n9\n1\n4\n9\n")
  must(${NM} ${FOLDER}/shared)
  if(out MATCHES " [tT] ddr_world_new")
    message(SEND_ERROR "what diderot-shared.pc links has the runtime in it")
  endif()
else()
  message("left out: there is no pkg-config")
endif()

# --- documents -------------------------------------------------------------------------------------

# What they link to is installed, too.
set(doc ${prefix}/share/doc/diderot)
file(GLOB_RECURSE pages RELATIVE ${doc} ${doc}/*.md)
foreach(page IN LISTS pages)
  file(READ ${doc}/${page} text)
  string(REGEX MATCHALL "[(][A-Za-z0-9_./-]+[.](md|png|diderot)[)]" links "${text}")
  cmake_path(GET page PARENT_PATH folder)
  foreach(link IN LISTS links)
    string(REGEX REPLACE "[()]" "" link "${link}")
    if(EXISTS "${SOURCE}/${folder}/${link}" AND NOT EXISTS "${doc}/${folder}/${link}")
      message(SEND_ERROR "share/doc/diderot/${page} links to ${link}, which is not installed")
    endif()
  endforeach()
endforeach()
foreach(page man1/diderotc.1 man1/ddr-array.1 man3/diderot-api.3 man3/ddr-array.3)
  if(NOT EXISTS ${prefix}/share/man/${page})
    message(SEND_ERROR "share/man/${page} is not installed")
  endif()
endforeach()

# --- a project -------------------------------------------------------------------------------------

file(COPY ${CMAKE_CURRENT_LIST_DIR}/project/ DESTINATION ${project})
set(configure ${CMAKE_COMMAND} -S ${project} -B ${project}/build -G ${GENERATOR}
  -DCMAKE_PREFIX_PATH=${prefix} -DCMAKE_C_COMPILER=${CC} -DCMAKE_BUILD_TYPE=Debug)
set(build ${CMAKE_COMMAND} --build ${project}/build)
must(${configure})
must(${build})
must(${CMAKE_CTEST_COMMAND} --test-dir ${project}/build --output-on-failure)
must(${CMAKE_COMMAND} --install ${project}/build --prefix ${FOLDER}/client)
must(${FOLDER}/client/bin/squares -o ${FOLDER}/x.nrrd)
check("output of the installed client" "${out}" "1\n4\n9\n")
file(GLOB_RECURSE files RELATIVE ${FOLDER}/client ${FOLDER}/client/*)
check("what the client installs" "${files}" "bin/squares;include/grid-of-squares.h;lib/libgrid-of-squares.a")

# Built again when the program or a proxy image changes, and only then.
function(check_rebuilt word)
  must(${build})
  string(REGEX MATCH "Compiling [^\n]*" compiling "${out}")
  check("compiled again" "${compiling}" "${word}")
endfunction()
check_rebuilt("")
execute_process(COMMAND ${CMAKE_COMMAND} -E sleep 1)
file(TOUCH ${project}/data/line.nrrd)
check_rebuilt("Compiling samples.diderot")
file(TOUCH ${project}/squares.diderot)
check_rebuilt("Compiling squares.diderot")
check_rebuilt("")

# Mistakes in a CMakeLists.txt are told while configuring.
foreach(wrong "absent.diderot" "squares.diderot;NONSENSE" "squares.diderot;OPTIONS"
    "squares.diderot;SHARED_RUNTIME;OPTIONS;--sanitize")
  file(WRITE ${FOLDER}/wrong/CMakeLists.txt "cmake_minimum_required(VERSION 3.25)
project(wrong LANGUAGES C)
find_package(Diderot REQUIRED)
diderot_add_executable(wrong ${wrong})
")
  file(COPY ${project}/squares.diderot DESTINATION ${FOLDER}/wrong)
  execute_process(COMMAND ${CMAKE_COMMAND} -S ${FOLDER}/wrong -B ${FOLDER}/wrong/build
      -G ${GENERATOR} -DCMAKE_PREFIX_PATH=${prefix} -DCMAKE_C_COMPILER=${CC}
    ERROR_VARIABLE err OUTPUT_QUIET RESULT_VARIABLE status)
  if(status EQUAL 0 OR NOT err MATCHES "diderot_add_executable: ")
    message(SEND_ERROR "diderot_add_executable(wrong ${wrong}) is not refused:\n${err}")
  endif()
endforeach()

# --- uninstall -------------------------------------------------------------------------------------

file(RENAME ${prefix} ${first})
function(uninstall)
  must(${CMAKE_COMMAND} -DMANIFEST=${BUILD}/install_manifest_diderot.txt
    -P ${SOURCE}/cmake/Uninstall.cmake)
endfunction()
uninstall()
file(GLOB_RECURSE left LIST_DIRECTORIES ON RELATIVE ${first} ${first}/*)
check("left after uninstalling" "${left}" "bin;bin/other")

# Below another root; folders that were there stay, empty as they were.
file(MAKE_DIRECTORY ${FOLDER}/root/opt/share/man)
set(ENV{DESTDIR} ${FOLDER}/root)
must(${CMAKE_COMMAND} --install ${BUILD} --prefix /opt --component diderot)
if(NOT EXISTS ${FOLDER}/root/opt/bin/diderotc)
  message(SEND_ERROR "DESTDIR is not followed")
endif()
uninstall()
unset(ENV{DESTDIR})
file(GLOB_RECURSE left LIST_DIRECTORIES ON RELATIVE ${FOLDER}/root ${FOLDER}/root/*)
check("left below DESTDIR" "${left}" "opt;opt/share;opt/share/man")
