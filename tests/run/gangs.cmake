# run.gangs: for any number of gangs that take steps in turn, strands have the results of one strand at a time.
#   cmake -DDIDEROTC=... -DFOLDER=... -P gangs.cmake
cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/../commands.cmake)
file(REMOVE_RECURSE ${FOLDER})
file(MAKE_DIRECTORY ${FOLDER})

# Lives from 1 to some 200 steps, next to each other; ways out at several places.
file(WRITE ${FOLDER}/grid.diderot "#version 2.0
input int height = 53;
input real far = 4.0;
strand point (int row, int column) {
  vec2 c = [-2 + 0.06*column, -1.3 + 0.05*row];
  output vec2 z = [0, 0];
  output int n = 0;
  output bool is_calm = false;
  output real trail = 0;
  start { if ((row + column) % 11 == 0) { trail = -1; stabilize; } }
  update {
    z = [z[0]*z[0] - z[1]*z[1], 2*z[0]*z[1]] + c;
    n += 1;
    if (z•z > far) {
      if (n % 3 == 0) { trail += 0.5; }
      stabilize;
    }
    if (n % 4 == row % 4) { trail += z[0]; continue; }
    if (n > 150 && column % 2 == 1) { is_calm = true; stabilize; }
    trail += |z[1]|;
    if (n >= 200) { stabilize; }
  }
  stabilize { trail = trail + n; }
}
create_array { point(row, column) | row in 0..height-1, column in 0..46 }
")
file(WRITE ${FOLDER}/herd.diderot "#version 2.0
input int count = 777;
strand walker (int first) {
  output int number = first;
  output int steps = 0;
  update {
    if (steps % 13 == 12 && number % 7 == 3) { die; }
    number = number / 2 if number % 2 == 0 else 3*number + 1;
    steps += 1;
    if (number == 1) { stabilize; }
  }
}
create_collection { walker(1 + k % 300) | k in 0..count-1 }
")
set(grid_files z.nrrd n.nrrd is_calm.nrrd trail.nrrd)
set(herd_files number.nrrd steps.nrrd)

function(digests program result) # OPTION-OF-DIDEROTC... -- ARGUMENT...
  list(FIND ARGN -- at)
  list(SUBLIST ARGN 0 ${at} options)
  list(SUBLIST ARGN ${at} -1 arguments)
  list(POP_FRONT arguments)
  must(${DIDEROTC} --exec --warnings=none ${options} -o ${FOLDER}/it ${FOLDER}/${program}.diderot)
  must(${FOLDER}/it ${arguments})
  set(all "")
  foreach(file IN LISTS ${program}_files)
    file(SHA256 ${FOLDER}/${file} digest)
    file(REMOVE ${FOLDER}/${file})
    list(APPEND all ${digest})
  endforeach()
  set(${result} "${all}" PARENT_SCOPE)
endfunction()

function(check_same name program options) # ARGUMENT...
  digests(${program} alone --scalar ${options} -- ${ARGN})
  foreach(n_gangs 1 2 3 4)
    digests(${program} together --gangs=${n_gangs} ${options} -- ${ARGN})
    check("${name}: ${program}, ${n_gangs} gangs" "${together}" "${alone}")
  endforeach()
endfunction()

check_same(floats grid "")
check_same(doubles grid "--double")
check_same(narrow grid "--target=parallel;--long-int" -n 3)
check_same(limit grid "" -l 40)
check_same(few grid "" -height 1)
check_same(deaths herd "")
check_same(steps herd "--force-bsp")
