# C that scripts of tests compile: lint-clients, which nothing is made of, has it compiled in a usual way, so that the
# compilation database has it. The headers of libraries that clients include are here, under the names that they have there.
set(tests ${PROJECT_SOURCE_DIR}/tests)
set(bin ${CMAKE_CURRENT_BINARY_DIR}/clients)
file(MAKE_DIRECTORY ${bin})
set(headers "")
function(add_header name program) # OPTION...
  string(REPLACE - _ prefix ${name})
  add_custom_command(OUTPUT ${bin}/${name}.h
    COMMAND diderotc --dump=header --namespace=${prefix} --warnings=none ${ARGN} ${program} > ${bin}/${name}.h
    WORKING_DIRECTORY ${tests}/install/project/data VERBATIM DEPENDS diderotc ${program})
  set(headers ${headers} ${bin}/${name}.h PARENT_SCOPE)
endfunction()

set(project ${tests}/install/project)
add_header(numbers ${project}/squares.diderot --long-int)
add_header(grid-of-squares ${project}/squares.diderot)
add_header(line "${project}/two words/samples.diderot" --double)
add_header(gpu-cubes ${project}/cubes.diderot --target=cuda)
add_header(squares ${tests}/run/arch/squares.diderot)
add_header(ramp ${tests}/run/ramp.diderot)
set(sources ${project}/caller.c ${project}/both.c ${project}/gpu.c ${tests}/run/arch/client.c ${tests}/run/overrun.c
  ${tests}/install/arrays/client.c ${tests}/library/both.c ${tests}/ptx/driver.c ${tests}/ranks/idle.c ${tests}/bench/cores.c
  ${tests}/unit/backend-c/harness.c ${tests}/unit/runtime/functions_bits.c)

find_package(MPI QUIET COMPONENTS C)
if(MPI_C_FOUND)
  add_header(walkers ${tests}/ranks/library/walkers.diderot --target=mpi --snapshot)
  add_header(slopes ${tests}/ranks/library/slopes.diderot --target=mpi --snapshot)
  list(APPEND sources ${tests}/ranks/library/client.c)
endif()

add_library(lint-clients OBJECT EXCLUDE_FROM_ALL ${sources} ${headers})
target_compile_definitions(lint-clients PRIVATE _GNU_SOURCE)
target_include_directories(lint-clients PRIVATE ${bin} ${PROJECT_BINARY_DIR}/include ${PROJECT_SOURCE_DIR}/runtime/include)
target_link_libraries(lint-clients PRIVATE library-clients $<$<BOOL:${MPI_C_FOUND}>:MPI::MPI_C>)

add_test(NAME lint.clients COMMAND ${CMAKE_COMMAND} --build ${CMAKE_BINARY_DIR} --target lint-clients)
set_tests_properties(lint.clients PROPERTIES LABELS "lint;slow" TIMEOUT 300 RUN_SERIAL ON FIXTURES_SETUP clients)
