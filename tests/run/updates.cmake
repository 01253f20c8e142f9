# run.updates: --verbose says how strands are updated, and what stands in the way of lanes.
#   cmake -DROOT=... -DDIDEROTC=... -DMACHINE=... -P updates.cmake
cmake_minimum_required(VERSION 3.25)

function(expect words program)
  execute_process(COMMAND ${DIDEROTC} --emit-c --verbose --warnings=none ${ARGN} ${ROOT}/${program}
    OUTPUT_QUIET ERROR_VARIABLE said RESULT_VARIABLE status)
  if(NOT status EQUAL 0 OR NOT said MATCHES "\nstrands +${words}\n")
    message(SEND_ERROR "${program} ${ARGN}: status ${status}, not 'strands ${words}' in\n${said}")
  endif()
endfunction()

expect("in lanes" examples/mandelbrot/mandelbrot.diderot)
expect("in lanes" examples/mandelbrot/mandelbrot.diderot --target=parallel)
expect("one at a time: --scalar or --debug" examples/mandelbrot/mandelbrot.diderot --scalar)
expect("one at a time: lanes would gain nothing" tests/bench/suite/copies.diderot)
expect("in lanes" tests/bench/suite/orbits.diderot)
expect("in lanes" examples/surface/surface.diderot)
expect("in lanes" tests/run/herd/herd.diderot)
expect("one at a time: lanes would gain nothing" examples/reaction/reaction.diderot)
expect("one at a time: start or stabilize makes strands" tests/run/lineage/lineage.diderot)
expect("one at a time: sequences among what they keep or make" examples/streamlines/streamlines.diderot)
expect("one at a time: strands print" tests/run/printing/printing.diderot)

if(NOT MACHINE STREQUAL "x86_64")
  return()
endif()
set(narrow "one at a time: probes, on processors without an instruction for a.b . c")
expect("${narrow}" examples/mip/mip.diderot --arch=x86-64-v2)
expect("in lanes" examples/mip/mip.diderot --arch=x86-64-v2,x86-64-v3)
expect("in lanes" examples/mandelbrot/mandelbrot.diderot --arch=x86-64-v2)
