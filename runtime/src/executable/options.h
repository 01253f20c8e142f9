/* options.h: the command line of executables: what options.c reads and options_help.c explains.
 *
 * Read next: options.c.
 */
#pragma once

#include <stdio.h>

#include "ddr/program.h"

/* Words of an option's values, and how they are shown. */
typedef struct ddr_option {
  char *flag;         /* "l,limit": short and long spelling, or one spelling */
  char *placeholder;  /* "x y z" of <x y z> */
  char *type;         /* "int"; plural in help when several words follow */
  char *default_text; /* as help shows it; NULL: required, or a plain flag */
  char *info;
  uint32_t n_words; /* 0: a plain flag */
  int *words;       /* positions in argv of the values given last */
  bool has_default; /* then default_text is missing only for want of memory */
  bool is_given;
} ddr_option;

/* Options that executables have besides those of inputs and outputs, some not always.  From
 * OPTION_MEMORY on they come last. */
typedef enum {
#define FIXED(id, ...) OPTION_##id,
#include "options.def"
  OPTION_FIXED_COUNT
} ddr_fixed_option;

/* In registration order: fixed ones, inputs, outputs, the last of the fixed ones. */
typedef struct ddr_option_list {
  ddr_option *options;
  uint32_t n_options;
  ddr_option *fixed[OPTION_FIXED_COUNT]; /* NULL: this program has it not */
  ddr_option *inputs;
  ddr_option *outputs; /* each followed by that of its snapshots, if there are any */
  int *words;          /* storage behind every option's words */
} ddr_option_list;

/* What the fixed options say; the inputs go straight into the world. */
typedef struct ddr_settings {
  uint32_t limit;     /* supersteps, 0: no limit */
  uint32_t period;    /* supersteps from one snapshot to the next, 0: none */
  uint32_t n_workers; /* 0: one per core */
  const char *print_file;
  size_t most_memory;   /* bytes, 0: what the machine has */
  const char *gpu;      /* which, as ddr_set_gpu has it; NULL: any */
  uint32_t block_size;  /* of its threads, 0: chosen */
  const char *trace;    /* the strand that is followed; NULL: none is */
  uint32_t trace_limit; /* records, 0: the default */
  bool wants_json;      /* of them */
  bool is_verbose, wants_timing, wants_progress;
  char *checkpoint;   /* its file; NULL: none */
  double between;     /* seconds from one checkpoint to the next; negative: one at the limit */
  const char *resume; /* the file to go on from; NULL: the run begins */
  const char **output_files;      /* one per output */
  const char **snapshot_prefixes; /* likewise */
  char **default_files;           /* default names of files that no option gave; NULL at the end */
  char **words;                   /* of the command line */
} ddr_settings;

typedef enum { OPTIONS_RUN, OPTIONS_HELP, OPTIONS_BAD } ddr_option_result;

/* Read the command line: sets the world's inputs and fills the settings.  Prints help or the error,
 * which is one line, with help itself. */
ddr_option_result ddr_options_read(ddr_world *world, int argc, char **argv, ddr_settings *settings,
                                   FILE *out);
/* The same where inputs without a default may be missing: they come later. */
ddr_option_result ddr_options_read_some(ddr_world *world, int argc, char **argv,
                                        ddr_settings *settings, FILE *out);
void ddr_settings_clear(ddr_settings *settings);

/* options_table.c: every option of the program, in registration order; false: out of memory. */
bool ddr_options_build(ddr_world *world, ddr_option_list *list);
void ddr_options_clear(ddr_option_list *list);

/* options_split.c: the words of the command line, where --NAME=VALUE is two; they are parts of
 * those of argv.  NULL: out of memory.  Free the array. */
char **ddr_options_split(const ddr_option_list *list, int *argc, char **argv);

/* options_meant.c: the option whose name is nearest to that of a word; of length 0 if none is near.
 */
typedef struct ddr_meant {
  const char *dashes, *name; /* the name ends after length letters */
  int length;
  const ddr_option *option;
} ddr_meant;

ddr_meant ddr_options_meant(const ddr_option_list *list, const char *word);

/* options_help.c: both start with what the conventions of 79 columns ask for. */
void ddr_help_usage(FILE *out, const char *program_name, const ddr_option_list *list);
void ddr_help_glossary(FILE *out, const ddr_option_list *list);
