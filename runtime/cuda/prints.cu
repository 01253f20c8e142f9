/* prints.cu: what strands print on the device, formatted by the host in rank order.
 *
 * The records of a launch (ddr/device/prints.h) are in any order; here they are sorted by slot and
 * number.  In a run without supersteps, the text of a strand is complete only after several
 * launches, and that of the next strand must wait for it: records are held until then.
 *
 * Read next: free_run.cu, which limits how much is held.
 */
#include <stdlib.h>
#include <string.h>

#include "ddr/device/prints.h"
#include "runtime/cuda/check.h"

/* One record. */
typedef struct Entry {
  int64_t slot;
  uint64_t order; /* among the records of the slot: by launch, then within the launch */
  const ddr_said *said;
} Entry;

/* The records of one launch, in rank order. */
struct ddr_printed {
  char *bytes; /* the records */
  uint64_t n_bytes;
  Entry *entries;
  uint64_t n, at; /* records before `at` are not held any more */
};

typedef struct ddr_printed Printed;

bool ddr_prints_wanted(const ddr_device *device) {
  return device->program->device->heaps >> DDR_HEAP_PRINTS & 1;
}

static void clear(ddr_prints *prints, Printed *printed) {
  prints->n_held -= printed->n_bytes;
  free(printed->bytes);
  free(printed->entries);
}

void ddr_prints_free(ddr_device *device) {
  ddr_prints *prints = &device->prints;
  for (uint32_t k = 0; k < prints->n_launches; k++) clear(prints, &prints->launches[k]);
  free(prints->launches);
  prints->launches = NULL;
  prints->n_launches = prints->capacity = 0;
}

/* --- from the device -------------------------------------------------------------------------- */

static const char *out_of_memory(void) { return "out of memory for what strands print"; }

static int compare(const void *left, const void *right) {
  const Entry *a = (const Entry *)left, *b = (const Entry *)right;
  if (a->slot != b->slot) return a->slot < b->slot ? -1 : 1;
  return (a->order > b->order) - (a->order < b->order);
}

static const ddr_said *said_at(const Printed *printed, uint64_t at) {
  return (const ddr_said *)(const void *)(printed->bytes + at);
}

static uint64_t count(const Printed *printed) {
  uint64_t n = 0;
  for (uint64_t at = 0; at < printed->n_bytes; n++) {
    const ddr_said *said = said_at(printed, at);
    at += ddr_said_size(said);
  }
  return n;
}

static const char *sort(Printed *printed, uint32_t launch) {
  uint64_t at = 0;
  printed->n = count(printed);
  printed->entries = (Entry *)malloc(printed->n * sizeof *printed->entries);
  if (!printed->entries) return out_of_memory();
  for (uint64_t k = 0; k < printed->n; k++) {
    const ddr_said *said = said_at(printed, at);
    const Entry entry = {said->slot, (uint64_t)launch << 32 | said->number, said};
    printed->entries[k] = entry;
    at += ddr_said_size(said);
  }
  qsort(printed->entries, printed->n, sizeof *printed->entries, compare);
  return NULL;
}

static const char *fetch(ddr_device *device, Printed *printed) {
  const char *const what = "copy what strands print";
  const void *records = device->heap[DDR_HEAP_PRINTS].memory;
  const char *error = ddr_device_copy(device, printed->bytes, records, printed->n_bytes);
  if (!error) error = ddr_device_finish(device, what);
  return error ? error : sort(printed, device->prints.n_launched++);
}

static Printed *one_more(ddr_prints *prints) {
  if (prints->n_launches == prints->capacity) {
    const uint32_t capacity = 2 * prints->capacity + 8;
    void *grown = realloc(prints->launches, capacity * sizeof *prints->launches);
    if (!grown) return NULL;
    prints->launches = (Printed *)grown;
    prints->capacity = capacity;
  }
  Printed *printed = &prints->launches[prints->n_launches];
  memset(printed, 0, sizeof *printed);
  return printed;
}

const char *ddr_prints_take(ddr_device *device) {
  ddr_prints *prints = &device->prints;
  const uint64_t n_bytes = device->outcome.taken[DDR_HEAP_PRINTS];
  if (n_bytes == 0) return NULL;
  Printed *printed = one_more(prints);
  if (!printed) return out_of_memory();
  printed->bytes = (char *)malloc(n_bytes);
  if (!printed->bytes) return out_of_memory();
  printed->n_bytes = n_bytes;
  prints->n_launches++;
  prints->n_held += n_bytes;
  return fetch(device, printed);
}

/* --- to the world's text ---------------------------------------------------------------------- */

static void put_seq(ddr_text *text, const ddr_said_seq *seq) {
  const char *pattern = (const char *)(seq + 1);
  ddr_seq_buffer *buffer = (ddr_seq_buffer *)(void *)(uintptr_t)(pattern + seq->n_pattern);
  const ddr_seq whole = {buffer, seq->length};
  buffer->away = 0;
  ddr_put_seq(text, whole, pattern);
}

/* False: the world wants no more. */
static bool put(ddr_world *world, const ddr_said *said) {
  ddr_text *text = ddr_world_text(world);
  const void *value = said + 1;
  switch ((ddr_said_kind)said->kind) {
  case DDR_SAID_STRING: ddr_put_string(text, (const char *)value); break;
  case DDR_SAID_BOOL:
    if (said->n_chars != DDR_SAID_NOTHING) ddr_put_bool(text, said->n_chars == 1);
    break;
  case DDR_SAID_INT: ddr_put_int(text, *(const int64_t *)value); break;
  case DDR_SAID_FLOAT: ddr_put_float(text, *(const float *)value); break;
  case DDR_SAID_DOUBLE: ddr_put_double(text, *(const double *)value); break;
  case DDR_SAID_SEQ: put_seq(text, (const ddr_said_seq *)value); break;
  }
  if (!said->is_end) return true;
  ddr_print_end(text);
  return !ddr_any_errors(world);
}

static uint64_t count_before(const Printed *printed, int64_t end) {
  uint64_t n = 0;
  while (printed->at + n < printed->n && printed->entries[printed->at + n].slot < end) n++;
  return n;
}

static uint64_t count_final(const ddr_prints *prints, int64_t end, bool *is_sorted) {
  uint64_t n_final = 0;
  *is_sorted = true;
  for (uint32_t k = 0; k < prints->n_launches; k++) {
    const uint64_t n = count_before(&prints->launches[k], end);
    if (n > 0 && n_final > 0) *is_sorted = false;
    n_final += n;
  }
  return n_final;
}

static void collect(ddr_prints *prints, int64_t end, Entry *entries) {
  for (uint32_t k = 0; k < prints->n_launches; k++) {
    Printed *printed = &prints->launches[k];
    const uint64_t n = count_before(printed, end);
    memcpy(entries, printed->entries + printed->at, n * sizeof *entries);
    entries += n;
    printed->at += n;
  }
}

static uint64_t size_left(const Printed *printed) {
  uint64_t n_bytes = 0;
  for (uint64_t k = printed->at; k < printed->n; k++)
    n_bytes += ddr_said_size(printed->entries[k].said);
  return n_bytes;
}

static Entry *move_left(const Printed *printed, char *bytes, Entry *entries) {
  for (uint64_t k = printed->at; k < printed->n; k++) {
    const ddr_said *said = printed->entries[k].said;
    const uint64_t size = ddr_said_size(said);
    Entry *entry = &entries[k - printed->at];
    *entry = printed->entries[k];
    entry->said = (const ddr_said *)memcpy(bytes, said, size);
    bytes += size;
  }
  return entries;
}

/* If at most half of a launch is left, it is moved to smaller memory, if there is any. */
static void shrink(ddr_prints *prints, Printed *printed) {
  if (printed->at < printed->n / 2) return;
  const uint64_t n_bytes = size_left(printed), n = printed->n - printed->at;
  char *bytes = (char *)malloc(n_bytes);
  Entry *entries = (Entry *)malloc(n * sizeof *entries);
  if (bytes && entries) {
    const Printed left = {bytes, n_bytes, move_left(printed, bytes, entries), n, 0};
    clear(prints, printed);
    *printed = left;
    prints->n_held += n_bytes;
  } else {
    free(bytes);
    free(entries);
  }
}

static void forget(ddr_prints *prints) {
  uint32_t n_kept = 0;
  for (uint32_t k = 0; k < prints->n_launches; k++) {
    Printed *printed = &prints->launches[k];
    if (printed->at == printed->n) {
      clear(prints, printed);
    } else {
      shrink(prints, printed);
      prints->launches[n_kept++] = *printed;
    }
  }
  prints->n_launches = n_kept;
  if (n_kept == 0) prints->n_launched = 0;
}

const char *ddr_prints_release(ddr_device *device, int64_t end) {
  ddr_prints *prints = &device->prints;
  bool is_sorted, is_wanted = true;
  const uint64_t n = count_final(prints, end, &is_sorted);
  if (n == 0) return NULL;
  Entry *entries = (Entry *)malloc(n * sizeof *entries);
  if (!entries) return out_of_memory();
  collect(prints, end, entries);
  if (!is_sorted) qsort(entries, n, sizeof *entries, compare);
  for (uint64_t k = 0; k < n && is_wanted; k++) is_wanted = put(prints->world, entries[k].said);
  free(entries);
  if (is_wanted) forget(prints);
  else ddr_prints_free(device);
  return NULL;
}
