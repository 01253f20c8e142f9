/* Births and text in the order of the slots of their strands, and for one strand in the order of
 * creation. */
#include "runtime/src/strands/store.h"
#include "tests/unit/test.h"

enum { N_BLOCKS = 3 };

static void add(ddr_record *record, int64_t slot, size_t begin, size_t end) {
  CHECK(ddr_parts_add(&record->born, &(ddr_part){.slot = slot, .begin = begin, .end = end}));
}

/* With slots so far apart. */
static void parts_come_by_slot_and_then_as_they_were_made(int64_t apart) {
  static const ddr_part want[] = {{0, 1, 0, 2}, {3, 0, 1, 4}, {3, 0, 6, 7}, {5, 2, 0, 1},
                                  {7, 0, 0, 1}, {7, 0, 4, 6}, {7, 0, 9, 10}};
  enum { N_PARTS = sizeof want / sizeof *want };
  ddr_record records[N_BLOCKS] = {0};
  ddr_store store = {.records = records, .n_blocks = N_BLOCKS, .n_records = N_BLOCKS};
  ddr_world world = {.store = &store};
  ddr_parts all;
  add(&records[0], 7 * apart, 0, 1); /* strands take turns: 7, 3, 7, 3, 7 */
  add(&records[0], 3 * apart, 1, 4);
  add(&records[0], 7 * apart, 4, 6);
  add(&records[0], 3 * apart, 6, 7);
  add(&records[0], 7 * apart, 9, 10);
  add(&records[0], 1 * apart, 10, 10); /* empty */
  add(&records[1], 0 * apart, 0, 2);
  add(&records[2], 5 * apart, 0, 1);
  CHECK_EQ(ddr_parts_collect(&world, PARTS_BORN, &all), DDR_OK);
  if (CHECK_EQ(all.n, N_PARTS))
    for (int k = 0; k < N_PARTS; k++) {
      CHECK_EQ(all.part[k].slot, want[k].slot * apart);
      CHECK_EQ(all.part[k].record, want[k].record);
      CHECK_EQ(all.part[k].begin, want[k].begin);
      CHECK_EQ(all.part[k].end, want[k].end);
    }
  ddr_parts_clear(&all);
  CHECK_EQ(ddr_parts_collect(&world, PARTS_SAID, &all), DDR_OK); /* births are not text */
  CHECK_EQ(all.n, 0);
  for (int k = 0; k < N_BLOCKS; k++) ddr_parts_clear(&records[k].born);
}

static void parts_are_counted(void) { parts_come_by_slot_and_then_as_they_were_made(1); }
static void parts_are_compared(void) { parts_come_by_slot_and_then_as_they_were_made(1000); }

int main(void) {
  RUN(parts_are_counted);
  RUN(parts_are_compared);
  return test_result();
}
