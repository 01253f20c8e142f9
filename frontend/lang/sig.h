/* Sig: signatures of builtins and of IR ops, written as text in the tables and read here only.
 *
 *   sig    = params "->" types                 "()" is the empty list
 *   params = type { "," type } [ "..." ]       "..." after the last type: one or more of it
 *   type   = "bool" | "int" | "string" | "real" | "vec2".."vec4" | "mat2".."mat4" | "addr" | "offset"
 *          | "tensor" shape | "vec(" dim ")" | "image(" dim ")" shape | "kernel#" cont
 *          | "field#" cont "(" dim ")" shape | "row(" dim ")" | "strand" | TYPEVAR | type "[" [ dim ] "]"
 *   shape  = "[" [ item { "," item } ] "]"     item = dim | SHAPEVAR (a run of axes, perhaps none)
 *   dim    = number | DIMVAR | "#"             "#" in a result: number of arguments given for "..."
 *   cont   = CONTVAR | number | "(" CONTVAR "-1)" | "min(" CONTVAR "," CONTVAR ")"
 *
 * Variables are one letter: DIMVAR d e m n; SHAPEVAR s t u; CONTVAR j k; TYPEVAR T U (any type).
 * A variable that occurs twice must be bound alike, except continuities (minimum rule, language.md
 * §3.6). vec(d) is tensor[d], real when d is 1. A shape has at most one SHAPEVAR that is free when
 * the shape is met from left to right.
 */
#pragma once

#include "frontend/lang/type.h"

typedef struct Sig Sig; /* parsed signature; immutable */

/* What the variables of a signature stand for in one use; indexed by letter - 'a' or - 'A'. */
typedef struct Bindings {
  uint32_t bound_dims, bound_shapes, bound_conts, bound_types; /* bit sets of letters */
  uint32_t dims[26];
  uint32_t conts[26];
  Shape shapes[26];
  const Type *types[26];
} Bindings;

typedef enum { SIG_EXACT, SIG_COERCE } SigMode;

/* NULL with *error set (position and reason) when the text is not a signature. */
const Sig *sig_parse(Cx *cx, const char *text, const char **error);

uint32_t sig_param_count(const Sig *sig); /* written parameters; a "..." counts once */
bool sig_is_variadic(const Sig *sig);
uint32_t sig_result_count(const Sig *sig);

/* Matches argument types from left to right and binds the variables. On failure *failed is the
 * index of the first argument that does not fit, or n_args when their number is wrong. */
bool sig_match(Cx *cx, const Sig *sig, SigMode mode, const Type *const *args, uint32_t n_args,
               Bindings *bindings, uint32_t *failed);
/* Types after instantiation. An underivable one (k-1 of 0, min of shapes) is TY_ERROR. */
const Type *sig_param(Cx *cx, const Sig *sig, const Bindings *b, uint32_t i);
const Type *sig_result(Cx *cx, const Sig *sig, const Bindings *b, uint32_t i);

/* The written axes of a parameter's or result's shape, for the index templates of builtins.def.
 * kind 'd': a dimension of length value; kind 's': the run of axes bound to letter. */
typedef struct SigAxis {
  char kind;   /* 'd' or 's' */
  char letter; /* variable, or 0 for a number */
  uint32_t value;
} SigAxis;
uint32_t sig_param_axes(const Sig *sig, const Bindings *b, uint32_t i, SigAxis axes[MAX_ORDER]);
uint32_t sig_result_axes(const Sig *sig, const Bindings *b, uint32_t i, SigAxis axes[MAX_ORDER]);
