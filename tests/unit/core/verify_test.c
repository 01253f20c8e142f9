/* The verifier: one valid module, and for each rule one that violates only this rule. */
#include <string.h>

#include "ir/core/build.h"
#include "tests/unit/test.h"

#include "tests/unit/core/ir_text.h"

/* A method of a strand with state "s": int, with this body after b0(%0: int). */
#define METHOD(level, body)                                                                        \
  "ir " level "\nglobal \"g\": vec2 @0-1\nimage \"img\": image(3)[] @0-1\nstate \"s\": int @0-1\n" \
  "func user \"f\" -> real {\n b0(%0: real):\n leave<return> %0\n}\n"                              \
  "func update {\n b0(%0: int):\n" body "}\n"
#define HIGH_METHOD(body) METHOD("high", body)
#define LEAVE " leave<active> %0\n"

/* %1: an image of three axes, %2: a tap on each, %3: an offset. */
#define WINDOW(body)                                                                               \
  " %1: image(3)[] = global_load<1>\n %2: int[3] = seq %0, %0, %0\n %3: offset = "                 \
  "const_offset<0>\n" body LEAVE

#define GROUP_OF(attr)                                                                             \
  METHOD("mid", " %1: image(3)[] = global_load<1>\n %2: real = const_real<1>\n"                    \
                " %3: vec3 = cons %2, %2, %2\n %4: real = probe_group<" attr "> %1, %3\n" LEAVE)

#define SET_SUM(body)                                                                              \
  "ir high\nstate \"x\": vec2\nfunc global_update {\n b0():\n reduce<sum stable> b1(), b2()\n"     \
  " b1(%1: S):\n " body "\n b2(%4: real):\n leave<return>\n}\n"
#define RANGE_SUM(kind, bounds, param, body, result)                                               \
  HIGH_METHOD(" reduce<" kind "> " bounds ", b1(), b2()\n b1(" param "):\n " body                  \
              "\n b2(%4: " result "):\n" LEAVE)

/* A grid over an image of two axes, whose strands probe by a sampling; parameters are parts that
 * may be wrong: the use of the sampling by the strand, its head and its result. */
#define SAMPLING(use, head, weights, leave)                                                        \
  "ir mid\nstrand \"s\" grid 2\nimage \"img\": image(2)[] @0-1\nglobal \"g\": vec2 @0-1\n"         \
  "state \"i\": int @0-1\nstate \"j\": int @0-1\nfunc update {\n b0(%0: int, %1: int):\n"          \
  " %2: image(2)[] = global_load<0>\n %3: vec2 = global_load<1>\n" use                             \
  " leave<active> %0, %1\n}\n"                                                                     \
  "func sampling " head " {\n b0(%0: int, %1: int):\n %2: vec2 = global_load<1>\n" weights         \
  " leave<return> " leave "\n}\n"
#define HEAD "\"img\" <tent orders 0 border none> of <0>"
#define PROBE(group) " %4: real = probe_group<" group "> %2, %3\n"
#define WEIGHTS " %3: tensor[2,1,2] = kernel_weights<tent orders 0 border none> %2\n"

/* An image, a tensor or something else that carries an index function. */
#define IMAGE_AT(at) METHOD("mid", " %1: image(3)[] at <" at "> = global_load<1>\n" LEAVE)
#define VALUE_AT(ty, at) METHOD("mid", " %1: " ty " at <" at "> = global_load<0>\n" LEAVE)

static const struct {
  const char *text, *error; /* NULL: valid */
} cases[] = {
    {HIGH_METHOD(LEAVE), NULL},
    /* signatures, levels, types */
    {HIGH_METHOD(" %1: int = iadd %0\n" LEAVE), "operand 1 does not fit int, int -> int"},
    {HIGH_METHOD(" %1: real = rfloor %0\n" LEAVE), "operand 0 does not fit real -> real"},
    {HIGH_METHOD(" %1: real = iadd %0, %0\n" LEAVE), "a result of type real does not fit"},
    {HIGH_METHOD(" iadd %0, %0\n" LEAVE), "0 results do not fit"},
    {HIGH_METHOD(" %1: real = const_real<1>\n %2: real = radd %1, %1\n" LEAVE),
     "the op is not of level high"},
    {METHOD("low", " %1: vec2 = global_load<0>\n" LEAVE), "component 4294967295 of a global"},
    {METHOD("low", " %1: real = global_load<0.2>\n" LEAVE), "component 2 of a global"},
    {METHOD("low", " %1: real = global_load<0.1>\n" LEAVE), NULL},
    {METHOD("mid", " %1: vec2 = global_load<0>\n" LEAVE), NULL},
    {METHOD("mid", " %1: real = global_load<0>\n" LEAVE), "is not real"},
    {METHOD("mid", " %1: field#1(3)[] = coord\n" LEAVE), "the op is not of level mid"},
    {METHOD("low", " %1: real = const_real<1>\n"
                   " foreach %0, %0, b1(), b2()\n b1(%2: int, %3: vec2):\n next\n"
                   " b2():\n" LEAVE),
     "b1 has 2 parameters, 1 values are passed"},
    {METHOD("mid", " branch %1, b1(%0), b2()\n b1(%2: row(2)):\n" LEAVE " b2():\n" LEAVE),
     "%1 is not defined"},
    {"ir mid\nfunc user \"f\" -> real {\n b0(%0: field#1(3)[], %1: real):\n leave<return> %1\n}\n",
     "%0 has type field#1(3)[], which is not of level mid"},
    {"ir low\nfunc user \"f\" -> real {\n b0(%0: vec2, %1: real):\n leave<return> %1\n}\n",
     "%0 has type vec2, which is not of level low"},
    {"ir high\nglobal \"F\": field#1(3)[] @0-1\n", "a type that cannot be stored"},
    /* index functions */
    {VALUE_AT("vec2", "3 [2 : 4] of [2, 4]"), NULL},
    {VALUE_AT("vec2", "0 [3 : 1] of [3]"), "axis 0 of the index function of %1 has 3 elements"},
    {VALUE_AT("vec2", "0 [2 : 1, 1 : 1] of [2]"),
     "the index function of %1 has 2 axes, expected 1"},
    {VALUE_AT("vec2", "0 [2 : 1] perm 1 of [2]"), "no index function: the order of the axes"},
    {METHOD("mid", " %1: int at <0 [] of []> = iadd %0, %0\n" LEAVE), "and is no array"},
    {IMAGE_AT("8 [9 : -stride_z, 8 : 64, 7 : 1] of [4096]"), NULL},
    {IMAGE_AT("0 [8 : 64, 7 : 1] of [4096]"), "has 2 axes, expected 3"},
    {IMAGE_AT("0 [9 : stride_z, 8 : 64, 7 : 2] of [4096]"), "of a row of %1 are not side by side"},
    {IMAGE_AT("0 [9 : stride_z, 8 : 64 @ 1, 7 : 1] of [4096]"), "are not side by side"},
    {IMAGE_AT("0 [9 : stride_z, 8 : pitch, 7 : 1] of [4096]"), "apart by more than numbers"},
    {IMAGE_AT("0 [9 : stride_z*stride_y, 8 : 64, 7 : 1] of [4096]"), "apart by more than numbers"},
    /* attributes */
    {METHOD("low", " %1: image(3)[] = global_load<1>\n %2: int = image_axis_len<3> %1\n" LEAVE),
     "the image has no axis 3"},
    {METHOD("low", " %1: image(3)[] = global_load<1>\n %2: real = image_matrix<0,3> %1\n" LEAVE),
     "entry 0,3 of a matrix of 3 rows"},
    {METHOD("low", " %1: row(2) = const_row<1 2 3>\n" LEAVE), "3 lanes for a row of another width"},
    {METHOD("low", " %1: row(2) = const_row<1 2>\n %2: real = row_get<2> %1\n" LEAVE), "no lane 2"},
    {METHOD("low", " %1: real = const_real<1>\n %2: int = tap<0> %1\n" LEAVE),
     "0 is no half-support"},
    {METHOD("low", WINDOW(" %4: real[64] = window_wrap<2> %1, %2, %3\n")), NULL},
    {METHOD("low", WINDOW(" %4: real[64] = window_wrap<0> %1, %2, %3\n")), "0 is no half-support"},
    {METHOD("low", WINDOW(" %4: real[16] = window_wrap<2> %1, %2, %3\n")),
     "real[16] is no window of 4 samples on 3 axes"},
    {METHOD("low", WINDOW(" %4: real[64] = window_const<2> %1, %2, %3\n")),
     "operand 3 does not fit"},
    {METHOD("low", WINDOW(" %4: real[64] = window_wrap<2> %1, %2, %3\n %5: row(4) = "
                          "const_row<1 2 3 4>\n %6: real = window_dot %4, %5, %5\n")),
     "real[64] is no window of 4 samples on 2 axes"},
    /* special ops */
    {METHOD("mid", " %1: vec2 = global_load<0>\n %2: vec2 = ein<i:3 | $0[i]> %1\n" LEAVE),
     "index of range 3 on an axis of length 2"},
    {METHOD("mid", " %1: vec2 = global_load<0>\n %2: real = ein<i:2 | $0[i]> %1\n" LEAVE),
     "the result is not the one vec2"},
    {METHOD("mid", " %1: vec2 = ein<i:2 | $0> %0\n" LEAVE), "neither tensor nor field"},
    {HIGH_METHOD(" %1: field#1(2)[2] = coord\n %2: field#0(3)[3] = coord\n"
                 " %3: field#0(3)[] = ein<$0[0] * $1[0]> %1, %2\n" LEAVE),
     "fields of different domains"},
    {HIGH_METHOD(" %1: field#1(2)[2] = coord\n %2: field#0(2)[2] = coord\n"
                 " %3: field#0(2)[] = ein<$0[0] * $1[0]> %1, %2\n" LEAVE),
     NULL},
    {METHOD("mid", " %1: image(3)[] = global_load<1>\n %2: real = const_real<1>\n"
                   " %3: real = probe_group<tent orders 0 border none> %1, %2\n" LEAVE),
     "the position does not fit the image"},
    {METHOD("mid", " %1: image(3)[] = global_load<1>\n %2: real = const_real<1>\n"
                   " %3: vec3 = cons %2, %2, %2\n"
                   " %4: real = probe_group<tent orders 1 border none> %1, %3\n" LEAVE),
     "result 0 is not the derivative of order 1"},
    {GROUP_OF("KRNS(tent,ctmr,tent) orders 0 border clamp"), NULL},
    {GROUP_OF("KRNS(tent,ctmr) orders 0 border clamp"),
     "KRNS(tent,ctmr) is no kernel for an image of 3 axes"},
    {GROUP_OF("KRNS(tent,tent) orders 0 border none"), "no kernel for an image of 3 axes"},
    {GROUP_OF("KRNS(bspln3,ctmr,bspln3) orders 0 border none"), NULL},
    {GROUP_OF("KRNS(tent,ctmr,tent) orders 0 border none"), "KRNS(tent,ctmr,tent) needs a border"},
    {HIGH_METHOD(" %1: image(3)[] = global_load<1>\n %2: kernel#0 = kernel<KRNS(tent,ctmr)>\n"
                 " %3: field#0(3)[] = convolve %1, %2\n" LEAVE),
     "KRNS(tent,ctmr) is no kernel for an image of 3 axes"},
    {METHOD("mid", " %1: image(3)[] = global_load<1>\n %2: real = gradient_matrix %1\n" LEAVE),
     "the result is not the one mat3"},
    {HIGH_METHOD(" %1: real = call<0> %0\n" LEAVE), "operand 0 has a wrong type"},
    {HIGH_METHOD(" %1: real = call<1>\n" LEAVE), "calls no user function"},
    {"ir low\nfunc user \"f\" -> vec2 {\n b0(%0: real):\n leave<return> %0\n}\n",
     "value 1 is not the real that a vec2 needs"},
    /* sequences and eigensystems */
    {HIGH_METHOD(" %1: int[2] = seq %0, %0\n %2: int[] = seq %0\n %3: int[0] = seq\n"
                 " %4: int[] = append %2, %0\n %5: int[] = prepend %0, %4\n"
                 " %6: int[] = concat %4, %5\n %7: int = seq_index<0> %1, %0\n" LEAVE),
     NULL},
    {HIGH_METHOD(" %1: int[2] = seq %0\n" LEAVE), "1 operands for a int[2]"},
    {HIGH_METHOD(" %1: real[1] = seq %0\n" LEAVE), "operand 0 is not the real"},
    {HIGH_METHOD(" %1: int = seq %0\n" LEAVE), "the result is not one sequence"},
    {HIGH_METHOD(" %1: int[1] = seq %0\n %2: int = seq_index<1> %1, %0\n" LEAVE), "no such part"},
    {HIGH_METHOD(" %1: int[1] = seq %0\n %2: real = seq_index<0> %1, %0\n" LEAVE),
     "the result is not the one int"},
    {HIGH_METHOD(" %1: int = seq_index<0> %0, %0\n" LEAVE),
     "operands are not a sequence and its indices"},
    {HIGH_METHOD(" %1: int[1] = seq %0\n %2: int[1] = append %1, %0\n" LEAVE),
     "operand 0 is not the dynamic sequence"},
    {HIGH_METHOD(" %1: int[] = seq %0\n %2: int[] = append %1, %0, %0\n" LEAVE),
     "more operands than one element needs"},
    {HIGH_METHOD(" %1: int[] = seq %0\n %2: int[] = append %1\n" LEAVE), "value 1 is not the int"},
    {HIGH_METHOD(" %1: int[] = seq %0\n %2: int[] = prepend %1, %0\n" LEAVE),
     "operand 1 is not the dynamic sequence"},
    {METHOD("low", " %1: real = const_real<1>\n %2: vec2[] = seq %1, %1, %1, %1\n"
                   " %3: vec2[] = append %2, %1, %1\n %4: vec2[] = prepend %3, %1, %1\n"
                   " %5: real = seq_index<1> %4, %0\n"
                   " %6: real[2] = evals2 %1, %1, %1\n" LEAVE),
     NULL},
    {METHOD("low", " %1: real = const_real<1>\n %2: vec2[2] = seq %1, %1\n" LEAVE),
     "2 operands for a vec2[2]"},
    {METHOD("low", " %1: real = const_real<1>\n %2: vec2[] = seq\n"
                   " %3: vec2[] = prepend %1, %1, %2\n" LEAVE),
     "operand 0 is not the dynamic sequence"},
    {METHOD("low", " %1: real = const_real<1>\n %2: vec2[1] = seq %1, %1\n"
                   " %3: real = seq_index<2> %2, %0\n" LEAVE),
     "no such part"},
    {METHOD("low", " %1: int[2][1] = seq %0, %0\n %2: int = seq_index<0> %1, %0, %0\n"
                   " %3: int[2] = seq_copy %1, %0\n %4: int[2][] = seq %3\n"
                   " %5: int[2] = seq_copy %4, %0\n %6: int = seq_index<0> %4, %0, %0\n" LEAVE),
     NULL},
    {METHOD("low", " %1: int[2] = seq %0, %0\n %2: int[2][1] = seq %1\n" LEAVE),
     "1 operands for a int[2][1]"},
    {METHOD("low", " %1: int[2][1] = seq %0, %0\n %2: int[2] = seq_index<0> %1, %0\n" LEAVE),
     "a sequence is copied, not indexed"},
    {METHOD("low", " %1: int[2] = seq %0, %0\n %2: int = seq_copy %1, %0\n" LEAVE),
     "int is no sequence"},
    {METHOD("low", " %1: int[2] = seq %0, %0\n %2: int = seq_index<0> %1, %0, %0\n" LEAVE),
     "operands are not a sequence and its indices"},
    {HIGH_METHOD(" %1: int[1] = seq %0\n %2: int[1][1] = seq %1\n"
                 " %3: int = seq_index<0> %2, %0, %0\n" LEAVE),
     "operands are not a sequence and its indices"},
    {METHOD("low", " %1: real = const_real<1>\n %2: real[3] = evals3 %1, %1, %1\n" LEAVE),
     "wrong operands"},
    {HIGH_METHOD(" %1: mat2 = ein<i:2,j:2 | delta(i,j)>\n %2: real[3] = evals2 %1\n" LEAVE),
     "not one of 2 eigenvalues"},
    {HIGH_METHOD(" %1: mat2 = ein<i:2,j:2 | delta(i,j)>\n %2: vec3[3] = evecs3 %1\n" LEAVE),
     "operand 0 has a wrong type"},
    {HIGH_METHOD(" %1: int[] = seq\n foreach %0, %1, b1(), b2()\n b1(%2: int):\n next\n"
                 " b2():\n" LEAVE),
     "bound 1 is no int"},
    {HIGH_METHOD(" foreach %0, b1(), b2()\n b1(%2: int):\n next\n b2():\n" LEAVE),
     "a loop has its bounds"},
    /* control flow */
    {HIGH_METHOD(" %1: bool = ilt %0, %0\n branch %1, b1(), b2(), merge b3\n b1():\n jump b3(%0)\n"
                 " b2():\n" LEAVE " b3(%2: int):\n leave<active> %2\n"),
     NULL},
    {HIGH_METHOD(" %1: bool = ilt %0, %0\n branch %1, b1(), b2(), merge b3\n b1():\n"
                 " %3: int = ineg %0\n jump b3(%0)\n"
                 " b2():\n" LEAVE " b3(%2: int):\n leave<active> %3\n"),
     "operand %3 is not visible here"},
    {HIGH_METHOD(" %1: int = ineg %2\n %2: int = ineg %0\n" LEAVE), "operand %2 is not visible"},
    {HIGH_METHOD(" %1: bool = ilt %0, %0\n branch %1, b1(), b2(), merge b3\n b1():\n jump b3()\n"
                 " b2():\n" LEAVE " b3(%2: int):\n leave<active> %2\n"),
     "b3 has 1 parameters, 0 values are passed"},
    {HIGH_METHOD(" %1: bool = ilt %0, %0\n branch %1, b1(), b2(), merge b3\n b1():\n jump b3(%1)\n"
                 " b2():\n" LEAVE " b3(%2: int):\n leave<active> %2\n"),
     "parameter 0 of b3 has type int, %1 has bool"},
    {HIGH_METHOD(" %1: bool = ilt %0, %0\n branch %1, b1(), b2(), merge b3\n b1():\n" LEAVE
                 " b2():\n" LEAVE " b3():\n" LEAVE),
     "no arm reaches the merge block"},
    {HIGH_METHOD(" %1: bool = ilt %0, %0\n branch %1, b1(), b2()\n b1():\n jump b2()\n"
                 " b2():\n" LEAVE),
     "a jump goes to the merge block"},
    {HIGH_METHOD(" %1: bool = ilt %0, %0\n branch %1, b1(), b1()\n b1():\n" LEAVE),
     "reached twice"},
    {HIGH_METHOD(" branch %0, b1(), b2()\n b1():\n" LEAVE " b2():\n" LEAVE), "no bool"},
    {HIGH_METHOD(LEAVE " b1():\n" LEAVE), "is never reached"},
    {HIGH_METHOD(" jump b0(%0)\n"), "a jump goes to the merge block"},
    {HIGH_METHOD(" next\n"), "next belongs at the end of a loop body"},
    {HIGH_METHOD(" foreach %0, %0, b1(%0), b2()\n b1(%1: int, %2: int):\n next %2\n"
                 " b2(%3: int):\n leave<active> %3\n"),
     NULL},
    {HIGH_METHOD(" foreach %0, %0, b1(%0), b2()\n b1(%1: int, %2: int):\n next\n"
                 " b2(%3: int):\n leave<active> %3\n"),
     "b1 has 2 parameters, 1 values are passed"},
    {HIGH_METHOD(" foreach %0, %0, b1(%0), b2()\n b1(%1: int, %2: int):\n next %2\n"
                 " b2(%3: int):\n leave<active> %2\n"),
     "operand %2 is not visible"},
    {HIGH_METHOD(" %1: int = iadd %0, %0\n"), "has no terminator"},
    {HIGH_METHOD(" leave<return> %0\n"), "return is not an exit of this function"},
    {HIGH_METHOD(" leave<active>\n"), "value 0 is not the int"},
    {HIGH_METHOD(" leave<active> %0, %0\n"), "2 values for the state of 1"},
    {"ir high\nstrand \"S\" grid 1\nfunc bounds {\n b0():\n %0: int = const_int<1>\n"
     " leave<return> %0\n}\n",
     "value 1 is not the int"},
    {"ir high\nfunc create {\n b0():\n leave<die>\n}\n", "die is not an exit of this function"},
    {"ir high\nparam \"n\": int\nfunc create {\n b0():\n leave<active>\n}\n",
     "value 0 is not the int"},
    {"ir high\nparam \"n\": int\nfunc args {\n b0():\n leave<return>\n}\n",
     "value 0 is not the int"},
    {"ir high\nparam \"n\": int\nfunc update {\n b0():\n new_strand\n leave<active>\n}\n",
     "value 0 is not the int"},
    {HIGH_METHOD(" new_strand %0\n leave<active> %0\n"), "1 operands instead of 0"},
    {HIGH_METHOD(" stabilize_all\n leave<active> %0\n"), "does not belong in this function"},
    {HIGH_METHOD(" reduce<max active> b1(), b2()\n b1(%1: S):\n next %0\n"
                 " b2(%2: int):\n" LEAVE),
     "does not belong in this function"},
    {"ir high\nfunc global_update {\n b0():\n new_strand\n leave<return>\n}\n",
     "does not belong in this function"},
    {SET_SUM("%2: vec2 = strand_state<0 \"x\"> %1\n %3: real = ein<$0[0]> %2\n next %3"), NULL},
    {SET_SUM("%2: real = strand_state<0 \"x\"> %1\n next %2"), "the result is not the one vec2"},
    {SET_SUM("%2: real = strand_state<0.1 \"x\"> %1\n next %2"), "component 1 of a state variable"},
    {SET_SUM("%2: real = const_real<1>\n next"), "b2 has 1 parameters, 0 values are passed"},
    {SET_SUM("%2: bool = const_bool<true>\n next %2"), "%2 has bool"},
    {SET_SUM("leave<return>"), "the body of a reduction leaves the function"},
    {SET_SUM("%2: int = const_int<1>\n %5: bool = ilt %2, %2\n branch %5, b3(), b4(), merge b5\n"
             " b3():\n leave<return>\n b4():\n jump b5()\n b5():\n next %2"),
     "the body of a reduction leaves the function"},
    {RANGE_SUM("sum", "%0, %0", "%1: int", "next %1", "int"), NULL},
    {RANGE_SUM("variance", "%0, %0", "%1: int", "%2: real = i2r %1\n next %2", "real"), NULL},
    {RANGE_SUM("mean", "%0, %0", "%1: int", "next %1", "int"),
     "result 0 is no value that a mean can be"},
    {RANGE_SUM("all", "%0, %0", "%1: int", "next %1", "int"),
     "result 0 is no value that a all can be"},
    {RANGE_SUM("sum", "%0", "%1: int", "next %1", "int"), "a range has two bounds"},
    {RANGE_SUM("sum", "%0, %0", "%1: S", "next %0", "int"), "parameter is not the one int"},
    {RANGE_SUM("total", "%0, %0", "%1: int", "next %1", "int"), "unknown reduction"},
    {HIGH_METHOD(" %1: S[] = sphere %0, %0\n leave<active> %0\n"),
     "operands are a centre and a radius"},
    {HIGH_METHOD(" %1: real = const_real<1>\n %2: int[] = sphere %1, %1\n leave<active> %0\n"),
     "the result is not one sequence of strands"},
    /* samplings */
    {SAMPLING(PROBE("tent orders 0 border none sampling 0"), HEAD, WEIGHTS, "%2, %3"), NULL},
    {SAMPLING(PROBE("tent orders 0 border none sampling 1"), HEAD, WEIGHTS, "%2, %3"),
     "there is no sampling 1"},
    {SAMPLING(PROBE("tent orders 0 border clamp sampling 0"), HEAD, WEIGHTS, "%2, %3"),
     "sampling 0 is another one"},
    {SAMPLING("", "\"img\" <tent orders 0 border none> of <1>", WEIGHTS, "%2, %3"),
     "not about an image of two or three dimensions"},
    {SAMPLING("", "\"img\" <tent orders 0 border none sampling 0> of <0>", WEIGHTS, "%2, %3"),
     "a bad border or a sampling"},
    {SAMPLING("", "\"img\" <KRNS(tent,tent,tent) orders 0 border none> of <0>", WEIGHTS, "%2, %3"),
     "KRNS(tent,tent,tent) is no kernel for an image of 2 axes"},
    {SAMPLING("", "\"img\" <KRNS(tent,ctmr) orders 0 border none> of <0>", WEIGHTS, "%2, %3"),
     "KRNS(tent,ctmr) needs a border"},
    {SAMPLING(
         "", HEAD,
         " %3: tensor[2,1,2] = kernel_weights<KRNS(tent,tent,tent) orders 0 border clamp> %2\n",
         "%2, %3"),
     "KRNS(tent,tent,tent) is no kernel for an image of 2 axes"},
    {SAMPLING("", HEAD,
              " %3: tensor[2,1,2] = kernel_weights<tent orders 0 border none sampling 0> %2\n",
              "%2, %3"),
     "weighted at one position in two or three dimensions"},
    {SAMPLING("", HEAD, " %3: tensor[2,1,3] = kernel_weights<tent orders 0 border none> %2\n",
              "%2, %3"),
     "the result is not the one mat2"},
    {SAMPLING("", HEAD, WEIGHTS, "%2, %3, %3"), "3 values instead of 2"},
    {SAMPLING(" %4: bool = sampling_is_made<1>\n", HEAD, WEIGHTS, "%2, %3"),
     "the op is not of level mid"},
    {"ir low\nstrand \"s\" grid 1\nglobal \"g\": real @0-1\nfunc update {\n b0():\n"
     " %0: real = sampling_value<0,0>\n leave<active>\n}\nfunc sampling \"g\" <tent orders 0 "
     "border "
     "none> of <0> {\n b0(%0: int):\n leave<return>\n}\n",
     "not about an image of two or three dimensions"},
    /* tables */
    {"ir high\nparam \"n\": image(2)[] @0-1\n",
     "strand parameter 0 has no name, no span or a type"},
    {"ir high\nstate \"x\": image(2)[] @0-1\n", "state variable 0 has no name, no span or a type"},
    {"ir high\nglobal \"g\": real samples u8 @0-1\n", "global 0 has samples and is no image"},
    {"ir high\nglobal \"g\": real samples u9 @0-1\n", "unknown type of samples"},
    {HIGH_METHOD(" %1: real = global_load<2>\n" LEAVE), "no such global"},
    {HIGH_METHOD(" %1: real = call<2> %0\n" LEAVE), "no such function above"},
    /* operands of expressions and groups */
    {METHOD("mid", " %1: real = ein<$1> %0\n" LEAVE), "the expression has more operands"},
    {METHOD("mid", " %1: real = probe_group<tent orders 0 border none> %0, %0\n" LEAVE),
     "operands are an image, a position"},
    {METHOD("mid", " %1: image(3)[] = global_load<1>\n %2: real = const_real<1>\n"
                   " %3: vec3 = cons %2, %2, %2\n"
                   " %4: real = probe_group<tent orders 0 border const> %1, %3, %3\n" LEAVE),
     "the value outside does not fit the image"},
    /* shapes of terminators */
    {HIGH_METHOD(" %1: bool = ilt %0, %0\n branch %1, b1()\n b1():\n" LEAVE),
     "a branch has a condition and two arms"},
    {HIGH_METHOD(" foreach %0, %0, b1()\n b1(%1: int):\n next\n"),
     "a loop has a body and a block after it"},
    {HIGH_METHOD(" reduce<sum> %0, %0, b1()\n b1(%1: int):\n next %1\n"),
     "a reduction has a body and a block after it"},
    {HIGH_METHOD(LEAVE LEAVE), "the block has ended above"},
    {HIGH_METHOD(" %0: int = ineg %0\n" LEAVE), "%0"},
    {SET_SUM("%2: real = const_real<1>\n %3: vec2 = strand_state<0 \"x\"> %2\n next %2"),
     "the operand is not one strand"},
    {"ir high\nfunc globals {\n b0(%0: int):\n leave<return>\n}\n", "has no parameters"},
    {"ir high\nfunc globals {\n}\n", "has no blocks"},
    {"ir high\nfunc user \"f\" {\n b0():\n leave<return>\n}\n", "has no name or result"},
};

static void each_rule_is_checked(void) {
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char said[4096];
    Cx *cx = test_cx();
    Module *m = module_from_text(cx, cases[i].text);
    messages(cx, said, sizeof said);
    bool held =
        cases[i].error ? CHECK(m == NULL && strstr(said, cases[i].error)) : CHECK(m != NULL);
    if (!held)
      fprintf(stderr, "%s  expected: %s\n  found: %s", cases[i].text, cases[i].error, said);
    cx_free(cx);
  }
}

/* Errors that text cannot express. */
static void damaged_links_are_found(void) {
  static const char text[] = HIGH_METHOD(" %1: int = iadd %0, %0\n leave<active> %1\n");
  for (uint32_t damage = 0; damage < 6; damage++) {
    Cx *cx = test_cx();
    Module *m = module_from_text(cx, text);
    Block *blk = m->funcs.data[1]->blocks.data[0];
    Inst *sum = blk->first;
    Use fake = *sum->uses[0];
    CHECK_STR(ir_check(cx, m), NULL);
    if (damage == 0) sum->span = SPAN_NONE;
    if (damage == 1) sum->args[0] = sum->results[0];
    if (damage == 2) sum->uses[0] = &fake;
    if (damage == 3) sum->results[0]->index = 1;
    if (damage == 4) sum->next->block = NULL;
    if (damage == 5) m->funcs.data[1]->span = SPAN_NONE;
    if (!CHECK(ir_check(cx, m) != NULL)) fprintf(stderr, "  damage %u\n", damage);
    cx_free(cx);
  }
}

int main(void) {
  RUN(each_rule_is_checked);
  RUN(damaged_links_are_found);
  return test_result();
}
