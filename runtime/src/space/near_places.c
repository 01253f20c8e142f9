/* near_places.c: tables of the lanes in each subset of eight, for queries that compress a register
 * by them (ddr/host/near.h). */
#include "ddr/host/near.h"

/* Whether lane k is in the set, as 0 or 1. */
#define HAS(set, k) ((uint32_t)(set) >> (k)&1)
#define OF_1(set) HAS(set, 0)
#define OF_2(set) (OF_1(set) + HAS(set, 1))
#define OF_3(set) (OF_2(set) + HAS(set, 2))
#define OF_4(set) (OF_3(set) + HAS(set, 3))
#define OF_5(set) (OF_4(set) + HAS(set, 4))
#define OF_6(set) (OF_5(set) + HAS(set, 5))
#define OF_7(set) (OF_6(set) + HAS(set, 6))

/* Lane k, if it is in the set, after n_before lanes, as a digit of four bits. */
#define LANE(set, k, n_before) (HAS(set, k) * (k) << 4 * (n_before))
#define LANES(set)                                                                                 \
  (LANE(set, 1, OF_1(set)) | LANE(set, 2, OF_2(set)) | LANE(set, 3, OF_3(set)) |                   \
   LANE(set, 4, OF_4(set)) | LANE(set, 5, OF_5(set)) | LANE(set, 6, OF_6(set)) |                   \
   LANE(set, 7, OF_7(set)))

#define SETS_4(set) LANES(set), LANES((set) + 1), LANES((set) + 2), LANES((set) + 3)
#define SETS_16(set) SETS_4(set), SETS_4((set) + 4), SETS_4((set) + 8), SETS_4((set) + 12)
#define SETS_64(set) SETS_16(set), SETS_16((set) + 16), SETS_16((set) + 32), SETS_16((set) + 48)

const uint32_t ddr_near_places[256] = {SETS_64(0), SETS_64(64), SETS_64(128), SETS_64(192)};
