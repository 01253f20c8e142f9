/* request.h: the request of a command line: arrays and their parts, and the other options. */
#pragma once

#include "runtime/element/number.h"
#include "tools/ddr-array/array.h"
#include "tools/ddr-array/options.h"

enum { MOST_ARRAYS = 8, MOST_NUMBERS = 8 };

typedef struct Request {
  CommandId command;
  WordList words;
  const char *plain[OPT_COUNT];      /* the last argument; "" if the option has none */
  const char *bare[MOST_NUMBERS];    /* words that are not options */
  const char *numbers[MOST_NUMBERS]; /* arguments of the options of group NUMBER */
  int n_bare, n_numbers;
  int n_threads; /* as --threads says, or one per core */
  Array arrays[MOST_ARRAYS];
  OptionId role[MOST_ARRAYS]; /* the option that named it */
  int n_arrays;
} Request;

/* Reads the words; opens no file. */
ddr_status request_read(Request *request, CommandId command, int argc, char **argv,
                        ddr_reason *reason);

/* Loads the arrays, and takes their parts. */
ddr_status request_load(Request *request, ddr_reason *reason);
void request_free(Request *request);

/* The k-th array of an option; NULL: there is none. */
Array *request_array(Request *request, OptionId role, int k);
int request_count(const Request *request, OptionId role);

/* Checks the number of words besides the options, and the number of -i. */
ddr_status request_expect(const Request *request, int n_bare, int n_inputs, ddr_reason *reason);

ddr_status request_output(const Request *request, const char **file, ddr_reason *reason);

/* values.c: reads a number as an element of the type of `like`, if that can hold it. */
ddr_status read_number(const char *text, ddr_element like, ddr_number *number, ddr_reason *reason);
ddr_status read_type(OptionId option, const char *name, ddr_element *type, ddr_reason *reason);
void print_number(ddr_number number, FILE *out);

/* The same elements in memory of their own, in canonical order. */
ddr_array_status packed_copy(const ddr_ndview *view, ddr_ndview *copy);

/* Replaces the array's view by one with the same elements in another type. */
ddr_array_status array_cast(Array *array, ddr_element type, int n_threads);

/* selection.c: applies an option to an array. */
ddr_status array_part(Array *array, OptionId option, const char *argument, ddr_reason *reason);

/* Commands, each in a file of its name: it reads its arguments, loads the arrays and does the
 * work. */
typedef ddr_status Command(Request *request, ddr_reason *reason);
#define COMMAND(id, name, names, arguments, meaning) Command command_##name;
#include "tools/ddr-array/commands.def"

/* Prints, for --help, the possible first arguments. */
typedef void NamePrinter(FILE *out);
NamePrinter print_reduce_names, print_map_names, print_sample_names;
