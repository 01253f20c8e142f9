/* options.c: reads the command line of an executable through hest.
 *
 * hest finds the options and counts their words; the words are parsed here, because hest would read
 * defaults back from help's text, which shows six digits, and a default must keep all its digits.
 * hest joins words with spaces and splits them again, so it gets numbered stand-ins: see Note
 * [Numbered words].
 * Read next: options_table.c, world/values.c, executable.c.
 */
#include "options.h"

#include <stdlib.h>
#include <string.h>
#include <teem/hest.h>

#include "runtime/header/header.h"
#include "runtime/src/inputs/inputs.h"
#include "runtime/src/outputs/outputs.h"
#include "runtime/src/world/values.h"

/* The message when there is no memory for a message; the only one that is not freed. */
static char no_memory[] = "out of memory";

static char *said(char *message) { return message ? message : no_memory; }

static void message_free(char *message) {
  if (message != no_memory) free(message);
}

/* How messages name an option: "-num" option, or -l,--limit option.  The caller frees it. */
static char *name_option(const ddr_option *option) {
  const char *comma = strchr(option->flag, ',');
  if (!comma) return ddr_format("\"-%s\" option", option->flag);
  return ddr_format("-%.*s,--%s option", (int)(comma - option->flag), option->flag, comma + 1);
}

/* --- numbered words --------------------------------------------------------------------------- */

static const ddr_option *find_option(const ddr_option_list *list, const char *word) {
  if (word[0] != '-') return NULL;
  for (uint32_t k = 0; k < list->n_options; k++) {
    const char *flag = list->options[k].flag;
    const size_t n = strcspn(flag, ",");
    const char *written = list->options[k].written;
    if (strncmp(word + 1, flag, n) == 0 && word[1 + n] == '\0') return &list->options[k];
    if (written && strcmp(word + 1, written) == 0) return &list->options[k];
    if (flag[n] && word[1] == '-' && strcmp(word + 2, flag + n + 1) == 0) return &list->options[k];
  }
  return NULL;
}

/* The stand-in for argv[idx]: options stay as they are, except that inputs have the names that hest
 * knows; other words become numbers. */
static char *stand_in(const ddr_option_list *list, char **argv, int idx) {
  const ddr_option *option = find_option(list, argv[idx]);
  if (option)
    return option->written ? ddr_format("-%s", option->flag) : ddr_format("%s", argv[idx]);
  return ddr_format("%c#%d", argv[idx][0] == '-' ? '-' : '+', idx);
}

/* hest's callback: parses the position of one word; defaults have none. */
static int parse_word(void *dst, char *word, char err[AIR_STRLEN_HUGE]) {
  err[0] = '\0';
  *(int *)dst = word && word[0] && word[1] == '#' ? atoi(word + 2) : 0;
  return 0;
}

/* Puts the word back into a message of hest, which complains about one word at most and quotes it
 * last. */
static char *restore_word(const char *message, char **argv) {
  const char *quote = strstr(message, ": \"");
  if (!quote || quote[3] == '\0' || quote[4] != '#') return ddr_format("%s", message);
  const int n = (int)(quote - message);
  return ddr_format("%.*s: \"%s\"", n, message, argv[atoi(quote + 5)]);
}

/* --- through hest ----------------------------------------------------------------------------- */

/* hest's strings are not const, but it only reads them. */
static hestOpt *register_options(const ddr_option_list *list, hestCB *word, int *is_set) {
  hestOpt *opts = NULL;
  for (uint32_t k = 0; k < list->n_options; k++) {
    const ddr_option *option = &list->options[k];
    const int n = (int)option->n_words;
    if (n == 0) {
      hestOptAdd(&opts, option->flag, NULL, airTypeInt, 0, 0, &is_set[k], NULL, NULL);
    } else {
      hestOptAdd(&opts, option->flag, "value", airTypeOther, n, n, option->words, "default", NULL,
                 NULL, NULL, word); /* hest need not ask for it: missing_inputs does */
    }
  }
  return opts;
}

/* Returns NULL if all words were matched to options, else a message.  Free it. */
static char *find_words(ddr_option_list *list, int n_words, const char **words, char **argv) {
  hestCB word = {.size = sizeof(int), .type = "word", .parse = parse_word};
  int *is_set = calloc(list->n_options, sizeof *is_set);
  hestParm *parm = hestParmNew();
  if (!is_set || !parm) {
    free(is_set);
    if (parm) hestParmFree(parm);
    return no_memory;
  }
  parm->respFileEnable = 0;
  parm->noArgsIsNoProblem = 1;
  parm->verbosity = 0;
  hestOpt *opts = register_options(list, &word, is_set);
  char *complaint = NULL, *message = NULL;
  if (hestParse(opts, n_words, words, &complaint, parm)) {
    message = said(restore_word(complaint ? complaint : "unreadable", argv));
    free(complaint);
  } else {
    for (uint32_t k = 0; k < list->n_options; k++) {
      list->options[k].is_given = opts[k].source == hestSourceUser;
    }
    hestParseFree(opts);
  }
  hestOptFree(opts);
  hestParmFree(parm);
  free(is_set);
  return message;
}

/* A line as hest wants it: without the name of the program, and with NULL at the end. */
static char *parse_line(ddr_option_list *list, int argc, char **argv) {
  bool is_complete = true;
  char **owned = calloc((size_t)argc + 1, sizeof *owned);
  const char **words = calloc((size_t)argc + 1, sizeof *words);
  for (int k = 1; owned && words && k < argc; k++) {
    owned[k] = stand_in(list, argv, k);
    words[k - 1] = owned[k];
    is_complete = is_complete && owned[k];
  }
  char *message =
      owned && words && is_complete ? find_words(list, argc - 1, words, argv) : no_memory;
  for (int k = 1; owned && k < argc; k++) free(owned[k]);
  free(owned);
  free(words);
  return message;
}

/* --- values ----------------------------------------------------------------------------------- */

/* `range`: what values there are, if a number is beyond them; or NULL. */
static char *unreadable(const ddr_option *option, const char *word, const char *range) {
  char *ident = name_option(option);
  char *message =
      ddr_format("couldn't parse \"%s\" as %s for %s%s%s", word, option->type,
                 ident ? ident : option->flag, range ? ": values are " : "", range ? range : "");
  free(ident);
  return said(message);
}

static char *take_input(ddr_world *world, const ddr_input *input, const ddr_option *option,
                        char **argv) {
  if (!option->is_given) return NULL;
  const bool is_file = input->kind == DDR_IMAGE || input->kind == DDR_SEQUENCE;
  if (is_file || (input->kind == DDR_STRING && input->n_components == 1)) {
    const char *word = argv[option->words[0]];
    return ddr_input_set(world, input->name, word) == DDR_OK ? NULL : no_memory;
  }
  const size_t size = ddr_value_size(world->program, input->kind);
  char *values = calloc(input->n_components, size), *message = NULL;
  if (!values) return no_memory;
  for (uint32_t k = 0; k < input->n_components && !message; k++) {
    const char *word = argv[option->words[k]];
    if (!ddr_value_parse(world->program, input->kind, word, values + k * size)) {
      message = unreadable(option, word, ddr_value_range(world->program, input->kind, word));
    }
  }
  if (!message && ddr_input_set(world, input->name, values) != DDR_OK) message = no_memory;
  free(values);
  return message;
}

/* The message: input "vol" is missing; -vol FILE: volume.  NULL: no memory. */
static char *missing_input(const ddr_input *input, const ddr_option *option) {
  const bool is_file = input->kind == DDR_IMAGE || input->kind == DDR_SEQUENCE;
  const bool is_told = option->info && *option->info;
  return ddr_format("input \"%s\" is missing; -%s %s%s%s", input->name, option->flag,
                    is_file ? "FILE" : option->placeholder, is_told ? ": " : "",
                    is_told ? option->info : "");
}

/* A line for each input that has no default and is not given; NULL: all are given. */
static char *missing_inputs(const ddr_world *world, const ddr_option_list *list) {
  char *all = NULL;
  for (uint32_t k = 0; k < world->program->n_inputs; k++) {
    const ddr_option *option = &list->inputs[k];
    if (option->is_given || option->has_default) continue;
    char *line = missing_input(&world->program->inputs[k], option);
    char *longer = line && all ? ddr_format("%s\nERROR: %s", all, line) : NULL;
    const bool is_first = !all;
    free(all);
    all = is_first ? line : longer;
    if (!is_first) free(line);
    if (!all) return no_memory;
  }
  return all;
}

/* The word of an option with one value, or its default. */
static const char *one_word(const ddr_option *option, char **argv, const char *otherwise) {
  return option->is_given ? argv[option->words[0]] : otherwise;
}

/* Parses the number of an option that not all programs have. */
static char *take_number(const ddr_option *option, char **argv, uint32_t *dst) {
  *dst = 0;
  if (!option) return NULL;
  const char *word = one_word(option, argv, "0");
  return ddr_value_parse_unsigned(word, dst) ? NULL : unreadable(option, word, NULL);
}

/* Parses one entry of n characters of an option's list; returns a message or NULL. */
typedef char *TakeEntry(ddr_world *world, const char *entry, size_t n);

/* Parses a list with commas between the entries, each of which names an image input. */
static char *take_list(ddr_world *world, const ddr_option *option, char **argv, TakeEntry *take) {
  char *message = NULL;
  if (!option || !option->is_given) return NULL;
  const char *word = argv[option->words[0]];
  for (bool is_last = false; !is_last && !message;) {
    const size_t n = strcspn(word, ",");
    message = n > 0 ? take(world, word, n) : unreadable(option, argv[option->words[0]], NULL);
    is_last = word[n] == '\0';
    word += n + 1;
  }
  return message;
}

static char *take_prefilter(ddr_world *world, const char *entry, size_t n) {
  uint32_t idx;
  char *message;
  if (ddr_prepare_find(world, entry, n, &idx, &message) &&
      ddr_prepare_prefilter(world, idx, &message)) {
    return NULL;
  }
  return said(message);
}

/* Parses IMAGE:FACTOR. */
static char *take_decimate(ddr_world *world, const char *entry, size_t n) {
  uint32_t idx, factor = 0;
  const int n_shown = (int)(n < 100 ? n : 100);
  const char *colon = memchr(entry, ':', n);
  char *message;
  char *number = colon ? ddr_format("%.*s", (int)(entry + n - colon) - 1, colon + 1) : NULL;
  if (colon && !number) return no_memory;
  const bool is_readable = number && ddr_value_parse_unsigned(number, &factor);
  free(number);
  if (!is_readable) {
    return said(ddr_format("couldn't parse \"%.*s\" as IMAGE:FACTOR", n_shown, entry));
  }
  if (ddr_prepare_find(world, entry, (size_t)(colon - entry), &idx, &message) &&
      ddr_prepare_decimate(world, idx, factor, &message)) {
    return NULL;
  }
  return said(message);
}

static char *take_preparations(ddr_world *world, const ddr_option_list *list, char **argv) {
  char *message = take_list(world, list->fixed[OPTION_DECIMATE], argv, take_decimate);
  if (message) return message;
  return take_list(world, list->fixed[OPTION_PREFILTER], argv, take_prefilter);
}

/* Parses the options of a trace: which strand to follow, if any. */
static char *take_trace(ddr_option *const *fixed, char **argv, ddr_settings *settings) {
  const ddr_option *trace = fixed[OPTION_TRACE], *format = fixed[OPTION_TRACE_FORMAT];
  if (!trace) return NULL;
  const char *form = one_word(format, argv, "text");
  settings->trace = one_word(trace, argv, NULL);
  if (settings->trace && (settings->resume || settings->checkpoint))
    return said(ddr_format("--trace does not go with --resume and --checkpoint"));
  settings->wants_json = strcmp(form, "json") == 0;
  if (!settings->wants_json && strcmp(form, "text") != 0)
    return said(
        ddr_format("couldn't parse \"%s\" as text or json for -tf,--trace-format option", form));
  return take_number(fixed[OPTION_TRACE_LIMIT], argv, &settings->trace_limit);
}

/* Parses FILE or FILE:SECONDS: a number after the last colon means seconds. */
static char *take_checkpoint(const ddr_option *option, char **argv, ddr_settings *settings) {
  settings->between = -1;
  if (!option || !option->is_given) return NULL;
  const char *word = argv[option->words[0]], *colon = strrchr(word, ':');
  char *end = NULL;
  const double seconds = colon ? strtod(colon + 1, &end) : 0;
  const bool has_seconds = colon && end > colon + 1 && *end == '\0';
  const size_t n = has_seconds ? (size_t)(colon - word) : strlen(word);
  if (n == 0 || (has_seconds && !(seconds >= 0 && seconds < 1e9)))
    return unreadable(option, word, NULL);
  if (has_seconds) settings->between = seconds;
  settings->checkpoint = ddr_format("%.*s", (int)n, word);
  return settings->checkpoint ? NULL : no_memory;
}

static char *take_fixed(const ddr_option_list *list, char **argv, ddr_settings *settings) {
  ddr_option *const *fixed = list->fixed;
  settings->print_file = one_word(fixed[OPTION_PRINT], argv, "-");
  settings->is_verbose = fixed[OPTION_VERBOSE]->is_given;
  settings->wants_timing = fixed[OPTION_TIMING]->is_given;
  settings->wants_progress = fixed[OPTION_PROGRESS]->is_given;
  char *message = take_number(fixed[OPTION_LIMIT], argv, &settings->limit);
  if (!message) message = take_number(fixed[OPTION_SNAPSHOT], argv, &settings->period);
  if (!message) message = take_number(fixed[OPTION_WORKERS], argv, &settings->n_workers);
  if (!message) message = take_number(fixed[OPTION_BLOCK], argv, &settings->block_size);
  settings->gpu = fixed[OPTION_GPU] ? one_word(fixed[OPTION_GPU], argv, NULL) : "none";
  const ddr_option *resume = fixed[OPTION_RESUME];
  if (resume && resume->is_given) settings->resume = argv[resume->words[0]];
  if (!message) message = take_checkpoint(fixed[OPTION_CHECKPOINT], argv, settings);
  const char *size = one_word(fixed[OPTION_MEMORY], argv, "0");
  if (!message) message = take_trace(fixed, argv, settings);
  if (!message && !ddr_value_parse_size(size, &settings->most_memory)) {
    message = unreadable(fixed[OPTION_MEMORY], size, NULL);
  }
  return message;
}

static char *take_values(ddr_world *world, const ddr_option_list *list, char **argv,
                         ddr_settings *settings) {
  const ddr_program *program = world->program;
  char *message = take_fixed(list, argv, settings);
  if (!message) message = take_preparations(world, list, argv);
  for (uint32_t k = 0; k < program->n_inputs && !message; k++) {
    message = take_input(world, &program->inputs[k], &list->inputs[k], argv);
  }
  const ddr_option *option = list->outputs;
  for (uint32_t k = 0; k < program->n_outputs; k++) {
    settings->output_files[k] = one_word(option++, argv, settings->output_files[k]);
    settings->snapshot_prefixes[k] = program->outputs[k].name;
    if (program->has_snapshots) {
      settings->snapshot_prefixes[k] = one_word(option++, argv, program->outputs[k].name);
    }
  }
  return message;
}

/* Default names belong to the settings, which outlive the option list. */
static bool default_names(const ddr_program *program, ddr_settings *settings) {
  const size_t n = program->n_outputs + 1u;
  settings->output_files = calloc(n, sizeof *settings->output_files);
  settings->snapshot_prefixes = calloc(n, sizeof *settings->snapshot_prefixes);
  settings->default_files = calloc(n, sizeof *settings->default_files);
  if (!settings->output_files || !settings->snapshot_prefixes) return false;
  for (uint32_t k = 0; settings->default_files && k < program->n_outputs; k++) {
    settings->default_files[k] = ddr_output_name(&program->outputs[k]);
    if (!settings->default_files[k]) return false;
    settings->output_files[k] = settings->default_files[k];
  }
  return settings->default_files != NULL;
}

void ddr_settings_clear(ddr_settings *settings) {
  for (char **name = settings->default_files; name && *name; name++) free(*name);
  free(settings->default_files);
  free(settings->checkpoint);
  free(settings->output_files);
  free(settings->snapshot_prefixes);
  free(settings->words);
  *settings = (ddr_settings){0};
}

/* -h prints the usage, --help also the glossary; the first of them on the command line decides. */
static bool print_help(const ddr_option_list *list, int argc, char **argv, FILE *out) {
  const char *flag = list->fixed[OPTION_HELP]->flag; /* an input may be called h */
  const size_t n = strcspn(flag, ",");
  for (int k = 1; k < argc; k++) {
    const char *word = argv[k];
    const bool is_long = strncmp(word, "--", 2) == 0 && strcmp(word + 2, flag + n + 1) == 0;
    const bool is_short = word[0] == '-' && strncmp(word + 1, flag, n) == 0 && !word[1 + n];
    if (!is_long && !is_short) continue;
    ddr_help_usage(out, argv[0], list);
    if (is_long) ddr_help_glossary(out, list);
    return true;
  }
  return false;
}

/* A suggestion for a word that is not an option; NULL: no option is similar. */
static char *misspelled(const ddr_option_list *list, const char *word) {
  const ddr_suggestion suggestion = ddr_options_suggest(list, word);
  if (suggestion.length == 0) return NULL;
  const char *equals = suggestion.option->n_words == 1 ? strchr(word, '=') : NULL;
  const bool has_value = equals && equals[1];
  return said(ddr_format("unexpected arg (or unrecognized flag): \"%s\"; did you mean %s%.*s%s%s?",
                         word, suggestion.dashes, suggestion.length, suggestion.name,
                         has_value ? " " : "", has_value ? equals + 1 : ""));
}

/* The message about the first option that only other programs have, or that is misspelled; NULL:
 * there is none.  Words after options are their values. */
static char *missing_option(const ddr_option_list *list, int argc, char **argv) {
  for (int k = 1; k < argc; k++) {
    const ddr_option *option = find_option(list, argv[k]);
    const char *why = option ? NULL : ddr_options_why_missing(list, argv[k]);
    if (why) {
      const int n = (int)strcspn(argv[k], "=");
      return said(ddr_format("unknown option %.*s: this program %s", n, argv[k], why));
    }
    char *suggestion = option || argv[k][0] != '-' ? NULL : misspelled(list, argv[k]);
    if (suggestion) return suggestion;
    if (option) k += option->n_words < (uint32_t)(argc - k) ? (int)option->n_words : argc - k;
  }
  return NULL;
}

/* How many words follow word k before the next option. */
static int n_following(const ddr_option_list *list, int k, int argc, char **argv) {
  int n = 0;
  while (k + 1 + n < argc && !find_option(list, argv[k + 1 + n])) n++;
  return n;
}

/* A message about words that are too few because they are joined, with what was probably meant;
 * NULL: it is about something else. An option may be given several times. */
static char *joined_words(const ddr_option_list *list, int argc, char **argv, const char *message) {
  for (int k = 1; k < argc; k++) {
    const ddr_option *option = find_option(list, argv[k]);
    char *ident = option && option->n_words > 1 ? name_option(option) : NULL;
    const bool is_meant = ident && strstr(message, ident);
    free(ident);
    if (!is_meant) continue;
    char *parted = ddr_options_parted(option, n_following(list, k, argc, argv), argv + k + 1);
    if (!parted) continue;
    char *better = ddr_format("%s; did you mean %s %s?", message, argv[k], parted);
    free(parted);
    return better;
  }
  return NULL;
}

/* Prints the message, and help unless the message says all. */
static void complain(const ddr_option_list *list, char *message, bool says_all,
                     const char *program_name, FILE *out) {
  if (!says_all) ddr_header_clean(message); /* it quotes words of the command line */
  fprintf(out, "ERROR: %s\n", message);
  if (message == no_memory || says_all) return;
  ddr_help_usage(out, program_name, list);
  ddr_help_glossary(out, list);
}

typedef enum { MISSING_REFUSED, MISSING_ALLOWED } Missing;

static ddr_option_result read_options(ddr_world *world, int argc, char **argv,
                                      ddr_settings *settings, FILE *out, Missing missing) {
  ddr_option_list list;
  ddr_option_result result = OPTIONS_RUN;
  char *message = NULL;
  *settings = (ddr_settings){0};
  const bool is_built = ddr_options_build(world, &list) && default_names(world->program, settings);
  if (is_built) settings->words = ddr_options_split(&list, &argc, argv);
  if (!settings->words) {
    fputs("ERROR: out of memory\n", out);
    ddr_options_clear(&list);
    return OPTIONS_BAD;
  }
  argv = settings->words;
  bool says_all = false; /* the message alone, without help */
  if (print_help(&list, argc, argv, out)) {
    result = OPTIONS_HELP;
  } else {
    message = parse_line(&list, argc, argv);
    char *better = message ? missing_option(&list, argc, argv) : NULL;
    if (message && !better) better = joined_words(&list, argc, argv, message);
    if (better) {
      message_free(message);
      message = better;
      says_all = true;
    }
    if (!message && missing == MISSING_REFUSED && (message = missing_inputs(world, &list)))
      says_all = true;
    if (!message) message = take_values(world, &list, argv, settings);
  }
  if (message) {
    complain(&list, message, says_all, argv[0], out);
    result = OPTIONS_BAD;
  } else if (result == OPTIONS_RUN) {
    ddr_options_warn(world->program, &list, argv, out);
  }
  message_free(message);
  ddr_options_clear(&list);
  return result;
}

ddr_option_result ddr_options_read(ddr_world *world, int argc, char **argv, ddr_settings *settings,
                                   FILE *out) {
  return read_options(world, argc, argv, settings, out, MISSING_REFUSED);
}

ddr_option_result ddr_options_read_some(ddr_world *world, int argc, char **argv,
                                        ddr_settings *settings, FILE *out) {
  return read_options(world, argc, argv, settings, out, MISSING_ALLOWED);
}

/* Note [Numbered words].  hest concatenates the words of an option, quotes those with spaces, and
 * splits at spaces again, which loses empty words and some quotes.  A stand-in such as "+#7" for
 * argv[7] survives this.  Words that begin with a dash are passed as they are, since hest quotes
 * them in "unrecognized flag". Where a message of hest quotes a stand-in, the word is put back. */
