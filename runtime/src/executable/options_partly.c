/* options_partly.c: warns of numbers on the command line of which only a part was read.
 *
 * Scripts rely on 3.7 being the int 3 (world/values.c), but whoever writes 1,5 for 1.5 should know,
 * and that banana has a nan in it.
 * Read next: options.c.
 */
#include <stdlib.h>

#include "options.h"
#include "runtime/header/header.h"
#include "runtime/src/world/text.h"
#include "runtime/src/world/values.h"

/* The line may be NULL: no memory. */
static void warn(char *line, FILE *out) {
  if (!line) return;
  ddr_header_clean(line); /* it quotes a word of the command line */
  fprintf(out, "%s\n", line);
  free(line);
}

static char *line_of_rest(const ddr_option *option, const char *word, int n_read) {
  return ddr_format("WARNING: only \"%.*s\" of \"%s\" was read as %s for \"-%s\" option", n_read,
                    word, word, option->type, option->flag);
}

static char *line_of_inexact(const ddr_option *option, const char *word, const char *read) {
  return ddr_format("WARNING: \"%s\" was read as %s for \"-%s\" option", word, read, option->flag);
}

void ddr_options_warn(const ddr_program *program, const ddr_option_list *list, char **argv,
                      FILE *out) {
  for (uint32_t k = 0; k < program->n_inputs; k++) {
    const ddr_option *option = &list->inputs[k];
    for (uint32_t i = 0; option->is_given && i < option->n_words; i++) {
      const char *word = argv[option->words[i]];
      const size_t n_read = ddr_value_length(program->inputs[k].kind, word);
      const char *read = ddr_value_inexact(program->inputs[k].kind, word);
      if (word[n_read]) warn(line_of_rest(option, word, (int)n_read), out);
      if (read) warn(line_of_inexact(option, word, read), out);
    }
  }
}
