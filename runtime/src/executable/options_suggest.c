/* options_suggest.c: which option was probably meant by a misspelled word, which words by a vector
 * in one word, and which options only other programs have.
 *
 * Read next: options.c.
 */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

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

/* Twice the edits from a name to a word of n letters; 1 if only their cases differ. */
static int difference(const char *word, int n, const char *name, int length) {
  if (length > MOST_LETTERS) return 2 * MOST_LETTERS;
  const int found = 2 * edits(word, n, name, length);
  return found > 0 && n == length && strncasecmp(word, name, (size_t)n) == 0 ? 1 : found;
}

ddr_suggestion ddr_options_suggest(const ddr_option_list *list, const char *word) {
  ddr_suggestion best = {.dashes = ""};
  const char *name = word + strspn(word, "-");
  const int n = (int)strcspn(name, "=");
  /* Of short words no edits but missing or surplus dashes. */
  int most = n < 3 ? 1 : 2 * (n / 3) + 1;
  if (n == 0 || n > MOST_LETTERS || has_control_characters(word)) return best;
  for (uint32_t k = 0; k < list->n_options; k++) {
    const ddr_option *option = &list->options[k];
    const char *comma = strchr(option->flag, ',');
    const struct {
      const char *dashes, *name;
    } names[] = {{"-", option->flag}, {"-", option->written}, {"--", comma ? comma + 1 : NULL}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
      if (!names[i].name) continue;
      const int length = (int)strcspn(names[i].name, ",");
      const int found = difference(name, n, names[i].name, length);
      if (found > most || (best.length > 0 && found == most)) continue;
      best = (ddr_suggestion){names[i].dashes, names[i].name, length, option};
      most = found;
    }
  }
  return best;
}

/* What people write around and between the components of a vector or a sequence. */
static const char between[] = ", []{}()";

/* The number of numbers in the word; -1: there is something else. */
static int n_parts_of(const char *word) {
  int n = 0;
  for (word += strspn(word, between); *word; word += strspn(word, between)) {
    char *end;
    strtod(word, &end);
    if (end == word || (*end && !strchr(between, *end))) return -1;
    word = end;
    n++;
  }
  return n;
}

/* Appends the numbers of the word to the text that ends at `end`, with spaces between them. */
static char *put_parts(const char *word, const char *text, char *end) {
  for (word += strspn(word, between); *word; word += strspn(word, between)) {
    const size_t n = strcspn(word, between);
    if (end > text) *end++ = ' ';
    memcpy(end, word, n);
    end += n;
    word += n;
  }
  return end;
}

char *ddr_options_parted(const ddr_option *option, int n, char **words) {
  size_t length = 0, n_parts = 0;
  bool is_joined = false;
  for (int k = 0; k < n; k++) {
    const int n_here = has_control_characters(words[k]) ? -1 : n_parts_of(words[k]);
    if (n_here < 0) return NULL;
    n_parts += (size_t)n_here;
    length += strlen(words[k]) + 1;
    is_joined |= strpbrk(words[k], between) != NULL;
  }
  char *text = is_joined && n_parts == option->n_words ? calloc(length + 1, 1) : NULL, *end = text;
  for (int k = 0; text && k < n; k++) end = put_parts(words[k], text, end);
  return text;
}

/* Options that other programs have, and why this one has not. All spellings of options for traces
 * are one row. */
static const struct {
  const char *name, *why;
} of_others[] = {
#define OF_TRACE "was made without --trace; diderotc --exec --trace makes one that has it"
    {"--trace", OF_TRACE},
    {"--trace-format", OF_TRACE},
    {"--trace-limit", OF_TRACE},
#undef OF_TRACE
#define OF_CHECKPOINTS                                                                             \
  "runs each strand on its own, so nothing can be kept between supersteps; diderotc --exec "       \
  "--force-bsp makes one that has it"
    {"-checkpoint", OF_CHECKPOINTS},
    {"--checkpoint", OF_CHECKPOINTS},
    {"-resume", OF_CHECKPOINTS},
    {"--resume", OF_CHECKPOINTS},
#undef OF_CHECKPOINTS
#define OF_THREADS "runs on one thread; diderotc --exec --target=parallel makes one that has it"
    {"-n", OF_THREADS},
    {"--nworkers", OF_THREADS},
#undef OF_THREADS
#define OF_SNAPSHOTS "was made without --snapshot; diderotc --exec --snapshot makes one that has it"
    {"-s", OF_SNAPSHOTS},
    {"--snapshot", OF_SNAPSHOTS},
#undef OF_SNAPSHOTS
#define OF_ONE_OUTPUT "has several outputs, each with an option -o-NAME"
    {"-o", OF_ONE_OUTPUT},
    {"--output", OF_ONE_OUTPUT},
#undef OF_ONE_OUTPUT
};

/* Has the program an option of this name? The word may go on with =VALUE, which it does not take.
 */
static bool is_option(const ddr_option_list *list, const char *word) {
  const char *name = word + strspn(word, "-");
  const ddr_suggestion own = ddr_options_suggest(list, word);
  return own.length > 0 && strcspn(name, "=") == (size_t)own.length &&
         strncmp(own.name, name, (size_t)own.length) == 0;
}

const char *ddr_options_why_missing(const ddr_option_list *list, const char *word) {
  const size_t n = strcspn(word, "=");
  if (is_option(list, word)) return NULL;
  for (size_t i = 0; i < sizeof of_others / sizeof *of_others; i++)
    if (n == strlen(of_others[i].name) && strncmp(word, of_others[i].name, n) == 0)
      return of_others[i].why;
  return NULL;
}
