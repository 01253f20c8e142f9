/* options_help.c: the usage block and the glossary, wrapped to 79 columns.
 *
 * The layout is that of hest; hest's own printers fill buffers of 2 kB without a bound, which many
 * inputs or one long description would overflow. In a text to be wrapped, a tab stands for a space
 * where the line must not break.
 * Read next: options.c.
 */
#include <stdlib.h>
#include <string.h>

#include "options.h"
#include "runtime/src/world/text.h"

enum { COLUMNS = 79 };

typedef struct {
  FILE *out;
  size_t indent;       /* of continuation lines */
  size_t column;       /* where the text begins, counted as hest does */
  const char *breaker; /* printed before a line break */
} Wrap;

static void put_hard(FILE *out, const char *word, size_t n) {
  for (size_t k = 0; k < n; k++) putc(word[k] == '\t' ? ' ' : word[k], out);
}

static void print_wrapped(Wrap wrap, const char *text) {
  const size_t width = COLUMNS - (wrap.breaker[0] ? 1 : 0);
  bool is_first = true;
  while (*(text += strspn(text, " \n"))) {
    const size_t n = strcspn(text, " \n");
    if (wrap.column + 1 + n <= width || is_first) {
      if (!is_first) putc(' ', wrap.out);
      wrap.column += 1 + n;
    } else {
      fprintf(wrap.out, "%s\n%*s", wrap.breaker, (int)wrap.indent, "");
      wrap.column = wrap.indent + n;
    }
    put_hard(wrap.out, text, n);
    is_first = false;
    text += n;
  }
  putc('\n', wrap.out);
}

/* Puts n bytes that must not be broken. */
static void put_bytes_unbroken(ddr_text *text, const char *part, size_t n) {
  for (size_t k = 0; k < n; k++) ddr_text_append(text, part[k] == ' ' ? "\t" : part + k, 1);
}

static void put_unbroken(ddr_text *text, const char *part) {
  put_bytes_unbroken(text, part, strlen(part));
}

static void put_placeholder(ddr_text *text, const ddr_option *option) {
  if (option->n_words == 0) return;
  ddr_put_string(text, "\t<");
  put_unbroken(text, option->placeholder);
  ddr_put_string(text, ">");
}

static size_t short_length(const ddr_option *option) { return strcspn(option->flag, ","); }

static void put_short(ddr_text *text, const ddr_option *option) {
  ddr_put_string(text, "-");
  ddr_text_append(text, option->flag, short_length(option));
}

static const char *long_spelling(const ddr_option *option) {
  const char *comma = strchr(option->flag, ',');
  return comma ? comma + 1 : NULL;
}

static void put_usage_item(ddr_text *text, const ddr_option *option) {
  const bool is_optional = option->default_text || option->n_words == 0;
  ddr_put_string(text, is_optional ? " [" : " ");
  put_short(text, option);
  if (long_spelling(option)) {
    ddr_put_string(text, ",--");
    ddr_put_string(text, long_spelling(option));
  }
  put_placeholder(text, option);
  if (is_optional) ddr_put_string(text, "]");
}

void ddr_help_usage(FILE *out, const char *program_name, const ddr_option_list *list) {
  ddr_text text = {0};
  ddr_put_string(&text, "Usage: ");
  put_unbroken(&text, program_name);
  for (uint32_t k = 0; k < list->n_options; k++) put_usage_item(&text, &list->options[k]);
  putc('\n', out);
  const Wrap wrap = {.out = out, .indent = strlen("Usage: "), .breaker = " \\"};
  print_wrapped(wrap, text.chars ? text.chars : "");
  putc('\n', out);
  ddr_text_clear(&text);
}

/* Puts a default; only the first words of a long one. */
static void put_default(ddr_text *text, const char *shown) {
  enum { MOST = 400, BEGINNING = 60 };
  if (strlen(shown) <= MOST) {
    put_unbroken(text, shown);
    return;
  }
  size_t n = 0;
  for (size_t k = 0; k < BEGINNING; k++) n = shown[k] == ' ' ? k : n;
  put_bytes_unbroken(text, shown, n);
  ddr_put_string(text, n > 0 ? "\t..." : "...");
}

static void put_explanation(ddr_text *text, const ddr_option *option) {
  if (long_spelling(option)) {
    ddr_put_string(text, "--");
    ddr_put_string(text, long_spelling(option));
    put_placeholder(text, option);
    ddr_put_string(text, " = ");
  }
  ddr_put_string(text, option->info);
  if (option->n_words == 0) return;
  ddr_put_string(text, " (");
  if (option->n_words > 1) {
    ddr_put_int(text, option->n_words);
    ddr_put_string(text, "\t");
  }
  ddr_put_string(text, option->type);
  ddr_put_string(text, option->n_words > 1 ? "s)" : ")");
  if (!option->default_text) return;
  ddr_put_string(text, "; default:\t\"");
  put_default(text, option->default_text);
  ddr_put_string(text, "\"");
}

void ddr_help_glossary(FILE *out, const ddr_option_list *list) {
  size_t widest = 0;
  ddr_text text = {0};
  for (uint32_t k = 0; k < list->n_options; k++) {
    text.len = 0;
    put_short(&text, &list->options[k]);
    put_placeholder(&text, &list->options[k]);
    if (text.len > widest) widest = text.len;
  }
  for (uint32_t k = 0; k < list->n_options; k++) {
    const ddr_option *option = &list->options[k];
    text.len = 0;
    put_short(&text, option);
    put_placeholder(&text, option);
    fprintf(out, "%*s", (int)(widest - text.len), "");
    put_hard(out, text.chars ? text.chars : "", text.len);
    fputs(long_spelling(option) ? " , " : " = ", out);
    text.len = 0;
    ddr_put_string(&text, "");
    put_explanation(&text, option);
    const Wrap wrap = {.out = out, .indent = widest + 3, .column = widest + 3, .breaker = ""};
    print_wrapped(wrap, text.chars ? text.chars : "");
  }
  ddr_text_clear(&text);
}
