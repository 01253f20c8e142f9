/* options_split.c: --NAME=VALUE becomes two words, for the newer options (from OPTION_MEMORY on).
 * Older options take values only as separate words, and scripts rely on that.
 *
 * Read next: options.c.
 */
#include <stdlib.h>
#include <string.h>

#include "options.h"

/* The length of --NAME in a word --NAME=VALUE, or 0. */
static size_t length_of_name(const ddr_option_list *list, const char *word) {
  const char *equals = strchr(word, '=');
  if (strncmp(word, "--", 2) != 0 || !equals) return 0;
  const char *name = word + 2;
  const size_t n = (size_t)(equals - name);
  for (int k = OPTION_MEMORY; k < OPTION_FIXED_COUNT; k++) {
    const ddr_option *option = list->fixed[k];
    if (!option || option->n_words != 1) continue;
    const char *spelling = strchr(option->flag, ',') + 1;
    if (strlen(spelling) == n && strncmp(name, spelling, n) == 0) return n + 2;
  }
  return 0;
}

char **ddr_options_split(const ddr_option_list *list, int *argc, char **argv) {
  char **words = calloc(2 * (size_t)*argc + 1, sizeof *words);
  int n = 0;
  for (int k = 0; words && k < *argc; k++) {
    const size_t length = k > 0 ? length_of_name(list, argv[k]) : 0;
    words[n++] = argv[k];
    if (length == 0) continue;
    argv[k][length] = '\0';
    words[n++] = argv[k] + length + 1;
  }
  if (words) *argc = n;
  return words;
}
