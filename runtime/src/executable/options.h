/* options.h: the command line of executables, read by options.c and explained by options_help.c.
 *
 * Read next: options.c.
 */
#pragma once

#include <stdio.h>

#include "ddr/program.h"

/* An option, its words on the command line, and how help shows them. */
typedef struct ddr_option {
  char *flag;          /* "l,limit": short and long spelling, or one spelling */
  const char *written; /* of inputs: a spelling beside that in ASCII; NULL: none */
  char *placeholder;   /* "x y z" of <x y z> */
  char *type;          /* "int"; plural in help when several words follow */
  char *default_text;  /* as help shows it; NULL: required, or a plain flag */
  char *info;
  uint32_t n_words; /* 0: a plain flag */
  int *words;       /* positions in argv of the values given last */
  bool has_default; /* false if default_text is NULL for lack of memory */
  bool is_given;
} ddr_option;

/* Options besides those of inputs and outputs; some programs lack some of them.  Options from
 * OPTION_MEMORY on come last. */
typedef enum {
#define FIXED(id, ...) OPTION_##id,
#include "options.def"
  OPTION_FIXED_COUNT
} ddr_fixed_option;

/* In registration order: fixed options, inputs, outputs, fixed options from OPTION_MEMORY on. */
typedef struct ddr_option_list {
  ddr_option *options;
  uint32_t n_options;
  ddr_option *fixed[OPTION_FIXED_COUNT]; /* NULL: this program does not have it */
  ddr_option *inputs;
  ddr_option *outputs; /* each followed by the option of its snapshots, if there are any */
  int *words;          /* storage for the words of all options */
} ddr_option_list;

/* Values of the fixed options; those of inputs go straight into the world. */
typedef struct ddr_settings {
  uint32_t limit;     /* supersteps, 0: no limit */
  uint32_t period;    /* supersteps from one snapshot to the next, 0: none */
  uint32_t n_workers; /* 0: one per core */
  const char *print_file;
  size_t most_memory;   /* bytes, 0: all that the machine has */
  const char *gpu;      /* which one, as for ddr_set_gpu; NULL: any */
  uint32_t block_size;  /* threads per block, 0: chosen */
  const char *trace;    /* the strand that is traced; NULL: none */
  uint32_t trace_limit; /* records, 0: the default */
  bool wants_json;      /* the trace as JSON */
  bool is_verbose, wants_timing, wants_progress;
  char *checkpoint;               /* its file; NULL: none */
  double between;                 /* to resume from; NULL: the run starts anew */
  const char *resume;             /* the file to go on from; NULL: the run begins */
  const char **output_files;      /* one per output */
  const char **snapshot_prefixes; /* likewise */
  char **default_files;           /* default names of files that no option gave; NULL at the end */
  char **words;                   /* of the command line */
} ddr_settings;

typedef enum { OPTIONS_RUN, OPTIONS_HELP, OPTIONS_BAD } ddr_option_result;

/* Reads the command line: sets the world's inputs and fills the settings.  Prints help, or one line
 * about an error, to `out`. */
ddr_option_result ddr_options_read(ddr_world *world, int argc, char **argv, ddr_settings *settings,
                                   FILE *out);
/* The same, but inputs without a default may be missing: they are given later. */
ddr_option_result ddr_options_read_some(ddr_world *world, int argc, char **argv,
                                        ddr_settings *settings, FILE *out);
void ddr_settings_clear(ddr_settings *settings);

/* options_table.c: every option of the program, in registration order; false: out of memory. */
bool ddr_options_build(ddr_world *world, ddr_option_list *list);
void ddr_options_clear(ddr_option_list *list);

/* options_split.c: the words of the command line, where --NAME=VALUE becomes two words, both parts
 * of argv's word.  NULL: out of memory.  Free the array. */
char **ddr_options_split(const ddr_option_list *list, int *argc, char **argv);

/* options_partly.c: a line about each number of an input that was read only in part. */
void ddr_options_warn(const ddr_program *program, const ddr_option_list *list, char **argv,
                      FILE *out);

/* options_suggest.c: the option whose name is most similar to a word; `length` is 0 if none is
 * similar. */
typedef struct ddr_suggestion {
  const char *dashes, *name; /* the name has `length` characters */
  int length;
  const ddr_option *option;
} ddr_suggestion;

ddr_suggestion ddr_options_suggest(const ddr_option_list *list, const char *word);
/* The numbers of the n words behind an option, "1,2,3", "1," "2," "3" or "[1 2 3]", with spaces
 * between them; NULL if nothing but spaces is between, if they are not as many as the option takes,
 * and if there is no memory.  Free it. */
char *ddr_options_parted(const ddr_option *option, int n, char **words);
/* Why this program does not have an option that others have; NULL: none has it. */
const char *ddr_options_why_missing(const ddr_option_list *list, const char *word);

/* options_help.c: usage, and the glossary of options; both are wrapped to 79 columns. */
void ddr_help_usage(FILE *out, const char *program_name, const ddr_option_list *list);
void ddr_help_glossary(FILE *out, const ddr_option_list *list);
