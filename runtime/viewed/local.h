/* local.h: what the files of this folder share.
 *
 * Read next: README.md (what goes over the wires), viewed.c.
 */
#pragma once

#include "runtime/src/executable/options.h"
#include "runtime/src/world/world.h"

/* A program that waits for orders: its world has the inputs of the command line and their images,
 * and creates no strands.  A run is a copy of the process, so it ends by being killed. */
typedef struct Viewed {
  ddr_world *world;
  ddr_settings settings;
  char **files; /* for each image input the file it holds now; NULL: none */
} Viewed;

typedef enum { ORDER_END, ORDER_PLAY, ORDER_TRACE } OrderMode;

/* The order for one run: its fields are parts of the message. */
typedef struct Order {
  uint32_t thinning;
  OrderMode mode;
  const char *strand;  /* the strand to be traced: "120,80", "#17" */
  const char **fields; /* NAME, COUNT, COUNT words, and so on */
  size_t n_fields;
  int wire; /* where its frames go */
} Order;

/* --- describe.c: JSON, to be freed; NULL: no memory --- */
char *viewed_describe(const Viewed *viewed);
void json_format(ddr_text *text, const char *format, ...) DDR_PRINTF(2, 3);

/* --- inputs.c: what an order says of inputs; on failure the world has the reasons --- */

/* Loads the images.  False with *missing: the input of that name has no value, or its file cannot
 * be read, for which the world has the reasons. */
bool viewed_load_images(Viewed *viewed, const Order *order, const char **missing);
ddr_status viewed_set_inputs(ddr_world *world, const Order *order);

/* --- frames.c: what is sent over the wire of a run; false: the other end is closed --- */
typedef enum { FRAME_STEP, FRAME_LAST } FrameKind;
bool frame_outputs(int wire, ddr_world *world, FrameKind kind);
bool frame_text(int wire, const char *kind, const char *name, const char *text);
bool frame_errors(int wire, ddr_world *world);
bool frame_trace(int wire, ddr_world *world);

/* --- run.c: the run itself, in a process of its own --- */
void viewed_run(Viewed *viewed, const Order *order);

/* --- viewed.c: orders from `wire` until it is closed; the status of the process --- */
int viewed_main(const ddr_program *program, int wire, int argc, char **argv);
