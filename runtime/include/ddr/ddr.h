/* ddr.h: the runtime's public interface: the life of a world, errors, prints, images.
 *
 * A world is one run of one program (program.h): new, init, inputs, create, run, outputs, free, in
 * this order.  Nothing here prints, exits or keeps state outside the world.
 * Generated code uses the last two sections; executable.c and generated libraries use the first
 * ones.
 *
 * Independent of the program's real type.  Read next: program.h.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ddr/sample.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default) /* in the shared runtime */

typedef struct ddr_program ddr_program;
typedef struct ddr_world ddr_world;
typedef struct ddr_image ddr_image;
typedef struct ddr_text ddr_text;
typedef struct ddr_pool ddr_pool; /* memory of dynamic sequences, see seq.h */

/* Every fallible function says only whether it failed; the world holds the reasons. */
typedef enum ddr_status { DDR_OK, DDR_ERROR } ddr_status;

#if defined(__GNUC__)
#define DDR_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define DDR_PRINTF(text, first)
#endif

/* --- life cycle ------------------------------------------------------------------------------- */

/* A world with its inputs at their defaults; NULL when memory is short. Where the processor lacks
 * what the program was compiled for (program.h), nothing can be done with it, and ddr_world_create
 * says so. */
ddr_world *ddr_world_new(const ddr_program *program);

/* Release everything, images included.  NULL is fine. */
void ddr_world_free(ddr_world *world);

/* Load the image inputs that have a file name; every input must have a value by now. */
ddr_status ddr_world_load_inputs(ddr_world *world);

/* Globals, then storage, then all strands in rank order. */
ddr_status ddr_world_create(ddr_world *world);

/* At most `max_steps` supersteps (0: no limit); the number done, 0 when nothing is active. */
uint32_t ddr_world_run(ddr_world *world, uint32_t max_steps);

/* --- threads: results do not depend on their number ------------------------------------------- */

/* What this process may run on; at least 1. */
uint32_t ddr_num_cores(void);

/* Threads that share the work of a parallel program, at most one per core; 0: as many as there are
 * cores, which is the default.  Too many are an error, and cut down.  Only before create. */
ddr_status ddr_set_num_workers(ddr_world *world, uint32_t n_workers);
uint32_t ddr_num_workers(const ddr_world *world);

/* Start them; ddr_world_create does so too. */
ddr_status ddr_world_start_workers(ddr_world *world);

/* --- GPUs: for programs that have a part for them --------------------------------------------- */

/* `which` is the number of a device; "any", the default: the first, or the CPU where there is none;
 * "none": the CPU; "required": the first, and no device is an error.  NULL: $DIDEROT_GPU, else
 * "any". A block of threads has 32 to 1024 of them, a multiple of 32; 0: chosen.  Errors are those
 * of other values.  Only before create. */
ddr_status ddr_set_gpu(ddr_world *world, const char *which, uint32_t block_size);

/* That of the device where the strands live, for people; "": the CPU does the work.  Until the
 * world is freed. */
const char *ddr_gpu_name(const ddr_world *world);

/* --- inputs and outputs ----------------------------------------------------------------------- */

/* Row-major components of one input, in the C type of its kind (program.h); a single string is its
 * characters, and all strings are copied.  An image or sequence takes a file name (const char *),
 * kept until ddr_world_load_inputs.  Only before create. */
ddr_status ddr_input_set(ddr_world *world, const char *name, const void *value);

/* Write output number `idx` of the program's table to `file` ("-": standard output): of a grid all
 * strands, of a collection the stable ones. */
ddr_status ddr_output_save(ddr_world *world, uint32_t idx, const char *file);

/* The same of all living strands, to PREFIX-NNNN.nrrd, where the number is that of the supersteps
 * done (sequences: two files). */
ddr_status ddr_snapshot_save(ddr_world *world, uint32_t idx, const char *prefix);

/* --- state of a world ------------------------------------------------------------------------- */

uint64_t ddr_num_strands(const ddr_world *world); /* active and stable */
uint64_t ddr_num_active(const ddr_world *world);
uint64_t ddr_num_stable(const ddr_world *world);

/* Seconds spent inside ddr_world_run so far: on the clock, and of the process on all processors. */
double ddr_run_seconds(const ddr_world *world);
double ddr_run_cpu_seconds(const ddr_world *world);

/* --- errors: thread-safe, newest first -------------------------------------------------------- */

/* Record one message (one line, any length); returns DDR_ERROR so that callers can return it. */
ddr_status ddr_error(ddr_world *world, const char *format, ...) DDR_PRINTF(2, 3);

bool ddr_any_errors(ddr_world *world);

/* All messages, newest first, each "[DIDEROT] text\n"; empties the list.  Free with free(); NULL
 * only when memory is short. */
char *ddr_take_errors(ddr_world *world);

/* --- what the world says besides errors ------------------------------------------------------- */

/* Lines for the user that are no errors, each ended by a newline; NULL when there is none.  Empties
 * the list.  Free with free().  Verbose worlds have more to say. */
char *ddr_take_notes(ddr_world *world);
void ddr_set_verbose(ddr_world *world, bool is_verbose);

/* Takes the text of one whole print statement; true means failure and ends the run.  Called from
 * one thread at a time.  NULL: to standard output, flushed, which is the default. */
typedef bool ddr_printer(void *data, const char *text);
void ddr_set_printer(ddr_world *world, ddr_printer *printer, void *data);

/* --- for generated code: images named in the program ------------------------------------------ */

/* An image owned by the world, or NULL with the reason recorded.  `name` is the global's name.  It
 * keeps samples of the type `sample` if the file has it, and reals otherwise. */
const ddr_image *ddr_load_image(ddr_world *world, const char *name, const char *file, int dim,
                                int n_components, ddr_sample sample);

/* --- for generated code: print ---------------------------------------------------------------- */

/* One print statement is: put each argument, then ddr_print_end.  The statement appears whole.
 * Strand code prints to its block's text (program.h), other code to ddr_world_text. */
ddr_text *ddr_world_text(ddr_world *world);
void ddr_put_string(ddr_text *text, const char *string); /* verbatim; brackets and commas too */
void ddr_put_bool(ddr_text *text, bool value);           /* true, false */
void ddr_put_int(ddr_text *text, int64_t value);
void ddr_put_float(ddr_text *text, float value);   /* %.9g */
void ddr_put_double(ddr_text *text, double value); /* %.17g */
void ddr_print_end(ddr_text *text);

/* --- for generated code: checks, with --debug ------------------------------------------------- */

/* What fails ends the run when all strands have had their turn: an index outside 0 .. length - 1, a
 * divisor of zero.  Place in the source, from 1; texts as for print. */
void ddr_check_index(ddr_text *text, int64_t idx, int64_t length, uint32_t line, uint32_t column);
void ddr_check_divisor(ddr_text *text, int64_t divisor, uint32_t line, uint32_t column);
void ddr_check_strand(ddr_text *text, int64_t slot); /* whose code comes next */
bool ddr_has_fault(const ddr_text *text);            /* the strand need not go on */

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
