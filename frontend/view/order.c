/* Order: a run that a page asks for, as words for the program (runtime/viewed/README.md). */
#include <string.h>

#include "frontend/view/local.h"

enum { MOST_THINNING = 64, MOST_WORDS = 4096, MOST_STRAND = 64 };

static void add_word(Text *text, const char *word) { text_add_n(text, word, strlen(word) + 1); }

static const json_t *find_input(const json_t *program, const char *name) {
  const json_t *input;
  size_t k;
  json_array_foreach(json_object_get(program, "inputs"), k, input) {
    const char *its_name = json_string_value(json_object_get(input, "name"));
    if (its_name && strcmp(its_name, name) == 0) return input;
  }
  return NULL;
}

static bool is_file(const json_t *input) {
  const char *kind = json_string_value(json_object_get(input, "kind"));
  return kind && (strcmp(kind, "image") == 0 || strcmp(kind, "sequence") == 0);
}

/* One input with its words; NULL, or what is wrong with it. */
static const char *add_input(Arena *a, const char *folder, const json_t *input, const char *name,
                             const json_t *values, Text *text) {
  const json_t *value;
  size_t k;
  const char *why = NULL;
  if (!json_is_array(values) || json_array_size(values) > MOST_WORDS)
    return text_format(a, "%s: expected an array of at most %d words", name, MOST_WORDS);
  add_word(text, name);
  add_word(text, text_format(a, "%zu", json_array_size(values)));
  json_array_foreach(values, k, value) {
    const char *word = json_string_value(value);
    if (!word || strlen(word) != json_string_length(value))
      return text_format(a, "%s: expected words", name);
    const char *path = is_file(input) ? files_find(a, folder, word, &why) : word;
    if (!path) return text_format(a, "%s: \"%.200s\": %s", name, word, why);
    add_word(text, path);
  }
  return NULL;
}

static const char *read_object(Arena *a, const Request *request, json_t **body) {
  json_error_t error;
  *body = json_loadb(request->body ? request->body : "", request->n_body, JSON_REJECT_DUPLICATES,
                     &error);
  if (!*body) return text_format(a, "no JSON: %s", error.text);
  if (json_is_object(*body)) return NULL;
  json_decref(*body);
  return "expected an object";
}

/* Reads the page and the number of the run. */
static const char *read_name(Arena *a, const json_t *body, Order *order) {
  const json_t *page = json_object_get(body, "page"), *run = json_object_get(body, "run");
  if (!json_is_string(page) || json_string_length(page) > 64) return "page: expected a short word";
  if (!json_is_integer(run)) return "run: expected a number";
  const char *word = json_string_value(page);
  order->page = arena_strdup(a, word, strlen(word));
  order->run = json_integer_value(run);
  return NULL;
}

static const char *read_inputs(Arena *a, const char *folder, const json_t *program,
                               const json_t *body, Text *text) {
  json_t *values = json_object_get(body, "values"), *words;
  const char *name, *wrong = NULL;
  if (!json_is_object(values)) return "values: expected an object";
  json_object_foreach(values, name, words) {
    const json_t *input = find_input(program, name);
    if (!wrong && !input) wrong = text_format(a, "there is no input \"%.100s\"", name);
    if (!wrong) wrong = add_input(a, folder, input, name, words, text);
  }
  return wrong;
}

/* Adds the strand to be traced. */
static const char *add_strand(const json_t *body, Text *text) {
  const json_t *strand = json_object_get(body, "strand");
  const char *word = json_string_value(strand);
  const size_t n = word ? strlen(word) : 0;
  if (n == 0 || n > MOST_STRAND || n != json_string_length(strand) ||
      strspn(word, "#,0123456789") != n)
    return "strand: expected an index, such as 120,80, or a number of birth, such as #17";
  add_word(text, word);
  return NULL;
}

static const char *read_body(Arena *a, const char *folder, const json_t *program,
                             const json_t *body, Order *order) {
  const char *wrong = read_name(a, body, order);
  const json_t *thinning = json_object_get(body, "thinning");
  const char *mode = json_string_value(json_object_get(body, "mode"));
  if (wrong) return wrong;
  const json_int_t n = json_integer_value(thinning);
  if (!json_is_integer(thinning) || n < 1 || n > MOST_THINNING)
    return text_format(a, "thinning: expected a number from 1 to %d", MOST_THINNING);
  if (!mode ||
      (strcmp(mode, "end") != 0 && strcmp(mode, "play") != 0 && strcmp(mode, "trace") != 0))
    return "mode: expected end, play or trace";
  Text text = text_new(a);
  add_word(&text, text_format(a, "%d", (int)n));
  add_word(&text, mode);
  order->is_trace = strcmp(mode, "trace") == 0;
  if (order->is_trace && (wrong = add_strand(body, &text))) return wrong;
  wrong = read_inputs(a, folder, program, body, &text);
  order->message = text.data;
  order->n_bytes = text.len;
  if (!wrong && text.len > MAX_BODY) wrong = "the values are too long together";
  return wrong;
}

const char *order_read(Arena *a, const char *folder, const json_t *program, const Request *request,
                       Order *order) {
  json_t *body;
  const char *wrong = read_object(a, request, &body);
  if (wrong) return wrong;
  wrong = read_body(a, folder, program, body, order);
  json_decref(body);
  return wrong;
}

const char *order_read_letter(Arena *a, const Request *request, Order *order, char *letter) {
  json_t *body;
  const char *wrong = read_object(a, request, &body);
  if (wrong) return wrong;
  wrong = read_name(a, body, order);
  const char *word = json_string_value(json_object_get(body, "letter"));
  if (!wrong && (!word || (strcmp(word, "s") != 0 && strcmp(word, "e") != 0)))
    wrong = "letter: expected s or e";
  if (!wrong) *letter = *word;
  json_decref(body);
  return wrong;
}
