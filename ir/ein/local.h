/* What the files of ir/ein share: reading. Private to ir/ein. */
#pragma once

#include "frontend/base/text.h"
#include "frontend/base/vec.h"
#include "ir/ein/ein.h"

/* ein_read.c is the grammar; two syntaxes of operands and binders use it: templates
 * (ein_template.c) and concrete text (ein_text.c). */

/* A name in scope: one index, or the run of indices that a SHAPEVAR stands for. */
typedef struct EinName {
  const char *text;
  uint32_t len;
  uint32_t n;
  EinIdx idx[MAX_ORDER];
} EinName;

typedef struct EinBinder { /* one sum */
  uint32_t var, range;
} EinBinder;

typedef struct EinReader EinReader;
struct EinReader {
  Cx *cx;
  const char *pos;
  const char *error;  /* the first one; reading stops there */
  VEC(EinName) scope; /* innermost last */
  uint32_t n_indices; /* numbers given out */
  uint32_t depth;     /* of factors in each other, at pos */
  /* An operand at pos, which starts with a letter that is no function, or with '$'. */
  const EinExpr *(*operand)(EinReader *r);
  /* A binder "i:3", "i:d" or "s" at pos: pushes its name and adds the sums it stands for. */
  void (*binder)(EinReader *r, EinBinder *sums, uint32_t *n_sums);
  void *context;
};

const EinExpr *ein_read_expr(EinReader *r); /* NULL after an error */
void ein_read_space(EinReader *r);
bool ein_read_char(EinReader *r, char c);                /* consumes it when it is next */
void ein_read_expect(EinReader *r, char c);              /* error when it is not */
uint32_t ein_read_word(EinReader *r, const char **word); /* letters and digits; 0 when none */
bool ein_read_number(EinReader *r, int64_t *value);      /* digits */
void ein_read_fail(EinReader *r, const char *why);       /* keeps the first error */
/* An index or run at pos: a digit constant or a name in scope; n is 0 after an error. */
EinName ein_read_item(EinReader *r);
EinName ein_name_single(const char *text, uint32_t len, EinIdx idx);
uint32_t ein_new_index(EinReader *r);
