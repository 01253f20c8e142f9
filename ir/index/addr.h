/* Addr: address arithmetic as a small tree that a back end can print or turn into instructions.
 *
 *   o + i*s with constants folded, no multiplication by 1, no addend 0
 *
 * Leaves are constants and names: of loop indices, sizes, and all that the polynomials mention.
 */
#pragma once

#include "ir/index/poly.h"

typedef enum {
  ADDR_CONST,    /* value */
  ADDR_NAME,     /* name */
  ADDR_ADD,      /* args */
  ADDR_SUB,      /* args */
  ADDR_MUL,      /* args */
  ADDR_NEG,      /* args[0] */
  ADDR_DIV,      /* args, neither negative: C's / */
  ADDR_REM,      /* args, neither negative: C's % */
  ADDR_FLOORDIV, /* args, of any sign: rounded down */
  ADDR_MOD,      /* args, of any sign: what FLOORDIV leaves */
  ADDR_WRAP,     /* args[0] < args[1] ? args[0] : args[0] - args[1] */
} AddrKind;

typedef struct Addr Addr;
struct Addr {
  AddrKind kind;
  int64_t value;
  const Name *name;
  const Addr *args[2];
};

/* A polynomial as a sum of products, the constant last. */
const Addr *addr_from_poly(Arena *a, Poly x);

/* The addends of x that become fixed where loops[level - 1] does, which is inside of loops[0] to
 * loops[level - 2]; level 0: those without any index of the loops. Over all levels they add up to
 * x. Addends with one index are one product: its coefficient times the index. */
const Addr *addr_at_level(Arena *a, Poly x, const Name *const *loops, uint32_t n_loops,
                          uint32_t level);

/* In the syntax of C; floordiv(x, y) and mod(x, y) for the two that it has no operator for. */
const char *addr_print(Arena *a, const Addr *addr);
