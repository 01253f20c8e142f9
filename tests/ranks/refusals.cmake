# What ranks do not start with: one line says why, the status is not 0, and nothing is written.
#   -DDIDEROTC -DMPIRUN (words) -DOTHER (mpirun of another MPI, or nothing) -DCC -DROOT -DFOLDER
include(${ROOT}/tests/commands.cmake)
separate_arguments(mpirun UNIX_COMMAND "${MPIRUN}")
set(ENV{OMPI_ALLOW_RUN_AS_ROOT} 1)
set(ENV{OMPI_ALLOW_RUN_AS_ROOT_CONFIRM} 1)
set(ENV{HWLOC_HIDE_ERRORS} 2) # as in mpi.bash
set(ENV{HWLOC_COMPONENTS} no_os,stop)
set(ENV{OMPI_MCA_orte_tmpdir_base} ${FOLDER})
set(ENV{OMPI_MCA_pml} ob1)
set(ENV{OMPI_MCA_btl} self,vader)
set(ENV{OMPI_MCA_coll} basic,self,libnbc)
set(ENV{ASAN_OPTIONS} detect_leaks=0) # MPI itself leaks
file(REMOVE_RECURSE ${FOLDER})
file(MAKE_DIRECTORY ${FOLDER}/here ${FOLDER}/there)

file(WRITE ${FOLDER}/twice.diderot "#version 2.0
input image(1)[] img;
input real scale = 1;
field#0(1)[] F = img ⊛ tent;
strand S (int i) { output real x = 0; update { x = scale*F(real(i)); stabilize; } }
create_array { S(i) | i in 0..3 }
")
file(READ ${FOLDER}/twice.diderot text)
string(REPLACE "scale*F" "2*scale*F" other "${text}")
file(WRITE ${FOLDER}/other.diderot "${other}")
foreach(name twice other)
  must(${DIDEROTC} --exec --target=mpi --no-warning=no-proxy ${name}.diderot)
endforeach()

function(write_image file samples)
  file(WRITE ${FOLDER}/${file} "NRRD0004
type: float
dimension: 1
sizes: 4
space dimension: 1
space directions: (1)
space origin: (0)
encoding: ascii

${samples}
")
endfunction()
write_image(here/img.nrrd "1 2 3 4")
write_image(there/img.nrrd "1 2 3 5")

function(refuses what message) # COMMAND...
  run(${ARGN})
  if(status EQUAL 0)
    message(SEND_ERROR "${what}: status 0")
  endif()
  string(FIND "${err}" "${message}" at)
  if(at EQUAL -1)
    message(SEND_ERROR "${what}: '${err}', expected '${message}'")
  endif()
  string(REGEX MATCHALL "\\[DIDEROT\\]" marks "${err}")
  list(LENGTH marks n)
  check("${what}: lines" ${n} 1)
  file(GLOB left ${FOLDER}/x.nrrd* ${FOLDER}/*/x.nrrd*)
  check("${what}: files" "${left}" "")
endfunction()

set(here ${FOLDER}/here/img.nrrd)
refuses("other options" "[DIDEROT] rank 1 has other options than rank 0"
  ${mpirun} -n 1 ./twice -img ${here} : -n 2 ./twice -img ${here} -scale 2)
refuses("another executable" "[DIDEROT] rank 2 has another executable than rank 0"
  ${mpirun} -n 2 ./twice -img ${here} : -n 1 ./other -img ${here})
if(CMAKE_HOST_SYSTEM_PROCESSOR STREQUAL "x86_64")
  must(${DIDEROTC} --exec --target=mpi --no-warning=no-proxy --arch=generic,x86-64-v2 -o kinds twice.diderot)
  refuses("another processor" "[DIDEROT] rank 1 has another processor than rank 0; compiled with one kind in --arch, all ranks"
    ${mpirun} -n 1 env DIDEROT_ARCH=x86-64-v2 ./kinds -img ${here} : -n 1 env DIDEROT_ARCH=generic ./kinds -img ${here})
endif()
refuses("another file" "[DIDEROT] img: \"img.nrrd\" of rank 1 is another file than that of rank 0"
  ${mpirun} -n 1 -wdir ${FOLDER}/here ${FOLDER}/twice -img img.nrrd : -n 1 -wdir ${FOLDER}/there ${FOLDER}/twice -img img.nrrd)
file(REMOVE ${FOLDER}/there/img.nrrd)
refuses("a file that one lacks" "[DIDEROT] img: \"img.nrrd\" of rank 1 is another file than that of rank 0"
  ${mpirun} -n 1 -wdir ${FOLDER}/here ${FOLDER}/twice -img img.nrrd : -n 1 -wdir ${FOLDER}/there ${FOLDER}/twice -img img.nrrd)

# Each has a checkpoint of this program, but of another superstep.
file(WRITE ${FOLDER}/steps.diderot "#version 2.0
int step = 0;
strand S (int i) { output real x = i; update { x = x/2 + step; if (step > 9) { stabilize; } } }
update { step += 1; }
create_array { S(i) | i in 0..999 }
")
must(${DIDEROTC} --exec --target=mpi steps.diderot)
foreach(place here there)
  set(limit 3)
  if(place STREQUAL there)
    set(limit 4)
  endif()
  must(${mpirun} -n 2 ./steps -l ${limit} -checkpoint ${place}/saved -o y.nrrd)
endforeach()
refuses("another checkpoint" "[DIDEROT] \"saved\" of rank 1 is another checkpoint than that of rank 0"
  ${mpirun} -n 1 -wdir ${FOLDER}/here ${FOLDER}/steps -resume saved : -n 1 -wdir ${FOLDER}/there ${FOLDER}/steps -resume saved)
must(${CMAKE_COMMAND} -E copy here/saved there/saved)
must(${mpirun} -n 1 -wdir ${FOLDER}/here ${FOLDER}/steps -resume saved : -n 1 -wdir ${FOLDER}/there ${FOLDER}/steps -resume saved)
file(REMOVE ${FOLDER}/here/x.nrrd ${FOLDER}/y.nrrd)

# What fails at the first rank only; there is no folder.
run(${mpirun} -n 3 ./twice -img ${here} -o nowhere/x.nrrd)
check("no folder: message" "${err}" "Error saving \"nowhere/x.nrrd\": No such file or directory\nError generating output:\n")
if(status EQUAL 0)
  message(SEND_ERROR "no folder: status 0")
endif()

# A full disk.
run(${mpirun} -n 3 ./twice -img ${here} -o /dev/full)
check("full: message" "${err}" "Error saving \"/dev/full\": No space left on device\nError generating output:\n")
if(status EQUAL 0)
  message(SEND_ERROR "full: status 0")
endif()

# Processes that do not know of each other: the first one says it, and none writes.
if(OTHER)
  run(${OTHER} -n 3 ./twice -img ${here} -o x.nrrd)
  string(REGEX MATCHALL "[^\n]+" lines "${err}")
  list(FILTER lines INCLUDE REGEX "^Error starting ranks: the mpirun of MPICH or its kin has started 3 processes, of which none sees another: this program needs the mpirun of its own MPI, Open MPI v[0-9.]+$")
  list(LENGTH lines n)
  check("another mpirun: lines" ${n} 1)
  file(GLOB left ${FOLDER}/x.nrrd*)
  check("another mpirun: status, files" "${status} ${left}" "1 ")
  must(${OTHER} -n 1 ./twice -img ${here} -o x.nrrd)
  file(REMOVE ${FOLDER}/x.nrrd)
endif()

# Alone, where there is not even Open MPI's daemon.
must(${CMAKE_COMMAND} -E env OPAL_BINDIR=/nowhere ./twice -img ${here} -o x.nrrd)
file(REMOVE ${FOLDER}/x.nrrd)

# Without the library of its MPI: one line for each machine. sed gives the library another name.
must(sh -c "LC_ALL=C sed 's/libmpi\\.so/libmpj.so/g' twice >lost && chmod +x lost")
function(starts_without_mpi what line) # COMMAND...
  run(${ARGN})
  string(REGEX MATCHALL "Error[^\n]+" lines "${err}")
  list(LENGTH lines n)
  file(GLOB left ${FOLDER}/x.nrrd*)
  check("${what}: status, lines, files" "${status} ${n} ${left}" "1 1 ")
  if(NOT err MATCHES "(^|\n)Error starting ranks: this program ${line}\n")
    message(SEND_ERROR "${what}: ${err}")
  endif()
endfunction()
set(no_library "needs Open MPI [(]on Debian and Ubuntu: apt-get install openmpi-bin[)]: libmpj\\.so\\.[0-9]+: cannot open shared object file: No such file or directory")
starts_without_mpi("no library" ${no_library} ./lost -img ${here} -o x.nrrd)
starts_without_mpi("no library for three" ${no_library} ${mpirun} -n 3 ./lost -img ${here} -o x.nrrd)

# Where there are no files in memory a temporary one is loaded; where that cannot be made either, this is said.
file(WRITE ${FOLDER}/refuse.c "#include <errno.h>
int memfd_create(const char *, unsigned);
int memfd_create(const char *name, unsigned flags) { (void)name; (void)flags; errno = EACCES; return -1; }
")
must(${CC} -shared -fPIC -o refuse.so refuse.c)
set(refused ${CMAKE_COMMAND} -E env LD_PRELOAD=${FOLDER}/refuse.so ASAN_OPTIONS=detect_leaks=0:verify_asan_link_order=0)
file(MAKE_DIRECTORY ${FOLDER}/temporary)
must(${refused} TMPDIR=${FOLDER}/temporary ./twice -img ${here} -o x.nrrd)
file(GLOB left ${FOLDER}/temporary/ddr*)
check("temporary files" "${left}" "")
file(REMOVE ${FOLDER}/x.nrrd)
starts_without_mpi("no library, by a file" ${no_library} ${refused} TMPDIR=${FOLDER}/temporary ./lost -img ${here} -o x.nrrd)
starts_without_mpi("no file" "cannot load its part for MPI: it cannot be written [(]there must be memory for a file, or TMPDIR name [^\n]*[)]"
  ${refused} TMPDIR=${FOLDER}/nowhere ./twice -img ${here} -o x.nrrd)

# More ranks than strands can be given to.
must(${mpirun} -n 3 ./twice -v -n 1 -img ${here} -o x.nrrd)
string(FIND "${err}" "twice: 2 of 3 ranks have nothing to do: blocks of strands stay whole\n" at)
if(at EQUAL -1)
  message(SEND_ERROR "idle ranks: ${err}")
endif()
file(REMOVE ${FOLDER}/x.nrrd)

# The standard input is that of the first rank.
string(REPLACE ";" " " words "${mpirun}")
must(sh -c "${words} -n 3 ./twice -img - -o x.nrrd <${here}")
must(./twice -img ${here} -o y.nrrd)
must(${CMAKE_COMMAND} -E compare_files x.nrrd y.nrrd)
file(REMOVE ${FOLDER}/x.nrrd ${FOLDER}/y.nrrd)

# Help once; a run with none of this.
run(${mpirun} -n 3 ./twice -h)
string(REGEX MATCHALL "Usage:" marks "${out}${err}")
list(LENGTH marks n)
check("help" "${status} ${n}" "0 1")
must(${mpirun} -n 3 ./twice -img ${here})
check("a good run" "${out}${err}" "")
run(${mpirun} -n 3 ./twice -img ${here} -v)
string(FIND "${err}" "img: in memory once for 3 processes of this machine\n" at)
if(at EQUAL -1 OR NOT status EQUAL 0)
  message(SEND_ERROR "one image for all: ${err}")
endif()
