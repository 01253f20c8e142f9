/* address: index functions (ir/index/ixfun.h) as C expressions. */
#include "backend-c/types/address.h"

#include "frontend/base/panic.h"

void address_open(Address *address, Cx *cx) {
  *address = (Address){.cx = cx, .values = map_new(cx->arena)};
}

Poly address_index(Address *address, CExpr *value, Poly below) {
  const char *text = text_format(address->cx->arena, "i%02u", address->n_indices++);
  const Name *name = name_from(address->cx->names, text);
  map_put(address->values, name, value);
  return poly_index(address->cx->arena, name, below);
}

static CExpr *spell(const Address *address, const Addr *addr);

static CExpr *spell_binary(const Address *address, const char *op, const Addr *addr) {
  return c_binary(address->cx, op, spell(address, addr->args[0]), spell(address, addr->args[1]));
}

static CExpr *spell(const Address *address, const Addr *addr) {
  switch (addr->kind) {
  case ADDR_CONST: return c_int(address->cx, addr->value);
  case ADDR_NAME: return map_get(address->values, addr->name);
  case ADDR_ADD: return spell_binary(address, "+", addr);
  case ADDR_SUB: return spell_binary(address, "-", addr);
  case ADDR_MUL: return spell_binary(address, "*", addr);
  case ADDR_NEG: return c_unary(address->cx, "-", spell(address, addr->args[0]));
  case ADDR_DIV: return spell_binary(address, "/", addr);
  case ADDR_REM: return spell_binary(address, "%", addr);
  case ADDR_FLOORDIV:
  case ADDR_MOD:
  case ADDR_WRAP: break; /* for negative or rotated indices, which generated code does not have */
  }
  BUG(address->cx, "an address that C has no operator for");
}

CExpr *address_at(const Address *address, const Ixfun *f, const Poly *idx, uint32_t rank) {
  Poly offset;
  if (!ixfun_index(address->cx->arena, f, idx, rank, 1, &offset))
    BUG(address->cx, "an index outside of what it is about");
  return spell(address, addr_from_poly(address->cx->arena, offset));
}
