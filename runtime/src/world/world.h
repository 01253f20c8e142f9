/* local.h: what the files of the runtime share and nobody else may see.
 *
 * One struct per world, no other state.  Ownership: the world frees everything it points to, except
 * the program.  Teem is known to the nrrd_*.c files (data) and options.c (command line) only.
 * Read next: world.c (the phases), strands.c (the store).
 */
#pragma once

#include <float.h>
#include <pthread.h>
#include <stdatomic.h>

#include "ddr/device/device.h"
#include "ddr/image.h"
#include "ddr/program.h"
#include "ddr/seq.h"
#include "runtime/layout/layout.h"

/* --- text.c: growable text, also the buffer of print statements ------------------------------- */

/* checks.c: the first mistake of a strand, by slot. */
typedef struct ddr_fault {
  enum { FAULT_NONE, FAULT_INDEX, FAULT_DIVISOR } kind;
  int64_t idx, length;
  int64_t slot;          /* of the strand */
  uint32_t line, column; /* of the source, from 1 */
} ddr_fault;

struct ddr_text {
  ddr_world *world; /* whose printer takes finished statements; NULL for plain buffers */
  char *chars;      /* NUL-terminated when len > 0 */
  size_t len, capacity;
  bool is_short;   /* memory ran out: the text is incomplete */
  size_t n_held;   /* bytes of finished statements at the start, each with its NUL */
  int64_t ticket;  /* of the block that prints; 0: global code, which never waits */
  int64_t slot;    /* of the strand whose code runs, where checks want to know */
  ddr_fault fault; /* that strands found since ddr_fault_take */
};

/* checks.c: after a visit, the fault of its text becomes that of the world if none is earlier; and
 * after a phase that of the world is an error, the same for any number of threads. */
void ddr_fault_take(ddr_world *world, ddr_text *text);
void ddr_fault_report(ddr_world *world);

/* blocks.c: whether its statements may go to the printer now. */
bool ddr_text_has_turn(const ddr_text *text);
void ddr_text_release(ddr_text *text); /* hand all finished statements to the printer */

/* Those from byte `begin` to `end`; false: one failed, which is recorded. */
bool ddr_text_print(const ddr_text *text, size_t begin, size_t end);

void ddr_text_append(ddr_text *text, const char *chars, size_t n);
void ddr_text_clear(ddr_text *text); /* releases the memory too */

/* "format" in fresh memory, or NULL when memory is short. */
char *ddr_format(const char *format, ...) DDR_PRINTF(1, 2);

/* --- seq.c: whose buffers dynamic sequences are in -------------------------------------------- */

struct ddr_pool {
  ddr_world *world;        /* for errors */
  ddr_seq_buffer *buffers; /* all that are its own */
  int64_t n_account;       /* bytes taken less given that the world does not know of yet */
  bool is_short;           /* memory ran out */
};

/* --- the world -------------------------------------------------------------------------------- */

/* A library's world is bare until its init; all others begin as new. */
typedef enum { STAGE_BARE, STAGE_NEW, STAGE_CREATED, STAGE_RUNNING, STAGE_DONE } ddr_stage;

typedef struct ddr_message {
  struct ddr_message *older;
  char text[];
} ddr_message;

typedef struct ddr_image_list {
  struct ddr_image_list *next;
  bool is_borrowed; /* the samples are the caller's */
  ddr_image image;
} ddr_image_list;

/* What the caller gave for one input. */
typedef struct ddr_input_value {
  bool is_set;           /* by the caller */
  bool is_loaded;        /* images, sequences: the globals hold it */
  char *string;          /* strings: the value; images, sequences: the file name */
  ddr_image_list *image; /* in the world's list; NULL: none yet */
  uint32_t decimation;   /* images: keep every such sample; 0 and 1: all */
  bool is_prefiltered;   /* images: so that B-splines go through the samples */
} ddr_input_value;

typedef struct ddr_record ddr_record;   /* strands.h */
typedef struct ddr_team ddr_team;       /* team.h */
typedef struct ddr_index ddr_index;     /* spatial.c */
typedef struct ddr_sampled ddr_sampled; /* samples.h */
typedef struct ddr_library ddr_library; /* library.h */

struct ddr_world {
  const ddr_program *program;
  ddr_stage stage;
  bool is_stdin_taken; /* "-" can feed only one input */
  bool is_verbose;
  bool is_message_lost; /* no memory to record one */
  void *globals;
  ddr_input_value *inputs; /* one per row of the program's table */
  ddr_image_list *images;

  ddr_strands strands;
  void *before;      /* the second column of a dual program */
  int64_t capacity;  /* slots that the store has room for */
  int64_t block_len; /* strands per scheduling block, a multiple of state_width */
  int64_t n_blocks, n_records;
  ddr_record *records;  /* one per block, and some to spare */
  ddr_index *index;     /* of positions, for queries */
  ddr_sampled *sampled; /* one per sampling of the program */
  ddr_samples *samples; /* and worker: what its block takes */
  uint64_t n_active, n_stable;
  uint32_t n_steps;   /* supersteps so far */
  uint32_t n_workers; /* threads, the caller's among them; 0: not chosen yet */
  double run_seconds, run_cpu_seconds;

  ddr_device *device;  /* where the strands live; NULL: here */
  bool is_device_lost; /* it failed, and they with it */
  int gpu;             /* its number; -1: none is to be used */
  bool needs_gpu;      /* without one, nothing runs */
  uint32_t gpu_block;  /* threads per block; 0: chosen */

  ddr_team *team;
  pthread_mutex_t print_lock;
  _Atomic int64_t turn;           /* ticket of the first block that has not ended yet */
  _Atomic uint64_t n_birth_bytes; /* in the records */
  _Atomic int64_t n_running;      /* strands that run, also while a phase goes on */

  ddr_text text; /* prints of global code */
  ddr_pool pool; /* dynamic sequences of global code */
  ddr_printer *printer;
  void *printer_data;
  bool is_printer_lost;         /* it failed, which is recorded */
  void (*follower)(void *data); /* called now and then by the thread that runs the world */
  void *follower_data;

  size_t most_memory; /* bytes that strands and sequences may take; 0: not looked up yet */
  _Atomic int64_t n_sequence_bytes;
  _Atomic bool is_over_limit; /* some request was */
  ddr_text notes;             /* one line each, for the caller to show */
  pthread_mutex_t message_lock;
  ddr_fault fault;       /* of the phase, with the lock */
  ddr_message *messages; /* newest first */
  ddr_message *settled;  /* older ones, which stop nothing any more */
  ddr_library *library;  /* what only worlds of generated libraries have; NULL: an executable's */
};

/* --- status.c --------------------------------------------------------------------------------- */

/* What was recorded so far waits for ddr_take_errors and no longer stops any phase. */
void ddr_settle_errors(ddr_world *world);

/* Something waits for ddr_take_errors, settled or not. */
bool ddr_has_messages(ddr_world *world);

/* A line for the user that is no error; shown by executable.c. */
void ddr_note(ddr_world *world, const char *format, ...) DDR_PRINTF(2, 3);

/* --- memory.c --------------------------------------------------------------------------------- */

/* Bytes that the system would really give us: it promises more than there are. */
size_t ddr_most_memory(void);

/* Most bytes that the process had at any time so far. */
double ddr_peak_memory(void);

/* Whether store and births may have that many bytes in all, besides what sequences have. */
bool ddr_memory_fits(ddr_world *world, uint64_t n_bytes);

/* Account for the buffers of sequences; false: over the limit, and not accounted for. */
bool ddr_memory_take(ddr_pool *pool, size_t n_bytes);
void ddr_memory_give(ddr_pool *pool, size_t n_bytes);

/* Why there is none: the limit, or the system. */
enum { DDR_REASON_SIZE = 64 };
const char *ddr_memory_reason(const ddr_world *world, char reason[DDR_REASON_SIZE]);

/* seq.c: *seq of n elements of `size` bytes; NULL, or why there is none, which may be in `text`.
 * Nothing is recorded. */
const char *ddr_seq_given(ddr_pool *pool, size_t size, int64_t n, const void *src, ddr_seq *seq,
                          char text[DDR_REASON_SIZE]);

/* strands.c: bytes of the store. */
uint64_t ddr_strands_bytes(const ddr_world *world);

/* --- device.c --------------------------------------------------------------------------------- */

/* After the store was allocated: creates the strands on a device, if the program can and there is
 * one.  *has_device false without an error: the host is to do it. */
ddr_status ddr_device_create(ddr_world *world, bool *has_device);

/* Instead of a phase of the host, and its commit. */
uint32_t ddr_device_run(ddr_world *world, uint32_t max_steps);
void ddr_device_end_all(ddr_world *world, ddr_strand_status status);

/* The globals may have changed. */
ddr_status ddr_device_upload(ddr_world *world);

/* A numbered reduction over a set of n > 0 strands. */
ddr_status ddr_device_reduce_set(ddr_world *world, const ddr_set_reduction *what, int64_t n,
                                 const void *context, ddr_reduced *results);

/* The statuses, and bytes [offset, offset + size) of the states, are in the store as well. */
ddr_status ddr_device_mirror(ddr_world *world, size_t offset, size_t size);
void ddr_device_free(ddr_world *world);

/* --- inputs.c --------------------------------------------------------------------------------- */

/* Bytes of one component of a kind; pointers for strings, images, sequences. */
size_t ddr_value_size(const ddr_program *program, ddr_kind kind);

/* Where input `idx` lies in the globals. */
void *ddr_input_place(const ddr_world *world, uint32_t idx);

/* Give input `idx` a value, as ddr_input_set does, or the content of a file, at once.  What it had
 * before is released; on failure it keeps it. */
ddr_status ddr_input_store(ddr_world *world, uint32_t idx, const void *value);
ddr_status ddr_input_load(ddr_world *world, uint32_t idx, const char *file);

/* The same with what others have made: an image, freed on failure as well, or a sequence in the
 * world's pool. */
ddr_status ddr_input_take_image(ddr_world *world, uint32_t idx, const ddr_image_list *image);
void ddr_input_take_sequence(ddr_world *world, uint32_t idx, ddr_seq seq);

/* --- images ----------------------------------------------------------------------------------- */

/* Where an image's samples lie in world space: the index-to-world matrix by columns. */
typedef struct ddr_grid {
  int dim;
  int64_t size[DDR_MAX_DIM];
  double direction[DDR_MAX_DIM][DDR_MAX_DIM]; /* [index axis][world axis] */
  double origin[DDR_MAX_DIM];
} ddr_grid;

/* image.c: false when the directions are singular. */
bool ddr_image_place(ddr_image *image, const ddr_grid *grid);

/* image.c: the same for samples so many times further apart along an axis; the first stays. */
void ddr_image_widen(ddr_image *image, int axis, double factor);

/* Samples on an axis whose length every real is exact for. A float may take a longer one for one
 * sample longer than it is, and so lets an inside test pass there. */
#define DDR_LONGEST_EXACT ((size_t)1 << FLT_MANT_DIG)

/* image.c: memory for samples of an image whose size is known, and its strides.  What is between
 * and behind the rows is zeroed, with the slack that image.h promises; NULL when memory is short or
 * the size overflows. */
void *ddr_image_allocate(ddr_image *image, size_t sample_size);
void ddr_image_clear(ddr_image *image);
void ddr_image_release(ddr_image_list *image); /* not what is borrowed */

/* prepare.c: the index of an image input from the n characters of its name; what its image goes
 * through when it is set.  False: *message says why, to be freed; NULL when memory is short. */
bool ddr_prepare_find(const ddr_world *world, const char *name, size_t n, uint32_t *idx,
                      char **message);
bool ddr_prepare_prefilter(ddr_world *world, uint32_t idx, char **message);
bool ddr_prepare_decimate(ddr_world *world, uint32_t idx, uint32_t factor, char **message);

/* prepare.c: takes the image through that, and is called with every image of an input; what was
 * there is released.  Records one message on failure, and then there is no image. */
ddr_status ddr_prepare_image(ddr_world *world, uint32_t idx, ddr_image_list *image);

/* What the program wants of an image, and whom to name when it gets something else. */
typedef struct ddr_image_request {
  const char *name; /* of the input or global */
  const char *file; /* "-": standard input */
  int dim;
  int n_components;
  ddr_sample sample; /* to keep if the file has it */
} ddr_image_request;

/* inputs.c: what an input wants. */
ddr_image_request ddr_input_request(const ddr_world *world, uint32_t idx, const char *file);

/* nrrd_image.c: load, normalise, check, convert.  Records one message on failure. */
ddr_status ddr_nrrd_load(ddr_world *world, const ddr_image_request *request, ddr_image *image);

/* --- dynamic sequences ------------------------------------------------------------------------ */

typedef struct ddr_seq_request {
  const char *name; /* of the input or global */
  const char *file; /* "-": standard input */
  ddr_kind kind;    /* of each of the n_components scalars of an element */
  uint32_t n_components;
} ddr_seq_request;

ddr_seq_request ddr_input_sequence_request(const ddr_world *world, uint32_t idx, const char *file);

/* nrrd_sequence.c: load, check, convert, into the pool of the world.  One message on failure. */
ddr_status ddr_nrrd_load_sequence(ddr_world *world, const ddr_seq_request *request, ddr_seq *seq);

/* --- outputs ---------------------------------------------------------------------------------- */

/* A packed array, slowest axis first; the element axis, if any, is the last (fastest). */
typedef struct ddr_array {
  ddr_kind kind;
  size_t element_size;
  ddr_axis axis;         /* kind of the element axis */
  uint32_t n_components; /* its length; ignored for DDR_AXIS_NONE */
  uint32_t rank;         /* of the strand axes */
  int64_t len[DDR_MAX_ITERATORS];
  bool is_list; /* the strand axes count elements, not places */
  void *data;
} ddr_array;

/* nrrd_array.c: the type of its samples, as Teem numbers them. */
int ddr_nrrd_sample_type(const ddr_array *array);

/* nrrd_array.c: a client's Nrrd (teem/nrrd.h) becomes the array and owns its data; empty without
 * data.  False when Teem refuses. */
bool ddr_nrrd_give(const ddr_array *array, void *client);

/* nrrd_write.c: could a file of that name be saved, as far as can be told beforehand? */
ddr_status ddr_nrrd_probe(ddr_world *world, const char *name);

/* nrrd_write.c: the file's suffix chooses the format. */
ddr_status ddr_nrrd_save(ddr_world *world, const ddr_array *array, const char *file);

typedef enum { SELECT_ALIVE, SELECT_STABLE } ddr_selection;

/* How the files of a dynamic sequence are called: PREFIX-len, PREFIX-data, both with SUFFIX. */
typedef struct ddr_files {
  const char *what; /* output or snapshot */
  const char *prefix;
  const char *suffix;
} ddr_files;

/* outputs.c: where an output goes unless the user says otherwise: a file, or the prefix of those of
 * a dynamic sequence.  Free it. */
char *ddr_output_name(const ddr_output *output);

/* outputs.c: how many strands are selected, and their axes in an output. */
int64_t ddr_output_count(const ddr_world *world, ddr_selection selection);
void ddr_output_place(const ddr_world *world, ddr_selection selection, ddr_array *array);

/* outputs.c: where the values of the selected strands lie in the states, in elements from the first
 * state on: by the axes of the strands, then by component.  False: not all strands are selected, or
 * the values are not there as they are to be. */
bool ddr_output_layout(const ddr_world *world, const ddr_output *output, ddr_selection selection,
                       ddr_layout *layout);

/* outputs.c: the packed values of the selected strands in rank order, n_bytes each; NULL when
 * memory is short.  Free it. */
void *ddr_output_gather(ddr_world *world, const ddr_output *output, ddr_selection selection,
                        size_t n_bytes);

/* outputs.c: which strands the final output shows: of a grid all, of a collection the stable ones.
 */
ddr_selection ddr_output_final(const ddr_world *world);

/* outputs.c: what the following need of the strands is here, also if they live on a device. */
ddr_status ddr_output_fetch(ddr_world *world, const ddr_output *output);

/* outputs.c: an output as an array, whose data the caller frees; fails when memory is short. */
ddr_status ddr_output_collect(ddr_world *world, const ddr_output *output, ddr_selection selection,
                              ddr_array *array);

/* outputs_seq.c: likewise a dynamic sequence of each selected strand: offset and length of each, in
 * elements, and all elements.  NULL, or why it failed. */
const char *ddr_output_collect_sequences(ddr_world *world, const ddr_output *output,
                                         ddr_selection selection, ddr_array *lengths,
                                         ddr_array *elements);

/* outputs_seq.c: the same to two files. */
ddr_status ddr_output_save_sequences(ddr_world *world, const ddr_output *output,
                                     ddr_selection selection, const ddr_files *files);
