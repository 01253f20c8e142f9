/* Analysis: runs the compiler on one text, as far as it gets. If not even a part of the program can
 * be parsed because its end is not written yet, an end is added: closing brackets, a strand, a
 * creation.
 */
#include <stdlib.h>
#include <string.h>

#include "frontend/base/panic.h"
#include "frontend/server/local.h"
#include "frontend/syntax/parse.h"

/* If the file cannot be looked at, the image counts as what the program declares. */
static ImageProbe probe_image(void *state, Arena *arena, const char *file) {
  const Analysis *analysis = state;
  ImageProbe probe;
  if (images_probe(analysis->images, arena, analysis->cx->source->path, file, &probe)) return probe;
  return (ImageProbe){.exists = true, .is_unknown = true};
}

static void check_program(Cx *cx, Analysis *analysis) {
  const CheckHost host = {.state = analysis, .probe_image = probe_image};
  const CheckOptions options = {.makes_nothing = true, .record = &analysis->record, .host = host};
  check(cx, analysis->program, &options);
}

static void read_text(Analysis *analysis) {
  Cx *cx = analysis->cx;
  analysis->program = parse_partly(cx, &analysis->is_whole);
  analysis->n_messages = diag_message_count(cx);
  if (analysis->program) check_program(cx, analysis);
  if (analysis->is_whole) analysis->n_messages = diag_message_count(cx);
  analysis->lexemes = lex(cx);
}

/* ---- ends that are not written -------------------------------------------------------------- */

static char closing_of(const Lexeme *lexeme) {
  if (lexeme_is(lexeme, "(")) return ')';
  if (lexeme_is(lexeme, "[")) return ']';
  return lexeme_is(lexeme, "{") ? '}' : '\0';
}

/* Adds what is missing: behind the name of a strand, its parameters and body; closing brackets. */
static void add_ends(Text *text, const LexemeList *lexemes) {
  VEC(char) open = {0};
  bool has_strand = false, has_creation = false;
  for (uint32_t i = 0; i < lexemes->len; i++) {
    const Lexeme *lexeme = &lexemes->data[i];
    const char closing = closing_of(lexeme);
    if (closing) vec_push(text->arena, &open, closing);
    else if (lexeme_closes(lexeme) && open.len > 0) open.len--;
    has_strand = has_strand || lexeme_is(lexeme, "strand");
    has_creation = has_creation || lexeme_is(lexeme, "create_array") ||
                   lexeme_is(lexeme, "create_collection") || lexeme_is(lexeme, "initially");
  }
  text_add(text, "\n");
  for (uint32_t i = open.len; i-- > 0;) {
    if (open.data[i] == '}') text_add(text, ";");
    text_add_n(text, &open.data[i], 1);
  }
  if (!has_strand) text_add(text, "; strand s (int i) { update { stabilize; } }");
  if (!has_creation) text_add(text, "\ncreate_array { s(0) | i in 0..0 }\n");
}

static void mend(Analysis *analysis) {
  const Source *source = analysis->cx->source;
  Cx *cx = analysis->mended = cx_new();
  cx->escape = analysis->cx->escape;
  types_init(cx);
  Text text = text_new(cx->arena);
  text_add_n(&text, source->text, source->len);
  add_ends(&text, &analysis->lexemes);
  cx->source = source_from_text(cx->arena, source->path, text_str(&text), text.len);
  bool is_whole;
  analysis->program = parse_partly(cx, &is_whole);
  if (analysis->program) check_program(cx, analysis);
}

/* ---- names by place ------------------------------------------------------------------------- */

static int by_place(const void *left, const void *right) {
  const NameUse *a = left, *b = right;
  if (a->span.start != b->span.start) return a->span.start < b->span.start ? -1 : 1;
  return (int)b->is_declaration - (int)a->is_declaration;
}

static void sort_names(Analysis *analysis) {
  Arena *arena = analysis->cx->arena;
  const uint32_t len = analysis->cx->source->len, n = analysis->record.names.len;
  if (n == 0) return;
  NameUse *all = NEWN(arena, NameUse, n);
  memcpy(all, analysis->record.names.data, n * sizeof *all);
  qsort(all, n, sizeof *all, by_place);
  for (uint32_t i = 0; i < n; i++) {
    const bool is_seen = i > 0 && all[i].span.start == all[i - 1].span.start;
    const bool is_text = all[i].span.end <= len && all[i].span.start < all[i].span.end;
    if (!is_seen && is_text) vec_push(arena, &analysis->names, all[i]);
  }
  analysis->strand = 0;
  while (analysis->strand < analysis->names.len &&
         !(analysis->names.data[analysis->strand].is_declaration &&
           analysis->names.data[analysis->strand].strand))
    analysis->strand++;
}

/* ---- all ------------------------------------------------------------------------------------ */

static void analyse_text(Analysis *analysis) {
  read_text(analysis);
  if (!analysis->program && analysis->lexemes.len > 0) mend(analysis);
  sort_names(analysis);
}

/* After a failure of the compiler only the messages from before it remain. */
static void lose(Analysis *analysis) {
  analysis->has_failed = true;
  analysis->program = NULL;
  analysis->record = (Record){0};
  analysis->names = (NameUseList){0};
}

Analysis *analyse(Images *images, const Source *source) {
  Cx *cx = cx_new();
  Analysis *analysis = NEW(cx->arena, Analysis);
  Escape escape;
  analysis->cx = cx;
  analysis->images = images;
  types_init(cx);
  cx->source = source_from_text(cx->arena, source->path, source->text, source->len);
  cx->escape = &escape;
  if (setjmp(escape.place) == 0) analyse_text(analysis);
  else lose(analysis);
  cx->escape = NULL;
  if (analysis->mended) analysis->mended->escape = NULL;
  return analysis;
}

void analysis_free(Analysis *analysis) {
  if (!analysis) return;
  cx_free(analysis->mended);
  cx_free(analysis->cx); /* holds the analysis itself */
}
