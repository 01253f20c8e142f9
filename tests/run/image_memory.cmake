# run.image-memory: an image needs memory for its samples and a buffer, whatever the form of its file, and none if
# the file is mapped.
#   cmake -DDIDEROTC=... -DFOLDER=... -P image_memory.cmake
#
# The samples are zeros; --verbose says how much memory was used at most.
cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/../commands.cmake)
file(REMOVE_RECURSE ${FOLDER})
file(MAKE_DIRECTORY ${FOLDER})
set(mebibyte 1048576)

file(WRITE ${FOLDER}/probe.diderot "#version 2.0
input image(3)[] img;
field#0(3)[] F = img ⊛ tent;
strand s (int i) {
  output real value = -1;
  update { value = F([100.0 + i, 50, 20]); stabilize; }
}
create_array { s(i) | i in 0..0 }
")
must(${DIDEROTC} --exec --warnings=none -o ${FOLDER}/probe ${FOLDER}/probe.diderot)

function(make_zeros file n_bytes)
  must(dd if=/dev/zero of=${file} bs=1 count=0 seek=${n_bytes})
endfunction()

function(write_header name type encoding endian data)
  file(WRITE ${FOLDER}/${name} "NRRD0004\ntype: ${type}\ndimension: 3\nsizes: 256 256 256\nencoding: ${encoding}\n"
    "endian: ${endian}\ndata file: ${data}\n")
endfunction()

# Of so many MiB of samples; how it says that it was read.
function(check_memory file most how)
  must(${FOLDER}/probe --verbose -img ${file} -o value.nrrd)
  string(REGEX MATCH "at most ([0-9]+)[.][0-9]* MiB of memory" found "${err}")
  if(NOT found OR CMAKE_MATCH_1 GREATER most)
    message(SEND_ERROR "${file}: '${found}', expected at most ${most} MiB\n${err}")
  endif()
  if(NOT err MATCHES "img: \"${file}\": [0-9]+ bytes, ${how}")
    message(SEND_ERROR "${file}: expected '${how}':\n${err}")
  endif()
endfunction()

make_zeros(zeros64 67108864)
make_zeros(zeros128 134217728)
must(sh -c "gzip -1 <zeros64 >zeros64.gz && head -c 67109216 /dev/zero | gzip -1 >zeros.nii.gz")
must(sh -c "head -c 16777216 /dev/zero >zeros16")
write_header(swapped.nhdr float raw big zeros64)
write_header(gzip.nhdr float gzip little zeros64.gz)
write_header(wide.nhdr double raw little zeros128)
write_header(ints.nhdr int gzip little zeros64.gz)
write_header(bytes.nhdr uchar raw little zeros16)
write_header(mapped.nhdr float raw little zeros64)

file(COPY_FILE ${FOLDER}/zeros16 ${FOLDER}/part1)
foreach(number 2 3 4)
  file(CREATE_LINK part1 ${FOLDER}/part${number} SYMBOLIC)
endforeach()
write_header(split.nhdr float raw big "part%d 1 4 1 3")
foreach(name swapped gzip wide ints split)
  check_memory(${name}.nhdr 88 "read") # 64, and what the program itself has
endforeach()
check_memory(mapped.nhdr 24 "mapped, read where it is probed")
check_memory(bytes.nhdr 24 "mapped, read where it is probed") # of any type, without a proxy
foreach(filling "" x xx xxx) # attached, at any byte
  file(WRITE ${FOLDER}/attached.nrrd "NRRD0004\n#${filling}\ntype: float\ndimension: 3\nsizes: 256 256 256\n"
    "encoding: raw\nendian: little\n\n")
  must(sh -c "cat zeros64 >>attached.nrrd")
  check_memory(attached.nrrd 24 "mapped, read where it is probed")
endforeach()
file(REMOVE ${FOLDER}/attached.nrrd)

# 31 GiB of bytes, of which a page is stored: 7 along a row from (100,50,20) on.
make_zeros(huge 33285996544)
file(WRITE ${FOLDER}/huge.nhdr "NRRD0004\ntype: uchar\ndimension: 3\nsizes: 2048 2048 7936\nencoding: raw\n"
  "data file: huge\n")
math(EXPR at "(20 * 2048 + 50) * 2048 + 100")
must(sh -c "printf '\\7\\7\\7\\7' | dd of=huge bs=1 seek=${at} conv=notrunc")
check_memory(huge.nhdr 24 "mapped, read where it is probed")
must(${FOLDER}/probe -img huge.nhdr -o value.txt)
file(STRINGS ${FOLDER}/value.txt value)
if(NOT value STREQUAL "7")
  message(SEND_ERROR "a sample of 31 GiB of bytes is ${value}, not 7")
endif()
file(REMOVE ${FOLDER}/huge)
