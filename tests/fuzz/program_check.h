/* program_check.h: what a random program computes, level by level. Read next: program_gen.h. */
#pragma once

#include "ir/core/ir.h"
#include "tests/fuzz/program_gen.h"
#include "tests/oracle/ir_same.h"

/* The correct results of the program, from its IR before all passes; error bounds are for
 * arithmetic of unit roundoff epsilon. */
typedef struct Reference {
  Cx *cx;
  Module *m;
  IrEval *eval;
  IrOutcome strands[GEN_STRANDS];
  bool is_unsure; /* a branch hangs on rounding: nothing can be compared */
} Reference;

/* False, with the messages on stderr, when the front end rejects the text. */
bool reference_new(Reference *ref, const GenProgram *program, const char *text, double epsilon);
void reference_free(Reference *ref);

typedef struct CheckResult {
  IrComparison all;
  bool is_unsure;
} CheckResult;

typedef enum { SAME, REJECTED, DIFFERENT } Verdict; /* the last two say why on stderr */

/* Evaluates the program after every pass of the pipeline. */
Verdict check_levels(const GenProgram *program, const char *text, CheckResult *result);

typedef struct Toolchain {
  const char *diderotc;
  const char *target; /* of --target; NULL: the default */
  bool is_double;
} Toolchain;

/* Compiles the program, runs it in the working directory and compares what it writes. */
Verdict check_compiled(const GenProgram *program, const char *text, const Toolchain *tools,
                       CheckResult *result);
