# functions_bits.c made by each of COMPILERS, for each instruction set that this machine has and by
# several levels of optimisation, in FOLDER: all print the same. KEEPING is a prefix of compilations, to keep objects, or empty.
# In PAIRS each set has one level with each compiler, in turn: any two of compiler, set and level meet.
set(sets "-msse2" "-mavx2 -mfma" "-mavx512f -mavx512dq -mfma")
set(outcomes "")
foreach(real "-UDDR_DOUBLE" "-DDDR_DOUBLE")
  set(first "")
  set(turn 0)
  foreach(compiler IN LISTS COMPILERS)
    foreach(set IN LISTS sets)
      set(levels -O1 -O3)
      if(PAIRS)
        list(GET levels ${turn} levels)
      endif()
      math(EXPR turn "1 - ${turn}")
      foreach(level IN LISTS levels)
        separate_arguments(words UNIX_COMMAND "${set}")
        execute_process(COMMAND ${KEEPING} ${compiler} -std=gnu17 ${level} ${words} ${real} -ffp-contract=off
            -fno-math-errno -fno-trapping-math -Wno-psabi -I${ROOT}/runtime/include
            -c ${ROOT}/tests/unit/runtime/functions_bits.c -o ${FOLDER}/functions_bits.o
          RESULT_VARIABLE failed ERROR_VARIABLE text)
        if(failed)
          if(text MATCHES "unrecognized|unknown argument|unsupported option")
            continue() # another machine's words
          endif()
          message(FATAL_ERROR "${compiler} ${set} ${level}: ${text}")
        endif()
        execute_process(COMMAND ${compiler} ${FOLDER}/functions_bits.o -o ${FOLDER}/functions_bits -lm
          COMMAND_ERROR_IS_FATAL ANY)
        execute_process(COMMAND ${FOLDER}/functions_bits OUTPUT_VARIABLE printed RESULT_VARIABLE status)
        if(status EQUAL 77)
          continue() # not this machine's
        endif()
        if(first STREQUAL "")
          set(first "${printed}")
        endif()
        if(NOT status EQUAL 0 OR NOT printed STREQUAL first)
          message(SEND_ERROR "${compiler} ${set} ${level} ${real}: ${printed}expected ${first}")
        endif()
        list(APPEND outcomes "${real}")
      endforeach()
    endforeach()
  endforeach()
endforeach()
list(LENGTH outcomes n)
if(n LESS 4)
  message(FATAL_ERROR "only ${n} were compared")
endif()
message(STATUS "${n} agree")
