/* What the files of the checker share.
 *
 *   check.c     order of work           types.c      types as written to types
 *   decl.c      global declarations     strand.c     strand, methods, creation
 *   closed_form.c  closed forms         substitute.c parts of expressions exchanged
 *   stmt.c      statements              expr*.c      one function per kind of expression
 *   overload.c  choice of builtins      coerce.c     implicit conversions
 *   consts*.c   constant expressions    override.c   --CNAME=VALUE
 *   flow.c      returns, reachability   assigned.c   definite assignment
 *   record.c    what is noted for editors
 *   formula.c   bodies of field functions            usage.c  unused variables
 *
 * A mistake gives one message and an expression of type TY_ERROR, about which nothing more is said.
 */
#pragma once

#include "frontend/base/bits.h"
#include "frontend/base/diag.h"
#include "frontend/base/panic.h"
#include "frontend/check/check.h"
#include "frontend/check/scope.h"
#include "frontend/check/unify.h"
#include "frontend/lang/foreign.h"

/* Rights of a place. */
enum {
  MAY_LOAD = 1, /* read files */
  MAY_RETURN = 2,
  MAY_SET_GLOBALS = 4,
  MAY_REDUCE = 8,       /* over strand sets */
  MAY_QUERY = 16,       /* sphere */
  MAY_STOP = 32,        /* stabilize, die, continue */
  MAY_CREATE = 64,      /* new */
  IS_STRAND_CODE = 128, /* runs once per strand */
};

typedef enum {
#define PLACE(id, rights) PLACE_##id,
#include "frontend/check/places.def"
  PLACE_COUNT
} Place;

/* What callers of a function must know about its body, callees included. */
typedef struct FunFacts {
  bool loads, counts_strands;
  Span load;           /* where, if it loads */
  const char *unfit;   /* first construct that field functions may not use; NULL: none */
  uint32_t depth;      /* nesting of its body, and of the fields and functions that it uses */
  uint32_t continuity; /* of the least differentiable field it probes at a place that varies */
} FunFacts;

typedef struct Check {
  Cx *cx;
  Arena *arena;
  const CheckOptions *options;
  const AstProgram *source;
  TProgram *program;

  Record *record; /* or NULL */
  Scope *scope;
  Place place;
  uint32_t loop_depth;       /* foreach and comprehensions around */
  uint32_t derivatives;      /* of fields, around */
  bool is_indexed;           /* the operand of prefix operators is the base of an index: ∇V[0] */
  const Ast *reduced_set;    /* the strand set that is being reduced */
  const Name *declaring_fun; /* the function whose body is checked; not in scope there */
  FunFacts *fun;             /* facts of declaring_fun, or NULL */
  const Type *result;        /* its result type */
  uint32_t depth;            /* of the fields and functions that the current definition uses */

  const Type *strand_ty; /* NULL until the strand's name may be used */
  TVarVec state;         /* state variables declared so far */
  Span population;       /* first new or die; SPAN_NONE when there is none */

  Map *facts;       /* TFun to FunFacts */
  Map *used;        /* the TVars that are read */
  TVarVec declared; /* candidates for W_UNUSED, in source order */
  Map *unset;       /* TVars declared without a value */
  Map *unknown;     /* Names that were reported as undeclared */
  /* An unknown name was assigned, or used as a type: then it is not known what has been set. */
  bool is_target_unknown;
  TExprVec
      opened; /* globals whose definitions closed forms use; their spans are those of the forms */
  bool is_quiet; /* trial evaluation: mistakes are not reported */
} Check;

bool has_right(const Check *ck, unsigned right);

/* ---- record.c */

const Symbol *find_name(Check *ck, Ident name); /* innermost; or NULL */
void declare(Check *ck, Symbol symbol);         /* in the innermost scope */
/* Opens a scope for that part of the program; returns the enclosing one. */
Scope *enter_scope(Check *ck, Span span);
void note_var(Check *ck, const TVar *var, Span span);
void note_strand(Check *ck, Ident name);
void note_kernel(Check *ck, const Kernel *kernel, Span span);
void note_builtin(Check *ck, Ident name);
TExpr *note_expr(Check *ck, Span span, TExpr *expr); /* returns it */
void note_conversion(Check *ck, const TExpr *expr, const Type *ty);

/* ---- types.c */

/* The type written, TY_ERROR after a message. */
const Type *check_type(Check *ck, const Ast *node);
/* A shape as written, of tensors and constants; false after a message. */
bool check_shape(Check *ck, const Ast *node, Shape *shape);
/* The type of a result; TY_ERROR after a message if the tensor has too many axes or components. */
const Type *check_size(Check *ck, const Type *ty, Span span);
/* A constant int expression as a dimension of a tensor; 0 after a message. */
uint32_t check_tensor_dim(Check *ck, const Ast *node);
/* Checks that a global field declared with several variables has such. */
void check_spaces(Check *ck, const Ast *type, TVar *field);
/* A literal after '#'. */
uint32_t check_continuity(const Ast *node);

/* ---- expr*.c */

/* Types an expression. want is the expected type, or NULL. It only decides the type of loads and of
 * {}; the caller checks whether the result fits. */
TExpr *check_expr(Check *ck, const Ast *node, const Type *want);
/* Types and converts to ty; what names the place in the message when that is impossible. */
TExpr *check_condition(Check *ck, const Ast *node); /* a bool */
TExpr *check_expr_as(Check *ck, const Ast *node, const Type *ty, const char *what);
TExpr *error_expr(Check *ck, Span span);
TExpr *const_expr(Check *ck, Const *value, Span span);
TExpr *var_expr(Check *ck, TVar *var, Span span); /* not counted as a use */
bool is_error(const TExpr *expr);
void note_use(Check *ck, const TVar *var);
/* After an error at a name, a called one or not: adds help if it is a word of another language,
 * else returns false. */
bool hint_foreign(Check *ck, const Name *name, ForeignPlace place);
/* Whether the name was reported as undeclared before: a missing or misspelt declaration is one
 * mistake, however often the name is used. */
bool was_unknown(Check *ck, const Name *name);
bool is_value_or_error(const Type *ty);
/* Whether the type is a dynamic sequence of strings: such inputs are loaded from files, but files
 * hold no strings. */
bool is_from_no_file(const Type *ty);
bool is_abstract(const Type *ty); /* field, image, kernel: a value from the start, never assigned */

/* expr.c: the form of calls.def that is a chain of conditionals. */
TExpr *check_print_ir(Check *ck, const AstCall *node, const Type *want);
TExpr *check_swap(Check *ck, const AstCall *node, const Type *want);
TExpr *check_literal(Check *ck, const Ast *node); /* expr_literal.c */
TExpr *check_negated_int(Check *ck, const Ast *literal, Span span);
/* Names of builtins that a program can call; operators have rows too. */
bool is_basis_function(const char *name);
TExpr *check_call(Check *ck, const AstCall *node, const Type *want); /* expr_call.c */
/* Arguments against the parameters of a function or strand; false after a message. */
bool check_arguments(Check *ck, const Name *callee, Span span, const AstList *args,
                     const TVarVec *params, TExprVec *out);
/* expr_probe.c: a call whose callee is a field, and forms that probe (calls.def). */
TExpr *check_probe(Check *ck, const AstCall *node, const Type *want);
TExpr *check_inst(Check *ck, const AstCall *node, const Type *want);
TExpr *check_reduced_probe(Check *ck, const AstCall *node, const Type *want);
/* Sets *variables to those of a field of several variables, else NULL. False after a message that
 * the fields in it have different variables. */
bool field_variables(Check *ck, const TExpr *field, const TVarVec **variables);
/* False after a message that the field has several variables. */
bool check_one_variable(Check *ck, const TExpr *field);
/* closed_form.c */
TExpr *check_closed_form(Check *ck, const AstCall *node, const Type *want);
TExpr *check_moving(Check *ck, const AstCall *node, const Type *want);
TExpr *check_ofield_formula(Check *ck, const AstOfieldFun *node, const TVar *field);
void check_opened(Check *ck);
TExpr *check_load_image(Check *ck, const AstLoadImage *node, const Type *want); /* expr_load.c */
TExpr *check_load_seq(Check *ck, const AstLoadSeq *node, const Type *want);
TExpr *check_differential(Check *ck, const AstUnary *node, const Type *want); /* expr_field.c */
/* Is the node the name of a function, which is no value? */
bool is_function_name(const Check *ck, const Ast *node);
void suggest_kernels(Check *ck, uint32_t continuity); /* those with as many derivatives */
void report_no_kernel(Check *ck, Ident name);         /* the name is no kernel; lists all kernels */
TExpr *check_kernel_as(Check *ck, const AstKernelAs *node);
TExpr *check_kernels(Check *ck, const AstCall *node, const Type *want);
/* For the operands of ⊛: KRNS must have as many kernels as the image has axes. False after a
 * message.
 */
bool check_axes_of_kernel(Check *ck, const char *op, const TExpr *left, const TExpr *right);
/* The same for a kernel as an argument, and the images that the function uses it for. */
bool check_kernel_argument(Check *ck, const TVar *param, const TExpr *arg);
TExpr *check_sequence(Check *ck, const AstSequence *node, const Type *want); /* expr_seq.c */
TExpr *check_range(Check *ck, const AstRange *node);
TExpr *check_comprehend(Check *ck, const AstComprehend *node, const Type *want);
/* Source of a loop, typed; *elem is the type of its elements, TY_ERROR after a message. */
TExpr *check_source(Check *ck, const Ast *node, const Type *want, const Type **elem);
TExpr *check_index(Check *ck, const AstIndex *node);
TExpr *check_tensor(Check *ck, const AstTensor *node, const Type *want); /* expr_tensor.c */
TExpr *check_slice(Check *ck, TExpr *base, const AstIndex *node);
TExpr *check_select(Check *ck, const AstSelect *node); /* expr_strand.c */
TExpr *check_sphere(Check *ck, const AstCall *node, const Type *want);

/* ---- substitute.c */

typedef struct Substitution Substitution;
struct Substitution {
  Check *ck;
  Span span; /* of the result, for messages */
  /* The replacement of an expression; NULL: the expression itself, with its parts substituted. */
  TExpr *(*replace)(Substitution *sub, TExpr *expr);
  void *context;
  uint32_t n_nodes, depth, deepest;
  bool is_too_large; /* after a message */
};
TExpr *substitute(Substitution *sub, TExpr *expr);

/* ---- coerce.c */

/* Converts; the types must allow it. Constants are converted at once. coerce is for implicit
 * conversions: it warns if they lose something. */
TExpr *convert(Check *ck, TExpr *expr, const Type *ty);
TExpr *coerce(Check *ck, TExpr *expr, const Type *ty);
/* Converts, or reports a mismatch, where `what` names the place. */
TExpr *coerce_or_report(Check *ck, TExpr *expr, const Type *ty, const char *what);
/* Converts a constant; ty must allow it. Does not round to the precision of the program. */
Const *const_coerce(Check *ck, Const *value, const Type *ty);

/* ---- overload.c */

/* The application of a builtin: the first row that fits exactly, else by conversion. */
TExpr *resolve_builtin(Check *ck, const char *name, Span span, TExprVec args);
TExpr *resolve_unary(Check *ck, const char *name, Span span, TExpr *operand);
/* The same among the rows listed only, for x op= e; NULL when none fits (nothing is said). */
TExpr *resolve_among(Check *ck, const BuiltinId *rows, uint32_t n_rows, Span span, TExprVec args);
/* The types of arguments for a message: "int, vec3". */
const char *argument_types(Check *ck, const TExprVec *args);
const Type **argument_type_list(Check *ck, const TExprVec *args);

/* ---- advice.c: what to write instead, below messages */

/* For a common mistake in arguments of a builtin; false if it is none. */
bool advise(Check *ck, const char *name, const TExprVec *args);
void hint_quoted_kernel(Check *ck, const TExprVec *args);
void hint_applied(Check *ck, const TExpr *callee, const TExprVec *args);
void hint_indexed(Check *ck, const Type *base, const Type *index); /* index: NULL, or no int */
void hint_selected(Check *ck, const Type *base, const Name *member);
void hint_unfit(Check *ck, const TExpr *found, const Type *wanted);
void hint_stacked(Check *ck, const Type *a, const Type *b);
bool hint_tensor_type(Check *ck, const Name *name); /* false if the name is not like one */
void hint_derivative(Check *ck, const char *op, const TExpr *field);

/* ---- consts.c */

typedef enum {
  CONST_KNOWN,
  CONST_NOT, /* not constant; nothing was reported */
  CONST_BAD, /* overflow, division by zero, ...; reported */
} ConstStatus;

ConstStatus const_value(Check *ck, const TExpr *expr, Const **value);
/* Values that can be computed without a mistake, silently; NULL otherwise. */
Const *const_value_if_known(Check *ck, const TExpr *expr);
/* The constant of that type that must stand there; NULL after a message (id: it is not constant).
 */
const Const *const_of(Check *ck, const Ast *node, const Type *ty, DiagId not_constant);
/* Non-negative int of a dimension or length; false after a message (id says it is not constant). */
bool const_int(Check *ck, const Ast *node, DiagId not_constant, int64_t *number);
Const *const_new(Check *ck, const Type *ty);
Const *const_from_int(Check *ck, int64_t number);
Const *const_from_reals(Check *ck, const Type *ty, double fill);
bool int_in_range(const Cx *cx, int64_t value);
/* consts_apply.c: a builtin row applied to values. */
ConstStatus const_apply(Check *ck, const TExpr *call, Const **args, Const **value);
/* consts_tensor.c: on reals and tensors; NULL when the builtin is not one that folds. */
Const *const_apply_tensor(Check *ck, const TExpr *call, Const **args);

/* ---- override.c */

/* The value of text as the constant's; NULL after a message. */
Const *const_parse(Check *ck, const TVar *var, const char *text);
const ConstOverride *find_override(const Check *ck, const Name *constant);

/* ---- decl.c, strand.c, stmt.c */

/* A type as written, which must be a type of values; `what` is the construct that has it. TY_ERROR
 * after a message. */
const Type *check_value_type(Check *ck, const Ast *node, const char *what);
void check_globals(Check *ck);
/* Notes a global of this name that is declared behind its use; false if there is none. */
bool note_declared_below(Check *ck, Ident use);
void check_strand(Check *ck);
void check_creation(Check *ck);
void check_global_block(Check *ck, const Ast *block, Place place, TStmt **out);
TStmt *check_block(Check *ck, const Ast *node);        /* opens a scope */
TStmt *check_assign(Check *ck, const AstAssign *node); /* stmt_assign.c */

/* New variable, declared in the innermost scope; reports redefinitions and warns of hiding. */
TVar *declare_var(Check *ck, TVarKind kind, Ident name, const Type *ty);
/* The same without entering it yet: for variables that are not in scope in their own initializer.
 */
TVar *new_var(Check *ck, TVarKind kind, Ident name, const Type *ty);
void enter_var(Check *ck, TVar *var);
/* The value of a variable that is being declared, and its depth. */
TExpr *check_first_value(Check *ck, const Ast *node, TVar *var, const char *what);
TExpr *check_initializer(Check *ck, const AstVar *node, TVar *var);
/* The value of a field function at its parameter, as a tensor of the field's shape. */
TExpr *check_formula_body(Check *ck, const Ast *node, const TVar *field);
/* Notes that a definition uses something of this depth. */
void note_depth(Check *ck, uint32_t depth);
/* Reports when the name is taken in the innermost scope; false then. */
bool check_not_declared(Check *ck, Ident name);
/* The variable has no value where it is declared (definite assignment). */
void note_unset(Check *ck, const TVar *var);
/* Reports the name of an input or output that is too long, or not an identifier in C. */
void check_public_name(Check *ck, const TVar *var, const char *what);
/* Declares the variable as the next one of its table. */
void declare_in(Check *ck, TVarVec *table, TVar *var);

/* ---- what is checked on the typed tree */

void check_flow(Check *ck);     /* flow.c: W_UNREACHABLE, W_NEVER_STABLE, E_RETURN_MISSING */
void check_assigned(Check *ck); /* assigned.c */
void check_usage(Check *ck);    /* usage.c: W_UNUSED */
/* formula.c: checks that the body of a field function is differentiable. True if it reduces
 * sequences: then it has a value at a position, but no derivative. */
bool check_formula(Check *ck, const TVar *field);
/* Sets *continuity to how often a value that depends on parameters can be differentiated. False
 * after a message. */
bool check_formula_value(Check *ck, const TExpr *value, uint32_t *continuity);
void note_formula_facts(Check *ck, const TFun *fun, FunFacts *facts);
