# run.shim.prints: strands on devices print what they would on the CPU, in the order of their ranks.
# The runtime of the shim holds little, so that launches are repeated and strands wait.
#   cmake -DDIDEROTC=... -DFOLDER=... -P prints.cmake
cmake_minimum_required(VERSION 3.25)
file(REMOVE_RECURSE ${FOLDER})
file(MAKE_DIRECTORY ${FOLDER})

function(compile name source)
  file(WRITE ${FOLDER}/${name}.diderot "#version 2.0\n${source}")
  execute_process(COMMAND ${DIDEROTC} --target=cuda --warnings=error --snapshot --exec
    -o ${FOLDER}/${name} ${FOLDER}/${name}.diderot COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# Runs it and compares all that it prints.
function(expect expected)
  execute_process(COMMAND ${CMAKE_COMMAND} -E env DIDEROT_GPU=required ${ARGN}
    WORKING_DIRECTORY ${FOLDER} OUTPUT_VARIABLE found COMMAND_ERROR_IS_FATAL ANY)
  if(NOT found STREQUAL expected)
    file(WRITE ${FOLDER}/expected "${expected}")
    file(WRITE ${FOLDER}/found "${found}")
    message(FATAL_ERROR "${ARGN}: see expected and found in ${FOLDER}")
  endif()
endfunction()

# The updates `from` + 1 to `to` of strand i, which has i * 7 % 23 + 1 of them.
function(append_strand text i from to)
  math(EXPR last "${i} * 7 % 23 + 1")
  foreach(n RANGE ${from} ${to})
    if(n GREATER from AND NOT n GREATER last)
      string(APPEND ${text} "${i}:${n} ")
    endif()
  endforeach()
  if(last GREATER from AND NOT last GREATER to)
    string(APPEND ${text} "[end ${i}]\n")
  endif()
  set(${text} "${${text}}" PARENT_SCOPE)
endfunction()

# --- without supersteps: each strand runs to its end, or through its budget ---------------------------

set(body [=[
strand line (int i) {
  output int n = 0;
  int last = i * 7 % 23 + 1;
  start { print("<", i, ">"); }
  update { n += 1; print(i, ":", n, " "); if (n == last) { stabilize; } }
  stabilize { print("[end ", i, "]\n"); }
}
]=])
compile(free "${body} create_array { line(i) | i in 0..99 }")
set(whole "")
foreach(i RANGE 99)
  string(APPEND whole "<${i}>")
  append_strand(whole ${i} 0 23)
endforeach()
expect("${whole}" ./free)

set(limited "")
foreach(i RANGE 99)
  string(APPEND limited "<${i}>")
  append_strand(limited ${i} 0 9)
endforeach()
expect("${limited}" ./free -l 9)

set(in_parts "")
foreach(part RANGE 5)
  math(EXPR from "4 * ${part}")
  math(EXPR to "${from} + 4")
  foreach(i RANGE 99)
    if(part EQUAL 0)
      string(APPEND in_parts "<${i}>")
    endif()
    append_strand(in_parts ${i} ${from} ${to})
  endforeach()
endforeach()
expect("${in_parts}" ./free -s 4)

# --- with supersteps: those of each in the order of ranks, the dead among them ------------------------

string(REPLACE "if (n == last) { stabilize; }"
  "if (n == last && i % 2 == 1 && numActive() > 0) { die; } if (n == last) { stabilize; }"
  body "${body}")
compile(lockstep "${body} create_collection { line(i) | i in 0..99 }")
set(whole "")
foreach(step RANGE 1 23)
  foreach(i RANGE 99)
    math(EXPR last "${i} * 7 % 23 + 1")
    math(EXPR is_odd "${i} % 2")
    if(step EQUAL 1)
      string(APPEND whole "<${i}>")
    endif()
    if(NOT step GREATER last)
      string(APPEND whole "${i}:${step} ")
    endif()
    if(step EQUAL last AND NOT is_odd)
      string(APPEND whole "[end ${i}]\n")
    endif()
  endforeach()
endforeach()
expect("${whole}" ./lockstep)

# --- values, words, and who prints when -------------------------------------------------------------

compile(values [=[
input string word = "";
input string[2] both = {"one", "two"};
string known = "x";
int step = 0;
function real half (int k) { print(k, ";"); return real(k) / 2.0; }
strand value (int k) {
  output int n = 0;
  real kept = half(k);
  string mine = both[k];
  update {
    print();
    print(k == 0, " ", [kept, -0.25], " ", inf, " ", word, mine == "two", mine != known, "\n");
    string[] words = {mine, "y"};
    print({ [real(j)/4.0, real(k)] | j in 0..k }, { j | j in 1..k }, { j == 1 | j in 0..1 }, words);
    print(mine, "" if k == 0 else known, "|");
    if (n == 1) { mine = word; }
    n += 1;
  }
  stabilize { print("bye ", mine == word, "\n"); }
}
update { step += 1; print("step ", step, ", ", numActive(), "\n"); if (step == 2) { stabilize; } }
create_array { value(k) | k in 0..1 }
]=])
string(REPEAT "0123456789abcdef " 4200 word)
set(steps "")
foreach(step 1 2)
  string(APPEND steps
    "true [0,-0.25] inf ${word}falsetrue\n{[0,0]}{}{false,true}{one,y}one|"
    "false [0.5,-0.25] inf ${word}truetrue\n{[0,1],[0.25,1]}{1}{false,true}{two,y}twox|"
    "step ${step}, 2\n")
endforeach()
expect("0;1;${steps}bye true\nbye true\n" ./values -word ${word})

# --- a printer that fails ends the run ----------------------------------------------------------------

if(EXISTS /dev/full)
  foreach(name free lockstep)
    execute_process(COMMAND ./${name} -print /dev/full -o failed.nrrd WORKING_DIRECTORY ${FOLDER}
      RESULT_VARIABLE status ERROR_VARIABLE said)
    if(NOT status EQUAL 1 OR EXISTS ${FOLDER}/failed.nrrd OR NOT said STREQUAL
       "Error during execution:\n[DIDEROT] cannot write printed text: No space left on device\n")
      message(FATAL_ERROR "status ${status}: ${said}")
    endif()
  endforeach()
endif()
