/* What the files of the server share.
 *
 *   server.c     bytes to messages      dispatch.c    messages to methods.def and back
 *   lifecycle.c  capabilities           documents.c   open documents and their changes
 *   position.c   positions and offsets  analysis.c    the compiler on one text
 *   uses.c       names at a place       diagnostics.c messages of the compiler
 *   fixes.c      quick fixes            hover.c       information about a name
 *   navigate.c   definition, references rename.c      renaming, checked before it is offered
 *   outline.c    symbols, folding       colours.c     semantic tokens
 *   signature.c  arguments of calls     completion.c  completion
 *   hints.c      inlay hints            edits.c       formatting
 *   calls.c      calls around a place   images.c      headers of images
 *
 * A handler gets a Request and sets its result, or fails it. JSON values are jansson's: `o` in
 * formats takes over the reference.
 */
#pragma once

#include <jansson.h>
#include <stdbool.h>

#include "frontend/base/diag_message.h"
#include "frontend/base/text.h"
#include "frontend/check/check.h"
#include "frontend/server/server.h"
#include "frontend/syntax/ast.h"
#include "frontend/syntax/lex.h"

/* Errors of JSON-RPC and of the protocol. */
typedef enum {
  ERROR_PARSE = -32700,
  ERROR_REQUEST = -32600,
  ERROR_METHOD = -32601,
  ERROR_PARAMS = -32602,
  ERROR_INTERNAL = -32603,
  ERROR_NOT_INITIALIZED = -32002,
  ERROR_FAILED = -32803,
  ERROR_CANCELLED = -32800,
} ErrorCode;

/* Bounds of what a client can make the server keep. */
enum {
  MAX_MESSAGE = 8 << 20,
  MAX_TEXT = 1 << 20,
  MAX_DOCUMENTS = 256,
  MAX_ANALYSES = 8 /* those last asked for; each may take three hundred times its text */
};

typedef VEC(NameUse) NameUseList;
typedef struct Images Images;

/* The results of the compiler for one text. They live in the Cx, with a copy of the text. */
typedef struct Analysis {
  Cx *cx;
  Images *images;
  Cx *mended;         /* of the text with an end added, if it has no tree otherwise; or NULL */
  const Ast *program; /* or NULL */
  Record record;
  NameUseList names;   /* names of the record, sorted by place, each once */
  uint32_t strand;     /* number of the one that declares the strand; names.len: none does */
  LexemeList lexemes;  /* with comments */
  uint32_t n_messages; /* this many messages, the first ones, are about the text */
  bool is_whole;       /* no syntax error */
  bool has_failed;     /* the compiler itself has failed */
} Analysis;

typedef struct Document {
  Arena *arena; /* of this version; NULL: the slot is free */
  const char *uri;
  const Source *source;
  json_int_t version;
  Analysis *analysis; /* made when it is asked for, or NULL */
  Analysis *good;     /* of the last version without syntax errors, if that is another; or NULL */
  bool is_dirty;      /* messages are to be sent */
  uint64_t last_use;
} Document;

typedef enum { STATE_NEW, STATE_RUNNING, STATE_SHUT_DOWN, STATE_ENDED } ServerState;

struct Server {
  Arena *arena;
  ServerOut out;
  ServerState state;
  int status;
  bool is_utf8; /* units of characters; else UTF-16 */
  Arena *input_arena;
  char *input; /* bytes not yet taken */
  size_t n_input, input_cap;
  size_t n_skipped;         /* of a message that is too large: still to come */
  struct PlaceCache *place; /* position.c */
  Images *images;
  uint64_t n_uses;
  Document documents[MAX_DOCUMENTS];
};

typedef struct Request {
  Server *server;
  const json_t *params;
  Document *document; /* as the method needs it */
  uint32_t offset;
  Arena *arena;   /* goes with the request */
  json_t *result; /* NULL is null */
  ErrorCode error;
  const char *reason; /* NULL: no error */
} Request;

void request_fail(Request *request, ErrorCode error, const char *reason);
const Analysis *request_analysis(Request *request); /* of its document */

/* ---- dispatch.c */

/* Handles messages that came together, without those that are cancelled. Takes over the array. */
void take_messages(Server *server, json_t *messages);
void send_error(Server *server, json_t *id, ErrorCode error,
                const char *reason); /* id: may be NULL */
void send_notice(Server *server, const char *method, json_t *params);
void send_message(Server *server, json_t *message); /* server.c */

/* ---- documents.c */

Document *find_document(Server *server, const char *uri);
const Analysis *document_analysis(Server *server, Document *document);
void close_documents(Server *server);

/* ---- position.c */

/* The last place that was converted to a position of the protocol. */
typedef struct PlaceCache {
  const Source *source; /* only to be compared */
  uint32_t line, offset, unit;
} PlaceCache;
void place_of_offset(const Server *server, const Source *source, uint32_t offset,
                     PlaceCache *place);

/* The byte offset of a position; false if it is beyond the end of the text. */
bool find_offset(const Server *server, const Source *source, const json_t *position,
                 uint32_t *offset);
bool find_span(const Server *server, const Source *source, const json_t *range, Span *span);
json_t *position_json(const Server *server, const Source *source, uint32_t offset);
json_t *range_json(const Server *server, const Source *source, Span span);
json_t *edit_json(const Server *server, const Source *source, Span span, const char *text);
json_t *location_json(const Request *request, Span span);

/* ---- images.c */

Images *images_new(Arena *a, CheckHost host);
void images_free(Images *images); /* what they hold; they are of the arena */
/* Reads the header of a file that the program at an address names. False: it cannot be looked at.
 */
bool images_probe(Images *images, Arena *a, const char *uri, const char *name, ImageProbe *probe);

/* ---- analysis.c */

/* Analyses a text. Its path is the address of the program, relative to which images are found. */
Analysis *analyse(Images *images, const Source *source);
void analysis_free(Analysis *analysis);

/* ---- uses.c */

bool span_has(Span span, uint32_t offset); /* also at its end */
/* The name at the place; NULL when there is none. */
const NameUse *use_at(const Analysis *analysis, uint32_t offset);
bool is_same_thing(const NameUse *a, const NameUse *b);
/* The declaration of a name, and its number among the names; SPAN_NONE, and names.len, for words of
 * the language. */
Span declaration_of(const Analysis *analysis, const NameUse *use);
uint32_t number_of_declaration(const Analysis *analysis, const NameUse *use);
/* The lexeme at the place, or the one that ends there; NULL when there is none. */
const Lexeme *lexeme_at(const Analysis *analysis, uint32_t offset);
/* The smallest expression around the place that fits, or NULL. */
const TypedExpr *expr_around(const Analysis *analysis, uint32_t offset,
                             bool (*fits)(const TypedExpr *expr, const char *what),
                             const char *what);
const Ast *declaring_node(const Ast *program, uint32_t name_start); /* or NULL */
const char *source_text(Arena *a, const Source *source, Span span);
/* Names that may be used at the place, inner scopes first, each once. */
typedef struct SymbolList {
  const Symbol **data;
  uint32_t len, cap;
  NameTable *names; /* of all compilations whose symbols are here */
  Map *seen;        /* names */
} SymbolList;
SymbolList symbols_new(Arena *a);
void symbols_add(Arena *a, SymbolList *list, const Analysis *analysis, uint32_t offset);
/* The kind of a variable for readers: "input", "parameter", ...; and its type. */
const char *type_of_symbol(const Analysis *analysis,
                           const Symbol *symbol); /* "real", "real (vec3 p)" */

/* ---- calls.c */

typedef struct Call {
  const Lexeme *callee; /* NULL: the place is in no call */
  int n_commas;         /* before the place */
} Call;

/* The call of the innermost open parenthesis that follows a name. */
Call call_around(const LexemeList *all, uint32_t offset);
/* Whether an argument of that type is accepted at the place; callee is NULL for builtins. True if
 * anything is accepted, or the parameter is unknown. */
bool call_takes(const Analysis *analysis, const Call *call, const Symbol *callee, const Type *ty);
/* Which overload of a builtin is being called: the first row that the arguments before the place
 * match, preferably without conversions; n_rows if none does. An argument of unknown type matches
 * everything. */
uint32_t call_version(const Analysis *analysis, const Call *call, const Builtin *rows,
                      uint32_t n_rows);

/* ---- diagnostics.c */

json_t *diagnostic_json(const Server *server, const Document *document, const Analysis *analysis,
                        const DiagMessage *message);
void publish_diagnostics(Server *server, Document *document);

/* ---- handlers */

#define METHOD(name, function, kind, needs, capability, options)                                   \
  void handle_##function(Request *request);
#include "frontend/server/methods.def"
