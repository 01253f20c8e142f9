/* library.h: the functions behind those of a generated library.
 *
 * They enforce the order of a client's calls: a call out of order records an error and changes
 * nothing.  `true` means error, as in the functions that clients see; ddr_library_take_errors
 * returns the reason.  Nothing is printed unless the world is verbose.  A NULL world is an error,
 * too.  One thread at a time may use a world; several worlds may be used at once.
 *
 * Called by the text that backend-c/library/definitions.c makes.  Read next:
 * runtime/src/library/library.c.
 */
#pragma once

#include "ddr/program.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default) /* in the shared runtime */

/* An array anywhere in memory, slowest axis first.  The same text stands in the header of every
 * library (backend-c/library/header.c), under the same guard. */
#ifndef DIDEROT_VIEW
#define DIDEROT_VIEW
typedef struct diderot_view {
  void *data; /* the element at index 0 of every axis */
  int type;   /* of the scalars, as in Teem: nrrdTypeFloat, ... */
  uint32_t rank;
  size_t shape[16];      /* elements along each axis */
  ptrdiff_t strides[16]; /* bytes from one element to the next; may be 0 or negative */
  size_t spare;          /* bytes after the last element that may be read, too */
} diderot_view_t;
#endif

/* Frames in a buffer, laid out as by cameras and decoders, and the part of it to be used.
 * Likewise in the headers of libraries. */
#ifndef DIDEROT_FRAME
#define DIDEROT_FRAME
enum { DIDEROT_NHWC, DIDEROT_NCHW, DIDEROT_420SP }; /* N frames, C components; of volumes NDHWC.. */
enum { DIDEROT_CENTRED, DIDEROT_LEFT };
typedef struct diderot_frame {
  void *data;         /* the first byte of the buffer */
  int layout;         /* interleaved, planar, or luma and then pairs of chroma: DIDEROT_NHWC, ... */
  int type;           /* of samples, as in Teem: nrrdTypeUChar, ... */
  uint32_t rank;      /* number of axes: 4; of volumes 5, of 420SP 3 */
  size_t dims[5];     /* in the order of the letters; of 420SP: 3, height, width */
  uint32_t n_pitches; /* rank, or 0: packed */
  size_t pitches[5];  /* bytes of all, of one index on the first axis, on the second, ... */
  size_t n_bytes;     /* that may be read of the buffer; 0: those of pitches[0] */
  size_t number;      /* of the frame among N */
  size_t component;   /* the first that the image takes; of 420SP luma is 0, chroma 1 and 2 */
  size_t n_components; /* 0: all from there on; of 420SP those of the plane */
  int siting; /* chroma is amid four luma samples, or amid the two left ones: DIDEROT_... */
} diderot_frame_t;
#endif

typedef bool ddr_library_printer(void *data, char *text);
struct ddr_rank_engine;
typedef void ddr_library_left(void *ranks);

/* --- life cycle ------------------------------------------------------------------------------- */

/* `prefix` begins the names of all functions, for messages; it and `program` must live as long as
 * the world.  NULL when memory is short. */
ddr_world *ddr_library_new(const ddr_program *program, const char *prefix);
/* init: constants and defaults.  create: the strands; every input must have a value.  run: as
 * ddr_world_run.  shutdown: frees the world and everything that it owns. */
bool ddr_library_init(ddr_world *world);
/* Instead of init, for one of several ranks that have the same inputs and make the same calls in
 * the same order; the engine lends nothing.  Each rank gets all outputs.  `leave` is called once,
 * when the world is freed, or now if there is an error.  Engine NULL: an error with the text `why`.
 */
bool ddr_library_init_ranks(ddr_world *world, const struct ddr_rank_engine *engine,
                            ddr_library_left *leave, void *ranks, const char *why);
/* The same with a communicator of MPI, as MPI_Comm_c2f gives it (runtime/mpi/library.c). */
bool ddr_library_init_mpi(ddr_world *world, int comm);
bool ddr_library_create(ddr_world *world);
uint32_t ddr_library_run(ddr_world *world, uint32_t max_steps);
void ddr_library_shutdown(ddr_world *world);
/* start: as run, by a thread of its own, which calls the printer, too.  Any other function of the
 * same world waits until it has ended; wait does nothing else, and returns the number of steps.
 * What fails is an error from then on. */
bool ddr_library_start(ddr_world *world, uint32_t max_steps);
uint32_t ddr_library_wait(ddr_world *world);
/* Instead of create and run, for programs made with --trace: traces one strand (ddr_world_trace)
 * and returns the records in JSON.  max_steps 0: no limit; max_records 0: the usual limit.  Free
 * with free(); NULL: an error. */
char *ddr_library_trace(ddr_world *world, const char *strand, uint32_t max_steps,
                        uint32_t max_records);
/* checkpoint: after create; saves the state of the world to a file.  resume: instead of create;
 * continues from the file. */
bool ddr_library_checkpoint(ddr_world *world, const char *file);
bool ddr_library_resume(ddr_world *world, const char *file);
/* From now on SIGINT ends a run after its superstep, or without supersteps after the strands in
 * progress. Then the handler that was installed before the run is called; without one the signal
 * ends the process, as always. The next run continues. One run of a process at a time listens. */
void ddr_library_make_interruptible(ddr_world *world);

/* Numbers of strands, at most UINT32_MAX; 0 before create. */
uint32_t ddr_library_num_strands(const ddr_world *world);
uint32_t ddr_library_num_active(const ddr_world *world);
uint32_t ddr_library_num_stable(const ddr_world *world);

bool ddr_library_any_errors(ddr_world *world);
char *ddr_library_take_errors(ddr_world *world); /* free with free(); "" when there are none */

void ddr_library_set_verbose(ddr_world *world, bool is_verbose);
bool ddr_library_is_verbose(const ddr_world *world);

/* Before the image input of that name is set: how the image is changed when it is.  decimate
 * applies a low-pass filter and keeps every factor-th sample along each axis; prefilter replaces
 * the samples by coefficients, so that B-splines pass through the samples.  Errors: no such image
 * input, a factor of 0, kernels that are not B-splines of one degree. */
bool ddr_library_decimate(ddr_world *world, const char *input, uint32_t factor);
bool ddr_library_prefilter(ddr_world *world, const char *input);

/* Sets the image input of that name to the image of the same input of another world of the program,
 * prepared as there, without a copy: a device that has it reads it there.  Whichever world has the
 * samples last frees them; but those of a Nrrd or a view live as they would for the other one. */
bool ddr_library_share(ddr_world *world, const char *input, const ddr_world *other);

/* As ddr_set_printer; NULL: standard output again.  The printer must not call functions that change
 * the world. */
bool ddr_library_set_printer(ddr_world *world, ddr_library_printer *printer, void *data);

/* The number of threads, between init and create; 0: one for each core; more threads than cores
 * are an error, and their number is reduced. */
uint32_t ddr_library_num_cores(const ddr_world *world);
bool ddr_library_set_num_workers(ddr_world *world, uint32_t n_workers);
uint32_t ddr_library_num_workers(const ddr_world *world);

/* GPUs: init chooses the one that $DIDEROT_GPU names; between init and create set_gpu may choose
 * another, as ddr_set_gpu.  After create, ddr_library_gpu is the name of the GPU that does the
 * work, or "" for the CPU; the world owns it. */
bool ddr_library_init_gpu(ddr_world *world);
bool ddr_library_set_gpu(ddr_world *world, const char *which, uint32_t block_size);
const char *ddr_library_gpu(const ddr_world *world);

/* --- inputs, by their number: between init and create ----------------------------------------- */

/* Values and strings, which are copied; `value` points to the components, row-major, in the C type
 * of the input's kind (program.h). */
bool ddr_library_set(ddr_world *world, uint32_t idx, const void *value);
bool ddr_library_set_string(ddr_world *world, uint32_t idx, const char *value);

/* Images and sequences: from a file; from an array of Teem (Nrrd), whose data an image takes over
 * and frees at shutdown; from a view.  Samples that can be read in place must not change until
 * shutdown, nor may the elements of a sequence that is lent, if they are contiguous and have the
 * program's type; all others are copied.  `origin` and `steps` place an image in world
 * space: `origin` is the position of its first sample, `steps` has for each spatial axis of the
 * view the vector to the next sample; NULL: at 0, in unit steps. */
bool ddr_library_load(ddr_world *world, uint32_t idx, const char *file);
bool ddr_library_set_nrrd(ddr_world *world, uint32_t idx, void *nrrd);
bool ddr_library_set_sequence(ddr_world *world, uint32_t idx, const diderot_view_t *view);
bool ddr_library_lend_sequence(ddr_world *world, uint32_t idx, const diderot_view_t *view);
bool ddr_library_set_image(ddr_world *world, uint32_t idx, const diderot_view_t *view,
                           const double *origin, const double *steps);

/* From a frame, by the same rules; `origin` and `steps` are those of samples at full resolution. */
bool ddr_library_set_frame(ddr_world *world, uint32_t idx, const diderot_frame_t *frame,
                           const double *origin, const double *steps);

/* From views of memory on a device.  Work that a stream of CUDA on that device has been given so
 * far is waited for; NULL: the default stream.  An image is read by create, and must not change
 * until then; a sequence is copied.  If the host reads samples, it gets a copy of them. */
bool ddr_library_set_device_image(ddr_world *world, uint32_t idx, const diderot_view_t *view,
                                  const double *origin, const double *steps, void *stream);
bool ddr_library_set_device_sequence(ddr_world *world, uint32_t idx, const diderot_view_t *view,
                                     void *stream);

/* Stores the value at `value`: the components; for a string a pointer to its characters; for an
 * image or sequence the Nrrd last set, or NULL.  Pointers are owned by the world, or by the client.
 */
void ddr_library_get(const ddr_world *world, uint32_t idx, void *value);
/* The size of an input: characters of a string, samples of an image, elements of a sequence. */
size_t ddr_library_get_size(const ddr_world *world, uint32_t idx);

/* --- outputs, by their number: after create --------------------------------------------------- */

/* Outputs omit the active strands of a collection; snapshots have all living strands. */
typedef enum ddr_moment { DDR_OUTPUT, DDR_SNAPSHOT } ddr_moment;

/* Copies an output into Nrrds of the client, which then own the data; without strands they are
 * empty. An output of sequences has two: offsets and lengths of the strands' sequences, and all
 * elements. */
bool ddr_library_get_nrrd(ddr_world *world, uint32_t idx, ddr_moment moment, void *data);
bool ddr_library_get_nrrds(ddr_world *world, uint32_t idx, ddr_moment moment, void *lengths,
                           void *data);

/* A view of the values in memory owned by the world, without a copy if possible.  It is valid until
 * the next view of the same output, run or shutdown.  Axes run slowest first, strides are bytes. */
bool ddr_library_view(ddr_world *world, uint32_t idx, ddr_moment moment, diderot_view_t *data);
bool ddr_library_views(ddr_world *world, uint32_t idx, ddr_moment moment, diderot_view_t *lengths,
                       diderot_view_t *data);

/* Likewise in memory of the device that runs the strands; an error where the host does. */
bool ddr_library_device_view(ddr_world *world, uint32_t idx, diderot_view_t *data);

/* Writes the values into memory of the client, converted to its type: reals become ints by
 * truncation, clamped to the range.  A view has the shape that ddr_library_view returns, and any
 * strides, but no element twice.  A frame takes the strands of a grid of two axes (y, x) or three
 * (z, y, x); its `number` and components say which part of it is written.  Errors as for inputs;
 * then nothing is written. */
bool ddr_library_write_view(ddr_world *world, uint32_t idx, const diderot_view_t *view);
bool ddr_library_write_frame(ddr_world *world, uint32_t idx, const diderot_frame_t *frame);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
