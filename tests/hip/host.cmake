# run.hip.host: --target=hip where there is no GPU of AMD. Results are those of the CPU, and -v says why; what is
# missing is named. A compiler that only pretends (status 0, no file) is found out.
#   cmake -DDIDEROTC=... -DFOLDER=... -DROOT=... -DRELEASE=... -DCC=... -DFLAGS=... -P host.cmake
cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/../commands.cmake)
file(REMOVE_RECURSE ${FOLDER})
file(MAKE_DIRECTORY ${FOLDER})
set(program ${ROOT}/examples/mandelbrot/mandelbrot.diderot)

function(refused pattern) # ARGUMENT...: what diderotc says last
  run(${DIDEROTC} --target=hip --exec -o refused ${program} ${ARGN})
  if(status EQUAL 0 OR NOT err MATCHES "${pattern}" OR EXISTS ${FOLDER}/refused)
    message(SEND_ERROR "status ${status}: '${err}', expected '${pattern}'")
  endif()
endfunction()

# --- without the compiler, or without the runtime ----------------------------------------------------

refused("--sanitize does not go with --target=hip" --sanitize)
refused("--profile does not go with --target=hip" --profile)
must(${DIDEROTC} --target=hip --dump=device ${program})
set(device_text "${out}")
must(${DIDEROTC} --target=cuda --dump=device ${program})
check("device code of two targets" "${device_text}" "${out}")
file(WRITE ${FOLDER}/no-runtime.a "")
if(NOT RELEASE)
  refused("this installation has no runtime for HIP: install ROCm .* and build diderotc again")
  set(ENV{DIDEROT_HIP_RUNTIME} ${FOLDER}/no-runtime.a)
endif()
set(ENV{DIDEROT_HIPCC} ${FOLDER}/absent)
refused("cannot run the HIP compiler '[^']*/absent': No such file or directory: install ROCm .*, or set \
DIDEROT_HIPCC to its hipcc")
file(WRITE ${FOLDER}/idle "#!/bin/sh\necho 'HIP version: 9.9.0'\n")
file(WRITE ${FOLDER}/old "#!/bin/sh\necho 'HIP version: 1.2.3'\n")
file(CHMOD ${FOLDER}/idle ${FOLDER}/old PERMISSIONS OWNER_READ OWNER_EXECUTE)
if(RELEASE)
  set(ENV{DIDEROT_HIPCC} ${FOLDER}/old)
  refused("the HIP compiler '[^']*/old' is of release 1.2, expected ${RELEASE}, of which this installation's \
runtime is, or later")
endif()
if(NOT RELEASE)
  message("skipped: there is no hipcc with rocPRIM (on Debian: hipcc, rocm-device-libs, librocprim-dev)")
  return()
endif()

# --- with both ----------------------------------------------------------------------------------------

unset(ENV{DIDEROT_HIPCC})
set(ENV{DIDEROT_HIPCCFLAGS} --offload-arch=gfx90a)
must(${DIDEROTC} --target=hip --exec -o hip ${program})
must(${DIDEROTC} --target=parallel --exec -o host ${program})
set(arguments -width 40 -height 30)
must(${FOLDER}/host ${arguments} -o host.nrrd)
must(${FOLDER}/hip ${arguments} -v -o hip.nrrd)
if(NOT "${out}${err}" MATCHES "no GPU is used: ")
  message(SEND_ERROR "-v says '${out}${err}', expected why no GPU is used")
endif()
file(SHA256 ${FOLDER}/host.nrrd host)
file(SHA256 ${FOLDER}/hip.nrrd hip)
check("the file without a GPU" "${hip}" "${host}")
run(${FOLDER}/hip ${arguments} -gpu required -o required.nrrd)
if(NOT status EQUAL 1 OR NOT err MATCHES "cannot use a GPU: " OR EXISTS ${FOLDER}/required.nrrd)
  message(SEND_ERROR "-gpu required: status ${status}, '${err}'")
endif()

# Code for both machines is in it.
file(STRINGS ${FOLDER}/hip names REGEX "amdgcn-amd-amdhsa--gfx90a")
if(NOT names)
  message(SEND_ERROR "the executable has no code for gfx90a")
endif()

# A library shows its own functions and nothing of HIP's.
must(${DIDEROTC} --target=hip --json --namespace=tally -o tally_lib ${ROOT}/tests/library/tally.diderot)
file(STRINGS ${FOLDER}/tally_lib.o names REGEX "amdgcn-amd-amdhsa--gfx90a")
if(NOT names)
  message(SEND_ERROR "the library has no code for gfx90a")
endif()
must(nm -g --defined-only tally_lib.o)
string(REGEX REPLACE "[^\n]* tally_[a-z_]*\n" "" others "${out}")
check("names of others in the library" "${others}" "")
file(READ ${FOLDER}/tally_lib.json description)
string(JSON target GET "${description}" target)
check("the target in the description" "${target}" "DIDEROT_TARGET_HIP")
string(JSON libraries GET "${description}" libraries)
if(NOT libraries MATCHES "amdhip64")
  message(SEND_ERROR "libraries: ${libraries}, expected amdhip64 among them")
endif()
