/* local.h: what the files of the runtime share and nobody else may see.
 *
 * One struct per world, no other state.  Ownership: the world frees everything it points to, except
 * the program.  Teem is known to the nrrd_*.c files (data) and options.c (command line) only.
 * Read next: world.c (the phases), strands.c (the store).
 */
#pragma once

#include <pthread.h>

#include "ddr/image.h"
#include "ddr/program.h"
#include "ddr/seq.h"

/* --- text.c: growable text, also the buffer of print statements ------------------------------- */

struct ddr_text {
  ddr_world *world; /* whose printer takes finished statements; NULL for plain buffers */
  char *chars;      /* NUL-terminated when len > 0 */
  size_t len, capacity;
  bool is_short;    /* memory ran out: the text is incomplete */
};

void ddr_text_append(ddr_text *text, const char *chars, size_t n);
void ddr_text_clear(ddr_text *text); /* releases the memory too */

/* "format" in fresh memory, or NULL when memory is short. */
char *ddr_format(const char *format, ...) DDR_PRINTF(1, 2);

/* --- seq.c: whose buffers dynamic sequences are in ---------------------------------------------- */

struct ddr_pool {
  ddr_world *world;        /* for errors */
  ddr_seq_buffer *buffers; /* all that are its own */
  bool is_short;           /* memory ran out */
};

/* --- the world -------------------------------------------------------------------------------- */

typedef enum { STAGE_NEW, STAGE_CREATED, STAGE_RUNNING, STAGE_DONE } ddr_stage;

typedef struct ddr_message {
  struct ddr_message *older;
  char text[];
} ddr_message;

typedef struct ddr_image_list {
  struct ddr_image_list *next;
  ddr_image image;
} ddr_image_list;

/* What the caller gave for one input. */
typedef struct ddr_input_value {
  bool is_set;  /* by ddr_input_set */
  char *string; /* strings: the value; images: the file name */
} ddr_input_value;

struct ddr_world {
  const ddr_program *program;
  ddr_stage stage;
  void *globals;
  ddr_input_value *inputs; /* one per row of the program's table */
  ddr_image_list *images;
  bool is_stdin_taken;     /* "-" can feed only one input */

  ddr_strands strands;
  int64_t block_len;   /* strands per scheduling block, a multiple of state_width */
  int64_t n_blocks;
  uint32_t *n_running; /* per block: strands that are active or new */
  uint64_t n_active, n_stable;
  double run_seconds;

  ddr_text text;       /* prints of global code */
  ddr_pool pool;       /* dynamic sequences of global code, and of strands while they run */
  ddr_printer *printer;
  void *printer_data;

  bool is_verbose;
  ddr_text notes;      /* one line each, for the caller to show */
  pthread_mutex_t message_lock;
  ddr_message *messages; /* newest first */
  bool is_message_lost;  /* no memory to record one */
};

/* --- status.c --------------------------------------------------------------------------------- */

/* A line for the user that is no error; shown by main.c. */
void ddr_note(ddr_world *world, const char *format, ...) DDR_PRINTF(2, 3);

/* --- inputs.c --------------------------------------------------------------------------------- */

/* Bytes of one component of a kind; pointers for strings, images, sequences. */
size_t ddr_value_size(const ddr_program *program, ddr_kind kind);

/* --- strands.c -------------------------------------------------------------------------------- */

/* Evaluate the bounds, allocate the store, mark every strand new. */
ddr_status ddr_strands_allocate(ddr_world *world);
void ddr_strands_free(ddr_world *world);

/* Read the status bytes of one block again: fills n_running[block]. */
void ddr_strands_count_block(ddr_world *world, int64_t block);

/* Sum the blocks' counts into n_active and n_stable. */
void ddr_strands_count(ddr_world *world);

/* All of it again, after global code may have changed any status. */
void ddr_strands_recount(ddr_world *world);

/* --- the scheduler interface: sched_seq.c now, sched_threads.c beside it ---------------------- */

/* A phase handles one block and returns its number of updates. */
typedef uint32_t ddr_phase(ddr_world *world, ddr_block *block, uint32_t max_steps);

typedef enum { BLOCKS_ALL, BLOCKS_RUNNING } ddr_block_choice;

/* Run `phase` on every chosen block, count the block's strands again, stop after the first error.
 * Returns the largest result.  Prints appear in rank order. */
uint32_t ddr_sched_blocks(ddr_world *world, ddr_phase *phase, ddr_block_choice choice,
                          uint32_t max_steps);

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

/* image.c: zeroed samples with the slack that image.h promises; NULL when memory is short or the
 * size overflows. */
void *ddr_image_allocate(const ddr_grid *grid, int n_components, size_t real_size);
void ddr_image_clear(ddr_image *image);

/* What the program wants of an image, and whom to name when it gets something else. */
typedef struct ddr_image_request {
  const char *name; /* of the input or global */
  const char *file; /* "-": standard input */
  int dim;
  int n_components;
} ddr_image_request;

/* nrrd_image.c: load, normalise, check, convert.  Records one message on failure. */
ddr_status ddr_nrrd_load(ddr_world *world, const ddr_image_request *request, ddr_image *image);

/* --- dynamic sequences ------------------------------------------------------------------------- */

typedef struct ddr_seq_request {
  const char *name; /* of the input or global */
  const char *file; /* "-": standard input */
  ddr_kind kind;    /* of each of the n_components scalars of an element */
  uint32_t n_components;
} ddr_seq_request;

/* nrrd_sequence.c: load, check, convert, into the pool of the world.  One message on failure. */
ddr_status ddr_nrrd_load_sequence(ddr_world *world, const ddr_seq_request *request, ddr_seq *seq);

/* --- outputs ---------------------------------------------------------------------------------- */

/* outputs.c: where an output goes unless the user says otherwise: a file, or a prefix of files for a
 * dynamic sequence.  Free it. */
char *ddr_output_name(const ddr_output *output);

/* outputs_seq.c: a dynamic sequence, to PREFIX-len.nrrd and PREFIX-data.nrrd. */
ddr_status ddr_output_save_sequences(ddr_world *world, const ddr_output *output,
                                     const char *prefix);

/* outputs.c: the packed values of all strands in rank order, n_bytes each; NULL when memory is
 * short.  Free it. */
void *ddr_output_gather(ddr_world *world, const ddr_output *output, size_t n_bytes);

/* A packed array, slowest axis first; the element axis, if any, is the last (fastest). */
typedef struct ddr_array {
  ddr_kind kind;
  size_t element_size;
  ddr_axis axis;         /* kind of the element axis */
  uint32_t n_components; /* its length; ignored for DDR_AXIS_NONE */
  uint32_t rank;         /* of the strand axes */
  int64_t len[DDR_MAX_RANK];
  bool is_list;          /* the strand axes count elements, not places */
  void *data;
} ddr_array;

/* nrrd_write.c: the file's suffix chooses the format. */
ddr_status ddr_nrrd_save(ddr_world *world, const ddr_array *array, const char *file);
