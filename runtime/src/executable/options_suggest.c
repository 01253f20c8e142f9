/* options_suggest.c: which option was probably meant by a misspelled word.
 *
 * Read next: options.c.
 */
#include <string.h>

#include "options.h"

enum { MOST_LETTERS = 40 }; /* in words that are compared; longer words are names of files */

static int least(int a, int b) { return a < b ? a : b; }

/* The edit distance of a and b, of n and m letters, where an exchange of neighbours is one edit. */
static int edits(const char *a, int n, const char *b, int m) {
  int rows[3][MOST_LETTERS + 1]; /* rows[i % 3][j]: distance of i letters of a to j of b */
  for (int j = 0; j <= m; j++) rows[0][j] = j;
  for (int i = 1; i <= n; i++) {
    int *row = rows[i % 3], *above = rows[(i + 2) % 3], *earlier = rows[(i + 1) % 3];
    row[0] = i;
    for (int j = 1; j <= m; j++) {
      row[j] = least(above[j - 1] + (a[i - 1] != b[j - 1]), least(above[j], row[j - 1]) + 1);
      const bool crosses = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (crosses) row[j] = least(row[j], earlier[j - 2] + 1);
    }
  }
  return rows[n % 3][m];
}

static bool has_control_characters(const char *word) {
  while ((unsigned char)*word >= ' ' && *word != 127) word++;
  return *word != '\0';
}

ddr_suggestion ddr_options_suggest(const ddr_option_list *list, const char *word) {
  ddr_suggestion suggestion = {.dashes = ""};
  const char *name = word + strspn(word, "-");
  const int n = (int)strcspn(name, "=");
  int most = n < 3 ? 0 : n / 3; /* edits; of short words none but missing or surplus dashes */
  if (n == 0 || n > MOST_LETTERS || has_control_characters(word)) return suggestion;
  for (uint32_t k = 0; k < list->n_options; k++) {
    const char *flag = list->options[k].flag;
    for (bool is_long = false; *flag; is_long = true) {
      const int length = (int)strcspn(flag, ",");
      const int found = length <= MOST_LETTERS ? edits(name, n, flag, length) : most + 1;
      if (found <= most && (suggestion.length == 0 || found < most))
        suggestion = (ddr_suggestion){is_long ? "--" : "-", flag, length, &list->options[k]};
      if (found < most) most = found;
      flag += length + (flag[length] != '\0');
    }
  }
  return suggestion;
}
