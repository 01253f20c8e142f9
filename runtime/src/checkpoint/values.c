/* values.c: packs and unpacks the values of variables.
 *
 * A row is a struct of generated code; tables of the program say where its values are.  Padding is
 * never read. Read next: local.h (the format).
 */
#include <stdlib.h>
#include <string.h>

#include "local.h"
#include "runtime/src/world/values.h"

/* Size in the file of n components. */
static size_t packed_size(const ddr_program *program, ddr_kind kind, size_t n) {
  if (kind == DDR_IMAGE) return 0;
  if (kind == DDR_SEQUENCE) return sizeof(int64_t);
  return n * (kind == DDR_STRING ? sizeof(uint64_t) : ddr_value_size(program, kind));
}

size_t ddr_row_size(const ddr_program *program, ddr_variables variables) {
  size_t size = 0;
  for (uint32_t k = 0; k < variables.n; k++) {
    const ddr_variable *variable = &variables.all[k];
    size += packed_size(program, variable->kind, variable->n_components);
  }
  return size;
}

static size_t element_size(const ddr_program *program, const ddr_variable *variable) {
  return variable->n_components * ddr_value_size(program, variable->element);
}

/* --- into it ---------------------------------------------------------------------------------- */

static void pack_strings(ddr_packing *packing, size_t n, const char *from) {
  for (size_t k = 0; k < n; k++) {
    const char *string;
    memcpy(&string, from + k * sizeof string, sizeof string);
    ddr_pack_number(packing, ddr_pack_string(packing, string));
  }
}

static void pack_components(ddr_packing *packing, ddr_kind kind, size_t n, const char *from) {
  ddr_seq seq;
  if (kind == DDR_STRING) {
    pack_strings(packing, n, from);
  } else if (kind == DDR_SEQUENCE) {
    memcpy(&seq, from, sizeof seq);
    ddr_pack(packing, &seq.length, sizeof seq.length);
  } else {
    ddr_pack(packing, from, packed_size(packing->program, kind, n));
  }
}

void ddr_pack_row(ddr_packing *packing, ddr_variables variables, const void *row) {
  for (uint32_t k = 0; k < variables.n; k++) {
    const ddr_variable *variable = &variables.all[k];
    const char *from = (const char *)row + variable->offset;
    pack_components(packing, variable->kind, variable->n_components, from);
  }
}

void ddr_pack_elements(ddr_packing *packing, ddr_variables variables, const void *row) {
  for (uint32_t k = 0; k < variables.n; k++) {
    const ddr_variable *variable = &variables.all[k];
    ddr_seq seq;
    if (variable->kind != DDR_SEQUENCE) continue;
    memcpy(&seq, (const char *)row + variable->offset, sizeof seq);
    if (seq.length == 0) continue;
    pack_components(packing, variable->element, (size_t)seq.length * variable->n_components,
                    ddr_seq_elements(seq.buffer));
  }
}

/* --- out of it -------------------------------------------------------------------------------- */

static void unpack_strings(ddr_unpacking *unpacking, size_t n, char *to) {
  for (size_t k = 0; k < n; k++) {
    const uint64_t number = ddr_unpack_number(unpacking);
    if (number > unpacking->n_strings) unpacking->is_bad = true;
    const char *string = unpacking->is_bad ? NULL : unpacking->strings[number];
    memcpy(to + k * sizeof string, &string, sizeof string);
  }
}

/* A byte that is neither 0 nor 1 is not a bool. */
static void check_bools(ddr_unpacking *unpacking, size_t n, const char *bools) {
  for (size_t k = 0; k < n; k++) unpacking->is_bad |= (unsigned char)bools[k] > 1;
}

static void unpack_components(ddr_unpacking *unpacking, const ddr_program *program, ddr_kind kind,
                              size_t n, char *to) {
  ddr_seq seq = ddr_seq_empty();
  if (kind == DDR_STRING) {
    unpack_strings(unpacking, n, to);
  } else if (kind == DDR_SEQUENCE) {
    seq.length = (int64_t)ddr_unpack_number(unpacking);
    if (seq.length < 0) unpacking->is_bad = true;
    memcpy(to, &seq, sizeof seq);
  } else if (kind != DDR_IMAGE) {
    const bool is_good = ddr_unpack(unpacking, to, packed_size(program, kind, n));
    if (is_good && kind == DDR_BOOL) check_bools(unpacking, n, to);
  }
}

void ddr_unpack_row(ddr_unpacking *unpacking, const ddr_program *program, ddr_variables variables,
                    void *row) {
  for (uint32_t k = 0; k < variables.n; k++) {
    const ddr_variable *variable = &variables.all[k];
    unpack_components(unpacking, program, variable->kind, variable->n_components,
                      (char *)row + variable->offset);
  }
}

/* Whether that many elements are left in the file; if not, the length is invalid. */
static bool are_there(const ddr_unpacking *unpacking, const ddr_program *program,
                      const ddr_variable *variable, int64_t length) {
  const size_t size = packed_size(program, variable->element, variable->n_components);
  return size > 0 && (uint64_t)length <= (unpacking->end - unpacking->at) / size;
}

static ddr_seq unpack_sequence(ddr_unpacking *unpacking, ddr_pool *pool,
                               const ddr_variable *variable, int64_t length) {
  const ddr_program *program = pool->world->program;
  const size_t size = element_size(program, variable);
  if (unpacking->is_bad || length == 0) return ddr_seq_empty();
  if (!are_there(unpacking, program, variable, length)) {
    unpacking->is_bad = true;
    return ddr_seq_empty();
  }
  char *elements = malloc((size_t)length * size);
  ddr_seq seq = ddr_seq_empty();
  if (elements) {
    unpack_components(unpacking, program, variable->element,
                      (size_t)length * variable->n_components, elements);
    seq = ddr_seq_from(pool, size, length, elements);
  }
  if (seq.length == 0) unpacking->is_short = true;
  free(elements);
  return seq;
}

void ddr_unpack_elements(ddr_unpacking *unpacking, ddr_pool *pool, ddr_variables variables,
                         void *row) {
  for (uint32_t k = 0; k < variables.n; k++) {
    const ddr_variable *variable = &variables.all[k];
    char *at = (char *)row + variable->offset;
    ddr_seq seq;
    if (variable->kind != DDR_SEQUENCE) continue;
    memcpy(&seq, at, sizeof seq);
    seq = unpack_sequence(unpacking, pool, variable, seq.length);
    memcpy(at, &seq, sizeof seq);
  }
}
