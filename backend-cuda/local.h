/* What the files of backend-cuda share. */
#pragma once

#include "backend-c/code/code.h"

/* thread.c: a strand per thread, its state in `self`. */
Execution device_thread(void);

/* columns.c: the states of all strands. */
CExpr *device_offset(Gen *gen, uint32_t i, uint32_t k); /* of component k of state variable i */
CExpr *device_column(Gen *gen, CExpr *columns, uint32_t i, uint32_t k); /* all strands' */

/* emit_device.c: the file for devices. NULL with what stands in the way in *obstacle where the
 * program cannot run on one. */
const char *device_text(Cx *cx, const TreeProgram *program, const EmitOptions *options,
                        const char **obstacle);

/* How large arguments are at most, in bytes: a kernel may have 4096, of which its store takes some,
 * and reductions have more of them. At least what an image takes. */
enum { DEVICE_KERNEL_BYTES = 4096, DEVICE_MOST_BYTES = 2048, DEVICE_IMAGE_BYTES = 384 };

/* arguments.c: kernels get globals and images as arguments, or by a pointer if these are large. The
 * struct of arguments and its mention in the table; the parameter of a kernel, and `globals` in it;
 * the argument of a launch; an image, if it is an argument. */
void device_gen_arguments(Gen *gen);
void device_describe_arguments(Gen *gen);
void device_globals_param(Gen *gen, CFunc *head);
void device_declare_globals(Gen *gen, uint32_t needs);
CExpr *device_globals_argument(Gen *gen);
CExpr *device_image(Gen *gen, const TreeExpr *expr); /* or NULL */

/* reach.c: the functions that devices enter or call. */
Map *device_funcs(Gen *gen);

/* Variables that are not what their types say, noted where they are declared: the hits of a query,
 * and addresses of voxels of two samples. Gen.execution of a device. */
typedef struct DeviceVars {
  Map *hits, *voxels;
} DeviceVars;

/* hits.c: a query whose result is only gone through, if it is one; and what asks for its parts. */
bool device_declare_hits(Gen *gen, const TreeStmt *stmt);
CExpr *device_of_hits(Gen *gen, const TreeExpr *expr); /* or NULL */

/* births.c: 0 where that is not known. */
uint32_t device_births_at_most(const Gen *gen);

/* emit_sequences.c: tables of the dynamic sequences that globals and states hold, with so many
 * rows; and what the program's table says of them. */
typedef struct SequenceTables {
  uint32_t n_globals, n_states;
} SequenceTables;
SequenceTables device_gen_sequences(Gen *gen);
void device_describe_sequences(Gen *gen, SequenceTables tables);

/* emit_kernels.c: a strand between its columns and its struct; the kernels and their launches. */
void device_gen_columns(Gen *gen);
void device_gen_kernels(Gen *gen);

/* emit_kernels.c: parts of a kernel and of the function that launches it. The head has the globals
 * and the `store`; more parameters may follow. */
CFunc device_kernel_head(Gen *gen, const char *kernel);
CFunc device_launch_head(Gen *gen, const char *fn);
CExprVec device_launch_args(Gen *gen, const char *kernel, CExpr *n_threads);

/* emit_kernels.c: a call of strand_FN, which moves `self` from or to the columns. */
void device_transfer(Gen *gen, const char *fn, CExpr *slot);

/* emit_team.c: the update kernel, where threads can take strands together. */
bool device_has_teams(Gen *gen);
void device_gen_team_kernel(Gen *gen);

/* emit_reductions.c: the table `reductions` and what is in it; false: there are none. */
bool device_gen_reductions(Gen *gen);
