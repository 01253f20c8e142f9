/* Sig: signatures of builtins and of IR ops, written as text in the tables and read here only.
 *
 *   sig    = params "->" types                 "()" is the empty list
 *   params = type { "," type } [ "..." ]       "..." after the last type: one or more of it
 *   type   = "bool" | "int" | "string" | "real" | "vec2".."vec4" | "mat2".."mat4" | "addr"
 *          | "offset" | "tensor" shape | "vec(" dim ")" | "image(" dim ")" shape | "kernel#" cont
 *          | "field#" cont "(" dim ")" shape | "row(" dim ")" | "strand" | "any" | TYPEVAR
 *          | type "[" [ dim ] "]"
 *   shape  = "[" [ item { "," item } ] "]"     item = dim | SHAPEVAR (a run of axes, perhaps none)
 *   dim    = number | DIMVAR | "#"             "#" in a result: number of arguments given for "..."
 *   cont   = CONTVAR | number | "(" CONTVAR "-1)" | "min(" CONTVAR "," CONTVAR ")"
 *
 * Variables are one letter: DIMVAR d e m n; SHAPEVAR s t u; CONTVAR j k; TYPEVAR T U (one type,
 * while "any" may be another type at each argument). "addr" is an address of samples of one type.
 * A variable that occurs twice must be bound to the same value, except continuities, which take
 * their minimum. vec(d) is tensor[d], or real if d is 1. A shape has at most one SHAPEVAR that is
 * still free when it is matched from left to right. An axis of length 1 does not count: a shape
 * that is a single free DIMVAR matches [] and binds 1, and a DIMVAR bound to 1 takes no axis.
 */
#pragma once

#include "frontend/lang/type.h"

typedef struct Sig Sig; /* parsed signature; immutable */

/* What the variables of a signature stand for in one use; indexed by letter - 'a' or - 'A', but
 * shapes, which are large, by SIG_RUN. */
#define SIG_RUN(letter) ((letter) - 's') /* s t u */
typedef struct Bindings {
  uint32_t bound_dims, bound_shapes, bound_conts, bound_types; /* bit sets of letters */
  uint32_t n_variadic;                                         /* arguments given for "..." */
  uint32_t dims[26];
  uint32_t conts[26];
  Shape shapes[3];
  const Type *types[26];
} Bindings;

typedef enum { SIG_EXACT, SIG_COERCE } SigMode;

/* On failure returns NULL, with position and reason in *error. */
Sig *sig_parse(Cx *cx, const char *text, const char **error);
/* The signature of a table row: parsed at its first use in a compilation; a bad one is a BUG. */
const Sig *sig_of(Cx *cx, const char *text);

uint32_t sig_param_count(const Sig *sig); /* written parameters; a "..." counts once */
bool sig_is_variadic(const Sig *sig);
uint32_t sig_result_count(const Sig *sig);

/* Matches argument types from left to right and binds the variables. On failure *failed is the
 * index of the first argument that does not fit, or n_args when their number is wrong. TY_ERROR
 * fits everything and binds nothing. SIG_COERCE admits the coercions of
 * type_coerces. */
bool sig_match(Cx *cx, const Sig *sig, SigMode mode, const Type *const *args, uint32_t n_args,
               Bindings *bindings, uint32_t *failed);
/* Matches the type of result i of an IR op, with variables bound by the parameters. Variables that
 * occur in results only are bound here. */
bool sig_match_result(Cx *cx, const Sig *sig, Bindings *b, uint32_t i, const Type *ty);

/* Types after instantiation; TY_ERROR where there is none (k-1 for k = 0, an unbound variable,
 * "any", "strand", a shape that is too large). Parameters at a "..." have the type before it. */
const Type *sig_param(Cx *cx, const Sig *sig, const Bindings *b, uint32_t i);
const Type *sig_result(Cx *cx, const Sig *sig, const Bindings *b, uint32_t i);

/* The written axes of a parameter's or result's shape (tensor, image or field; none for others),
 * for the index templates of builtins.def. Returns their number.
 * kind 'd': a dimension of length value; kind 's': the run of axes bound to letter. */
typedef struct SigAxis {
  char kind;      /* 'd' or 's' */
  char letter;    /* variable, or 0 for a number */
  uint32_t value; /* 'd' only; may be 1 */
} SigAxis;
uint32_t sig_param_axes(const Sig *sig, const Bindings *b, uint32_t i, SigAxis axes[MAX_ORDER]);
uint32_t sig_result_axes(const Sig *sig, const Bindings *b, uint32_t i, SigAxis axes[MAX_ORDER]);
