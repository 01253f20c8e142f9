/* Diag: collects the messages of one compilation; diag_print.c prints them.
 * Every message has the number and kind of arguments its row in diag.def asks for, and no error is
 * kept twice for the same place.
 */
#include "frontend/base/diag.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "frontend/base/local.h"
#include "frontend/base/panic.h"
#include "frontend/base/text.h"

enum {
  MAX_SHOWN = 100,    /* errors, and as many warnings */
  MAX_ARG_BYTES = 400 /* of a text in a message */
};

typedef struct DiagRow {
  const char *name, *code;
  Severity severity;
  const char *text;
} DiagRow;

static const DiagRow rows[DIAG_COUNT] = {
#define DIAG(id, code, severity, text) [id] = {#id, code, severity, text},
#include "frontend/base/diag.def"
};

static const struct {
  const char *hole;
  DiagArgKind kind;
} hole_kinds[] = {
    {"{text}", DARG_TEXT}, {"{name}", DARG_NAME}, {"{type}", DARG_TYPE}, {"{int}", DARG_INT}};

const char *diag_code(DiagId id) { return rows[id].code; }
Severity diag_severity(DiagId id) { return rows[id].severity; }
const char *diag_template(DiagId id) { return rows[id].text; }

static DiagArg text_arg(DiagArgKind kind, const char *text) {
  if (!text) BUG(NULL, "a message argument is NULL");
  return (DiagArg){.kind = kind, .text = text};
}

DiagArg d_text(const char *text) { return text_arg(DARG_TEXT, text); }
DiagArg d_name(const Name *name) { return text_arg(DARG_NAME, name ? name->text : NULL); }
DiagArg d_type_text(const char *text) { return text_arg(DARG_TYPE, text); }
DiagArg d_int(int64_t value) { return (DiagArg){.kind = DARG_INT, .value = value}; }

DiagList *diag_list_new(Arena *a) {
  DiagList *list = NEW(a, DiagList);
  list->seen = map_new(a);
  return list;
}

/* Length of the hole that starts at text, or 0 if none does; *kind is the kind of its argument. */
static size_t match_hole(const char *text, DiagArgKind *kind) {
  for (size_t i = 0; i < sizeof hole_kinds / sizeof *hole_kinds; i++) {
    size_t len = strlen(hole_kinds[i].hole);
    if (strncmp(text, hole_kinds[i].hole, len) != 0) continue;
    *kind = hole_kinds[i].kind;
    return len;
  }
  return 0;
}

/* Appends the text of an argument. Long ones, such as a name of a thousand letters, are cut. */
static void add_arg(Text *out, DiagArg arg) {
  if (arg.kind == DARG_INT) {
    text_addf(out, "%" PRId64, arg.value);
    return;
  }
  const size_t len = strlen(arg.text);
  if (len <= MAX_ARG_BYTES) {
    text_add_n(out, arg.text, len);
    return;
  }
  size_t end = MAX_ARG_BYTES;
  while (end > 0 && (arg.text[end] & 0xC0) == 0x80) end--; /* not within a character */
  text_add_n(out, arg.text, end);
  text_add(out, "…");
}

/* The row's text with its holes filled; the arguments are also stored in kept. "{{" and "}}" stand
 * for single braces. */
static const char *fill_holes(Cx *cx, DiagId id, DiagArg *kept, va_list *args) {
  Text out = text_new(cx->arena);
  uint32_t n_args = 0;
  for (const char *p = rows[id].text; *p;) {
    DiagArgKind kind;
    size_t len = match_hole(p, &kind);
    if (len > 0) {
      DiagArg arg = va_arg(*args, DiagArg);
      if (arg.kind != kind) BUG(cx, "%s: an argument does not fit '%s'", rows[id].name, p);
      add_arg(&out, arg);
      if (n_args + 1 == DIAG_MAX_ARGS) BUG(cx, "%s: too many holes", rows[id].name);
      kept[n_args++] = arg;
      p += len;
      continue;
    }
    if ((*p == '{' || *p == '}') && p[1] == *p) p++;
    text_add_n(&out, p++, 1);
  }
  if (va_arg(*args, DiagArg).kind != DARG_END)
    BUG(cx, "%s: more arguments than holes", rows[id].name);
  kept[n_args] = DIAG_END;
  return text_str(&out);
}

static DiagMessage *new_message(Cx *cx, Span span, DiagId id, va_list *args) {
  if ((unsigned)id >= DIAG_COUNT) BUG(cx, "message %d does not exist", (int)id);
  DiagMessage *message = NEW(cx->arena, DiagMessage);
  *message = (DiagMessage){.id = id, .severity = rows[id].severity, .span = span};
  message->text = fill_holes(cx, id, message->args, args);
  return message;
}

/* True the first time an error is reported at its place. */
static bool is_news(Cx *cx, const DiagMessage *message) {
  const Name *key = name_from(cx->names, text_format(cx->arena, "%d %u %u", (int)message->id,
                                                     message->span.start, message->span.end));
  bool is_new = !map_has(cx->diags->seen, key);
  map_put(cx->diags->seen, key, NULL);
  return is_new || span_is_none(message->span);
}

/* ---- warnings ------------------------------------------------------------------------------- */

/* The character of an option's name for one of an id: no-proxy for W_NO_PROXY. */
static char spelled(char c) {
  static const char small[] = "abcdefghijklmnopqrstuvwxyz";
  if (c >= '0' && c <= '9') return c;
  if (c < 'A' || c > 'Z') return '-';
  return small[c - 'A'];
}

const char *diag_name(Arena *a, DiagId id) {
  Text name = text_new(a);
  for (const char *at = rows[id].name + 2; *at; at++) text_add_n(&name, &(char){spelled(*at)}, 1);
  return text_str(&name);
}

static bool is_named(const char *id, const char *name) {
  for (id += 2; *id && *name == spelled(*id); id++) name++;
  return *id == *name;
}

DiagId diag_find_warning(const char *name) {
  for (int id = 0; id < DIAG_COUNT; id++) {
    if (rows[id].severity != SEV_WARNING) continue;
    if (strcmp(rows[id].code, name) == 0 || is_named(rows[id].name, name)) return (DiagId)id;
  }
  return DIAG_COUNT;
}

void diag_set_policy(Cx *cx, DiagId id, DiagPolicy policy) {
  for (int i = 0; i < DIAG_COUNT; i++)
    if (id == DIAG_COUNT || (int)id == i) cx->diags->policy[i] = policy;
}

/* Adds the warning's name to the message, so that users can switch it off. False: it is off. */
static bool apply_policy(Cx *cx, DiagMessage *message) {
  const DiagPolicy policy = cx->diags->policy[message->id];
  message->name = diag_name(cx->arena, message->id);
  if (policy == WARN_AS_ERROR) message->severity = SEV_ERROR;
  return policy != WARN_NEVER;
}

/* Counts the message. False if enough of its kind are shown already; in place of the first one too
 * many there is a message that says so. */
static bool is_room(Cx *cx, const DiagMessage *message) {
  DiagList *list = cx->diags;
  const bool is_error = message->severity == SEV_ERROR;
  const uint32_t n = is_error ? ++list->n_errors : ++list->n_warnings;
  if (n == MAX_SHOWN + 1) {
    DiagMessage *last = NEW(cx->arena, DiagMessage);
    const DiagId id = is_error ? E_TOO_MANY : W_TOO_MANY;
    *last = (DiagMessage){
        .id = id, .severity = message->severity, .span = SPAN_NONE, .text = rows[id].text};
    vec_push(cx->arena, &list->messages, last);
  }
  return n <= MAX_SHOWN;
}

void diag_report(Cx *cx, Span span, DiagId id, ...) {
  va_list args;
  va_start(args, id);
  DiagMessage *message = new_message(cx, span, id, &args);
  va_end(args);

  DiagList *list = cx->diags;
  if (message->severity == SEV_NOTE || message->severity == SEV_HELP)
    BUG(cx, "%s is a note", rows[id].name);
  list->last = NULL;
  list->has_reported = true;
  if (message->severity == SEV_WARNING && !apply_policy(cx, message)) return;
  if (message->severity == SEV_ERROR && !is_news(cx, message)) return;
  if (is_room(cx, message)) {
    list->last = message;
    vec_push(cx->arena, &list->messages, message);
  }
}

void diag_attach(Cx *cx, Span span, DiagId id, ...) {
  va_list args;
  va_start(args, id);
  DiagMessage *note = new_message(cx, span, id, &args);
  va_end(args);

  DiagList *list = cx->diags;
  if (rows[id].severity != SEV_NOTE && rows[id].severity != SEV_HELP)
    BUG(cx, "%s is not a note", rows[id].name);
  if (!list->has_reported) BUG(cx, "%s without a message before it", rows[id].name);
  if (!list->last) return; /* belongs to a message that was dropped */
  DiagMessage **end = &list->last->notes;
  while (*end) end = &(*end)->next;
  *end = note;
}

uint32_t diag_message_count(const Cx *cx) { return cx->diags->messages.len; }
const DiagMessage *diag_message_at(const Cx *cx, uint32_t i) { return cx->diags->messages.data[i]; }

uint32_t diag_error_count(const Cx *cx) { return cx->diags->n_errors; }
bool diag_has_mistakes(const Cx *cx) {
  const DiagList *list = cx->diags;
  for (uint32_t i = 0; i < list->messages.len; i++)
    if (rows[list->messages.data[i]->id].severity == SEV_ERROR) return true;
  return false;
}

bool diag_has_enough(const Cx *cx) { return cx->diags->n_errors > MAX_SHOWN; }
