/* Options: getopt_long over the rows of options.def, and the help printed from the same rows. */
#include "driver/options.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "driver/arch.h"
#include "driver/commands.h"
#include "driver/paths.h"
#include "frontend/base/diag.h"
#include "frontend/base/nearest.h"
#include "frontend/base/text.h"

typedef enum { BASIC, ADVANCED, HIDDEN } Audience;
typedef enum { VALUE_ANY, VALUE_PASS, VALUE_WARNING, VALUE_ARCH, VALUE_WORD } ValueKind;

/* What an argument may be. words: separated by spaces, for VALUE_WORD. */
typedef struct Values {
  ValueKind kind;
  const char *words;
} Values;
#define ANY                                                                                        \
  { VALUE_ANY, NULL }
#define PASSES                                                                                     \
  { VALUE_PASS, NULL }
#define WARNINGS                                                                                   \
  { VALUE_WARNING, NULL }
#define ARCHS                                                                                      \
  { VALUE_ARCH, NULL }
#define WORDS(words)                                                                               \
  { VALUE_WORD, words }

typedef struct OptionRow {
  const char *name;
  const char *arg; /* placeholder of the argument, or NULL */
  const char *text;
  Values values;
  Audience audience;
  char letter;
} OptionRow;

static const OptionRow rows[OPT_COUNT] = {
#define OPTION(id, name, letter, arg, values, audience, text)                                      \
  {name, arg, text, values, audience, letter},
#include "driver/options.def"
};

const char options_run_hint[] = "; options of the program come after --";

enum { CODE_BASE = 256 }; /* getopt codes: OptionId and, behind them, disabled passes */

const char *option_name(OptionId id) { return rows[id].name; }

const char *option_arg(const Options *options, OptionId id) {
  const StringVec *args = &options->args[id];
  return args->len == 0 ? NULL : vec_last(args);
}

bool option_has(const Options *options, OptionId id, const char *value) {
  const StringVec *args = &options->args[id];
  for (uint32_t i = 0; i < args->len; i++)
    if (strcmp(args->data[i], value) == 0) return true;
  return false;
}

bool options_are_vis15(const Options *options) {
  const char *style = option_arg(options, OPT_COMPAT);
  return style && strcmp(style, "vis15") == 0;
}

RuntimeKind options_runtime(const Options *options) {
  if (options->given[OPT_SHARED]) return RUNTIME_SHARED;
  return options->given[OPT_SANITIZE] ? RUNTIME_SANITIZED : RUNTIME_INSIDE;
}

bool style_is_document(DiagStyle style) { return style == DIAG_JSON || style == DIAG_SARIF; }

DiagStyle options_style(const Options *options) {
  static const char *const words[] = {
      [DIAG_FULL] = "full", [DIAG_PLAIN] = "plain", [DIAG_JSON] = "json", [DIAG_SARIF] = "sarif"};
  const char *style = option_arg(options, OPT_DIAGNOSTICS);
  /* Scripts of the vis15 generation filter messages line by line. */
  if (!style) return options_are_vis15(options) ? DIAG_PLAIN : DIAG_FULL;
  int i = DIAG_SARIF;
  while (i > DIAG_FULL && strcmp(words[i], style) != 0) i--;
  return (DiagStyle)i;
}

static struct option *long_options(Arena *a) {
  struct option *table = NEWN(a, struct option, OPT_COUNT + PASS_COUNT + 1);
  for (int i = 0; i < OPT_COUNT; i++) {
    table[i] = (struct option){rows[i].name, rows[i].arg ? required_argument : no_argument, NULL,
                               CODE_BASE + i};
  }
  for (int i = 0; i < PASS_COUNT; i++) {
    const char *name = text_format(a, "no-%s", pass_name((PassId)i));
    table[OPT_COUNT + i] = (struct option){name, no_argument, NULL, CODE_BASE + OPT_COUNT + i};
  }
  return table;
}

static const char *short_options(Arena *a) {
  Text text = text_new(a);
  text_add(&text, ":");
  for (int i = 0; i < OPT_COUNT; i++)
    if (rows[i].letter) text_addf(&text, "%c%s", rows[i].letter, rows[i].arg ? ":" : "");
  return text_str(&text);
}

static int option_of_letter(int letter) {
  for (int i = 0; i < OPT_COUNT; i++)
    if (rows[i].letter && rows[i].letter == letter) return i;
  return OPT_COUNT;
}

static bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_identifier(const char *text, size_t len) {
  for (size_t i = 0; i < len; i++) {
    const bool is_digit = text[i] >= '0' && text[i] <= '9';
    if (!is_letter(text[i]) && (i == 0 || !is_digit)) return false;
  }
  return len > 0;
}

/* --CNAME=VALUE and --DNAME[=VALUE] stand anywhere and are taken out first. */
static bool take_definition(Arena *a, const char *arg, Options *options, const char **error) {
  if (strncmp(arg, "--C", 3) != 0 && strncmp(arg, "--D", 3) != 0) return false;
  const char *body = arg + 3, *value = strchr(body, '=');
  const size_t len = strcspn(body, "=");
  const char *wrong = NULL;
  if (arg[2] == 'C') {
    if (len == 0 || !value || !value[1])
      wrong = text_format(a, "badly-formed constant definition %s; expected --CNAME=VALUE", arg);
    vec_push(a, &options->constants, body);
  } else {
    if (!is_identifier(body, len) || strpbrk(body, "\r\n"))
      wrong = text_format(
          a, "badly-formed symbol definition %s; expected --DNAME[=VALUE] on one line", arg);
    vec_push(a, &options->definitions, body);
  }
  if (!*error) *error = wrong;
  return true;
}

static void take_option(Arena *a, int number, Options *options) {
  if (number >= OPT_COUNT) {
    options->pass_disabled[number - OPT_COUNT] = true;
    return;
  }
  options->given[number] = true;
  if (rows[number].arg) vec_push(a, &options->args[number], optarg);
}

/* True for --d, where --dump and --double could be meant. */
static bool is_ambiguous(const struct option *table, const char *word) {
  const char *name = word + 2;
  const size_t len = strcspn(name, "=");
  int n_meant = 0;
  for (; strncmp(word, "--", 2) == 0 && table->name; table++)
    n_meant += strncmp(table->name, name, len) == 0;
  return n_meant > 1;
}

/* The whole word of an unknown letter: "-exec" is a long option with too few dashes. */
static const char *word_of_letter(char **argv, int letter) {
  for (int i = optind; i >= optind - 1 && i > 0; i--) {
    const char *word = argv[i];
    if (word && word[0] == '-' && word[1] != '-' && strchr(word + 1, letter)) return word;
  }
  return NULL;
}

/* Not for scripts alone, as HIDDEN ones, nor for `diderotc view`, which starts --viewed. */
static bool is_for_people(int option) {
  return rows[option].audience != HIDDEN && option != OPT_VIEWED;
}

static const char *unknown_option(Arena *a, const char *word, const struct option *table) {
  const char *name = word + strspn(word, "-");
  const size_t len = strcspn(name, "=");
  /* Also two letters of four in the wrong order, which is two edits. */
  Nearest nearest = {.wanted = arena_strdup(a, name, len), .distance = (uint32_t)(len + 2) / 3 + 1};
  for (int i = 0; table[i].name; i++) {
    if (i >= OPT_COUNT || is_for_people(i)) nearest_offer(&nearest, table[i].name);
  }
  if (!nearest.best) return text_format(a, "unknown option %s", word);
  return text_format(a, "unknown option %s; did you mean --%s?", word, nearest.best);
}

/* For -v: "; did you mean --version, --verbose?"; nothing if many options begin with the letter. */
static const char *options_of_letter(Arena *a, int letter, const struct option *table) {
  enum { MOST = 3 };
  const char *names = "";
  int n_names = 0;
  for (int i = 0; i < OPT_COUNT; i++) {
    if (!is_for_people(i) || table[i].name[0] != letter) continue;
    names = text_format(a, "%s%s--%s", names, n_names > 0 ? ", " : "", table[i].name);
    n_names++;
  }
  if (n_names == 0 || n_names > MOST) return "";
  return text_format(a, "; did you mean %s?", names);
}

static const char *usage_error(Arena *a, int code, char **argv, const struct option *table) {
  const char *word = argv[optind - 1];
  if (code == ':') return text_format(a, "option %s needs an argument", word);
  if (optopt >= CODE_BASE) return text_format(a, "option %s takes no argument", word);
  if (optopt == 0 && is_ambiguous(table, word))
    return text_format(a, "option %s is ambiguous", word);
  if (optopt != 0) word = word_of_letter(argv, optopt);
  if (!word || strlen(word) == 2)
    return text_format(a, "unknown option -%c%s", optopt, options_of_letter(a, optopt, table));
  return unknown_option(a, word, table);
}

/* Only some informational options make sense without a file. */
static bool needs_file(const Options *options) {
  static const OptionId without[] = {OPT_HELP,  OPT_HELP_ALL, OPT_VERSION,
                                     OPT_ABOUT, OPT_DOC,      OPT_CLEAN};
  for (size_t i = 0; i < sizeof without / sizeof *without; i++) {
    if (options->given[without[i]]) return false;
  }
  return true;
}

/* ---- checks of the options ------------------------------------------------------------------- */

static bool is_valid(const Values *values, const char *arg) {
  switch (values->kind) {
  case VALUE_ARCH: /* has messages of its own */
  case VALUE_ANY: return true;
  case VALUE_PASS: return pass_find(arg) != PASS_COUNT;
  case VALUE_WARNING: return diag_find_warning(arg) != DIAG_COUNT;
  case VALUE_WORD: return text_has_word(values->words, arg);
  }
  return false;
}

static const char *wrong_arch(Arena *a, const Options *options) {
  const StringVec *args = &options->args[OPT_ARCH];
  const char *wrong = NULL;
  for (uint32_t i = 0; i < args->len && !wrong; i++) wrong = arch_wrong(a, args->data[i]);
  return wrong;
}

/* The first argument that its option does not take, or NULL. */
static const char *wrong_value(Arena *a, const Options *options) {
  for (int id = 0; id < OPT_COUNT; id++) {
    const Values *values = &rows[id].values;
    const StringVec *args = &options->args[id];
    for (uint32_t i = 0; i < args->len; i++) {
      if (is_valid(values, args->data[i])) continue;
      const char *known = values->kind == VALUE_PASS ? "a pass of --doc=passes"
                          : values->kind == VALUE_WARNING
                              ? "a warning of --doc=errors"
                              : text_format(a, "one of (%s)", values->words);
      return text_format(a, "--%s takes %s, not \"%s\"", rows[id].name, known, args->data[i]);
    }
  }
  return NULL;
}

/* $DIDEROT_COMPAT stands for --compat where that is not given. */
static const char *take_environment(Arena *a, Options *options) {
  const char *value = getenv("DIDEROT_COMPAT");
  if (options->given[OPT_COMPAT] || !value || !*value) return NULL;
  vec_push(a, &options->args[OPT_COMPAT], value);
  const Values *values = &rows[OPT_COMPAT].values;
  if (is_valid(values, value)) return NULL;
  return text_format(a, "DIDEROT_COMPAT takes one of (%s), not \"%s\"", values->words, value);
}

/* Whether a prefix is used by the header or by functions of the runtime, which is in every library.
 */
static bool is_reserved(const char *name) {
  return strcmp(name, "diderot") == 0 || strcmp(name, "ddr") == 0 || strncmp(name, "ddr_", 4) == 0;
}

static const char *wrong_namespace(Arena *a, const Options *options) {
  const char *name = option_arg(options, OPT_NAMESPACE);
  if (!name) return NULL;
  if (*name == '\0') return "invalid empty namespace specifier";
  if (is_reserved(name)) return text_format(a, "namespace \"%s\" is reserved", name);
  if (is_identifier(name, strlen(name))) return NULL;
  return text_format(
      a, "invalid namespace specifier \"%s\"; expected letters, digits and _, no digit first",
      name);
}

static const char *wrong_combination(Arena *a, const Options *options) {
  const char *error = wrong_value(a, options);
  if (!error) error = wrong_arch(a, options);
  if (!error) error = wrong_namespace(a, options);
  return error ? error : options_contradiction(a, options);
}

/* An option without its dashes, as in `diderotc check a.diderot`. */
static bool is_bare_option(const char *word) {
  for (int i = 0; i < OPT_COUNT; i++)
    if (rows[i].audience != HIDDEN && strcmp(rows[i].name, word) == 0) return true;
  return false;
}

/* A word for compiling, as in `cc a.diderot`. */
static bool is_compiling_elsewhere(const char *word) {
  static const char *const words[] = {
#define ELSEWHERE(word) word,
#include "driver/commands.def"
  };
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strcmp(words[i], word) == 0) return true;
  return false;
}

/* A message about several files: about the second, unless the first was meant as a command or
 * option. */
static const char *too_many_files(Arena *a, const Options *options) {
  const char *first = options->files.data[0], *second = options->files.data[1];
  if (is_bare_option(first))
    return text_format(a, "unknown command %s; did you mean --%s?", first, first);
  Nearest nearest = {.wanted = first, .distance = (uint32_t)(strlen(first) + 2) / 3 + 1};
  nearest_offer(&nearest, "run");
#define COMMAND(word, function, arguments) nearest_offer(&nearest, word);
#include "driver/commands.def"
  if (nearest.best && !strchr(first, '.'))
    return text_format(a, "unknown command %s; did you mean %s?", first, nearest.best);
  if (is_compiling_elsewhere(first))
    return text_format(a, "unknown command %s; did you mean diderotc %s?", first, second);
  return text_format(a, "too many files: expected one, found \"%s\" and \"%s\"", first, second);
}

static const char *take_files(Arena *a, int argc, char **argv, Options *options) {
  const bool are_several = argc - optind > 1;
  for (int i = optind; i < argc; i++) vec_push(a, &options->files, argv[i]);
  if (are_several && options->is_run) return "arguments of the program come after --";
  if (are_several && !options->given[OPT_CHECK]) return too_many_files(a, options);
  if (are_several && options->given[OPT_STDIN]) return "--stdin is for one program";
  if (options->files.len > 0) options->file = options->files.data[0];
  return options->file || !needs_file(options) ? NULL : "missing file argument";
}

/* Returns the first mistake. The other options are read all the same: --diagnostics is needed to
 * report it. */
static const char *take_all(Arena *a, int argc, char **argv, Options *options) {
  const struct option *table = long_options(a);
  const char *letters = short_options(a), *error = NULL;
  opterr = 0;
  for (int code; (code = getopt_long(argc, argv, letters, table, NULL)) != -1;) {
    const bool is_wrong = code == '?' || code == ':';
    if (!is_wrong)
      take_option(a, code >= CODE_BASE ? code - CODE_BASE : option_of_letter(code), options);
    else if (!error)
      error = text_format(a, "%s%s", usage_error(a, code, argv, table),
                          options->is_run ? options_run_hint : "");
  }
  if (options->given[OPT_OBJECT]) options->given[OPT_EXEC] = true;
  if (!error) error = take_environment(a, options);
  if (!error) error = wrong_combination(a, options);
  return error ? error : take_files(a, argc, argv, options);
}

/* The program's arguments: its name, then what follows "--". */
static char **program_args(Arena *a, const char *file, int n_words, char **words) {
  const char *name = path_stem(a, file);
  char **args = NEWN(a, char *, (size_t)n_words + 2);
  args[0] = arena_strdup(a, name, strlen(name));
  for (int i = 1; i < n_words; i++) args[i] = words[i];
  return args;
}

/* The command line, without the folder of the compiler. */
static const char *join_words(Arena *a, int argc, char **argv) {
  const char *slash = strrchr(argv[0], '/');
  Text text = text_new(a);
  text_add(&text, slash ? slash + 1 : argv[0]);
  for (int i = 1; i < argc; i++) text_addf(&text, " %s", argv[i]);
  return text_str(&text);
}

bool options_parse(Arena *a, int argc, char **argv, Options *options, const char **error) {
  *options = (Options){.is_run = argc > 1 && strcmp(argv[1], "run") == 0,
                       .command = join_words(a, argc, argv)};
  options->given[OPT_EXEC] = options->is_run;
  *error = NULL;
  char **rest = NEWN(a, char *, (size_t)argc + 1);
  int n_rest = 0, i = options->is_run ? 2 : 1;
  rest[n_rest++] = argv[0];
  for (; i < argc && strcmp(argv[i], "--") != 0; i++) {
    if (!take_definition(a, argv[i], options, error)) rest[n_rest++] = argv[i];
  }
  for (int k = i; k < argc && !options->is_run; k++) rest[n_rest++] = argv[k];
  const char *wrong = take_all(a, n_rest, rest, options);
  if (!*error) *error = wrong;
  if (*error) return false;
  if (options->is_run && options->file)
    options->program_args = program_args(a, options->file, argc - i, argv + i);
  return true;
}

void options_print_usage(FILE *out) {
  fputs("usage: diderotc [options] FILE.diderot   (diderotc --help lists the options)\n"
        "       diderotc run [options] FILE.diderot [-- ARGUMENTS OF THE PROGRAM]\n",
        out);
}

void options_print_help(FILE *out, bool all) {
  options_print_usage(out);
  commands_print_usage(out);
  fputc('\n', out);
  for (int i = 0; i < OPT_COUNT; i++) {
    if (rows[i].audience > (all ? ADVANCED : BASIC)) continue;
    char spelled[64];
    snprintf(spelled, sizeof spelled, "%s%s%s", rows[i].name, rows[i].arg ? "=" : "",
             rows[i].arg ? rows[i].arg : "");
    if (rows[i].letter) {
      fprintf(out, "  -%c, --%-20s %s\n", rows[i].letter, spelled, rows[i].text);
    } else {
      fprintf(out, "      --%-20s %s\n", spelled, rows[i].text);
    }
  }
  fprintf(out, "      --%-20s %s\n", "CNAME=VALUE", "give the constant NAME a value");
  fprintf(out, "      --%-20s %s\n", "DNAME[=VALUE]", "define NAME in the generated C");
  if (!all) return;
  for (int i = 0; i < PASS_COUNT; i++) {
    fprintf(out, "      --no-%-17s leave out: %s\n", pass_name((PassId)i), pass_meaning((PassId)i));
  }
}

void options_print_table(FILE *out) {
  fputs("Options stand before the program, in any order. If one is repeated, the last counts, "
        "unless its "
        "row\n"
        "says otherwise. `diderotc run` takes those that do not name files.\n\n"
        "| option | meaning |\n|---|---|\n",
        out);
  for (int i = 0; i < OPT_COUNT; i++) {
    const OptionRow *row = &rows[i];
    if (row->audience == HIDDEN) continue;
    fputs("| ", out);
    if (row->letter)
      fprintf(out, "`-%c%s%s`, ", row->letter, row->arg ? " " : "", row->arg ? row->arg : "");
    fprintf(out, "`--%s%s%s` | %s |\n", row->name, row->arg ? "=" : "", row->arg ? row->arg : "",
            row->text);
  }
  fputs("| `--CNAME=VALUE` | give the constant NAME a value |\n"
        "| `--DNAME[=VALUE]` | define NAME in the generated C |\n"
        "| `--no-PASS` | leave out a pass of `doc/tables/passes.md` |\n\n"
        "Build scripts may use other options. `--force-bsp` runs supersteps also if they make no "
        "difference. These\n"
        "are accepted and have no effect: ",
        out);
  const char *separator = "";
  for (int i = 0; i < OPT_COUNT; i++) {
    if (rows[i].audience != HIDDEN || i == OPT_BSP) continue;
    fprintf(out, "%s`--%s`", separator, rows[i].name);
    separator = ", ";
  }
  fputs(".\n", out);
}
