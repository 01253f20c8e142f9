/* ddr.h: the runtime's public interface: the life of a world, errors, prints, images.
 *
 * A world is one run of one program (program.h): new, inputs, load_inputs, create, run, outputs,
 * free, in this order.  Nothing here exits or keeps state outside the world, and only print
 * statements print.  Generated code uses the last three sections; executable.c and generated
 * libraries use the others.
 *
 * Errors: a function that can fail records its reasons in the world (ddr_take_errors).  A call out
 * of order is an error and changes nothing.  Ownership: a world owns its globals, strands and
 * images, and copies what it is given unless a function says otherwise.  Threads: one at a time
 * uses a world, but for the functions about errors; several worlds may be used at once.
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

/* A function that can fail returns only whether it did; the world has the reasons. */
typedef enum ddr_status { DDR_OK, DDR_ERROR } ddr_status;

#if defined(__GNUC__)
#define DDR_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define DDR_PRINTF(text, first)
#endif

/* --- life cycle ------------------------------------------------------------------------------- */

/* A world with its inputs at their defaults; NULL when memory is short, or the program was made for
 * another runtime (DDR_PROGRAM_ABI).  `program` must live as long as the world.  If the processor
 * lacks features that the program needs (program.h), the world is unusable, and ddr_world_create
 * returns the error. */
ddr_world *ddr_world_new(const ddr_program *program);

/* Releases everything that the world owns, images included.  NULL is allowed. */
void ddr_world_free(ddr_world *world);

/* Loads the image and sequence inputs that have a file name.  Errors: an input without a value, or
 * a file that cannot be read or does not fit. */
ddr_status ddr_world_load_inputs(ddr_world *world);

/* Computes the globals, allocates the store, and creates all strands in rank order.  Errors: those
 * of initialisation, and too little memory. */
ddr_status ddr_world_create(ddr_world *world);

/* Runs at most `max_steps` supersteps (0: no limit).  Returns the number done: 0 when no strand is
 * active, or before create.  An error ends the run; ask ddr_any_errors. */
uint32_t ddr_world_run(ddr_world *world, uint32_t max_steps);

/* --- threads: results do not depend on their number ------------------------------------------- */

/* Cores that this process may run on; at least 1. */
uint32_t ddr_num_cores(void);

/* Threads that share the work of a parallel program, at most one per core; 0: as many as there are
 * cores, which is the default.  A larger number is an error, and reduced.  Only before create. */
ddr_status ddr_set_num_workers(ddr_world *world, uint32_t n_workers);
uint32_t ddr_num_workers(const ddr_world *world);

/* Starts the threads; ddr_world_create does so, too. */
ddr_status ddr_world_start_workers(ddr_world *world);

/* --- GPUs: for programs that have a part for them --------------------------------------------- */

/* `which` is the number of a device; "any", the default: the first, or the CPU where there is none;
 * "none": the CPU; "required": the first, and no device is an error.  NULL: $DIDEROT_GPU, else
 * "any".  A block has 32 to 1024 threads, a multiple of 32; 0: the runtime chooses.  Other values
 * are errors.  Only before create. */
ddr_status ddr_set_gpu(ddr_world *world, const char *which, uint32_t block_size);

/* The name of the device that has the strands, for readers; "": the CPU does the work.  Owned by
 * the world. */
const char *ddr_gpu_name(const ddr_world *world);

/* --- inputs and outputs ----------------------------------------------------------------------- */

/* Sets one input.  `value` points to its components, row-major, in the C type of its kind
 * (program.h); for a single string it is the string itself.  Values and strings are copied.  For an
 * image or sequence `value` is a file name (const char *), which is copied and read by
 * ddr_world_load_inputs.  Errors: an unknown name, too little memory.  Only before create. */
ddr_status ddr_input_set(ddr_world *world, const char *name, const void *value);

/* Writes output number `idx` of the program's table to `file` ("-": standard output): of a grid all
 * strands, of a collection the stable ones.  The file appears complete or not at all.  Errors: no
 * such strands, or the file cannot be written. */
ddr_status ddr_output_save(ddr_world *world, uint32_t idx, const char *file);

/* The same for all living strands, to PREFIX-NNNN.nrrd, where NNNN is the number of supersteps done
 * (sequences: two files). */
ddr_status ddr_snapshot_save(ddr_world *world, uint32_t idx, const char *prefix);

/* --- state of a world ------------------------------------------------------------------------- */

uint64_t ddr_num_strands(const ddr_world *world); /* active and stable */
uint64_t ddr_num_active(const ddr_world *world);
uint64_t ddr_num_stable(const ddr_world *world);

/* Seconds spent inside ddr_world_run so far: elapsed time, and processor time of all threads. */
double ddr_run_seconds(const ddr_world *world);
double ddr_run_cpu_seconds(const ddr_world *world);

/* --- errors: thread-safe, newest first -------------------------------------------------------- */

/* Records one message (one line, any length).  Returns DDR_ERROR, so that callers can return it. */
ddr_status ddr_error(ddr_world *world, const char *format, ...) DDR_PRINTF(2, 3);

bool ddr_any_errors(ddr_world *world);

/* All messages, newest first, each "[DIDEROT] text\n"; empties the list.  Free with free(); NULL
 * only when memory is short. */
char *ddr_take_errors(ddr_world *world);

/* --- notes and prints ------------------------------------------------------------------------- */

/* Lines for the user that are not errors, each ended by a newline; NULL when there are none.
 * Empties the list.  Free with free().  Verbose worlds have more notes. */
char *ddr_take_notes(ddr_world *world);
void ddr_set_verbose(ddr_world *world, bool is_verbose);

/* Receives the text of one whole print statement, valid during the call; returning true means
 * failure and ends the run.  Called from one thread at a time.  NULL, the default: standard output,
 * flushed.  `data` is passed on and stays the caller's. */
typedef bool ddr_printer(void *data, const char *text);
void ddr_set_printer(ddr_world *world, ddr_printer *printer, void *data);

/* --- for generated code: images named in the program ------------------------------------------ */

/* An image, owned by the world, or NULL with the reason recorded.  `name` is that of the global;
 * `dim` axes (1 to 3), `n_components` values per sample.  The image keeps samples of the type
 * `sample` if the file has that type, and reals of the program otherwise. */
const ddr_image *ddr_load_image(ddr_world *world, const char *name, const char *file, int dim,
                                int n_components, ddr_sample sample);

/* --- for generated code: print ---------------------------------------------------------------- */

/* A print statement puts each argument, then calls ddr_print_end.  It is printed as a whole.
 * Strand code prints to its block's text (program.h), other code to ddr_world_text.  When memory is
 * short, which is recorded, the statement is lost. */
ddr_text *ddr_world_text(ddr_world *world);
void ddr_put_string(ddr_text *text, const char *string); /* verbatim; brackets and commas too */
void ddr_put_bool(ddr_text *text, bool value);           /* true, false */
void ddr_put_int(ddr_text *text, int64_t value);
void ddr_put_float(ddr_text *text, float value);   /* %.9g */
void ddr_put_double(ddr_text *text, double value); /* %.17g */
void ddr_print_end(ddr_text *text);

/* --- for generated code: checks, with --debug ------------------------------------------------- */

/* A check fails for an index outside 0 .. length - 1, and for a divisor of 0.  It ends the run when
 * all strands have had their turn.  Lines and columns count from 1; texts as for print. */
void ddr_check_index(ddr_text *text, int64_t idx, int64_t length, uint32_t line, uint32_t column);
void ddr_check_divisor(ddr_text *text, int64_t divisor, uint32_t line, uint32_t column);
void ddr_check_strand(ddr_text *text, int64_t slot); /* the strand that runs next */
bool ddr_has_fault(const ddr_text *text);            /* a check failed: the strand may stop */

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
