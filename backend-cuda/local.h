/* What the files of backend-cuda share. */
#pragma once

#include "backend-c/code/code.h"

/* thread.c: the execution model: a thread runs one strand, whose state is in the struct `self`. */
Execution device_thread(void);

/* columns.c: component k of state variable i: its offset in the struct of the state, in bytes; and
 * a pointer to its column, in which slots are indices. */
CExpr *device_offset(Gen *gen, uint32_t i, uint32_t k);
CExpr *device_column(Gen *gen, CExpr *columns, uint32_t i, uint32_t k);

/* emit_device.c: the text of the file for the device. If the program cannot run on one, returns
 * NULL, and *obstacle says why. */
const char *device_text(Cx *cx, const TreeProgram *program, const EmitOptions *options,
                        const char **obstacle);

/* Sizes in bytes. A kernel may have 4096 bytes of arguments. The globals and images get at most
 * half: the store is an argument, too, and kernels of reductions have more. DEVICE_IMAGE_BYTES is
 * an upper bound of sizeof(ddr_image). */
enum { DEVICE_KERNEL_BYTES = 4096, DEVICE_MOST_BYTES = 2048, DEVICE_IMAGE_BYTES = 384 };

/* arguments.c: kernels get globals and images as an argument, or by a pointer if they are large. */
void device_gen_arguments(Gen *gen);                   /* the struct of them */
void device_describe_arguments(Gen *gen);              /* members of the program's table */
void device_globals_param(Gen *gen, CFunc *head);      /* the parameter of a kernel */
void device_declare_globals(Gen *gen, uint32_t needs); /* `globals` in the kernel */
CExpr *device_globals_argument(Gen *gen);              /* the argument of a launch */
CExpr *device_image(Gen *gen, const TreeExpr *expr);   /* an image in the argument, or NULL */

/* reach.c: the functions that run on the device, as the keys of a map. */
Map *device_funcs(Gen *gen);

/* Variables with another C type than their Diderot type says, noted at their declaration: the hits
 * of a query, addresses of voxels of two samples, offsets of samples, and rows. Besides, first
 * taps, and the variables of loops through hits. The method whose state has been stored before its
 * last statements. Gen.execution of a device. */
typedef struct DeviceVars {
  Map *hits, *voxels, *offsets, *rows, *corners, *each;
  const TreeFunc *stored;
} DeviceVars;

/* ends.c: stores the state before statements by which an update ends, if they begin with number
 * `first`; returns 0. Whether that was done in this method. */
uint32_t device_store_early(Gen *gen, const TreeStmtVec *stmts, uint32_t first);
bool device_has_stored(const Gen *gen);

/* hits.c: declares the result of a query as ddr_hits, unless a sequence is needed (false); and an
 * expression for the length or an element of one that was declared so, else NULL. */
bool device_declare_hits(Gen *gen, const TreeStmt *stmt);
CExpr *device_of_hits(Gen *gen, const TreeExpr *expr);

/* rows.c: whether a variable is an offset or a first tap, which need not be declared then; the
 * value and the C type of a variable for an address; a row of samples, or NULL. */
bool device_declare_place(Gen *gen, const TreeStmt *stmt);
CExpr *device_address(Gen *gen, const TreeStmt *stmt, const char **type);
CExpr *device_row(Gen *gen, const TreeExpr *load);

/* births.c: an upper bound of the strands that one strand makes in a superstep; 0: not known. */
uint32_t device_births_at_most(const Gen *gen);

/* radius.c: emits the function `radius`; false: no query has one that is known. */
bool device_gen_radius(Gen *gen, const Map *funcs);

/* emit_sequences.c: tables of the dynamic sequences in globals and states, and their numbers of
 * rows; members of the program's table that point to them. */
typedef struct SequenceTables {
  uint32_t n_globals, n_states;
} SequenceTables;
SequenceTables device_gen_sequences(Gen *gen);
void device_describe_sequences(Gen *gen, SequenceTables tables);

/* emit_kernels.c: functions that load and store a strand's state; the kernels and their launches.
 */
void device_gen_columns(Gen *gen);
void device_gen_kernels(Gen *gen);

/* emit_kernels.c: parts of a kernel and of the function that launches it. The head has the globals
 * and the `store`; more parameters may follow. */
CFunc device_kernel_head(Gen *gen, const char *kernel);
CFunc device_launch_head(Gen *gen, const char *fn);
CExprVec device_launch_args(Gen *gen, const char *kernel, CExpr *n_threads);

/* emit_kernels.c: a call of STRAND_FN, one of the functions that load or store `self`. */
void device_transfer(Gen *gen, const char *fn, CExpr *slot);

/* emit_team.c: whether the threads of a block can take strands together; that update kernel. */
bool device_has_teams(Gen *gen);
void device_gen_team_kernel(Gen *gen);

/* emit_reductions.c: the table `reductions` and its kernels; false: there are no reductions. */
bool device_gen_reductions(Gen *gen);
