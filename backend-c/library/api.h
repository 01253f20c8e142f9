/* Api: the functions of a generated library as data. The header (header.c), the definitions
 * (definitions.c) and the description in JSON (json.c) are printed from it.
 */
#pragma once

#include "backend-c/types/types.h"

typedef struct ApiType ApiType;
typedef struct ApiParam ApiParam;
typedef VEC(ApiParam) ApiParamVec;

typedef enum { API_NAMED, API_POINTER, API_CONST, API_ARRAY, API_CALLBACK } ApiTypeKind;

struct ApiType {
  ApiTypeKind kind;
  const char *name;  /* named: its spelling in C */
  const char *shown; /* named: its spelling in the description */
  /* The target of a pointer, the constant, the element, the result of a callback. */
  const ApiType *of;
  uint64_t len;       /* array */
  ApiParamVec params; /* callback */
};

struct ApiParam {
  const char *name; /* NULL in a callback */
  const ApiType *ty;
  const char *role; /* world, in, out */
};

typedef struct ApiFunc {
  const char *name;
  const ApiType *result;
  ApiParamVec params;
  CExpr *call; /* the body of the function: a call, whose result it returns */
  const char *meaning;
} ApiFunc;

/* One member of an object in the description; several functions under one key are an array. */
typedef struct ApiSlot {
  const char *key;
  const ApiFunc *fn;
} ApiSlot;

/* One object: of the runtime, an input, an output. */
typedef struct ApiEntry {
  const char *name;        /* as the description shows it */
  const char *written;     /* inputs, outputs: as the program writes it */
  const Type *ty;          /* inputs, outputs */
  const char *description; /* of an input, or NULL */
  const char *symbol;      /* of the description */
  bool has_default;
  VEC(ApiSlot) slots;
} ApiEntry;
typedef VEC(ApiEntry) ApiEntryVec;

/* Structs that clients fill in, by the rows of api_structs.def. */
typedef enum { API_VIEW, API_FRAME } ApiStructId;

typedef struct ApiStruct {
  const char *name, *tag, *guard, *meaning;
} ApiStruct;

typedef struct ApiField {
  ApiStructId of;
  const char *type;
  const char *name; /* NULL: after the last row */
  uint32_t len;     /* 0: a row of constants, not a member */
  const char *meaning;
} ApiField;

extern const ApiStruct api_structs[];
extern const ApiField api_fields[];

/* Kinds of functions of inputs and outputs, by the rows of api_values.def. */
typedef enum {
#define VALUE(id, ...) API_VALUE_##id,
#include "backend-c/library/api_values.def"
  API_VALUE_COUNT
} ApiValueId;

typedef struct ApiValueRow {
  const char *key, *words, *callee, *meaning;
} ApiValueRow;

extern const ApiValueRow api_value_rows[];

typedef struct Api {
  Gen *gen;
  const char *prefix;
  const ApiType *world; /* pointer to a world */
  ApiEntryVec runtime, inputs, outputs;
} Api;

Api *api_new(Gen *gen, const char *prefix);

/* api.c: types and functions. */
const ApiType *api_named(Api *api, const char *name, const char *shown);
const ApiType *api_pointer(Api *api, const ApiType *of);
const ApiType *api_const(Api *api, const ApiType *of);
const ApiType *api_array(Api *api, const ApiType *of, uint64_t len);
const ApiType *api_bool(Api *api);
/* Makes a function PREFIX_word, with the world as its first parameter; api_call sets its body. */
ApiFunc *api_func(Api *api, const char *word, const ApiType *result);
void api_param(Api *api, ApiFunc *fn, ApiParam param);
/* callee(world, args...) */
void api_call(Api *api, ApiFunc *fn, const char *callee, CExprVec args);
void api_slot(Api *api, ApiEntry *entry, const char *key, const ApiFunc *fn);

/* api_values.c: functions of inputs and outputs. */
void api_add_inputs(Api *api);
void api_add_outputs(Api *api);
bool gen_has_frames(const Api *api); /* for inputs or outputs */

/* The declaration of the parameter in C. */
CParam api_c_param(Api *api, const ApiParam *param);
const char *api_c_type(Api *api, const ApiType *ty);

/* header.c */
const char *gen_target_macro(const Gen *gen); /* in the header and the description */
CFunc gen_api_head(Api *api, const ApiFunc *fn);

/* header.c, json.c: the texts */
const char *gen_header(Api *api, const LibraryNames *names);
const char *gen_json(Api *api, const LibraryNames *names);

/* Target.describe */
void gen_library(Cx *cx, const TreeProgram *program, const EmitOptions *options,
                 const LibraryNames *names, LibraryTexts *texts);
