# run.thread-memory: the heap of a thread is writable in large pieces, not page by page.
#   cmake -DDIDEROTC=... -DFOLDER=... -P thread_memory.cmake
#
# A library that is loaded with the program starts a thread at the end, and prints how much is writable around a piece
# of its memory.
cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/../commands.cmake)
cmake_host_system_information(RESULT n_cores QUERY NUMBER_OF_LOGICAL_CORES)
if(n_cores LESS 2)
  message("a single core: programs start no threads")
  return()
endif()
file(REMOVE_RECURSE ${FOLDER})
file(MAKE_DIRECTORY ${FOLDER})

file(WRITE ${FOLDER}/lists.diderot "#version 2.0
strand lists (int i) {
  output int[] xs = {};
  update { if (length(xs) == 20) { stabilize; } xs = xs @ i; }
}
create_array { lists(i) | i in 0..9999 }
")
file(WRITE ${FOLDER}/look.c "#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static void *look(void *unused) {
  char line[512];
  unsigned long begin, end, piece = (unsigned long)malloc(64);
  FILE *maps = fopen(\"/proc/self/maps\", \"r\");
  while (maps && fgets(line, sizeof line, maps))
    if (sscanf(line, \"%lx-%lx rw\", &begin, &end) == 2 && begin <= piece && piece < end)
      fprintf(stderr, \"writable: %lu KiB\\n\", (end - begin) / 1024);
  return unused;
}
__attribute__((destructor)) static void look_in_thread(void) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, look, NULL) == 0) pthread_join(thread, NULL);
}
")
must(${DIDEROTC} --exec --target=parallel --warnings=none -o ${FOLDER}/lists ${FOLDER}/lists.diderot)
must(cc -shared -fPIC -o ${FOLDER}/look.so ${FOLDER}/look.c -lpthread)
must(${CMAKE_COMMAND} -E env LD_PRELOAD=${FOLDER}/look.so ${FOLDER}/lists -n 2 -o ${FOLDER}/xs.nrrd)
string(REGEX MATCH "writable: ([0-9]+) KiB" found "${err}")
if(NOT found OR CMAKE_MATCH_1 LESS 8192)
  message(SEND_ERROR "'${found}', expected at least 8192 KiB\n${err}")
endif()
