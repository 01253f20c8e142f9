/* Address: index functions (ir/index/ixfun.h) as C expressions.
 *
 *   Address address;
 *   address_open(&address, cx);
 *   Poly idx[] = {address_index(&address, c_name(cx, "row"), n_rows), poly_const(2)};
 *   address_at(&address, table, idx, 2)       row * 3 + 2 of a table of rows of 3
 */
#pragma once

#include "backend-c/text/cexpr.h"
#include "frontend/base/map.h"
#include "ir/index/addr.h"
#include "ir/index/ixfun.h"

typedef struct Address {
  Cx *cx;
  Map *values; /* Name of an unknown to CExpr */
  uint32_t n_indices;
} Address;

void address_open(Address *address, Cx *cx);
/* The value of an expression in the range 0 .. below-1. */
Poly address_index(Address *address, CExpr *value, Poly below);
/* The offset, in elements, of an index of the function. */
CExpr *address_at(const Address *address, const Ixfun *f, const Poly *idx, uint32_t rank);
