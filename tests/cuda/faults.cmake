# run.shim.faults: whichever call of CUDA fails, the program either does the work on the CPU or ends
# with one line and without outputs; what it printed until then is the beginning of all it prints.
#   cmake -DDIDEROTC=... -DFOLDER=... -P faults.cmake
cmake_minimum_required(VERSION 3.25)
file(REMOVE_RECURSE ${FOLDER})
file(MAKE_DIRECTORY ${FOLDER})

function(make name)
  execute_process(COMMAND ${DIDEROTC} --target=cuda --exec -o ${FOLDER}/${name}
    ${FOLDER}/${name}.diderot COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# Its output is n, and it prints what the last argument says; the first that many calls of CUDA fail in turn.
function(check name n_calls expected)
  set(prints "${ARGN}")
  set(n_on_cpu 0)
  set(n_failed 0)
  foreach(k RANGE 1 ${n_calls})
    file(REMOVE ${FOLDER}/n.txt)
    set(ENV{DDR_SHIM_FAIL} ${k})
    execute_process(COMMAND ./${name} -o n.txt
      WORKING_DIRECTORY ${FOLDER} RESULT_VARIABLE status ERROR_VARIABLE said OUTPUT_VARIABLE printed)
    if(status EQUAL 0)
      file(READ ${FOLDER}/n.txt found)
      if(NOT found STREQUAL expected OR NOT printed STREQUAL prints OR
          NOT said MATCHES "^(no GPU is used: [^\n]+\n)?$")
        message(FATAL_ERROR "${name}, call ${k}: ${said}${printed}${found}")
      endif()
      math(EXPR n_on_cpu "${n_on_cpu} + 1")
    elseif(status EQUAL 1)
      string(FIND "${prints}" "${printed}" at)
      if(EXISTS ${FOLDER}/n.txt OR NOT said MATCHES "device 0: cannot [^\n]+\n" OR NOT at EQUAL 0)
        message(FATAL_ERROR "${name}, call ${k}: ${said}${printed}")
      endif()
      math(EXPR n_failed "${n_failed} + 1")
    else()
      message(FATAL_ERROR "${name}, call ${k}: status ${status}: ${said}")
    endif()
  endforeach()
  unset(ENV{DDR_SHIM_FAIL})
  if(n_on_cpu LESS 10 OR n_failed LESS 5)
    message(FATAL_ERROR "${name}: ${n_on_cpu} runs were right, ${n_failed} failed: are the calls counted?")
  endif()
endfunction()

# With less and less memory: fewer updates in a launch, and then the end.
function(starve name expected) # BYTES...
  set(n_right 0)
  set(n_failed 0)
  foreach(n_bytes IN LISTS ARGN)
    file(REMOVE ${FOLDER}/n.txt)
    set(ENV{DDR_SHIM_MEMORY} ${n_bytes})
    execute_process(COMMAND ./${name} -o n.txt
      WORKING_DIRECTORY ${FOLDER} RESULT_VARIABLE status ERROR_VARIABLE said)
    if(status EQUAL 0)
      file(READ ${FOLDER}/n.txt found)
      if(NOT found STREQUAL expected)
        message(FATAL_ERROR "${name}, ${n_bytes} bytes: ${found}")
      elseif(n_failed GREATER 0)
        message(FATAL_ERROR "${name}: ${n_bytes} bytes suffice, but more did not")
      endif()
      math(EXPR n_right "${n_right} + 1")
    elseif(NOT said MATCHES "device 0: cannot allocate memory[^\n]*: out of memory" OR
           EXISTS ${FOLDER}/n.txt)
      message(FATAL_ERROR "${name}, ${n_bytes} bytes: status ${status}: ${said}")
    else()
      math(EXPR n_failed "${n_failed} + 1")
    endif()
  endforeach()
  unset(ENV{DDR_SHIM_MEMORY})
  if(n_right LESS 2 OR n_failed LESS 2)
    message(FATAL_ERROR
      "${name}: ${n_right} runs were right, ${n_failed} failed: is the memory counted?")
  endif()
endfunction()

file(WRITE ${FOLDER}/steps.diderot [=[
#version 2.0
strand step (int i) {
  output int n = 0;
  update { n += 1; if (n > i) { stabilize; } }
}
create_array { step(i) | i in 0..39 }
]=])
make(steps)
set(expected "")
foreach(i RANGE 1 40)
  string(APPEND expected "${i}\n")
endforeach()
check(steps 60 "${expected}")

# Prints of creation, where the CPU may take over, and of a run; a string of the globals.
file(WRITE ${FOLDER}/prints.diderot [=[
#version 2.0
input string word = "one";
function int begin (int i) { print("begin ", i, "\n"); return 0; }
strand step (int i) {
  output int n = begin(i);
  update { n += 1; if (n > i) { print(word, " ", i, "\n"); stabilize; } }
}
create_array { step(i) | i in 0..39 }
]=])
make(prints)
set(prints "")
foreach(i RANGE 39)
  string(APPEND prints "begin ${i}\n")
endforeach()
foreach(i RANGE 39)
  string(APPEND prints "one ${i}\n")
endforeach()
check(prints 160 "${expected}" "${prints}")

# Sequences of the state, of the globals and of methods; their memory grows.
file(WRITE ${FOLDER}/sums.diderot [=[
#version 2.0
int[] numbers = 1..40;
strand adder (int i) {
  int[] mine = {};
  output int n = 0;
  update {
    mine = mine @ numbers[length(mine)];
    if (length(mine) == i) { n = sum { x | x in mine @ 1000 }; stabilize; }
  }
}
create_array { adder(i) | i in 1..39 }
]=])
make(sums)
set(expected "")
foreach(i RANGE 1 39)
  math(EXPR sum "${i} * (${i} + 1) / 2 + 1000")
  string(APPEND expected "${sum}\n")
endforeach()
check(sums 160 "${expected}")

starve(sums "${expected}" 200000 100000 70000 60000 50000 40000 30000)

# Sequences that states hold for one update: what a launch takes depends on its updates alone.
file(WRITE ${FOLDER}/renewal.diderot [=[
#version 2.0
strand renewer (int i) {
  int[] mine = {i};
  output int n = 0;
  update {
    mine = {mine[0], n} @ i;
    n += 1;
    if (n == 3*i) { stabilize; }
  }
}
create_array { renewer(i) | i in 1..39 }
]=])
make(renewal)
set(expected "")
foreach(i RANGE 1 39)
  math(EXPR n "3 * ${i}")
  string(APPEND expected "${n}\n")
endforeach()
starve(renewal "${expected}" 100000 80000 75000 70000 68000 66000 64000 62000 50000 45000 35000)

# Strands look at others that move on as they do: neighbours stay neighbours.
file(WRITE ${FOLDER}/march.diderot [=[
#version 2.0
strand soldier (int i) {
  real pos = i;
  output int n = 0;
  int age = 0;
  update {
    foreach (soldier other in sphere(1.5)) { n += 1; }
    pos += 1;
    age += 1;
    if (age == 2) { stabilize; }
  }
}
create_array { soldier(i) | i in 0..39 }
]=])
make(march)
set(expected "2\n")
foreach(i RANGE 1 38)
  string(APPEND expected "4\n")
endforeach()
string(APPEND expected "2\n")
check(march 90 "${expected}")

# Strands make others and die; the store grows.
file(WRITE ${FOLDER}/family.diderot [=[
#version 2.0
strand person (int i, int depth) {
  output int n = i;
  update {
    if (depth < 3) { foreach (int k in 1..2) { new person(10*i + k, depth + 1); } }
    if (depth == 0) { die; }
    stabilize;
  }
}
create_collection { person(i, 0) | i in 1..40 }
]=])
make(family)
set(expected "")
set(parents "")
foreach(i RANGE 1 40)
  list(APPEND parents ${i})
endforeach()
foreach(depth RANGE 1 3)
  set(children "")
  foreach(parent IN LISTS parents)
    list(APPEND children ${parent}1 ${parent}2)
  endforeach()
  list(JOIN children "\n" lines)
  string(APPEND expected "${lines}\n")
  set(parents ${children})
endforeach()
check(family 110 "${expected}")
starve(family "${expected}" 100000 60000 50000 40000 30000 20000)
