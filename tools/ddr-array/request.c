/* request.c: see request.h. */
#include "tools/ddr-array/request.h"

#include <stdlib.h>

#include "tools/ddr-array/arguments.h"

static ddr_status keep(const char **list, int *n, const char *text, ddr_reason *reason) {
  if (*n == MOST_NUMBERS) return ddr_refuse(reason, "too many arguments, from \"%.200s\" on", text);
  list[(*n)++] = text;
  return DDR_OK;
}

/* A word that needs no array. */
static ddr_status take_word(Request *request, const Word *word, ddr_reason *reason) {
  const char *text = word->argument ? word->argument : "";
  if (word->id == OPT_WORD) return keep(request->bare, &request->n_bare, text, reason);
  if (option_group(word->id) == NUMBER)
    return keep(request->numbers, &request->n_numbers, text, reason);
  if (option_group(word->id) == PLAIN) request->plain[word->id] = text;
  return DDR_OK;
}

static ddr_status check_order(const Request *request, ddr_reason *reason) {
  bool has_array = false;
  for (int k = 0; k < request->words.n; k++) {
    const OptionId id = request->words.words[k].id;
    if (id == OPT_WORD) continue;
    has_array = has_array || option_group(id) == ARRAY;
    if (option_group(id) == PART && !has_array)
      return ddr_refuse(reason, "--%s must stand behind the array to which it applies",
                        option_name(id));
  }
  return DDR_OK;
}

/* The file of `info` needs no -i. */
static void name_file(WordList *list) {
  for (int k = 0; k < list->n; k++)
    if (list->words[k].id == OPT_WORD) list->words[k].id = OPT_INPUT;
}

ddr_status request_read(Request *request, CommandId command, int argc, char **argv,
                        ddr_reason *reason) {
  *request = (Request){.command = command};
  ddr_status status = words_read(command, argc, argv, &request->words, reason);
  if (command == COMMAND_INFO) name_file(&request->words);
  for (int k = 0; k < request->words.n && status == DDR_OK; k++)
    status = take_word(request, &request->words.words[k], reason);
  if (status != DDR_OK || request->plain[OPT_HELP]) return status;
  if (check_order(request, reason) != DDR_OK) return DDR_ERROR;
  request->n_threads = (int)ddr_num_cores();
  const char *n_threads = request->plain[OPT_THREADS];
  return n_threads ? read_count(OPT_THREADS, n_threads, &request->n_threads, reason) : DDR_OK;
}

static ddr_status load_one(Request *request, const Word *word, bool *is_stdin_taken,
                           ddr_reason *reason) {
  if (request->n_arrays == MOST_ARRAYS)
    return ddr_refuse(reason, "more than %d arrays, from %.200s on", MOST_ARRAYS, word->argument);
  Array *array = &request->arrays[request->n_arrays];
  const ddr_status status = array_load(array, word->argument, is_stdin_taken, reason);
  if (status == DDR_OK) request->role[request->n_arrays++] = word->id;
  return status;
}

ddr_status request_load(Request *request, ddr_reason *reason) {
  bool is_stdin_taken = false;
  ddr_status status = DDR_OK;
  for (int k = 0; k < request->words.n && status == DDR_OK; k++) {
    const Word *word = &request->words.words[k];
    if (word->id == OPT_WORD) continue;
    if (option_group(word->id) == ARRAY) status = load_one(request, word, &is_stdin_taken, reason);
    if (option_group(word->id) == PART)
      status =
          array_part(&request->arrays[request->n_arrays - 1], word->id, word->argument, reason);
  }
  return status;
}

void request_free(Request *request) {
  for (int k = 0; k < request->n_arrays; k++) array_free(&request->arrays[k]);
  free(request->words.words);
}

int request_count(const Request *request, OptionId role) {
  int n = 0;
  for (int k = 0; k < request->words.n; k++) n += request->words.words[k].id == role;
  return n;
}

Array *request_array(Request *request, OptionId role, int k) {
  for (int at = 0; at < request->n_arrays; at++)
    if (request->role[at] == role && k-- == 0) return &request->arrays[at];
  return NULL;
}

ddr_status request_expect(const Request *request, int n_bare, int n_inputs, ddr_reason *reason) {
  const int found = request_count(request, OPT_INPUT);
  if (request->n_bare > n_bare)
    return ddr_refuse(reason, "arrays are named by -i, found \"%.200s\"", request->bare[n_bare]);
  for (int id = 0; id < OPT_COUNT; id++)
    if (id != OPT_INPUT && option_group((OptionId)id) == ARRAY &&
        request_count(request, (OptionId)id) > 1)
      return ddr_refuse(reason, "--%s is given twice", option_name((OptionId)id));
  if (found == n_inputs) return DDR_OK;
  return ddr_refuse(reason, "it takes -i FILE %s, found %d",
                    n_inputs == 0   ? "not at all"
                    : n_inputs == 1 ? "once"
                                    : "twice",
                    found);
}

ddr_status request_output(const Request *request, const char **file, ddr_reason *reason) {
  *file = request->plain[OPT_OUTPUT];
  if (*file && **file) return DDR_OK;
  return ddr_refuse(reason, "-o FILE is missing, which names the result");
}
