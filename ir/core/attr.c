/* Attributes: equality and hashing by kind, for value numbering and for sharing probes; the values
 * of constants. */
#include <string.h>

#include "ir/core/ir.h"
#include "ir/ein/ein.h"

/* Keeps the zeros apart, and makes a NaN equal to itself. */
static uint64_t bits_of(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

static bool same_reals(RealConst a, RealConst b) {
  if (bits_of(a.value) != bits_of(b.value)) return false;
  if (!a.digits || !b.digits) return a.digits == b.digits;
  return strcmp(a.digits, b.digits) == 0;
}

static bool same_rows(ConstRow a, ConstRow b) {
  for (uint32_t i = 0; i < a.width && a.width == b.width; i++)
    if (!rational_eq(a.lanes[i], b.lanes[i])) return false;
  return a.width == b.width;
}

static bool same_reduces(Reduce a, Reduce b) {
  bool is_same = a.over == b.over && a.n_kinds == b.n_kinds;
  for (uint32_t i = 0; is_same && i < a.n_kinds; i++) is_same = a.kinds[i] == b.kinds[i];
  return is_same;
}

bool attr_eq(AttrKind kind, Attr a, Attr b) {
  switch (kind) {
  case ATTR_NONE: return true;
  case ATTR_BOOL: return a.b == b.b;
  case ATTR_INT: return a.i == b.i;
  case ATTR_REAL: return same_reals(a.real, b.real);
  case ATTR_STRING: return strcmp(a.s, b.s) == 0;
  case ATTR_ROW: return same_rows(a.row, b.row);
  case ATTR_PAIR: return a.pair.i == b.pair.i && a.pair.j == b.pair.j;
  case ATTR_SUPPORTS: return memcmp(&a.supports, &b.supports, sizeof a.supports) == 0;
  case ATTR_KERNEL: return a.kernel == b.kernel;
  case ATTR_VAR:
  case ATTR_STATE: return a.var.index == b.var.index && a.var.component == b.var.component;
  case ATTR_FUNC: return a.func == b.func;
  case ATTR_EXIT: return a.exit == b.exit;
  case ATTR_EIN: return ein_eq(a.ein, b.ein);
  case ATTR_GROUP:
    return a.group.kernel == b.group.kernel && a.group.orders == b.group.orders &&
           a.group.border == b.group.border && a.group.sampling == b.group.sampling;
  case ATTR_REDUCE: return same_reduces(a.reduce, b.reduce);
  }
  return false;
}

static uint32_t hash_bytes(const void *data, size_t n_bytes) {
  const unsigned char *bytes = data;
  uint32_t hash = 2166136261u; /* FNV-1a */
  for (size_t i = 0; i < n_bytes; i++) hash = (hash ^ bytes[i]) * 16777619u;
  return hash;
}

uint32_t attr_hash(AttrKind kind, Attr attr) {
  switch (kind) {
  case ATTR_NONE: return 0;
  case ATTR_BOOL: return attr.b;
  case ATTR_INT: return hash_bytes(&attr.i, sizeof attr.i);
  case ATTR_REAL: return hash_bytes(&attr.real.value, sizeof attr.real.value);
  case ATTR_STRING: return hash_bytes(attr.s, strlen(attr.s));
  case ATTR_ROW: return hash_bytes(attr.row.lanes, attr.row.width * sizeof *attr.row.lanes);
  case ATTR_PAIR: return attr.pair.i * 31 + attr.pair.j;
  case ATTR_SUPPORTS: return hash_bytes(attr.supports.along, sizeof attr.supports.along);
  case ATTR_KERNEL: return hash_bytes(attr.kernel->name, strlen(attr.kernel->name));
  case ATTR_VAR:
  case ATTR_STATE: return attr.var.index * 31 + attr.var.component;
  case ATTR_FUNC: return 0; /* few calls; addresses would make runs differ */
  case ATTR_EXIT: return (uint32_t)attr.exit;
  case ATTR_EIN: return attr.ein->body->hash;
  case ATTR_GROUP: return attr.group.orders * 31 + (uint32_t)attr.group.border;
  case ATTR_REDUCE: return (uint32_t)attr.reduce.kinds[0] * 31 + (uint32_t)attr.reduce.over;
  }
  return 0;
}

OpValue attr_value(OpId op, Attr attr, EvalMode mode) {
  switch (op) {
  case OP_CONST_BOOL: return op_value_bool(attr.b);
  case OP_CONST_INT: return op_value_int(attr.i);
  case OP_CONST_REAL:
    return op_value_real(op_eval_literal(attr.real.value, attr.real.digits, mode));
  case OP_CONST_STRING: return op_value_string(attr.s);
  default: return (OpValue){.kind = OV_NONE}; /* no constant */
  }
}
